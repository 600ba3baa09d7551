"""Copies planted on hosts of their own, in six disguises, as web sites in folders. The same seed plants the same."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from itertools import cycle, zip_longest
from pathlib import Path
from random import Random
from typing import Final

from benchmarks.corpus.model import Article, Language, Material
from benchmarks.crawl.web_copies import FRONT_PAGE
from benchmarks.disguises.blocks import text_of, whole
from benchmarks.disguises.characters import homophones, traditional
from benchmarks.disguises.excerpts import excerpt
from benchmarks.disguises.frames import framed
from benchmarks.disguises.kit import Arrangement, Kit, disguised, kit_for
from benchmarks.disguises.order import shuffle_paragraphs
from benchmarks.disguises.words import word_edits

HOSTS: Final = 12
FORBIDDING: Final = 2
"""Of the hosts, those whose robots.txt forbids a folder in which copies stand."""
FORBIDDEN_PATH: Final = "/private/"
ROBOTS: Final = f"User-agent: *\nDisallow: {FORBIDDEN_PATH}\n"
SHORTEST_SOURCE: Final = 400
SPARE: Final = 10
"""Articles that are not copied, at least: disguises take words from them."""
KIT_ARTICLES: Final = 40
"""Articles whose words disguises insert; they are not copied."""

DISGUISES: Final[Mapping[str, Arrangement]] = {
    "word for word": framed,
    "words-15": disguised(word_edits(0.15)),
    "homophones-10": disguised(homophones(0.10)),
    "traditional": disguised(traditional),
    "paragraphs": shuffle_paragraphs,
    "excerpt-50": disguised(excerpt(0.5)),
}


@dataclass(frozen=True, slots=True)
class Source:
    """An article of one of the sites, as it is read. `file`: below the folder of all sites."""

    site: str
    file: str
    title: str
    text: str


@dataclass(frozen=True, slots=True)
class Planted:
    """A copy. `host`: the name of its folder; `path`: its address there. `is_forbidden`: robots.txt forbids it."""

    disguise: str
    site: str
    source: str
    host: str
    path: str
    is_forbidden: bool = False


class TooFewSources(Exception):
    """The sites have fewer articles than copies are to be planted."""


def plant(
    sources: Sequence[Source],
    folder: Path,
    *,
    copies: int,
    forbidden: int,
    seed: int,
    hosts: int = HOSTS,
    least: int | None = None,
) -> tuple[Planted, ...]:
    """Write `copies` copies and `forbidden` further ones, as hosts in a folder. Raises TooFewSources.

    Sources are taken from all sites in turn, each once; each disguise has as many of each site as the next. `least`:
    fewer copies are enough, down to this number, if the sites have no more articles.
    """
    rng = Random(f"{seed}/planted")
    in_turn = _in_turn(sources, rng)
    copies = max(min(copies, len(in_turn) - forbidden - SPARE), copies if least is None else least)
    if len(in_turn) < copies + forbidden + SPARE:
        raise TooFewSources(f"The sites have {len(in_turn)} articles to copy; {copies + forbidden} are to be planted.")
    kept = in_turn[copies + forbidden :][:KIT_ARTICLES]
    kit = kit_for(Material(Language.CHINESE, (), tuple(Article(one.file, one.title, one.text) for one in kept)))
    turns: dict[str, cycle[str]] = {}
    found, pages = [], []
    for number, source in enumerate(in_turn[: copies + forbidden]):
        is_forbidden = number >= copies
        disguise = next(turns.setdefault(source.site, _disguises(len(turns))))
        host = f"host{number % (FORBIDDING if is_forbidden else hosts):02}"
        path = f"{FORBIDDEN_PATH if is_forbidden else '/post/'}{number}.html"
        found.append(Planted(disguise, source.site, source.file, host, path, is_forbidden))
        pages.append(_page(source, disguise, kit, rng))
    _write(folder, found, pages)
    return tuple(found)


def _in_turn(sources: Sequence[Source], rng: Random) -> list[Source]:
    of_site: dict[str, list[Source]] = {}
    for source in sorted(sources, key=lambda one: (one.site, one.file)):
        if len(source.text) >= SHORTEST_SOURCE:
            of_site.setdefault(source.site, []).append(source)
    drawn = [rng.sample(found, len(found)) for found in of_site.values()]
    return [source for row in zip_longest(*drawn) for source in row if source is not None]


def _disguises(start: int) -> "cycle[str]":
    """All disguises again and again; each site begins with another."""
    names = tuple(DISGUISES)
    first = start % len(names)
    return cycle((*names[first:], *names[:first]))


def _page(source: Source, disguise: str, kit: Kit, rng: Random) -> tuple[str, str]:
    """The title and the text of a copy."""
    arrange = DISGUISES[disguise]
    text = text_of(arrange(whole(Article(source.file, source.title, source.text)), kit, rng))
    is_of_signs = disguise in ("homophones-10", "traditional", "words-15")
    title = source.title[:60]
    if title and is_of_signs:
        title = text_of(arrange(whole(Article(source.file, "", title)), kit, rng))
    return title or text[:20], text


def _write(folder: Path, planted: Sequence[Planted], pages: Sequence[tuple[str, str]]) -> None:
    links: dict[str, list[str]] = {}
    for one, (title, text) in zip(planted, pages, strict=True):
        file = folder / one.host / one.path.strip("/")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(_html(title, text), "utf-8", errors="replace")
        links.setdefault(one.host, []).append(f"<li><a href='{one.path}'>{escape(title)}</a></li>")
    for number, (host, items) in enumerate(sorted(links.items())):
        front = f"<!doctype html><html lang='zh'><head><title>{host}</title></head><body><ul>{''.join(items)}</ul>"
        (folder / host / FRONT_PAGE).write_text(f"{front}</body></html>", "utf-8", errors="replace")
        if number < FORBIDDING:
            (folder / host / "robots.txt").write_text(ROBOTS, "utf-8")


def _html(title: str, text: str) -> str:
    paragraphs = "".join(f"<p>{escape(line)}</p>" for line in text.split("\n") if line.strip())
    return (
        f"<!doctype html><html lang='zh'><head><meta charset='utf-8'><title>{escape(title)}</title>"
        "<meta property='article:published_time' content='2026-10-12T08:30:00+08:00'></head>"
        f"<body><nav><a href='/'>首页</a></nav><article><h1>{escape(title)}</h1>{paragraphs}</article></body></html>"
    )
