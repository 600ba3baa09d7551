"""Articles as templates of news sites build them: one box a paragraph, text between advertisements, links inside."""

from collections.abc import Callable

import pytest

from crawler.extraction.article import Article
from tests.support.import_lines import read

TITLE = "River town waits for the water to fall"
CLOSED = ("bridge", "harbour", "market", "school", "library", "station", "theatre", "museum")
LINES = [
    f"Officials in the river town said on Monday that the {place} would stay closed until the water had fallen."
    for place in CLOSED
]
CARDS = "".join(
    f"<div class='card'><a href='/r{number}'>Another story about the flood, number {number}</a>"
    f"<p>The first line of story number {number}, which goes on for a while.</p></div>"
    for number in range(5)
)
MENU = "".join(f"<li><a href='/s{number}'>Section {number}</a></li>" for number in range(20))


def one_box_each(lines: list[str]) -> str:
    boxes = [f"<div data-component='text'><div class='x1'><p class='x2'>{line}</p></div></div>" for line in lines]
    picture = "<div><figure><img src=a.jpg><figcaption>People wait at the bank on Sunday</figcaption></figure></div>"
    return "".join([*boxes[:3], picture, *boxes[3:]])


def between_advertisements(lines: list[str]) -> str:
    notice = "<div class='ad'><p>Advertisement</p><a href='#after'>Continue reading the main story</a></div>"
    columns = [
        f"<div class='column'>{''.join(f'<p>{line}</p>' for line in lines[at : at + 3])}</div>" for at in (0, 3, 6)
    ]
    return f"<section>{notice.join(columns)}</section>"


def with_embedded_links(lines: list[str]) -> str:
    link = "<aside class='rich-link'><div><a href='/q'>Flood maps: see where the water rises next</a></div></aside>"
    rows = [f"<div class='paragraph'>{line}</div>" for line in lines]
    return f"<div class='story__content'>{''.join([*rows[:4], link, *rows[4:]])}</div>"


def with_breaks(lines: list[str]) -> str:
    return f"<div class='story'>{'<br><br>'.join(lines)}</div>"


def with_comments(lines: list[str]) -> str:
    rows = "".join(f"<p>{line}</p>" for line in lines)
    thoughts = "".join(
        f"<li id='comment-{n}'><p>I enjoyed this piece on the river, number {n}.</p></li>" for n in range(3)
    )
    return (
        f"<article class='post'><div class='entry-content'>{rows}<div class='sharedaddy'><h3>Share this:</h3></div>"
        f"</div></article><div id='comments'><h2>3 thoughts</h2><ol class='commentlist'>{thoughts}</ol></div>"
    )


@pytest.mark.parametrize(
    "built", [one_box_each, between_advertisements, with_embedded_links, with_breaks, with_comments]
)
def test_all_of_the_text_is_read_and_nothing_else(built: Callable[[list[str]], str]) -> None:
    found = read(markup(built(LINES)))
    assert isinstance(found, Article), found
    assert found.text.split("\n") == LINES


def test_a_short_article_among_teasers_is_no_list() -> None:
    found = read(markup(f"<div class='text'><p>{LINES[0]}</p><p>{LINES[1]}</p></div>"))
    assert isinstance(found, Article), found
    assert found.text.split("\n") == LINES[:2]


def markup(body: str) -> str:
    return (
        f"<html><head><title>{TITLE} - Daily River</title></head><body><nav><ul>{MENU}</ul></nav>"
        f"<main><h1>{TITLE}</h1>{body}</main><div class='related'><h3>More on this story</h3>{CARDS}</div>"
        "<footer><p>© 2026 The Daily River. All rights reserved.</p></footer></body></html>"
    )


def test_notices_of_the_site_far_above_the_headline_are_left_out() -> None:
    notices = (
        "<p>Thank you for your registration, we have sent you a link to confirm your address.</p>"
        "<p>You have chosen the edition for Switzerland, and we hope that you will enjoy it very much.</p>"
    )
    rows = "".join(f"<p>{line}</p>" for line in LINES)
    body = f"<div class='page'>{notices}<ul>{MENU}</ul><h1>{TITLE}</h1>{rows}</div>"
    found = read(f"<html><head><title>{TITLE}</title></head><body>{body}</body></html>")
    assert isinstance(found, Article), found
    assert found.text.split("\n") == LINES
