"""Pages that say with status 200 that there is nothing."""

import pytest

from crawler.absence import LONGEST_NOTICE, says_it_is_absent
from crawler.extract import parse


def says_so(body: str, *, title: str = "") -> bool:
    root = parse(f"<html><head><title>{title}</title></head><body><nav>首页 新闻 体育</nav>{body}</body></html>")
    assert root is not None
    return says_it_is_absent(root)


@pytest.mark.parametrize(
    "words",
    [
        "抱歉，您访问的页面不存在",
        "该文章已被作者删除",
        "很抱歉，您要找的内容已下线",
        "没有找到您要的页面，5秒后返回首页",
        "此信息已失效",
        "Sorry, the page cannot be found.".replace("cannot be", "was not"),
        "Page not found",
        "This article is no longer available.",
        "The story you asked for has been removed.",
        "404 Not Found",
        "Error 404",
    ],
)
def test_a_notice_is_recognised_in_the_page_and_in_the_title(words: str) -> None:
    assert says_so(f"<p>{words}</p>")
    assert says_so("<p>请稍候</p>", title=words)


@pytest.mark.parametrize(
    "words",
    [
        "江边的老渡口拆除以后，镇上的人说起它还是很怀念。",
        "公司发布第404号公告。",
        "会议讨论了文件的起草。",
        "The bridge has been removed from the river.",
        "渡轮票价四元零四分",
    ],
)
def test_a_short_text_about_something_is_none(words: str) -> None:
    assert not says_so(f"<p>{words}</p>")


def test_a_long_article_that_speaks_of_missing_pages_is_none() -> None:
    assert not says_so("<p>" + "网页不存在的时候该怎么办呢？" * (LONGEST_NOTICE // 10) + "</p>")


def test_hostile_text_is_judged_in_no_time() -> None:
    for bait in ("页面" * 50_000, "page " * 50_000, "404 " * 50_000, "内容已" * 50_000):
        says_so(f"<p>{bait}</p>", title=bait)
