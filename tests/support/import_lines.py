"""Pages read as articles, or as the lines of theirs, and texts to make such pages of."""

from datetime import UTC, datetime

import lxml.html

from crawler.extraction.article import Article
from crawler.extraction.extract import extract
from crawler.extraction.html.page_tree import page_tree
from crawler.extraction.main_content.article_element import article_places
from crawler.outcomes.refusals import Refusal
from tests.fake_web.pages import SENTENCES

NOW = datetime(2026, 11, 21, tzinfo=UTC)


def read(
    body: bytes | str, *, content_type: str = "text/html", url: str = "http://news.example/a"
) -> Article | Refusal:
    """What is found at NOW in a response."""
    raw = body.encode() if isinstance(body, str) else body
    return extract(raw, url=url, content_type=content_type, fetched_at=NOW, time_zone="Asia/Shanghai")


URL = "http://news.example/2026/a.html"
TITLE = "渡口札记"


def found(body: str, *, title: str = TITLE) -> list[str]:
    """The lines of the article on a page."""
    markup = f"<html><head><title>{title}</title></head><body>{body}</body></html>"
    root = lxml.html.document_fromstring(markup)
    tree = page_tree(root)
    places = article_places(tree, lambda: markup, title=title, description="", base=URL, url=URL)
    return [tree.blocks[place].text for place in places]


def paragraphs(count: int) -> list[str]:
    return [
        SENTENCES[number % len(SENTENCES)] + SENTENCES[(number * 5 + 3) % len(SENTENCES)] for number in range(count)
    ]


def marked_up(lines: list[str]) -> str:
    return "".join(f"<p>{line}</p>" for line in lines)


TEXT = paragraphs(6)

ENGLISH = [
    "The ferry leaves at six in the morning, long before the bridge above it wakes up.",
    "Its captain has crossed the river for forty years and knows every sandbank by its name.",
    "Since the bridge was opened last autumn, fewer people come down to the landing every week.",
    "The noodle shop beside it still opens at five, and a bowl still costs what it did ten years ago.",
]
