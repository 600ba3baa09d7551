"""`python -m benchmarks.extraction.fit --web FOLDER --data FOLDER`: fits the weights of our own reader's features.

Logistic regression with a penalty, on blocks that hold a labelled sentence (web pages, weight 1 each), on all blocks of
those web pages whose own data state the whole article (weight `STATED_WEIGHT` a page), and on blocks of which the
label's text decides (Chinese pages, weight `CHINESE_WEIGHT` a page). Prints the table for
`crawler/extraction/main_content/block_weights.py`. With `--without HALF`, hosts whose name hashes into that half are
left out, to measure on them.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Final, TypeAlias

import click
import numpy as np

from benchmarks.extraction import corpus
from benchmarks.extraction.stated_texts import LEAST_STATED, SAME_SIZE, text_in_data
from benchmarks.extraction.web_pages import WebPage, web_pages
from crawler.extraction.html.charset import decode
from crawler.extraction.html.page_tree import PageTree, page_tree
from crawler.extraction.html.parsing import parse
from crawler.extraction.html.text_blocks import is_code
from crawler.extraction.main_content.article_region import region_of
from crawler.extraction.main_content.block_features import features_of
from crawler.extraction.main_content.block_markup import Features
from crawler.extraction.main_content.page_words import words_of_page
from crawler.extraction.metadata.page_metadata import description_of
from crawler.extraction.metadata.titles import title_of

PENALTY: Final = 2.0
STEPS: Final = 30
CHINESE_WEIGHT: Final = 2.0
STATED_WEIGHT: Final = 4.0
SURE_LETTERS: Final = 12
"""Word characters from which a block that a label's text holds is surely of it."""
LEAST_WEIGHT: Final = 0.05
FURNITURE: Final = frozenset({"advert", "asking", "comments", "menu", "nav tag", "sharing", "teaser"})
MOST_OF_FURNITURE: Final = -0.2
"""The highest weight of such a name. A few labels hold comments, and would make the name speak for a block."""

Labelled: TypeAlias = tuple[Features, np.ndarray, float]
"""A page's features; 1, 0 or -1 (not known) for each block; and the weight of a known one."""


def half_of(host: str) -> str:
    return "A" if sha256(host.encode()).digest()[0] < 128 else "B"


def of_web_page(page: WebPage) -> Labelled | None:
    read = _features(page.body, page.url)
    if read is None:
        return None
    tree, found = read
    known = np.full(len(tree.blocks), -1)
    for place, block in enumerate(tree.blocks):
        wanted = any(sentence.strip() in block.text for sentence in page.wanted)
        if wanted != any(sentence.strip() in block.text for sentence in page.unwanted):
            known[place] = wanted
    return found, known, 1.0


def of_stated_page(page: WebPage) -> Labelled | None:
    """By the text in the page's data, which is then no feature. Headings, cells and leads are often left out of it."""
    decoded = decode(page.body)
    root = parse(decoded.text) if decoded else None
    whole = "" if root is None else _letters(text_in_data(root))
    read = _features(page.body, page.url, is_stated=False) if len(whole) >= LEAST_STATED else None
    if read is None:
        return None
    tree, found = read
    near = found["in region"] | found["below headline"]
    is_unsure = found["heading"] | found["cell"] | found["described"] | found["title"] | ~near
    known = np.full(len(tree.blocks), -1)
    held = 0
    for place, block in enumerate(tree.blocks):
        own = block.letters
        if not own or is_code(block):
            continue
        is_held = own in whole
        if is_held and len(own) >= SURE_LETTERS:
            known[place], held = 1, held + len(own)
        elif not is_held and not is_unsure[place]:
            known[place] = 0
    if not SAME_SIZE[0] <= held / len(whole) <= SAME_SIZE[1]:
        return None
    return found, known, STATED_WEIGHT / max(1, int((known >= 0).sum()))


def of_chinese_page(page: corpus.LabelledPage) -> Labelled | None:
    read = _features(page.body, page.url)
    if read is None:
        return None
    tree, found = read
    letters, lines = _letters(page.article), {_letters(line) for line in page.article.splitlines()}
    known = np.full(len(tree.blocks), -1)
    for place, block in enumerate(tree.blocks):
        own = _letters(block.text)
        if own and not is_code(block) and (len(own) >= SURE_LETTERS or own in lines or own not in letters):
            known[place] = own in letters
    return found, known, CHINESE_WEIGHT / max(1, int((known >= 0).sum()))


def _features(body: bytes, url: str, *, is_stated: bool = True) -> tuple[PageTree, Features] | None:
    decoded = decode(body)
    root = parse(decoded.text) if decoded else None
    if root is None:
        return None
    tree, title = page_tree(root), title_of(root)
    region = region_of(tree, title=title)
    said = words_of_page(root, title=title, description=description_of(root), url=url)
    shown = said if is_stated else replace(said, stated="")
    return None if region is None else (tree, features_of(tree, region, shown))


def fitted(pages: Sequence[Labelled]) -> dict[str, float]:
    """The weights by feature, by Newton's method."""
    names = ["bias", *sorted(set(pages[0][0]) - {"bias"})]
    rows = [np.column_stack([found[name].astype(float) for name in names])[known >= 0] for found, known, _ in pages]
    values = np.vstack(rows)
    target = np.concatenate([known[known >= 0] for _, known, _ in pages]).astype(float)
    weight = np.concatenate([np.full(int((known >= 0).sum()), each) for _, known, each in pages])
    penalty = np.eye(len(names)) * PENALTY
    penalty[0, 0] = 1e-3
    solution = np.zeros(len(names))
    for _ in range(STEPS):
        likely = 1 / (1 + np.exp(-np.clip(values @ solution, -30, 30)))
        slope = values.T @ (weight * (likely - target)) + penalty @ solution
        curve = (values * (weight * likely * (1 - likely))[:, None]).T @ values + penalty
        solution -= np.linalg.solve(curve, slope)
    capped = (
        (name, min(one, MOST_OF_FURNITURE) if name in FURNITURE else one)
        for name, one in zip(names, solution, strict=True)
    )
    return {name: round(float(one), 2) for name, one in capped if abs(one) >= LEAST_WEIGHT}


def _labelled(web: Path, data: Path, without: str | None) -> Iterator[Labelled | None]:
    pages_of_web = [page for page in web_pages(web) if half_of(page.host) != without]
    yield from map(of_web_page, pages_of_web)
    yield from map(of_stated_page, pages_of_web)
    pages = [*corpus.news_pages(data), *corpus.site_pages(data, per_site=26)]
    yield from map(of_chinese_page, pages)


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, text))


@click.command()
@click.option("--web", required=True, type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--data", required=True, type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--without", type=click.Choice(["A", "B"]), help="Half of the hosts to leave out.")
def main(*, web: Path, data: Path, without: str | None) -> None:
    """Fit the weights of our own reader's features on labelled pages, and print them."""
    for name, weight in fitted([page for page in _labelled(web, data, without) if page is not None]).items():
        click.echo(f'    "{name}": {weight:.2f},')


if __name__ == "__main__":
    main()
