"""Accounts on platforms of many authors, and what the platforms say instead of a page.

The pages are made after the publicly described markup of the platforms; docs/platforms.md says what was tried on real
ones.
"""

from datetime import UTC, datetime

import pytest

from crawler.extraction.article import Article
from crawler.extraction.extract import extract
from crawler.extraction.platforms.accounts import PLATFORMS, account_of, platform_of, says_barred, says_removed
from crawler.extraction.platforms.platform import Account
from crawler.extraction.reader_messages import PageTask
from crawler.extraction.reader_pool import ReaderPool
from tests.fake_web.pages import story
from tests.support.html import root_of

PAGES = [
    (
        "https://mp.weixin.qq.com/s/AbC-123",
        "<a id='js_name' class='profile_nickname' href='javascript:void(0);'> 江城记 </a>"
        '<script>var biz = "MzA5MTIzNDU2Nw==" || \'\'; var user_name = "gh_0123456789ab";</script>',
        Account("weixin", "MzA5MTIzNDU2Nw==", "江城记"),
    ),
    (
        "https://mp.weixin.qq.com/s?__biz=MzA5MTIzNDU2Nw==&mid=1&idx=1&sn=a",
        '<script>var nickname = htmlDecode("江城记");</script>',
        Account("weixin", "MzA5MTIzNDU2Nw==", "江城记"),
    ),
    (
        "https://www.toutiao.com/article/7123456789012345678/",
        "<div class='article-meta'><span class='name'><a href='/c/user/token/MS4wLjABAAAA/'>江城记</a></span></div>",
        Account("toutiao", "MS4wLjABAAAA", "江城记"),
    ),
    (
        "https://baijiahao.baidu.com/s?id=1696288054374712822",
        "<p><a href='https://author.baidu.com/home?from=bjh_article&app_id=1683021426724988'>江城记</a></p>",
        Account("baijiahao", "1683021426724988", "江城记"),
    ),
    (
        "https://zhuanlan.zhihu.com/p/123456",
        "<div class='AuthorInfo'><meta itemprop='name' content='江城记'></div><span class='UserLink AuthorInfo-name'>"
        "<a class='UserLink-link' href='//www.zhihu.com/people/jiang-cheng-ji'>江城记</a></span>",
        Account("zhihu", "jiang-cheng-ji", "江城记"),
    ),
    (
        "https://www.sohu.com/a/290059377_479499?sec=wd",
        "<div id='user-info'><h4><a href='//mp.sohu.com/profile?xpt=abcdef=='>江城记</a></h4></div>",
        Account("sohu", "479499", "江城记"),
    ),
    (
        "https://www.163.com/dy/article/ABCDEF0512.html",
        "<div class='post_info'><a href='https://www.163.com/dy/media/T1603594732083.html'>江城记</a></div>",
        Account("netease", "T1603594732083", "江城记"),
    ),
    (
        "https://www.jianshu.com/p/dca9c323c686",
        "<section><a href='/u/0123456789ab'>江城记</a></section>",
        Account("jianshu", "0123456789ab", "江城记"),
    ),
    (
        "https://blog.csdn.net/jiangchengji/article/details/123456",
        "<a class='follow-nickName ' href='https://blog.csdn.net/jiangchengji' target='_blank'>江城记</a>",
        Account("csdn", "jiangchengji", "江城记"),
    ),
    (
        "https://medium.com/@janedoe/a-ferry-at-dawn-0123abc",
        "<meta name='author' content='Jane Doe'>",
        Account("medium", "janedoe", "Jane Doe"),
    ),
    (
        "https://medium.com/river-daily/a-ferry-at-dawn-0123abc",
        "<meta name='author' content='Jane Doe'><link rel='author' href='https://medium.com/@janedoe'>",
        Account("medium", "janedoe", "Jane Doe"),
    ),
    (
        "https://janedoe.substack.com/p/a-ferry-at-dawn",
        "<meta property='og:site_name' content='The River Letter'>",
        Account("substack", "janedoe", "The River Letter"),
    ),
]


@pytest.mark.parametrize(("url", "markup", "account"), PAGES)
def test_the_account_is_read_as_the_page_names_it(url: str, markup: str, account: Account) -> None:
    assert account_of(root_of(markup), url) == account


def test_every_platform_has_a_page_here() -> None:
    assert {account.platform for _, _, account in PAGES} == {platform.name for platform in PLATFORMS}


@pytest.mark.parametrize(
    ("url", "markup"),
    [
        ("https://www.example.com/s/AbC-123", PAGES[0][1]),
        ("https://notmp.weixin.qq.com.example.com/s/AbC", PAGES[0][1]),
        ("https://mp.weixin.qq.com/s/AbC-123", "<p>unknown markup</p>"),
        ("https://news.163.com/20/0101/01/ABC.html", PAGES[6][1]),
        ("https://www.163.com/dy/article/ABC.html", "<div class='sidebar'>x</div>"),
        ("https://www.zhihu.com/question/123", PAGES[4][1]),
    ],
)
def test_unknown_markup_and_other_pages_have_no_account(url: str, markup: str) -> None:
    assert account_of(root_of(markup), url) is None


@pytest.mark.parametrize(("url", "markup", "account"), PAGES)
def test_the_general_reader_reads_the_page(url: str, markup: str, account: Account) -> None:
    page = (
        f"<html><head><title>渡口</title></head><body>{markup}<article><h1>渡口</h1>{story(1)}</article></body></html>"
    )
    now = datetime(2026, 11, 1, tzinfo=UTC)
    found = extract(page.encode(), url=url, content_type="text/html", fetched_at=now, time_zone="UTC")
    assert isinstance(found, Article), found
    assert found.account == account
    assert "这是第1篇报道" in found.text


REMOVED = [
    ("https://mp.weixin.qq.com/s/a", "该内容已被发布者删除"),
    ("https://mp.weixin.qq.com/s/a", "此内容因违规无法查看"),
    ("https://mp.weixin.qq.com/s/a", "此账号已自主注销，内容无法查看"),
    ("https://www.toutiao.com/article/7123456789/", "该内容已删除"),
    ("https://zhuanlan.zhihu.com/p/1", "该文章已被作者删除"),
    ("https://www.jianshu.com/p/abc", "您要找的页面不存在，文章已被作者删除"),
    ("https://blog.csdn.net/a/article/details/1", "该文章已被博主删除"),
    ("https://medium.com/@jane/a", "User deleted this Medium story"),
]
BARRED = [
    ("https://mp.weixin.qq.com/s/a", "当前环境异常，完成验证后即可继续访问。"),
    ("https://baijiahao.baidu.com/s?id=12345", "百度安全验证"),
    ("https://zhuanlan.zhihu.com/p/1", "您当前请求存在异常，暂时限制本次访问"),
    ("https://medium.com/@jane/a", "Just a moment..."),
]


@pytest.mark.parametrize(("url", "text"), REMOVED)
def test_a_notice_of_removal_is_recognised_on_its_platform(url: str, text: str) -> None:
    assert says_removed(text, url)
    assert not says_removed(text, "https://www.example.com/a")
    assert not says_removed(f"{text}{'长文' * 600}", url)


@pytest.mark.parametrize(("url", "text"), BARRED)
def test_a_barrier_is_no_removal(url: str, text: str) -> None:
    assert says_barred(text, url)
    assert not says_removed(text, url)


def test_notices_are_recognised_in_the_reader_process() -> None:
    pool = ReaderPool(size=1)
    now = datetime(2026, 11, 1, tzinfo=UTC)
    try:
        for texts, expected in ((REMOVED, (True, False)), (BARRED, (False, True))):
            for url, text in texts:
                body = f"<html><head><title>提示</title></head><body><p>{text}</p></body></html>".encode()
                read = pool.read(PageTask(body, url, "text/html", now, "UTC"))
                assert (read.is_absent, read.is_barred) == expected, (url, text)
    finally:
        pool.close()


def test_hostile_markup_takes_no_time() -> None:
    markup = "<script>" + "var biz = " * 50_000 + "</script>" + "<a href='/u/'>" * 200
    for platform in PLATFORMS:
        account_of(root_of(markup), f"https://{platform.hosts[0]}/p/1?id=123456")
    assert platform_of("https://[") is None
