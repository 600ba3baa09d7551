"""Renders articles as HTML with three templates as different as the web sites they imitate."""

import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from datetime import datetime
from email.utils import format_datetime
from functools import cache
from random import Random
from types import MappingProxyType

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape

from zhiwen.demo.articles import CHINA, CONTENT, Article
from zhiwen.demo.model import Page

HTML = "text/html; charset=utf-8"
ITEMS_PER_LIST = 10
# Pages that are no articles: newer than everything that they list.
BUILT = datetime(2026, 6, 5, 6, 0, tzinfo=CHINA)
NO_LINKS: Mapping[str, str] = MappingProxyType({})

# [words](site:slug)
_LINK = re.compile(r"\[([^\]]+)\]\((\w+:[\w-]+)\)")

_READERS = ("顺河街的猫", "老砖", "九月不下雨", "一只慢船", "李子树下", "南窗", "小方格", "骑车路过")
_REMARKS = (
    "写得真细，看完想去走一趟。",
    "我爸看了说，就是这么回事。",
    "最后一句好。",
    "转给同事看了。",
    "希望多写写这样的人。",
    "数字看着枯燥，连起来就有意思了。",
    "今天的早饭配这篇，值。",
    "想知道后来怎么样了。",
)


@dataclass(frozen=True, slots=True)
class Leaf(Article):
    """An article at its place on a site."""

    path: str
    byline: Markup | str = ""
    credit_note: Markup | str = ""

    @property
    def paragraphs(self) -> list[str]:
        return self.text.split("\n")


@dataclass(frozen=True, slots=True)
class SiteFrame:
    """The frame that every page of a site shows around its article."""

    title: str
    address: str
    sections: dict[str, str]
    hot: tuple[Leaf, ...]


def leaf(article: Article, path: str) -> Leaf:
    return Leaf(**{field.name: getattr(article, field.name) for field in fields(article)}, path=path)


def render(template: str, links: Mapping[str, str] = NO_LINKS, /, **values: object) -> str:
    """`links` maps `site:slug` to the target of a link in an article's text."""
    return (
        _environment()
        .get_template(template)
        .render(inline=lambda paragraph: _inline(paragraph, links), mail_date=format_datetime, **values)
    )


def numbered(first: str, later: str) -> Callable[[int], str]:
    """Paths of a list's pages: the first has its own, the later ones carry their number."""
    return lambda number: first if number == 1 else later.format(number)


def list_pages(
    template: str, site: SiteFrame, leaves: Sequence[Leaf], path_of: Callable[[int], str], **values: object
) -> dict[str, Page]:
    count = max(1, math.ceil(len(leaves) / ITEMS_PER_LIST))
    pages = {}
    for number in range(1, count + 1):
        text = render(
            template,
            site=site,
            items=leaves[(number - 1) * ITEMS_PER_LIST : number * ITEMS_PER_LIST],
            number=number,
            pages=count,
            previous=path_of(number - 1) if number > 1 else "",
            next=path_of(number + 1) if number < count else "",
            **values,
        )
        pages[path_of(number)] = Page(text.encode(), HTML, BUILT)
    return pages


def comments(slug: str) -> list[tuple[str, str]]:
    """Two readers' remarks below an article, always the same ones."""
    chance = Random(slug)  # noqa: S311 - repeatable, not secret
    return list(zip(chance.sample(_READERS, 2), chance.sample(_REMARKS, 2), strict=True))


def _inline(paragraph: str, links: Mapping[str, str]) -> Markup:
    result, end = Markup(), 0
    for found in _LINK.finditer(paragraph):
        result += escape(paragraph[end : found.start()]) + link(links[found[2]], found[1])
        end = found.end()
    return result + escape(paragraph[end:])


def link(address: str, words: str) -> Markup:
    return Markup('<a href="{}" target="_blank">{}</a>').format(address, words)


@cache
def _environment() -> Environment:
    loader = FileSystemLoader(CONTENT / "templates")
    return Environment(loader=loader, autoescape=True, undefined=StrictUndefined)
