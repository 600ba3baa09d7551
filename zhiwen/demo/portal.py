"""The original publisher's site: a news portal with channels, a feed and print versions that robots must not fetch."""

from collections.abc import Mapping

from zhiwen.demo.articles import articles, disclaimer
from zhiwen.demo.model import DemoSite, Page
from zhiwen.demo.render import BUILT, HTML, Leaf, SiteFrame, comments, leaf, list_pages, numbered, render

OWNER_TITLE = "临渡新闻网"
SECTIONS = {
    "city": "城事",
    "life": "生活",
    "culture": "文化",
    "science": "科学",
    "economy": "财经",
    "english": "English",
    "notice": "公告",
}
FEED_ITEMS = 20
RELATED_ITEMS = 4


def original_paths() -> dict[str, str]:
    """The path of each original article by slug."""
    return {
        article.slug: f"/{article.section}/{article.published:%Y%m%d}/{article.slug}.html"
        for article in articles("original").values()
    }


def build_portal(addresses: Mapping[str, str]) -> DemoSite:
    paths = original_paths()
    leaves = [leaf(article, paths[article.slug]) for article in reversed(articles("original").values())]
    site = SiteFrame(OWNER_TITLE, addresses["original"], SECTIONS, tuple(leaves[3:11]))
    pages = list_pages("original/list.html", site, leaves, numbered("/", "/index_{}.html"), heading="")
    for key, name in SECTIONS.items():
        of_section = [one for one in leaves if one.section == key]
        path_of = numbered(f"/{key}/", f"/{key}/index_{{}}.html")
        pages |= list_pages("original/list.html", site, of_section, path_of, heading=name)
    for one in leaves:
        pages |= _article_pages(site, one, leaves)
    feed = render("original/rss.xml", site=site, items=leaves[:FEED_ITEMS])
    pages["/about.html"] = Page(render("original/about.html", site=site).encode(), HTML, BUILT)
    pages["/rss.xml"] = Page(feed.encode(), "application/rss+xml; charset=utf-8", BUILT)
    pages["/robots.txt"] = Page(b"User-agent: *\nDisallow: /print/\n", "text/plain; charset=utf-8", BUILT)
    return DemoSite(
        name="original",
        title=OWNER_TITLE,
        role="original",
        owner="临渡日报社",
        address=addresses["original"],
        pages=pages,
        article_paths=tuple(one.path for one in leaves),
        feed_path="/rss.xml",
    )


def _article_pages(site: SiteFrame, one: Leaf, leaves: list[Leaf]) -> dict[str, Page]:
    related = [other for other in leaves if other.section == one.section and other is not one][:RELATED_ITEMS]
    text = render(
        "original/article.html",
        site=site,
        page=one,
        related=related,
        comments=comments(one.slug),
        disclaimer=disclaimer(),
    )
    return {
        one.path: Page(text.encode(), HTML, one.published),
        f"/print/{one.slug}.html": Page(render("original/print.html", page=one).encode(), HTML, one.published),
    }
