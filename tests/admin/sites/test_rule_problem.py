"""Problems of extraction rules and patterns in Chinese."""

import pytest
from flask_babel import force_locale

from admin.sites.form import rule_in
from admin.sites.rule_problem import rule_problem
from admin.web.form_fields import InvalidField
from crawler.outcomes.errors import BadScope, SiteBusy
from storage.engine import make_engine
from tests.support.desk_client import make_app

APP = make_app(make_engine("postgresql+psycopg2://nowhere/none"))


@pytest.mark.parametrize(
    ("text", "chinese"),
    [
        ('{"content": \n  x}', "规则格式有误（第 2 行）。"),
        ("[" * 100_000, "规则格式有误。"),
        ("[1]", "提取规则无法使用：不是 JSON 对象。"),
        ('{"body": "p"}', "提取规则的“body”无法使用：没有这个字段，可用字段："),
        ('{"content": 3}', "既不是选择器，也不是选择器列表"),
        ('{"content": ""}', "选择器须为 1 至"),
        ('{"content": "p["}', "不是有效的选择器"),
        ('{"content": "//p/text() = 1"}', "选中的不是页面内容"),
    ],
)
def test_a_wrong_rule_is_explained_in_chinese(text: str, chinese: str) -> None:
    with APP.test_request_context(), force_locale("zh"), pytest.raises(InvalidField) as refused:
        rule_in(text)

    assert chinese in str(refused.value)


def test_a_wrong_pattern_is_explained_and_other_errors_stay() -> None:
    with APP.test_request_context(), force_locale("zh"):
        assert rule_problem(BadScope("(%s", "missing )")) == "网址规则 '(%s' 不是有效的正则表达式。"
        assert rule_problem(SiteBusy()) == str(SiteBusy())
