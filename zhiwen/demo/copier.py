"""The copier's site: an old GBK page-table site with stolen articles between a few of its own."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from markupsafe import Markup

from zhiwen.demo.articles import Article, articles, disclaimer, tables
from zhiwen.demo.model import Credit, DemoSite, Page, Planted
from zhiwen.demo.portal import OWNER_TITLE, original_paths
from zhiwen.demo.render import BUILT, Leaf, SiteFrame, leaf, link, list_pages, numbered, render
from zhiwen.demo.takes import TAKES, Raw, Take

TITLE = "万象阅读网"
FIRST_NUMBER = 1031
NUMBER_STEP = 7
# What such sites declare. The bytes are GBK: browsers, and crawlers that learnt from them, read gb2312 so.
LEGACY_CHARSET = "gb2312"
CODECS = {LEGACY_CHARSET: "gbk", "gb18030": "gb18030", "utf-8": "utf-8"}
# A copy that claims to be older was in truth put up this long after its source.
BACKDATED_REALLY_LATER = timedelta(hours=30)


@dataclass(frozen=True, slots=True)
class Entry:
    leaf: Leaf
    posted: datetime
    """When it was put up, whatever the page says."""
    take: Take | None
    """None: the copier wrote it."""

    @property
    def charset(self) -> str:
        return self.take.charset if self.take else LEGACY_CHARSET


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
        planted=tuple(_planted(entry.leaf.path, entry.take) for entry in entries if entry.take),
        innocent_paths=tuple(entry.leaf.path for entry in entries if not entry.take),
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
    return [_stolen_entry(take, original_address) for take in TAKES]


def _stolen_entry(take: Take, original_address: str) -> Entry:
    sources = [articles("original")[slug] for slug in take.sources]
    host = articles("copier").get(take.host)
    newest = max(source.published for source in sources)
    claimed = host.published if host else newest + timedelta(hours=take.hours_later, minutes=11)
    posted = claimed if claimed > newest else newest + BACKDATED_REALLY_LATER
    text = take.make(Raw(tuple(source.text for source in sources), tables(), host.text if host else ""))
    title = take.title or (host or sources[0]).title
    base = leaf(replace(sources[0], title=title, published=claimed, text=text), path="")
    byline, note = _credit_lines(take, sources[0], original_address)
    return Entry(replace(base, byline=byline, credit_note=note), posted, take)


def _credit_lines(take: Take, source: Article, original_address: str) -> tuple[Markup | str, Markup | str]:
    """The line below the title, and the note below the text."""
    if take.credit is Credit.NONE:
        return "来源：网络 编辑：小万", ""
    name: Markup | str = OWNER_TITLE
    if take.credit is Credit.LINKED:
        name = link(original_address + original_paths()[source.slug], OWNER_TITLE)
    if take.note_at_end:
        return "编辑：阿象", Markup("（本文转载自{}，原文作者：{}）").format(name, source.author)
    return Markup("来源：{} 作者：{}").format(name, source.author), ""


def _own() -> list[Entry]:
    hosts = {take.host for take in TAKES}
    own = [article for article in articles("copier").values() if article.slug not in hosts]
    return [Entry(replace(leaf(one, path=""), byline=f"原创 作者：{one.author}"), one.published, None) for one in own]


def _planted(path: str, take: Take) -> Planted:
    return Planted(
        copy_path=path,
        source_paths=tuple(original_paths()[slug] for slug in take.sources),
        disguise=take.disguise,
        credit=take.credit,
        claims_earlier=take.hours_later < 0,
    )


def _encoded(text: str, charset: str, modified: datetime) -> Page:
    """Legacy pages name their charset in the page alone, as old servers do."""
    content_type = "text/html; charset=utf-8" if charset == "utf-8" else "text/html"
    return Page(text.encode(CODECS[charset], "xmlcharrefreplace"), content_type, modified)
