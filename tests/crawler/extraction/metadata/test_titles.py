"""What a page says of itself: its headline without its site's name, and who wrote it."""

import pytest

from crawler.extraction.article import Article
from crawler.extraction.extract import extract
from tests.fake_web.pages import SENTENCES, story
from tests.support.import_lines import NOW, read


@pytest.mark.parametrize(
    ("title", "shown"),
    [
        ("冰箱有异味？先找这四个死角-万象阅读网", "冰箱有异味？先找这四个死角"),
        ("零下二十度的夜班－万象阅读网", "零下二十度的夜班"),
        ("一次失败的尝试-性能优化", "一次失败的尝试-性能优化"),
        ("我为什么离开-另一个阅读网", "我为什么离开-另一个阅读网"),
    ],
)
def test_a_site_s_name_at_the_end_of_a_title_is_not_the_title(title: str, shown: str) -> None:
    text = "".join(
        f"<p>这一段写第{number}件事，写得够长，好让它成为一篇文章的一部分，而不是一句话。</p>" for number in range(6)
    )
    page = f"<html><head><title>{title}</title></head><body><b>万象阅读网</b><div>{text}</div></body></html>"

    found = extract(
        page.encode(), url="http://a.test/1", content_type="text/html; charset=utf-8", fetched_at=NOW, time_zone="UTC"
    )

    assert isinstance(found, Article)
    assert found.title == shown


@pytest.mark.parametrize(
    ("head", "shown"),
    [
        ("<title>2020 读书单 | 江城日报</title>", "2020 读书单"),
        ("<title>2020 | 江城日报</title>", "2020"),
        ("<title>2020（图）_江城日报</title>", "2020"),
        ("<title>渡口\u200b</title>", "渡口"),
    ],
)
def test_a_heading_is_the_headline_where_only_the_site_s_name_follows(head: str, shown: str) -> None:
    heading = "渡口\u200b" if "渡口" in shown else "2020"
    found = read(f"<html><head>{head}</head><body><article><h1>{heading}</h1>{story(1)}</article></body></html>")
    assert isinstance(found, Article)
    assert found.title == shown


@pytest.mark.parametrize(
    ("title", "line", "shown"),
    [
        ("Git | 江城渡口的一间小屋", "Git", "Git"),
        ("Ferry_Ports_Today | 江城渡口的一间小屋", "Ferry_Ports_Today", "Ferry_Ports_Today"),
        ("渡口札记_生活_江城渡口的一间小屋", "别的一行", "江城渡口的一间小屋"),
        ("Git | 另一间小屋的名字", "Git", "另一间小屋的名字"),
    ],
)
def test_a_short_headline_before_the_name_that_links_home_is_the_title(title: str, line: str, shown: str) -> None:
    head = f"<title>{title}</title>"
    home = "<a href='/'><img src='/logo.png'><span>江城渡口的一间小屋</span></a>"
    found = read(f"<html><head>{head}</head><body>{home}<div>{line}</div><article>{story(1)}</article></body></html>")
    assert isinstance(found, Article)
    assert found.title == shown


@pytest.mark.parametrize(
    ("first", "middle", "author"),
    [
        ("By Jane Doe", "", "Jane Doe"),
        ("2026-03-02 | By Jane Doe", "", "Jane Doe"),
        ("Written by Jane Doe", "", "Jane Doe"),
        ("文/林岸", "", "林岸"),
        ("Sorted by Date and place", "", ""),
        ("The pier is run by the town", "", ""),
        ("中文/英文", "", ""),
        ("", "作者：林岸", ""),
        ("", "By Jane Doe", ""),
    ],
)
def test_an_author_is_named_at_the_ends_of_an_article(first: str, middle: str, author: str) -> None:
    text = "".join(f"<p>{sentence}</p>" for sentence in SENTENCES[:5])
    body = f"<p>{first}</p>{text}<p>{middle}</p>{text}"
    found = read(f"<html><head><title>渡口札记</title></head><body><h1>渡口札记</h1><div>{body}</div></body></html>")
    assert isinstance(found, Article)
    assert found.author == author
