"""The demo's three sites: their texts, their HTML, the truth about them, and the server that shows them."""

import re
from datetime import datetime, timedelta
from email.utils import parsedate_to_datetime
from itertools import combinations
from urllib.parse import urljoin, urlsplit
from urllib.robotparser import RobotFileParser

import feedparser
import pytest
from lxml import etree, html
from w3lib.encoding import html_to_unicode

from storage.types import Credit
from zhiwen.demo.articles import CHINA, Article, articles, disclaimer, parse_article
from zhiwen.demo.model import DemoSite, Disguise, Planted
from zhiwen.demo.sites import SITE_NAMES, build_sites

ADDRESSES = {
    "original": "http://127.0.0.1:8001",
    "copier": "http://127.0.0.2:8002",
    "innocent": "http://127.0.0.3:8003",
}
SITES = {site.name: site for site in build_sites(ADDRESSES)}
ORIGINAL, COPIER, INNOCENT = (SITES[name] for name in SITE_NAMES)
DATE_LINE = re.compile(r"发布时间：(\d+)年(\d+)月(\d+)日 (\d+):(\d+)")
# No sentence is shared by chance: two writers may well agree on this many characters, as in a name or a saying.
CHANCE_RUN = 8
# Quotations, and the targets of links
NO_PROSE = re.compile(r"“[^”]{20,45}”|\]\(.*?\)")


def unicode_of(site: DemoSite, path: str) -> str:
    page = site.pages[path]
    return html_to_unicode(page.content_type, page.body)[1]


def body_lines(site: DemoSite, path: str) -> list[str]:
    """The paragraphs of an article's page, the disclaimer among them."""
    document = html.fromstring(unicode_of(site, path))
    region = "//*[@id='content' or @id='zoom' or contains(@class, 'entry-content')]//p"
    return [paragraph.text_content().strip() for paragraph in document.xpath(region)]


def links(site: DemoSite, path: str) -> set[str]:
    document = html.fromstring(unicode_of(site, path))
    return {urljoin(site.address + path, str(target)) for target in document.xpath("//a/@href")}


def runs(text: str, length: int) -> set[str]:
    return {text[start : start + length] for start in range(len(text) - length + 1)}


def planted(kind: Disguise) -> list[Planted]:
    return [one for one in COPIER.planted if one.disguise is kind]


def source_article(path: str) -> Article:
    return articles("original")[path.rsplit("/", 1)[1].removesuffix(".html")]


# The texts


def test_the_original_has_twenty_and_more_articles_of_a_readers_length() -> None:
    written = [one for one in articles("original").values() if one.section != "notice"]
    chinese = [one for one in written if one.section != "english"]
    english = [one for one in written if one.section == "english"]

    assert len(chinese) >= 19
    assert {one.slug for one in chinese if not 600 <= len(one.text) <= 2000} == set()
    assert len(english) == 3
    assert all(len(one.text.split()) >= 400 for one in english)


def test_every_site_has_articles_of_its_own() -> None:
    assert len([one for one in articles("innocent").values() if one.section != "告示"]) >= 12
    assert len(COPIER.innocent_paths) >= 4
    assert len(COPIER.planted) >= 20


def test_chinese_articles_use_chinese_punctuation() -> None:
    everything = [one for folder in ("original", "innocent", "copier") for one in articles(folder).values()]
    half_width = re.compile(r"[\u4e00-\u9fff][,;:?!()]|[,;:?!][\u4e00-\u9fff]")

    assert {one.slug for one in everything if half_width.search(one.text)} == set()


def test_no_two_articles_share_a_sentence_but_for_quotations_and_notices() -> None:
    texts = {
        (folder, one.slug): NO_PROSE.sub("", one.text)
        for folder in ("original", "innocent", "copier")
        for one in articles(folder).values()
        if not one.slug.startswith("notice") and one.section != "english"
    }
    shared = {
        (first, second): common
        for first, second in combinations(texts, 2)
        if (common := runs(texts[first], CHANCE_RUN) & runs(texts[second], CHANCE_RUN))
    }

    assert shared == {}


def test_three_innocent_articles_quote_one_sentence_and_link_its_source() -> None:
    everything = "\n".join(one.text for one in articles("original").values())
    quoting = {}
    for path in INNOCENT.innocent_paths:
        text = "\n".join(body_lines(INNOCENT, path))
        quoted = [words for words in re.findall(r"“([^”]{15,60})”", text) if words in everything]
        if quoted:
            quoting[path] = quoted
            assert any(target.startswith(ADDRESSES["original"]) for target in links(INNOCENT, path))
            assert "临渡新闻网" in text

    assert len(quoting) == 3
    assert all(len(quoted) == 1 and 20 <= len(quoted[0]) <= 45 for quoted in quoting.values())


@pytest.mark.parametrize("slug", ["notice-weather", "notice-prices"])
def test_notices_share_their_template_and_differ_in_facts(slug: str) -> None:
    ours, theirs = (articles(folder)[slug].text for folder in ("original", "innocent"))

    assert len(ours) >= 150
    assert len(runs(ours, CHANCE_RUN) & runs(theirs, CHANCE_RUN)) > 40
    assert re.findall(r"\d+(?:\.\d+)?%?", ours) != re.findall(r"\d+(?:\.\d+)?%?", theirs)


def test_an_article_without_a_title_is_refused_by_name() -> None:
    with pytest.raises(ValueError, match=r"broken\.md: an article needs title"):
        parse_article("author: a\ndate: 2026-03-01 08:00\nsection: x\nslug: s\n\ntext", "broken.md")


# The truth


def test_every_disguise_and_every_kind_of_credit_is_planted() -> None:
    assert {one.disguise for one in COPIER.planted} == set(Disguise)
    assert {one.credit for one in COPIER.planted} == set(Credit)
    assert {one.credit for one in planted(Disguise.EXACT)} == set(Credit)


def test_planted_and_innocent_pages_together_are_all_the_copiers_articles() -> None:
    stolen = [one.copy_path for one in COPIER.planted]

    assert sorted([*stolen, *COPIER.innocent_paths]) == sorted(COPIER.article_paths)
    assert {path for one in COPIER.planted for path in one.source_paths} <= set(ORIGINAL.article_paths)


def test_an_exact_copy_has_the_very_paragraphs_of_its_source() -> None:
    for one in planted(Disguise.EXACT):
        own = body_lines(COPIER, one.copy_path)
        assert own == [*source_article(one.source_paths[0]).text.split("\n"), disclaimer()]


def test_excerpts_and_embedded_passages_are_long_enough_to_matter() -> None:
    for one in [*planted(Disguise.EXCERPT), *planted(Disguise.EMBEDDED)]:
        source = source_article(one.source_paths[0]).text
        taken = [line for line in body_lines(COPIER, one.copy_path) if line in source]
        assert 250 <= sum(map(len, taken)) <= 420


def test_a_mixture_takes_much_of_both_sources() -> None:
    (one,) = planted(Disguise.MIXED)
    own = body_lines(COPIER, one.copy_path)

    for path in one.source_paths:
        source = source_article(path).text
        assert sum(len(line) for line in own if line in source) > 300


def test_credit_stands_on_the_page_as_the_truth_says() -> None:
    for one in COPIER.planted:
        targets = links(COPIER, one.copy_path)
        named = "临渡新闻网" in unicode_of(COPIER, one.copy_path)
        linked = ADDRESSES["original"] + one.source_paths[0] in targets
        assert (named, linked) == (one.credit is not Credit.NONE, one.credit is Credit.LINKED)


def test_copies_are_later_than_their_sources_but_one_that_lies() -> None:
    lying = []
    for one in COPIER.planted:
        newest = max(source_article(path).published for path in one.source_paths)
        found = DATE_LINE.search(unicode_of(COPIER, one.copy_path))
        assert found is not None
        year, month, day, hour, minute = map(int, found.groups())
        if datetime(year, month, day, hour, minute, tzinfo=CHINA) < newest:
            lying.append(one)
        assert COPIER.pages[one.copy_path].modified > newest

    assert lying == [one for one in COPIER.planted if one.claims_earlier]
    assert len(lying) == 1


def test_the_truth_is_not_in_the_pages() -> None:
    words = re.compile("|".join(["planted", "disguise", "claims_earlier", "homophone", "embed", "copier", "innocent"]))

    for site in SITES.values():
        assert [path for path in site.pages if words.search(unicode_of(site, path))] == []


# The pages


@pytest.mark.parametrize("site", SITES.values(), ids=SITES)
def test_every_article_ends_with_the_same_disclaimer(site: DemoSite) -> None:
    assert 100 <= len(disclaimer()) <= 140
    assert all(body_lines(site, path)[-1] == disclaimer() for path in site.article_paths)


@pytest.mark.parametrize("site", SITES.values(), ids=SITES)
def test_every_article_is_reached_by_links_and_no_link_is_dead(site: DemoSite) -> None:
    seen: set[str] = set()
    waiting = [site.start_path]
    while waiting:
        path = waiting.pop()
        if path in seen:
            continue
        seen.add(path)
        assert path in site.pages, f"a link leads to {path}, which does not exist"
        local = (target for target in links(site, path) if target.startswith(site.address))
        waiting += [urlsplit(target).path for target in local]

    assert set(site.article_paths) <= seen


def test_links_between_sites_lead_to_pages_that_exist() -> None:
    outside = [
        target
        for site in SITES.values()
        for path in site.article_paths
        for target in links(site, path)
        if not target.startswith(site.address)
    ]

    assert len(outside) >= 6
    assert all(urlsplit(target).path in ORIGINAL.article_paths for target in outside)


def test_texts_do_not_depend_on_the_addresses() -> None:
    elsewhere = build_sites({name: f"http://127.0.0.1:{port}" for port, name in enumerate(SITE_NAMES, 9000)})

    for site in elsewhere:
        assert site.planted == SITES[site.name].planted
        for path in site.article_paths:
            assert body_lines(site, path) == body_lines(SITES[site.name], path)


def test_a_missing_address_is_refused_by_name() -> None:
    with pytest.raises(ValueError, match="no address for the demo site innocent"):
        build_sites({"original": "http://127.0.0.1:1", "copier": "http://127.0.0.1:2"})


def test_print_versions_are_closed_to_robots() -> None:
    robots = RobotFileParser()
    robots.parse(ORIGINAL.pages["/robots.txt"].body.decode().splitlines())
    closed = [path for path in ORIGINAL.pages if not robots.can_fetch("Zhiwen", ORIGINAL.address + path)]

    assert len(closed) == len(ORIGINAL.article_paths)
    assert all(path.startswith("/print/") for path in closed)


def test_the_feed_lists_the_newest_articles_with_their_times() -> None:
    feed = feedparser.parse(ORIGINAL.pages["/rss.xml"].body)

    assert not feed.bozo
    assert [urlsplit(entry.link).path for entry in feed.entries] == list(ORIGINAL.article_paths[:20])
    assert all(parsedate_to_datetime(entry.published).utcoffset() == timedelta(hours=8) for entry in feed.entries)


def test_the_sitemap_lists_every_article() -> None:
    tree = etree.fromstring(INNOCENT.pages["/sitemap.xml"].body)
    listed = {urlsplit(str(one.text)).path for one in tree.iter("{*}loc")}

    assert listed == {"/", *INNOCENT.article_paths}


def test_the_copier_serves_several_charsets_and_all_are_readable() -> None:
    charsets = set()
    for path in COPIER.article_paths:
        body = COPIER.pages[path].body
        declared = re.search(rb"charset=([\w-]+)", body)
        assert declared is not None
        charsets.add(declared[1].decode())
        assert "\ufffd" not in unicode_of(COPIER, path)

    assert charsets == {"gb2312", "gb18030", "utf-8"}
