"""The copier's site: an old GBK page-table site with stolen articles between a few of its own."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from markupsafe import Markup

from storage.types import Credit
from zhiwen.demo.articles import Article, articles, disclaimer
from zhiwen.demo.model import DemoSite, Disguise, Page, Planted
from zhiwen.demo.portal import OWNER_TITLE, original_paths
from zhiwen.demo.render import BUILT, Leaf, SiteFrame, leaf, link, list_pages, numbered, render

TITLE = "万象阅读网"
FIRST_NUMBER = 1031
NUMBER_STEP = 7
# The charset that such sites declare. The bytes are GBK, and browsers read gb2312 as GBK.
LEGACY_CHARSET = "gb2312"
CODECS = {LEGACY_CHARSET: "gbk", "gb18030": "gb18030", "utf-8": "utf-8"}
# A copy that claims to be older was really published this long after its source.
BACKDATED_REALLY_LATER = timedelta(hours=30)


@dataclass(frozen=True, slots=True)
class Entry:
    leaf: Leaf
    posted: datetime
    """The true time of publishing, whatever the page's date says."""
    charset: str = LEGACY_CHARSET
    planted: Planted | None = None
    """None for an article of the copier's own. The path of the copy is known once all entries are numbered."""


def build_copier(addresses: Mapping[str, str]) -> DemoSite:
    entries = _numbered_by_age([*_stolen(addresses["original"]), *_own()])
    leaves = [entry.leaf for entry in reversed(entries)]
    site = SiteFrame(TITLE, addresses["copier"], {}, tuple(leaves[::4]))
    lists = list_pages("copier/list.html", site, leaves, numbered("/", "/list_{}.htm"), charset=LEGACY_CHARSET)
    pages = {path: _encoded(page.body.decode(), LEGACY_CHARSET, page.modified) for path, page in lists.items()}
    about = render("copier/about.html", site=site, charset=LEGACY_CHARSET)
    pages["/about.htm"] = _encoded(about, LEGACY_CHARSET, BUILT)
    for entry, older, newer in zip(entries, [None, *entries], [*entries[1:], None], strict=False):
        pages[entry.leaf.path] = _article_page(site, entry, older, newer)
    return DemoSite(
        name="copier",
        title=TITLE,
        role="watched",
        owner="万象网络工作室",
        address=addresses["copier"],
        pages=pages,
        article_paths=tuple(one.path for one in leaves),
        planted=tuple(replace(entry.planted, copy_path=entry.leaf.path) for entry in entries if entry.planted),
        innocent_paths=tuple(entry.leaf.path for entry in entries if not entry.planted),
    )


def _numbered_by_age(entries: list[Entry]) -> list[Entry]:
    by_age = sorted(entries, key=lambda entry: entry.posted)
    numbers = range(FIRST_NUMBER, FIRST_NUMBER + NUMBER_STEP * len(by_age), NUMBER_STEP)
    return [
        replace(entry, leaf=replace(entry.leaf, path=f"/html/2026/{number}.htm"))
        for entry, number in zip(by_age, numbers, strict=True)
    ]


def _article_page(site: SiteFrame, entry: Entry, older: Entry | None, newer: Entry | None) -> Page:
    text = render(
        "copier/article.html",
        site=site,
        page=entry.leaf,
        charset=entry.charset,
        clicks=137 * len(entry.leaf.title) + len(entry.leaf.paragraphs),
        disclaimer=disclaimer(),
        older=older.leaf if older else None,
        newer=newer.leaf if newer else None,
    )
    return _encoded(text, entry.charset, entry.posted)


def _stolen(original_address: str) -> list[Entry]:
    return [_stolen_entry(copy, original_address) for copy in articles("copies").values()]


def _stolen_entry(copy: Article, original_address: str) -> Entry:
    sources = [articles("original")[slug] for slug in copy.header["sources"].split()]
    newest = max(source.published for source in sources)
    claims_earlier = copy.published <= newest
    planted = Planted(
        copy_path="",
        source_paths=tuple(original_paths()[source.slug] for source in sources),
        disguise=Disguise(copy.header["disguise"]),
        credit=Credit(copy.header["credit"]),
        claims_earlier=claims_earlier,
    )
    byline, note = _credit_lines(copy, planted, original_address)
    return Entry(
        leaf=replace(leaf(copy, path=""), byline=byline, credit_note=note),
        posted=newest + BACKDATED_REALLY_LATER if claims_earlier else copy.published,
        charset=copy.header.get("charset", LEGACY_CHARSET),
        planted=planted,
    )


def _credit_lines(copy: Article, planted: Planted, original_address: str) -> tuple[Markup | str, Markup | str]:
    """The line below the title, and the note below the text."""
    if planted.credit is Credit.NONE:
        return "来源：网络 编辑：小万", ""
    name: Markup | str = OWNER_TITLE
    if planted.credit is Credit.LINKED:
        name = link(original_address + planted.source_paths[0], OWNER_TITLE)
    if "note" in copy.header:
        return "编辑：阿象", Markup("（本文转载自{}，原文作者：{}）").format(name, copy.author)
    return Markup("来源：{} 作者：{}").format(name, copy.author), ""


def _own() -> list[Entry]:
    own = articles("copier").values()
    return [Entry(replace(leaf(one, path=""), byline=f"原创 作者：{one.author}"), one.published) for one in own]


def _encoded(text: str, charset: str, modified: datetime) -> Page:
    """Legacy pages name their charset in the page alone, as old servers do."""
    content_type = "text/html; charset=utf-8" if charset == "utf-8" else "text/html"
    return Page(text.encode(CODECS[charset], "xmlcharrefreplace"), content_type, modified)
