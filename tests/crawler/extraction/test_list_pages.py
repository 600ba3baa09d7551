"""Lists of articles are refused; articles with links between their sections are none."""

from crawler.extraction.article import Article
from crawler.extraction.page_types.list_pages import is_same_page
from crawler.outcomes.refusals import Refusal
from tests.support.import_lines import ENGLISH, marked_up, read

BUTTON = "<p><a href='/more-{0}'>Learn more about it</a></p>"


def page(body: str, *, title: str = "Our river") -> object:
    return read(f"<html><head><title>{title}</title></head><body><main>{body}</main></body></html>")


def test_sections_that_end_with_a_button_are_an_article() -> None:
    sections = "".join(
        f"<section>{marked_up(ENGLISH * times)}{BUTTON.format(n)}</section>" for n, times in enumerate((5, 1, 1, 1))
    )
    assert isinstance(page(sections), Article)


def test_an_article_above_a_list_of_others_is_an_article() -> None:
    others = "".join(f"<div><a href='/{n}'>Story {n} of the river</a><p>{ENGLISH[0][:60]}</p></div>" for n in range(8))
    assert isinstance(page(f"<article>{marked_up(ENGLISH * 8)}</article><div>{others}</div>"), Article)


def test_first_lines_of_articles_are_a_list() -> None:
    items = "".join(
        f"<li><h3><a href='/{n}'>Story {n} of it</a></h3><p>{line}</p></li>" for n, line in enumerate(ENGLISH)
    )
    assert page(f"<ul>{items}{items.replace('/', '/b')}</ul>") in (Refusal.LIST_PAGE, Refusal.NOT_AN_ARTICLE)


def test_one_page_has_many_spellings() -> None:
    url = "https://a.example/blog/2020/mercurial%27s-journey/"
    assert is_same_page("https://a.example/blog/2020/mercurial's-journey", url)
    assert is_same_page("https://archive.example/1/http://a.example/2020/mercurial's-journey", url)
    assert not is_same_page("https://a.example/blog/2020/another-journey", url)
    assert not is_same_page("https://a.example/b/index.html", "https://a.example/a/index.html")
    assert not is_same_page("https://a.example/b/7", "https://a.example/a/7")
