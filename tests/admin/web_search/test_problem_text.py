"""Problems of search services in the language of the viewer; the words of servers as they are."""

import re
from collections.abc import Iterator

import pytest
from flask_babel import force_locale

from admin.web_search.problem_text import search_problem
from storage.engine import make_engine
from tests.support.desk_client import make_app

START = "The search service own (search.example) "


@pytest.fixture(autouse=True, scope="module")
def _app() -> Iterator[None]:
    with make_app(make_engine("postgresql+psycopg2://nowhere/none")).test_request_context():
        yield


@pytest.mark.parametrize(
    ("problem", "chinese"),
    [
        ("cannot be reached ([Errno 111] Connection refused). Check its address.", "无法连接 {}：连接被拒绝。"),
        ("cannot be reached (timed out). Check its address.", "无法连接 {}：超时无响应。"),
        ("cannot be reached ([Errno -2] Name or service not known). Check its address.", "找不到该域名"),
        ("asks for a captcha. Ask it less often.", "{}要求输入验证码"),
        ("asks for a captcha (status 429). Ask it less often.", "{}要求输入验证码"),
        ("sends elsewhere (status 302), which is not followed. Set its address.", "{}要求跳转（状态码 302）"),
        ("refuses access (status 401). Check its key, or its own settings.", "{}拒绝访问（状态码 401）"),
        ("has no queries left (status 402). Extend its plan.", "已用完（状态码 402）"),
        ("is busy or failing (status 503). It is asked later.", "{}繁忙或出错（状态码 503）"),
        ("refuses the query (status 422: 100 % wrong). Check its settings.", "应答原文：100 % wrong"),
        ("answers with no list. Check where its results are.", "请检查结果的位置"),
        ("answers with unknown index. Check the name of its index.", "请检查索引名称"),
        ("answers with something else (no JSON). Check its address and format.", "请检查其网址和格式"),
        ("got no answer from its engines (a, b). It is asked later.", "搜索引擎得到应答（a, b）"),
        ("answers with more than 2,000,000 bytes. Ask it for fewer results.", "{}的应答过大"),
    ],
)
def test_every_problem_of_a_service_has_chinese_words(problem: str, chinese: str) -> None:
    with force_locale("zh"):
        said = search_problem(START + problem)

    assert chinese.format("own（search.example）") in said
    assert "Check" not in said


@pytest.mark.parametrize(
    ("problem", "chinese"),
    [
        ("The file of search services /etc/s.toml cannot be read: [Errno 13] Permission denied", "没有权限"),
        (
            "The file of search services /etc/s.toml: “kind” must be one of a, b. Correct it there",
            "“kind”应为下列之一：a, b",
        ),
        ("The file of search services /a: b/s.toml: [services.x]: “key” is missing. Correct it there", "“key”未填写"),
        ("The file /etc/s.toml cannot be written: [Errno 28] No space left on device", "无法写入文件 /etc/s.toml"),
        ("There is no service “甲” any more.", "服务“甲”已不存在。"),
        ("There is a service “甲%s” already.", "已有名为“甲%s”的服务。"),
    ],
)
def test_every_problem_of_the_file_has_chinese_words(problem: str, chinese: str) -> None:
    with force_locale("zh"):
        assert chinese in search_problem(problem)


@pytest.mark.parametrize(
    "words", ["", "something else", "\ud800\0", "The search service ", START, START + "does %(x)s.", "%s"]
)
def test_other_words_stay_as_they_are(words: str) -> None:
    with force_locale("zh"):
        assert search_problem(words) == words


def test_english_viewers_read_english() -> None:
    with force_locale("en"):
        said = search_problem(f"{START}refuses access (status 403). Check its key, or its own settings.")

    assert said.startswith("own (search.example) refuses access (status 403).")
    assert not re.search("[\u4e00-\u9fff]", said)


def test_a_huge_text_is_returned_unchanged() -> None:
    huge = START + "answers with (" * 50_000

    assert search_problem(huge) == huge
