"""Where an article begins and ends: below its title, its dates and names, above notices and links."""

import pytest

from tests.support.import_lines import ENGLISH, TEXT, TITLE, found, marked_up


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


@pytest.mark.parametrize(
    ("line", "is_kept"),
    [
        ("The last ferry is run by the people who built it and", True),
        ("Readers share their views of what was published", True),
        ("By Jane Doe", False),
        ("Jane Doe | Published on Monday", False),
        ("March 3, 2026 by Jane Doe", False),
        ("3 Mar 2026", False),
        ("1,204 views", False),
        ("5 min read", False),
    ],
)
def test_an_english_line_is_one_of_dates_and_names_where_it_says_so(line: str, *, is_kept: bool) -> None:
    lines = found(
        f"<div class='main'><h1>The last ferry</h1>{marked_up([line, *ENGLISH])}</div>", title="The last ferry"
    )
    assert lines == ([line] if is_kept else []) + ENGLISH


def test_references_at_the_end_stay() -> None:
    lines = found(f"<div>{marked_up(TEXT)}<h2>参考资料</h2><p><a href='http://other.example/1'>江志</a></p></div>")
    assert lines == [*TEXT, "参考资料", "江志"]


def test_a_section_called_like_the_article_does_not_begin_it() -> None:
    headline = f"<h1>{TITLE}</h1><div>2026-11-02 08:30</div>"
    section = f"{marked_up(TEXT[:1])}<h2>{TITLE}</h2>{marked_up(TEXT[1:])}"
    lines = [TEXT[0], TITLE, *TEXT[1:]]

    assert found(f"<header>{headline}</header><div class='main'>{section}</div>") == lines
    assert found(f"<div class='main'>{headline}{section}</div>") == lines
    assert found(f"<div class='main'>{section}</div>") == TEXT[1:]


def test_an_address_that_holds_a_date_is_no_line_of_dates() -> None:
    line = "https://notes.example/2026/11/02/river/"
    assert found(f"<div class='main'><h1>{TITLE}</h1>{marked_up([line, *TEXT])}</div>") == [line, *TEXT]


@pytest.mark.parametrize(
    ("target", "is_kept"), [("https://files.example/map", True), ("http://news.example/2026/a.html", False)]
)
def test_a_link_is_of_the_article_where_it_leads_elsewhere(target: str, *, is_kept: bool) -> None:
    offered = [f"链接：{target}", "提取码：abcd"]
    lines = found(f"<div class='main'>{marked_up([*TEXT, *offered])}</div>")
    assert lines == [*TEXT, *(offered if is_kept else [])]


def test_a_reference_into_the_site_stays_among_those_to_elsewhere() -> None:
    named = {"江志": "http://other.example/1", "渡口札记之一": "/2025/a.html", "桥梁史": "http://third.example/2"}
    references = "".join(f"<p>[1] <a href='{target}'>{name}</a></p>" for name, target in named.items())
    neighbours = "<div><a href='/2026/b.html'>江上的雾</a></div>"

    lines = found(f"<div>{marked_up(TEXT)}<h2>参考资料</h2>{references}{neighbours}</div>")

    assert lines == [*TEXT, "参考资料", *(f"[1] {name}" for name in named)]
