"""Hidden pieces inside lines: removed where they only mislead programs, and nothing else."""

from datetime import UTC, datetime

import pytest

from crawler.extraction.article import Article
from crawler.extraction.extract import extract
from crawler.extraction.html.hidden_pieces import FEWEST, LONGEST, LONGEST_SHEET, hidden_pieces
from crawler.extraction.html.parsing import parse
from crawler.extraction.html.text_blocks import Element

SENTENCES = (
    "河边的渡口停了三十年，船还拴在柳树下面。",
    "老人每天早上去看一眼水位，然后在本子上记一行。",
    "第一行写的是一九九一年春天，那年水涨到了石阶的第七级。",
    "后来桥修好了，过河的人不再等船，渡口只剩下他一个人。",
    "他说记水位不是为了谁，只是手停不下来。",
    "镇上的学校借走过两本，抄了一遍又还回来。",
)
HIDING = (
    'style="display:none"',
    'style="color:red;DISPLAY : none !important"',
    'style="visibility:hidden"',
    'style="font-size:0"',
    'style="font-size: 0.0px;color:#fff"',
    'style="opacity:0"',
    'style="position:absolute;left:-9999px"',
    "hidden",
    'class="k x9"',
)
SHEET = (
    "<style>@import 'a.css';/* .vis{display:none} */ p > b, i.x9 , span.x9, .x9 {font-weight:400;display:none}</style>"
)


def page(piece: str, *, sheet: str = "", every: int = 6) -> str:
    lines = "".join(
        f"<p>{''.join(line[at : at + every] + piece for at in range(0, len(line), every))}</p>" for line in SENTENCES
    )
    return f"<html><head>{sheet}<title>渡口</title></head><body><h1>渡口</h1><div>{lines}</div></body></html>"


def text_in(markup: str) -> str:
    found = extract(
        markup.encode(),
        url="https://www.example.com/a/1.html",
        content_type="text/html; charset=utf-8",
        fetched_at=datetime(2026, 3, 1, tzinfo=UTC),
        time_zone="UTC",
    )
    assert isinstance(found, Article), found
    return found.text


@pytest.mark.parametrize("hiding", HIDING)
def test_words_that_nobody_sees_are_not_of_the_text(hiding: str) -> None:
    assert text_in(page(f"<span {hiding}>干扰<b>文字</b></span>", sheet=SHEET)) == "\n".join(SENTENCES)


@pytest.mark.parametrize(
    "shown",
    [
        'style="display:inline"',
        'style="font-size:0.9em"',
        'style="opacity:0.5"',
        'style="left:-9px"',
        'class="x8"',
        'class="vis"',
        'class="on"',
        'class="small"',
        'title="display:none"',
    ],
)
def test_words_that_are_seen_stay(shown: str) -> None:
    sheet = SHEET.replace("</style>", ".x8 .x9, #a .on{display:none} @media print{.small{display:none}}</style>")

    assert "干扰" in text_in(page(f"<span {shown}>干扰</span>", sheet=sheet))


def test_a_few_pieces_are_a_templates() -> None:
    piece = "<p>价格<span hidden>约</span>三元</p>"

    assert hidden_pieces(parsed_page(piece * (FEWEST - 1))) == []
    assert len(hidden_pieces(parsed_page(piece * FEWEST))) == FEWEST


@pytest.mark.parametrize(
    "kept",
    [
        "<p><span hidden>整段都藏起来，点开才看</span></p>",
        "<p>点开看：<span hidden>" + "长" * (LONGEST + 1) + "</span></p>",
        "<div>前<span hidden><p>段</p></span>后</div>",
        "<div>前<div hidden>段</div>后</div>",
    ],
    ids=["a whole line", "the rest of a line", "with a block", "a block"],
)
def test_what_may_be_shown_later_stays(kept: str) -> None:
    assert hidden_pieces(parsed_page(kept * 20)) == []


@pytest.mark.parametrize(
    "sheet",
    [
        "{" * 50_000,
        "}" * 50_000,
        "{}" * 50_000,
        "." * LONGEST_SHEET * 2,
        ".a{display:none" * 9_000,
        "/*" * 60_000,
        "\u202e.\ufffd{",
    ],
    ids=["open", "closed", "empty", "dots", "unclosed", "comments", "bidi"],
)
def test_a_hostile_sheet_hides_nothing(sheet: str) -> None:
    assert "干扰" in text_in(page('<span class="x9">干扰</span>', sheet=f"<style>{sheet}</style>"))


def parsed_page(body: str) -> Element:
    root = parse(f"<html><body>{body}</body></html>")
    assert root is not None
    return root
