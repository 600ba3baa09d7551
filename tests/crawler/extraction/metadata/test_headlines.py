"""The title of an article: the heading over its text, whatever the page states for search engines."""

from datetime import UTC, datetime

import pytest

from crawler.extraction.article import Article
from crawler.extraction.extract import extract

PARAGRAPH = "<p>The ferry crossed the wide river before dawn, and the captain wrote down what he saw that day.</p>"


def title_read(head: str, body: str, url: str = "https://www.example.com/news/river-1") -> str:
    page = f"<html lang='en'><head>{head}</head><body>{body}</body></html>"
    found = extract(
        page.encode(), url=url, content_type="text/html", fetched_at=datetime(2026, 11, 1, tzinfo=UTC), time_zone="UTC"
    )
    assert isinstance(found, Article), found
    return found.title


@pytest.mark.parametrize(
    ("head", "body", "title"),
    [
        ("<title>Ferry news today</title>", "<h1>The long way across the river</h1>", "The long way across the river"),
        (
            "<title>River Daily</title>",
            "<h1><a href='/'>River Daily</a></h1><h2>A ferry at dawn</h2>",
            "A ferry at dawn",
        ),
        (
            "<title>Crossing at dawn: a ferry and its captain | River Daily</title>",
            "<h1>River Daily</h1><h3 class='post-title entry-title'>Crossing at dawn: a ferry and its captain</h3>",
            "Crossing at dawn: a ferry and its captain",
        ),
        (
            "<title>River Daily » Archive » A ferry at dawn</title>",
            "<h1><a href='https://www.example.com'>River Daily</a></h1><h2><a href='#'>A ferry at dawn</a></h2>",
            "A ferry at dawn",
        ),
        (
            "<title>Example Daily - What the captain wrote down - News</title>",
            "<p>3 May 2026</p>",
            "What the captain wrote down",
        ),
        (
            "<title>A ferry at dawn | River Daily</title><meta property='og:title' content='Ferry: dawn on the river'>",
            "<h1>A ferry at dawn</h1><h2 class='article_headline'>Ferry: dawn on the river</h2>",
            "A ferry at dawn",
        ),
        (
            "<title>Ferries</title>",
            "<div class='x'><h2 itemprop='headline'>What the captain wrote down</h2></div>",
            "What the captain wrote down",
        ),
        (
            "<title>What the captain wrote</title><meta property='og:site_name' content='River'>",
            "<aside><h1>Most read</h1></aside><p>3 May 2026</p>",
            "What the captain wrote",
        ),
    ],
)
def test_the_headline_over_the_text_is_the_title(head: str, body: str, title: str) -> None:
    assert title_read(head, f"{body}<article>{PARAGRAPH * 8}</article>") == title


def test_headings_of_sections_are_no_headline() -> None:
    text = "".join(f"<h1>Part {number}</h1>{PARAGRAPH * 3}" for number in range(4))
    assert title_read("<title>A ferry at dawn</title>", f"<article>{text}</article>") == "A ferry at dawn"
