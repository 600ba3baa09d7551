"""The innocent site: a neighbourhood blog on the same subjects that quotes with credit."""

from collections.abc import Mapping

from zhiwen.demo.articles import articles, disclaimer
from zhiwen.demo.model import DemoSite, Page
from zhiwen.demo.portal import original_paths
from zhiwen.demo.render import BUILT, HTML, SiteFrame, comments, leaf, list_pages, numbered, render

TITLE = "慢巷志"


def build_blog(addresses: Mapping[str, str]) -> DemoSite:
    links = {f"original:{slug}": addresses["original"] + path for slug, path in original_paths().items()}
    leaves = [leaf(article, f"/posts/{article.slug}/") for article in reversed(articles("innocent").values())]
    site = SiteFrame(TITLE, addresses["innocent"], {}, ())
    pages = list_pages("innocent/list.html", site, leaves, numbered("/", "/page/{}/"))
    pages["/archive/"] = Page(render("innocent/archive.html", site=site, items=leaves).encode(), HTML, BUILT)
    pages["/about/"] = Page(render("innocent/about.html", site=site).encode(), HTML, BUILT)
    for place, one in enumerate(leaves):
        text = render(
            "innocent/article.html",
            links,
            site=site,
            page=one,
            newer=leaves[place - 1] if place else None,
            older=leaves[place + 1] if place + 1 < len(leaves) else None,
            comments=comments(one.slug),
            disclaimer=disclaimer(),
        )
        pages[one.path] = Page(text.encode(), HTML, one.published)
    sitemap = render("innocent/sitemap.xml", site=site, items=leaves)
    robots = f"User-agent: *\nAllow: /\nSitemap: {addresses['innocent']}/sitemap.xml\n"
    pages["/sitemap.xml"] = Page(sitemap.encode(), "application/xml", BUILT)
    pages["/robots.txt"] = Page(robots.encode(), "text/plain; charset=utf-8", BUILT)
    paths = tuple(one.path for one in leaves)
    return DemoSite(
        name="innocent",
        title=TITLE,
        role="watched",
        owner="慢巷编辑部",
        address=addresses["innocent"],
        pages=pages,
        article_paths=paths,
        sitemap_path="/sitemap.xml",
        innocent_paths=paths,
    )
