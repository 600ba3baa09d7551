"""What of a page is its article: the whole of it, and nothing that stands around it."""

import lxml.html
import pytest

from crawler.blocks import Block, blocks
from crawler.clutter import looks_like_clutter
from crawler.container import container_of
from crawler.finding import article_places, is_prose
from crawler.opinions import Opinions, opinions
from tests.fake_web.pages import SENTENCES

URL = "http://news.example/2026/a.html"
TITLE = "渡口札记"


def found(body: str, *, title: str = TITLE) -> list[str]:
    """The lines of the article on a page."""
    markup = f"<html><head><title>{title}</title></head><body>{body}</body></html>"
    root = lxml.html.document_fromstring(markup)
    page = list(blocks(root))
    return [page[place].text for place in article_places(root, markup, page, title=title, base=URL, url=URL)]


def paragraphs(count: int) -> list[str]:
    return [
        SENTENCES[number % len(SENTENCES)] + SENTENCES[(number * 5 + 3) % len(SENTENCES)] for number in range(count)
    ]


def marked_up(lines: list[str]) -> str:
    return "".join(f"<p>{line}</p>" for line in lines)


TEXT = paragraphs(6)


def test_title_dates_and_credits_above_the_text_are_none_of_it() -> None:
    above = f"<h1>{TITLE}</h1><div>2026-11-02 08:30 来源：江城日报 作者：林岸</div>"
    assert found(f"<div class='main'>{above}{marked_up(TEXT)}</div>") == TEXT


@pytest.mark.parametrize(
    "below",
    [
        "<p>责任编辑：周岸</p>",
        "<p>特别声明：以上内容仅代表作者观点。</p><p>Notice: The content above is uploaded by a user.</p>",
        "<p>转载请注明出处。</p><p>上一篇：<a href='/1'>江上的雾</a></p><p>下一篇：<a href='/2'>桥下的灯</a></p>",
        "<p>标签：<a href='/tag/1'>渡口</a> <a href='/tag/2'>江</a></p>",
        "<h3>相关阅读</h3><ul><li><a href='/3'>旧候船室</a></li><li><a href='/4'>最后两艘木船</a></li></ul>",
        "<div class='share-box'><span>分享到微博</span></div>",
        "<aside>江城日报客户端，掌上的江城，每天早晨七点准时更新。</aside>",
        "<div style='display: none'>扫一扫，把这篇文章带回家，慢慢读，细细想。</div>",
    ],
)
def test_notices_and_links_below_the_text_are_none_of_it(below: str) -> None:
    assert found(f"<div class='main'>{marked_up(TEXT)}{below}</div>") == TEXT


def test_the_first_line_stays_though_it_has_words_of_credits_in_it() -> None:
    lines = ["支持浏览器的作者们", *TEXT]
    assert found(f"<div class='main'><h1>{TITLE}</h1>{marked_up(lines)}</div>") == lines


ENGLISH = [
    "The ferry leaves at six in the morning, long before the bridge above it wakes up.",
    "Its captain has crossed the river for forty years and knows every sandbank by its name.",
    "Since the bridge was opened last autumn, fewer people come down to the landing every week.",
    "The noodle shop beside it still opens at five, and a bowl still costs what it did ten years ago.",
]


def test_a_page_laid_out_by_tables_is_read_without_its_columns() -> None:
    column = "".join(f"<tr><td><a href='/{n}.html'>Story number {n} of this week</a></td></tr>" for n in range(15))
    text = "".join(f"<p>{line}</p>" for line in ENGLISH)
    lines = found(
        "<table><tr><td colspan=3><a href='/'>Home</a> <a href='/news'>News</a></td></tr>"
        f"<tr><td><table>{column}</table></td><td><font size=5>The last ferry</font><br>{text}</td>"
        "<td>Weather: rain. The paper is printed every night and sold from five in the morning.</td></tr></table>",
        title="The last ferry",
    )
    assert lines == ENGLISH


def test_references_at_the_end_stay() -> None:
    lines = found(f"<div>{marked_up(TEXT)}<h2>参考资料</h2><p><a href='http://other.example/1'>江志</a></p></div>")
    assert lines == [*TEXT, "参考资料", "江志"]


def test_a_listing_stays_and_the_numbers_beside_it_go() -> None:
    numbers = "<br>".join(map(str, range(1, 4)))
    listing = f"<table><tr><td><pre>{numbers}</pre></td><td><pre>a = 1<br>b = 2<br>c = 3</pre></td></tr></table>"
    lines = found(f"<div>{marked_up(TEXT[:3])}{listing}{marked_up(TEXT[3:])}</div>")
    assert lines == [*TEXT[:3], "a = 1", "b = 2", "c = 3", *TEXT[3:]]


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

    assert opinions(markup, own).agreed == frozenset(range(len(TEXT)))
    assert opinions(markup, other) == Opinions(frozenset(), frozenset())


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


@pytest.mark.parametrize(
    ("markup", "answer"),
    [
        ("<div class='article-share'></div>", True),
        ("<div id='relatedPosts'></div>", True),
        ("<td class='gutter'></td>", True),
        ("<nav></nav>", True),
        ("<p hidden></p>", True),
        ("<pre>1\n2\n3</pre>", True),
        ("<div class='shareholder-news'></div>", False),
        ("<div class='download'></div>", False),
        ("<div class='loader'></div>", False),
        ("<pre>1\n3</pre>", False),
        ("<p>1</p>", False),
    ],
)
def test_clutter_is_known_by_whole_words_in_its_names(markup: str, *, answer: bool) -> None:
    assert looks_like_clutter(lxml.html.fragment_fromstring(markup)) is answer


def test_the_container_is_the_deepest_element_with_nearly_all_of_the_core() -> None:
    root = lxml.html.fromstring(
        "<html><body><div id='a'><div id='b'><p>一二三四五六七八九十</p><p>甲乙丙丁戊己庚辛</p></div><p>子丑</p></div>"
    )
    page = list(blocks(root))
    assert container_of(root, page, core=[0, 1, 2], chosen=[0, 1], rest=[2]).get("id") == "b"
    assert container_of(root, page, core=[0, 1, 2], chosen=[0, 1, 2], rest=[]).get("id") == "a"
    assert container_of(root, page, core=[], chosen=[], rest=[]) is root
