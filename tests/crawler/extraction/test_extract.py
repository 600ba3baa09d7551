"""Extraction of articles from bytes, and refusals."""

from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from crawler.extraction.article import MAX_PAGE_BYTES, Article
from crawler.extraction.extract import read_page
from crawler.extraction.html.parsing import parse
from crawler.extraction.metadata.authors import author_of
from crawler.outcomes.refusals import Refusal
from storage.types import DateOrigin
from tests.fake_web.pages import SENTENCES, article, link_list, list_with_story, story
from tests.support.import_lines import NOW, read


def test_an_article_is_read_with_what_it_says_of_itself() -> None:
    head = '<link rel="canonical" href="https://other.example/original">'
    extra = '<p>转载自<a href="https://origin.example/1">江上客</a>的文章，略有删节，特此说明。</p>'

    found = read(article(1, head=head, extra=extra))

    assert isinstance(found, Article)
    assert (found.title, found.author, found.language) == ("渡口札记之1", "林岸", "zh")
    assert found.declared.at == datetime(2026, 3, 2, 0, 30, tzinfo=UTC)
    assert found.declared.origin is DateOrigin.VISIBLE
    assert found.canonical_link == "https://other.example/original"
    assert found.credit_links == ("https://origin.example/1",)
    assert found.credit_lines[-1] == "转载自江上客的文章，略有删节，特此说明。"
    assert SENTENCES[5] in found.text
    assert "首页" not in found.text
    assert "关于我们" not in found.text


def test_text_and_tables_without_markup_errors_are_not_needed() -> None:
    found = read("<p><b>" + story(3).replace("</p>", ""))
    assert isinstance(found, Article)


@pytest.mark.parametrize(
    ("body", "refusal"),
    [
        (b"", Refusal.BROKEN_MARKUP),
        ("<p>短</p>", Refusal.TOO_SHORT),
        (b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 20, Refusal.UNDECODABLE),
        (b" " * (MAX_PAGE_BYTES + 1), Refusal.TOO_LARGE),
        (b"<div>" * 1_000_000 + article(1).encode(), Refusal.NESTED_TOO_DEEP),
        (b"<p>" * 300_000, Refusal.TOO_LARGE),
    ],
)
def test_each_refusal_has_its_name(body: bytes | str, refusal: Refusal) -> None:
    assert read(body) is refusal


def test_another_type_is_refused() -> None:
    assert read(b"%PDF", content_type="application/pdf") is Refusal.WRONG_TYPE


def test_a_list_of_links_is_no_article() -> None:
    assert read(link_list([f"/news/{number}" for number in range(40)])) in (Refusal.LIST_PAGE, Refusal.NOT_AN_ARTICLE)


def test_a_list_of_first_lines_is_no_article() -> None:
    teasers = "".join(
        f"<section><h2><a href='/news/{number}'>渡口札记之{number}</a></h2><p>{SENTENCES[number] * 2}</p></section>"
        for number in range(10)
    )
    assert read(f"<html><body><main>{teasers}</main></body></html>") in (Refusal.LIST_PAGE, Refusal.NOT_AN_ARTICLE)


def test_a_list_of_titles_and_dates_is_no_article() -> None:
    rows = "".join(
        f"<div><time>2026-03-{day:02}</time><a href='/{day}.html'>渡口札记之{day}，江上清风</a></div>"
        for day in range(1, 12)
    )
    assert read(f"<html><body><h1>三月</h1><div>{rows}</div></body></html>") is Refusal.LIST_PAGE


def test_a_list_that_holds_one_whole_article_is_no_article() -> None:
    assert read(list_with_story(4)) is Refusal.LIST_PAGE
    for headline in (
        "<h2>渡口札记之四</h2>",
        "<h2><a href='/a'>渡口札记之四</a></h2>",
        "<h1><a href='/'>江城日报</a></h1>",
    ):
        assert isinstance(read(list_with_story(4, heading=headline)), Article)


@pytest.mark.parametrize(
    "shown",
    [
        "<h2>渡口</h2><h1><a href='/4.html'>渡口</a></h1>{}",
        "<h2>渡口</h2><h3>2026-07-01 <a href='/4.html'>渡口</a></h3>{}",
        "<h2>渡口</h2><h1><a href='/4.html'>江上的雾</a></h1><h3>渡口的一天</h3>{}",
    ],
)
def test_under_a_list_s_address_a_heading_that_leads_to_an_article_makes_it_a_list(shown: str) -> None:
    page = f"<html><head><title>渡口</title></head><body><main>{shown.format(story(4))}</main></body></html>"
    assert read(page, url="http://news.example/tags/ferry/") in (Refusal.LIST_PAGE, Refusal.NOT_AN_ARTICLE)


@pytest.mark.parametrize(
    ("url", "title", "is_article"),
    [
        ("http://news.example/categories/", "分类 | 江城日报", False),
        ("http://news.example/tags/", "Tags", False),
        ("http://news.example/categories/", "分类的用处 | 江城日报", True),
        ("http://news.example/2026/sorting", "分类 | 江城日报", True),
    ],
)
def test_a_list_s_name_under_a_list_s_address_is_a_list(url: str, title: str, is_article: bool) -> None:
    found = read(f"<html><head><title>{title}</title></head><body><div>{story(1)}</div></body></html>", url=url)
    assert (found is Refusal.LIST_PAGE) is not is_article


def test_xml_that_is_no_page_is_no_article() -> None:
    lines = "".join(f"<track><title>{sentence}</title></track>" for sentence in SENTENCES)
    for before in ("", "<!-- <html> -->", "<?xml-stylesheet href='a.css'?>\n"):
        assert read(f"<?xml version='1.0'?>{before}<playlist>{lines}</playlist>") is Refusal.WRONG_TYPE
    page = f"<?xml version='1.0' encoding='utf-8'?>\n<!DOCTYPE html>\n{article(1).partition('>')[2]}"
    assert isinstance(read(page), Article)


def test_a_collection_of_links_to_elsewhere_is_an_article() -> None:
    items = "".join(f"<li><a href='http://book{n}.example/'>江上旧书之{n}，水文与航运</a></li>" for n in range(20))
    page = f"<html><head><title>书单</title></head><body><h1>书单</h1><article><ul>{items}</ul></article></body></html>"
    assert isinstance(read(page), Article)


def test_no_entity_is_expanded() -> None:
    laughs = "".join(f'<!ENTITY l{n} "&l{n - 1};&l{n - 1};">' for n in range(1, 30))
    document = f'<!DOCTYPE html [<!ENTITY l0 "哈"><!ENTITY f SYSTEM "file:///etc/passwd">{laughs}]>'

    found = read(document + article(1, extra="<p>&l29; &f;</p>"), content_type="application/xhtml+xml")

    assert isinstance(found, Article)
    assert "哈" * 3 not in found.text
    assert "root:" not in found.text


def test_what_postgres_cannot_hold_is_left_out() -> None:
    found = read(article(1).replace("江面", "江\x00&#xD800;&#0;\ufffe面"))
    assert isinstance(found, Article)
    assert found.text.encode()
    assert "\x00" not in found.text


def test_links_are_given_in_canonical_form_once_each() -> None:
    body = article(1, extra='<a href="/b?utm_source=x">b</a><a href="/b#c">b</a><a href="mailto:a@b.c">c</a>')
    page = read_page(body.encode(), url="http://news.example/a", content_type="", fetched_at=NOW, time_zone="UTC")
    assert page.links == (
        "http://news.example/",
        "http://news.example/list",
        "http://news.example/b",
        "http://news.example/about",
    )


PROSE = "江风里有桂花的味道。" * 9
PIECES = ("<p>", "</p>", "<div", "</table>", "<a href='//'>", "<!--", "]]>", "&#x;", "<svg>", PROSE)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.sampled_from(PIECES)))
def test_no_markup_raises(pieces: list[str]) -> None:
    read("".join(pieces))


@pytest.mark.parametrize(
    ("line", "is_credit"),
    [
        ("Source: The Ferry Post", True),
        ("Sources：The Ferry Post", True),
        ("Source https://ferry.example/1", True),
        ("via The Ferry Post", True),
        ("The old pier (via The Ferry Post)", True),
        ("Photo courtesy of The Ferry Post", True),
        ("SI (Source Index) is a register", False),
        ("smove the source key to the other", False),
        ("It goes to town via the bridge", False),
        ("He took the credits for it", False),
    ],
)
def test_an_english_word_is_a_credit_where_it_introduces_one(line: str, is_credit: bool) -> None:
    found = read(article(1, extra=f"<p>{line}</p>"))
    assert isinstance(found, Article)
    assert (line in found.credit_lines) is is_credit


@pytest.mark.parametrize(
    ("marked", "author"),
    [
        ("<a rel='author' href='/u/1'>Jane Doe</a>", "Jane Doe"),
        ("<span class='byline'>By Jane Doe</span>", "Jane Doe"),
        ("<p itemprop='author'>von Jane Doe</p>", "Jane Doe"),
        ("<div class='comments'><span class='author'>Somebody</span></div>", ""),
        ("<div class='author'>Jane Doe has written 120 articles here.</div>", ""),
    ],
)
def test_a_name_in_an_element_marked_as_the_author_s_is_the_author(marked: str, author: str) -> None:
    root = parse(f"<html><body><h1>The last ferry</h1>{marked}</body></html>")
    assert root is not None
    assert author_of(root, ()) == author
