"""A site's own rule for reading its pages, and what is wrong with a broken one."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawler.extraction.article import Article
from crawler.extraction.extract import extract
from crawler.extraction.site_knowledge import SiteKnowledge
from crawler.extraction.site_rule import LONGEST_SELECTOR, MOST_SELECTORS, ExtractionRule
from crawler.outcomes.errors import BadRule
from crawler.outcomes.refusals import Refusal
from storage.types import DateOrigin, Precision
from tests.fake_web.pages import story

NOW = datetime(2026, 11, 21, tzinfo=UTC)
PAGE = f"""<html><head><title>江城日报</title></head><body>
    <div class="head">渡口札记 / 林岸 / 11-02 08:30</div><b id="author">林岸</b><i data-at="2026年11月2日 08:30">前</i>
    <div class="text">{story(1)}<p class="tail">江城日报社出品，每日七点更新，欢迎投稿，来信必复。</p></div>
    <div class="other">{story(2)}</div></body></html>"""


def read(**rule: object) -> Article | Refusal:
    return extract(
        PAGE.encode(),
        url="http://news.example/a",
        content_type="text/html; charset=utf-8",
        fetched_at=NOW,
        time_zone="Asia/Shanghai",
        known=SiteKnowledge(rule=ExtractionRule.of(rule)),
    )


def test_a_rule_says_where_everything_stands() -> None:
    found = read(
        content="div.text",
        title=["h1", "//div[@class='head']"],
        author="#author",
        published="//i/@data-at",
        remove=["p.tail", "//b"],
    )

    assert isinstance(found, Article)
    assert found.author == "林岸"
    assert found.title == "渡口札记 / 林岸 / 11-02 08:30"
    assert found.declared.at == datetime(2026, 11, 2, 0, 30, tzinfo=UTC)
    assert (found.declared.precision, found.declared.origin) == (Precision.MINUTE, DateOrigin.VISIBLE)
    assert "这是第1篇报道" in found.text
    assert "这是第2篇报道" not in found.text
    assert "欢迎投稿" not in found.text


def test_a_rule_that_finds_no_text_is_named() -> None:
    assert read(content="div.gone") is Refusal.RULE_FOUND_NOTHING


def test_the_first_selector_that_finds_something_counts() -> None:
    found = read(content=["div.gone", "div.other", "div.text"])
    assert isinstance(found, Article)
    assert "这是第2篇报道" in found.text
    assert "这是第1篇报道" not in found.text


@pytest.mark.parametrize(
    ("stated", "named"),
    [
        (["div"], "not a JSON object"),
        ({"body": "div"}, "'body'"),
        ({"content": 3}, "'content'"),
        ({"content": ["div", 3]}, "'content'"),
        ({"content": ""}, "'content'"),
        ({"content": "div["}, "'div['"),
        ({"content": "p:first-word"}, "'p:first-word'"),
        ({"content": "p:is(a"}, "'p:is(a'"),
        ({"content": "//div["}, "'//div['"),
        ({"title": "//a[unknown(.)]"}, "unknown"),
        ({"title": "//x:a"}, "'title'"),
        ({"title": "//a[$v]"}, "'title'"),
        ({"title": "(1 + 1)"}, "float"),
        ({"title": "//a[re:test(., '(a+)+$')]"}, "'title'"),
        ({"content": "d" * (LONGEST_SELECTOR + 1)}, "characters"),
        ({"remove": ["p"] * (MOST_SELECTORS + 1)}, "more than"),
    ],
)
def test_a_broken_rule_says_which_field_is_wrong_and_why(stated: object, named: str) -> None:
    with pytest.raises(BadRule, match="zhiwen site try") as error:
        ExtractionRule.of(stated)
    assert named in str(error.value)


@pytest.mark.parametrize(
    "selector",
    [
        "div.text > p:first-child",
        "//div[contains(concat(' ', @class, ' '), ' text ')]//p[not(@class)]",
        "//a[text()='x:y $z f()']",
        "//p/ancestor::div[1]",
        "(//p)[last()]",
        "./body//p",
    ],
)
def test_what_css_and_xpath_have_may_be_said(selector: str) -> None:
    assert ExtractionRule.of({"content": selector}).content == (selector,)


@given(st.dictionaries(st.sampled_from(["content", "title", "remove"]), st.text(max_size=40), max_size=3))
def test_any_text_is_a_rule_or_named_as_none(stated: dict[str, str]) -> None:
    try:
        rule = ExtractionRule.of(stated)
    except BadRule:
        return
    assert all(isinstance(selector, str) for selector in rule.content)
