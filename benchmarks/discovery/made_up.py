"""A made-up web for those who have no copies of real sites: the same folders and the same list of reposts."""

import gzip
import json
from html import escape
from pathlib import Path
from random import Random
from typing import Final

from benchmarks.common.made_up_texts import Wording
from benchmarks.crawl.web_copies import FRONT_PAGE

SITES: Final = 3
ARTICLES: Final = 10
"""Of each site."""
SENTENCES: Final = 24
REPOSTS: Final = 2
SEED: Final = 7


def write_made_up(folder: Path, *, sites: int = SITES, articles: int = ARTICLES) -> Path:
    """Write `sites` and `site_reposts.jsonl.gz` below a folder, and return it. The same arguments write the same."""
    wording, rows = Wording(SEED), []
    texts = {(site, number): _text(wording, site, number) for site in range(sites) for number in range(articles)}
    for repost in range(REPOSTS):
        # The first articles of the first site stand on the second, too, with a sentence of that site's own.
        texts[1, repost] = [texts[1, repost][0], *texts[0, repost]]
        label = {"label": "partial_copy", "title_a": "", "title_b": ""}
        rows.append({"a": f"site0/a/{repost}.html", "b": f"site1/a/{repost}.html", **label})
    for site in range(sites):
        root = folder / "sites" / f"site{site}"
        (root / "a").mkdir(parents=True, exist_ok=True)
        links = []
        for number in range(articles):
            title = wording.title(site * articles + number)
            (root / "a" / f"{number}.html").write_text(_html(title, texts[site, number]), "utf-8")
            links.append(f"<li><a href='/a/{number}.html'>{escape(title)}</a></li>")
        front = f"<!doctype html><html lang='zh'><head><title>第{site}站</title></head><body><ul>{''.join(links)}</ul>"
        (root / FRONT_PAGE).write_text(f"{front}</body></html>", "utf-8")
    with gzip.open(folder / "site_reposts.jsonl.gz", "wt", encoding="utf-8") as lines:
        lines.write("".join(json.dumps(row) + "\n" for row in rows))
    return folder


def _text(wording: Wording, site: int, number: int) -> list[str]:
    chance = Random(f"{site}/{number}")
    return [wording.sentence(chance) for _ in range(SENTENCES)]


def _html(title: str, sentences: list[str]) -> str:
    paragraphs = "".join(
        f"<p>{escape(''.join(sentences[start : start + 4]))}</p>" for start in range(0, len(sentences), 4)
    )
    return (
        f"<!doctype html><html lang='zh'><head><meta charset='utf-8'><title>{escape(title)}</title></head><body>"
        f"<nav><a href='/'>首页</a></nav><article><h1>{escape(title)}</h1><p>2026-03-02 08:30 来源：样例</p>"
        f"{paragraphs}</article></body></html>"
    )
