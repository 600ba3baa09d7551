"""The article of a page: all of it, and nothing around it."""

import lxml.html
import pytest

from crawler.extraction.html.page_tree import blocks
from crawler.extraction.html.text_blocks import Block
from crawler.extraction.main_content.article_element import is_prose
from crawler.extraction.main_content.container import container_of
from crawler.extraction.main_content.reader_consensus import Opinions, opinions
from tests.fake_web.pages import SENTENCES
from tests.support.import_lines import ENGLISH, TEXT, TITLE, found, marked_up


def test_a_page_built_of_tables_is_read_without_its_columns() -> None:
    column = "".join(f"<tr><td><a href='/{n}.html'>Story number {n} of this week</a></td></tr>" for n in range(15))
    text = "".join(f"<p>{line}</p>" for line in ENGLISH)
    lines = found(
        "<table><tr><td colspan=3><a href='/'>Home</a> <a href='/news'>News</a></td></tr>"
        f"<tr><td><table>{column}</table></td><td><font size=5>The last ferry</font><br>{text}</td>"
        "<td>Weather: rain. The paper is printed every night and sold from five in the morning.</td></tr></table>",
        title="The last ferry",
    )
    assert lines == ENGLISH


def test_a_listing_stays_and_the_numbers_beside_it_go() -> None:
    numbers = "<br>".join(map(str, range(1, 4)))
    listing = f"<table><tr><td><pre>{numbers}</pre></td><td><pre>a = 1<br>b = 2<br>c = 3</pre></td></tr></table>"
    lines = found(f"<div>{marked_up(TEXT[:3])}{listing}{marked_up(TEXT[3:])}</div>")
    assert lines == [*TEXT[:3], "a = 1", "b = 2", "c = 3", *TEXT[3:]]


def test_a_listing_named_for_the_numbers_it_has_stays() -> None:
    listing = "<div class='language-c line-numbers-mode'><pre class='line-numbers'><code>return 1;</code></pre></div>"
    lines = found(f"<div>{marked_up(TEXT[:3])}{listing}{marked_up(TEXT[3:])}</div>")
    assert lines == [*TEXT[:3], "return 1;", *TEXT[3:]]


def test_a_section_called_like_a_box_stays() -> None:
    lines = found(f"<div>{marked_up(TEXT[:3])}<h2 id='Multi-Login-1'>Multi Login 1</h2>{marked_up(TEXT[3:])}</div>")
    assert lines == [*TEXT[:3], "Multi Login 1", *TEXT[3:]]


def test_a_column_beside_the_text_is_none_of_it() -> None:
    column = "".join(f"<li><a href='/{n}'>江城的第{n}条消息，说的是别的事</a></li>" for n in range(12))
    lines = found(f"<div><div>{marked_up(TEXT)}</div><div><ul>{column}</ul></div></div>")
    assert lines == TEXT


def test_a_page_whose_article_is_yet_to_come_is_not_its_column() -> None:
    about = f"<div class='overview'>{marked_up(TEXT[:2])}<p><a href='/all'>566 篇文章</a></p></div>"
    coming = f"<div class='post'><h1>{TITLE}</h1><p>待更新</p></div>"

    assert found(f"{coming}<div class='sidebar' id='right'>{about}</div>") == []
    assert found(f"{coming}<div class='has-sidebar'>{about}</div>")[:2] == TEXT[:2]


def test_what_stands_beside_the_one_long_paragraph_is_of_the_article() -> None:
    lines = [*TEXT[:1], "先看地址：https://code.example/ferry", "细节", "用法"]

    assert found(f"<nav>{TITLE}</nav><div class='post'>{marked_up(lines)}</div><div>© 2026</div>") == lines


def test_a_listing_longer_than_the_words_about_it_does_not_stand_for_them() -> None:
    listing = "\n".join(f"if boats[{number}].at_the_pier: count = count + len(boats)" for number in range(60))
    numbers = "".join(f"<div>{number}</div>" for number in range(1, 61))
    figure = f"<figure><table><tr><td>{numbers}</td><td><pre>{listing}</pre></td></tr></table></figure>"

    lines = found(f"<div class='post'>{marked_up(TEXT[:1])}<h2>例子</h2>{figure}</div><div>© 2026</div>")

    assert lines == [TEXT[0], "例子", listing]


def test_an_article_in_a_box_with_a_suspicious_name_is_found() -> None:
    assert len(found(f"<div class='widget related'>{marked_up(TEXT)}</div>")) == len(TEXT)


def test_inline_code_does_not_break_a_line() -> None:
    line = "把<code>if</code>写成函数之后，整个流程就一目了然了，读起来也顺当得多。"
    assert line.replace("<code>", "").replace("</code>", "") in found(f"<div>{marked_up(TEXT)}<p>{line}</p></div>")


def test_a_page_without_text_has_no_article() -> None:
    assert found("<div><img src='/a.jpg'></div>") == []


def test_what_readers_find_counts_only_where_it_stands_on_the_page() -> None:
    markup = f"<html><body><div>{marked_up(TEXT)}</div></body></html>"
    own = list(blocks(lxml.html.document_fromstring(markup)))
    other = list(blocks(lxml.html.document_fromstring("<p>江边的另一页，说的是别的事，一句也不相同。</p>")))

    assert opinions(markup, own, range(len(TEXT))).agreed == frozenset(range(len(TEXT)))
    assert opinions(markup, other, ()) == Opinions(frozenset(), frozenset())


def block(text: str, *, tag: str = "p", linked: int = 0) -> Block:
    words = sum(map(str.isalnum, text))
    return Block(lxml.html.fragment_fromstring(f"<{tag}>x</{tag}>"), text, linked, words)


@pytest.mark.parametrize(
    ("given", "answer"),
    [
        (block(SENTENCES[0]), True),
        (block(SENTENCES[0], linked=20), False),
        (block("清晨的渡口还笼着一层薄雾"), False),
        (block("好。"), False),
        (block("value = compute(the, whole, thing);", tag="pre"), False),
    ],
)
def test_prose_ends_as_a_sentence_does(given: Block, *, answer: bool) -> None:
    assert is_prose(given) is answer


def test_the_container_is_the_deepest_element_with_nearly_all_of_the_core() -> None:
    root = lxml.html.fromstring(
        "<html><body><div id='a'><div id='b'><p>一二三四五六七八九十</p><p>甲乙丙丁戊己庚辛</p></div><p>子丑</p></div>"
    )
    page = list(blocks(root))
    assert container_of(root, page, core=[0, 1, 2], chosen=[0, 1], rest=[2]).get("id") == "b"
    assert container_of(root, page, core=[0, 1, 2], chosen=[0, 1, 2], rest=[]).get("id") == "a"
    assert container_of(root, page, core=[], chosen=[], rest=[]) is root
