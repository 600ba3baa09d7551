"""Authors of pages: stated in metadata, marked in the page, and named in a line."""

import json
from datetime import UTC, datetime

import pytest

from crawler.extraction.article import Article
from crawler.extraction.extract import extract
from crawler.extraction.metadata.author_names import cleaned_name, is_name

PARAGRAPH = "<p>The ferry crossed the wide river before dawn, and the captain wrote down what he saw that day.</p>"


def author_read(head: str = "", above: str = "", below: str = "", url: str = "https://www.example.com/a/1") -> str:
    page = f"""<html><head><title>A ferry at dawn</title>{head}</head><body>
        <article><h1>A ferry at dawn</h1>{above}{PARAGRAPH * 8}{below}</article></body></html>"""
    found = extract(
        page.encode(), url=url, content_type="text/html", fetched_at=datetime(2026, 11, 1, tzinfo=UTC), time_zone="UTC"
    )
    assert isinstance(found, Article), found
    return found.author


def json_ld(value: object) -> str:
    return f"<script type='application/ld+json'>{json.dumps(value)}</script>"


PERSON = {"@type": "Person", "@id": "https://www.example.com/#jane", "name": "Jane Doe"}


@pytest.mark.parametrize(
    "value",
    [
        {"@type": "NewsArticle", "author": {"@type": "Person", "name": "Jane Doe"}},
        {"@type": "NewsArticle", "author": [{"@type": "Person", "name": ["Jane Doe"]}]},
        {"@graph": [{"@type": "Article", "author": {"@id": PERSON["@id"]}}, PERSON]},
        {"@graph": [{"@type": "Article", "author": PERSON["@id"]}, PERSON]},
        {"@graph": [{"@type": "ImageObject", "author": "Some Agency"}, {"@type": "Article", "author": "By Jane Doe"}]},
    ],
)
def test_authors_in_a_graph_are_read(value: object) -> None:
    assert author_read(json_ld(value)) == "Jane Doe"


@pytest.mark.parametrize(
    "line",
    [
        "<p class='meta'>By <a rel='author' href='/jane'>Jane Doe</a></p>",
        "<span class='vcard author'><a class='url fn' href='/jane'>Jane Doe</a></span>",
        "<div class='documentByLine'><span class='documentAuthor'>Jane Doe</span></div>",
        "<p>Von Jane Doe</p>",
        "<p>Written by: Jane Doe</p>",
        "<p>3 May 2026 <a href='/author/jane-doe'>Jane Doe</a></p>",
        "<p><a href='/newsteam/jane-doe'>Jane Doe</a></p>",
        "<p><a href='https://www.youtube.com/user/river'>River Daily</a></p><p>By Jane Doe</p>",
        "<p><a href='/user/login'>Members</a></p><p>By Jane Doe</p>",
        "<p>Posted on May 3, 2026 by Jane Doe</p>",
        "<p>11.12.2019 - Jane Doe</p>",
        "<p>04.02.2022 | 13:10 Uhr | Jane Doe</p>",
        "<p>Autor:</p><p>Jane Doe</p>",
        "<p>Autor Jane Doe:</p>",
        "<p>Herausgeber: Jane Doe</p>",
        "<p>Ein Interview von Jane Doe mit Ida Au.</p>",
        "<p>By Jane Doe Feb 3, 2026</p>",
        "<div>Jane Doe</div><div>am</div><div>Mittwoch, 26.01.2022 - 14:30</div>",
        "<p class='author'><a href='/7'>Beitrag</a> von <a href='?mode=viewprofile'>Jane Doe</a> » 21.01.2009</p>",
        "<p><em>------- by Jane Doe</em></p>",
        "<div itemprop='author'><meta itemprop='name' content='Jane Doe'></div>",
    ],
)
def test_bylines_are_read(line: str) -> None:
    assert author_read(above=line) == "Jane Doe"


def test_a_signature_below_the_text_is_read() -> None:
    assert author_read(below="<p><em>Jane Doe</em></p>") == "Jane Doe"


def test_a_signature_that_a_reader_takes_for_a_note_is_read() -> None:
    note = "<p><strong>The Ferry</strong> River Press, 2026, 210 pages</p>"
    assert author_read(below=f"{note}<p class=clearfix><strong>Jane Doe</strong></p>") == "Jane Doe"
    assert author_read(below="<p><strong><a href='/stories/ferry'>Jane Doe</a></strong></p>") == ""


def test_a_name_alone_behind_the_last_sentence_is_a_signature() -> None:
    assert author_read(below="<p>Jane Doe</p>") == "Jane Doe"
    assert author_read(below="<p>Mehr Themen</p>") == ""
    assert author_read(below="<h3>Jane Doe</h3>") == ""
    assert author_read(below="<p><a href='/x'>Jane Doe</a></p>") == ""


def test_the_author_in_the_labelled_data_of_previews_is_read() -> None:
    data = "<meta name='twitter:label1' content='{}'><meta name='twitter:data1' content='Jane Doe'>"
    assert author_read(data.format("Written by")) == "Jane Doe"
    assert author_read(data.format("Verfasst von")) == "Jane Doe"
    assert author_read(data.format("Reading time")) == ""


def test_what_is_shown_over_the_text_comes_before_the_pages_data() -> None:
    head = json_ld({"@type": "NewsArticle", "author": {"@type": "Person", "name": "Ida Au"}})
    assert author_read(head) == "Ida Au"
    assert author_read(head, "<div>By <a rel='author' href='/author/jane'>Jane Doe</a></div>") == "Jane Doe"
    assert author_read(head, "<dl><dt>Auteur</dt><dd>Jane Doe</dd></dl>") == "Jane Doe"
    assert (
        author_read(head, below="<div class='comments'><p>geschrieben von river7 am 3. Mai 2026</p></div>") == "Ida Au"
    )


def test_a_name_in_italics_between_the_text_and_its_notes_is_a_signature() -> None:
    notes = "<p>(1) The captain keeps a diary, of which two volumes were printed by the press of the river.</p>" * 4
    assert author_read(below=f"<p><b><i>Jane Doe</i></b></p>{notes}") == "Jane Doe"
    assert author_read(below=f"<p align='right'>Jane Doe</p>{notes}") == "Jane Doe"
    assert author_read(below=f"<p><b>Second Part</b></p>{notes}") == ""
    assert author_read(below=f"<p>“The river is wide.”</p><p><i>Ida Au</i></p>{notes}") == ""


def test_a_signature_comes_before_the_name_of_the_site() -> None:
    head = "<meta name='author' content='River Daily'><meta property='og:site_name' content='River Daily'>"
    assert author_read(head, below="<p>Jane Doe</p>") == "Jane Doe"


def test_a_shorthand_is_less_than_a_name_and_more_than_the_site() -> None:
    head = "<meta name='author' content='RD'><meta property='og:site_name' content='River Daily'>"
    assert author_read(head) == "RD"
    assert author_read(head, "<p class='byline'>Jane Doe</p>") == "Jane Doe"


def test_the_name_of_somebody_with_a_page_may_be_mostly_figures() -> None:
    assert author_read(above="<p class='author'><a href='/user/r23'>r23</a></p>") == "r23"


def test_a_heading_beside_a_date_is_nobody() -> None:
    assert author_read(above="<h2>Morning Crossing</h2><p>3 May 2026</p>") == ""


def test_names_of_others_in_elements_named_for_an_author_are_nobody() -> None:
    subjects = "".join(f"<a href='/t/{name}'>{name}</a> " for name in ("Rivers", "Boats", "Ferries", "Harbours"))
    assert author_read(above=f"<div class='author-text'>{subjects}</div>") == ""
    assert author_read(below="<figure><span class='author'>Ida Au</span></figure>") == ""
    assert author_read(below="<div class='news-listing'><span class='author'>Ida Au</span></div>") == ""


def test_a_full_name_comes_before_that_of_a_log_in() -> None:
    head = "<meta name='author' content='jane-doe'>"
    assert author_read(head) == "jane-doe"
    assert author_read(head, "<p class='byline'>Jane Doe</p>") == "Jane Doe"


def test_a_person_comes_before_the_site_and_an_account() -> None:
    head = "<meta name='author' content='River Daily'><meta property='og:site_name' content='River Daily'>"
    assert author_read(head) == "River Daily"
    assert author_read(head, "<p class='byline'>Jane Doe</p>") == "Jane Doe"
    assert author_read("<meta name='author' content='admin'>", "<p class='byline'>Jane Doe</p>") == "Jane Doe"
    host = "<meta name='author' content='riverdaily.com'>"
    assert author_read(host, "<p class='byline'>Jane Doe</p>", url="https://www.riverdaily.com/a/1") == "Jane Doe"


def test_authors_of_comments_and_other_articles_are_nobody() -> None:
    comment = "<div class='comments'><span class='author'>Ida Au</span></div>"
    assert author_read(below=comment) == ""
    assert author_read(below="<aside><span class='author'>Ida Au</span></aside>") == ""


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Von Anna Berg und Jan Tal", "Anna Berg und Jan Tal"),
        ("Written by Anna Berg | Editor", "Anna Berg"),
        ("Anna Berg, 01.12.2021", "Anna Berg"),
        ("作者：张三", "张三"),
        ("Anna Berg am 3. Mai 2021", "Anna Berg"),
        ("Anna Berg Alle Artikel", "Anna Berg"),
    ],
)
def test_names_are_cleaned(text: str, name: str) -> None:
    assert cleaned_name(text) == name


@pytest.mark.parametrize(
    "text",
    [
        "",
        "a",
        "https://www.example.com/jane",
        "jane@example.com",
        "Alle Artikel",
        "1234",
        "x" * 61,
        "Share 3 times",
        "your River Daily",
        "Second edition edited by Ida Au",
    ],
)
def test_what_is_no_name_is_refused(text: str) -> None:
    assert not is_name(text)


def test_hostile_names_take_no_time_and_no_space() -> None:
    long = "Von " + "Aa " * 50_000
    assert len(cleaned_name(long)) <= 300
    assert author_read(json_ld({"@type": "Article", "author": [[[[[[["Jane"]]]]]]]})) == ""
    assert len(author_read(f"<meta name='author' content='{'Aa' * 500}'>")) <= 100
