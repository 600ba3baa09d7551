"""Our own reader: which blocks belong to the article, and whether it is sure of it."""

from crawler.extraction.html.page_tree import PageTree, page_tree
from crawler.extraction.html.parsing import parse
from crawler.extraction.main_content import element_names as names
from crawler.extraction.main_content.own_reader import OwnReading, own_reading
from crawler.extraction.main_content.page_words import PageWords
from crawler.extraction.main_content.teasers import teasers_in
from tests.support.import_lines import ENGLISH, TEXT, marked_up

WORDS = PageWords("The last ferry", "", "http://news.example/2026/a.html")
ARTICLE = f"<div class='entry-content'>{marked_up(ENGLISH * 2)}</div>"


def tree_of(body: str) -> PageTree:
    root = parse(f"<html><body>{body}</body></html>")
    assert root is not None
    return page_tree(root)


def lines(body: str, *, words: PageWords = WORDS) -> list[str]:
    tree = tree_of(body)
    return [tree.blocks[place].text for place in own_reading(tree, words).places]


def test_an_article_of_sentences_is_surely_one() -> None:
    reading = own_reading(tree_of(f"<h1>The last ferry</h1>{ARTICLE}"), WORDS)
    assert reading.is_sure
    assert len(reading.core) == len(ENGLISH) * 2


def test_a_page_of_links_and_an_empty_page_are_in_doubt() -> None:
    links = "".join(f"<li><a href='/{n}'>Story number {n} of this week</a></li>" for n in range(30))
    assert not own_reading(tree_of(f"<ul>{links}</ul>"), WORDS).is_sure
    assert own_reading(tree_of(""), WORDS) == OwnReading()


def test_a_caption_and_a_newsletter_are_none_of_the_article() -> None:
    caption = "<figure><img src=a.jpg><figcaption>The pier in the morning. Photo: Jane Doe</figcaption></figure>"
    letter = "<div class='newsletter-signup'><p>Get our letter every week. Enter your address below.</p></div>"
    body = f"<h1>The last ferry</h1><div class='article-body'>{marked_up(ENGLISH)}{caption}{marked_up(ENGLISH)}{letter}"
    assert lines(f"{body}</div>")[-len(ENGLISH) * 2 :] == ENGLISH * 2


def test_a_paragraph_that_is_only_a_link_into_the_site_is_left_out() -> None:
    link = "<p><a href='/2026/b.html'>Read also: the bridge that nobody wanted is opened after ten years</a></p>"
    body = f"<h1>The last ferry</h1><div class='article-body'>{marked_up(ENGLISH)}{link}{marked_up(ENGLISH)}</div>"
    assert lines(body)[-len(ENGLISH) * 2 :] == ENGLISH * 2


def test_a_section_named_for_the_table_of_contents_is_no_menu() -> None:
    sections = "".join(f"<div id='TOC_TITLE_{n}'>{marked_up(TEXT)}</div>" for n in range(4))
    assert len(lines(f"<h1>The last ferry</h1><article>{sections}</article>")) >= 4 * len(TEXT)


def test_elements_alike_with_linked_titles_are_teasers() -> None:
    item = "<div class='card'><h3><a href='/{0}'>Another story of the river, {0}</a></h3><p>Its first line.</p></div>"
    tree = tree_of("".join(item.format(n) for n in range(3)) + ARTICLE)
    found = teasers_in(tree, [len(block.text.encode()) for block in tree.blocks])
    assert [tree.elements[place].get("class") for place in found if tree.elements[place].tag == "div"] == ["card"] * 3
    two = tree_of("".join(item.format(n) for n in range(2)) + ARTICLE)
    assert teasers_in(two, [len(block.text.encode()) for block in two.blocks]) == []


def test_elements_say_what_they_are() -> None:
    said = {
        "<div class='entry-content'>": names.BODY,
        "<div id='articleBody'>": names.BODY,
        "<nav>": names.NAV_TAG,
        "<div role='navigation'>": names.NAV_TAG,
        "<div class='relatedPosts'>": names.RELATED,
        "<div style='display: none'>": names.HIDDEN,
        "<div class='x' hidden>": names.HIDDEN,
        "<div itemprop='articleBody'>": names.BODY,
    }
    for tag, flag in said.items():
        element = tree_of(f"{tag}x").elements[2]
        assert names.flags_of(element) & flag, tag
    assert names.flags_of(tree_of("<h2 id='Login'>x</h2>").elements[2]) == 0
    assert names.flags_of(tree_of("x").elements[1]) == 0


def test_hostile_pages_are_read_in_bounds() -> None:
    assert len(lines("<p>" + "江" * 1_000_000 + "。</p>")) <= 1
    lines("<div class='" + "a" * 100_000 + "'>x</div>")
    lines("<a href=x>" * 2_000 + "x")
