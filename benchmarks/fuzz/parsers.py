"""Every parser of untrusted bytes, by its public entry."""

import contextlib
import tempfile
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Final
from urllib.parse import parse_qsl
from zoneinfo import ZoneInfo

from scrapy.robotstxt import ProtegoRobotParser
from werkzeug.datastructures import MultiDict

from admin.cases.query import Asker, parse_case_query
from admin.hits.query import parse_hit_query
from admin.pages.query import parse_page_query
from benchmarks.fuzz import packed_seeds, seeds
from benchmarks.fuzz.dictionaries import tokens
from benchmarks.fuzz.model import Parser
from crawler.discovery import feeds
from crawler.extraction.extract import extract, read_page
from crawler.extraction.html.charset import decode
from crawler.extraction.html.parsing import parse
from crawler.extraction.html.robots_meta import directives
from crawler.extraction.metadata.language import language_of, letters_by_script
from crawler.extraction.metadata.one_date import date_in, stated_date
from crawler.extraction.metadata.page_metadata import credit_lines_of
from crawler.extraction.site_knowledge import SiteKnowledge
from crawler.extraction.site_rule import ExtractionRule
from crawler.importers.documents import read_document
from crawler.importers.files import read_articles
from crawler.importers.model import ImportedArticle, ImportProblem
from crawler.importers.saved_pages import read_saved_page
from crawler.outcomes.errors import BadRule, BadScope, CrawlerError, UnusableUrl
from crawler.urls.canonical import canonical_url, identity_of, joined_url, shape_of
from crawler.urls.dated_archives import current_lists, period_of
from crawler.urls.scope import Scope
from crawler.warc.http_body import Unreadable, plain_body, split_head
from fingerprint.compute import analyse, fingerprint_text
from matcher.explanation.explain import compare_texts
from storage.types import DateOrigin

URL: Final = "https://www.example.com/2026/03/01/river.html"
NOW: Final = datetime(2026, 3, 2, 8, 30, tzinfo=UTC)
ZONE: Final = ZoneInfo("Asia/Shanghai")
MOST_COMPARED: Final = 20_000
"""Characters: pasted texts are bounded, and two long texts take seconds of regular work."""


class Untrue(Exception):
    """A parser returned an invalid result."""


def _charset(data: bytes) -> object:
    header, _, body = data.partition(b"\n")
    found = decode(body, content_type=header.decode("latin-1"))
    if found is not None:
        found.text.encode("utf-8")
    return found


def _page(data: bytes) -> object:
    page = read_page(data, url=URL, content_type="text/html", fetched_at=NOW, time_zone="Asia/Shanghai")
    for link in (*page.links, *page.feeds):
        canonical_url(link)
    return directives(data, "noindex, unavailable_after: 25 Jun 2026"), page


def _feed(data: bytes) -> object:
    feeds.kind_of(data)
    return feeds.feed_entries(data, url=URL, zone=ZONE, now=NOW)


def _sitemap(data: bytes) -> object:
    return list(feeds.sitemap_entries(data, url=URL, zone=ZONE, now=NOW))


def _robots(data: bytes) -> object:
    # As the crawler's middleware asks it.
    robots = ProtegoRobotParser(data, None)  # the spider is for its log only
    stated = robots.rp
    return robots.allowed(URL, "zhiwen"), stated.crawl_delay("zhiwen"), list(stated.sitemaps)


def _http_body(data: bytes) -> object:
    head, _, body = split_head(data)
    lines = (line.partition(b":") for line in head.splitlines())
    headers = {name.decode("latin-1").lower(): value.decode("latin-1").strip() for name, _, value in lines}
    return plain_body(body, headers, max_bytes=10_000_000)


def _imported(name: str) -> Callable[[bytes], object]:
    """Imports a file of that name from a folder: only articles and problems may result."""

    def read(data: bytes) -> object:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, name)
            path.write_bytes(data)
            outcomes = list(read_articles([path], now=NOW))
        for one in outcomes:
            if not isinstance(one, ImportedArticle | ImportProblem):
                raise Untrue(repr(one))
            str(one)
        return outcomes

    return read


def _urls(data: bytes) -> object:
    lines = data.decode("utf-8", "replace").split("\n")
    scope = Scope.of(["www.example.com", "a.example"], deny=["/tag/"])
    found = []
    for line in lines[:200]:
        joined = joined_url(URL, line)
        if joined is not None:
            if canonical_url(joined) != joined:
                raise Untrue(f"{joined!r} is not canonical")
            found.append((joined, identity_of(joined), shape_of(joined), scope.refusal(joined), period_of(joined)))
        with contextlib.suppress(UnusableUrl):
            canonical_url(line)
    current_lists((one[0] for one in found), today=NOW.date())
    return found


def _dates(data: bytes) -> object:
    text = data.decode("utf-8", "replace")
    return [
        (date_in(line, DateOrigin.VISIBLE, zone=ZONE, now=NOW), stated_date(line, zone=ZONE, now=NOW))
        for line in (text, *text.splitlines()[:50])
    ]


def _rule(data: bytes) -> object:
    import json  # noqa: PLC0415

    try:
        stated = json.loads(data)
    except (ValueError, RecursionError):
        stated = {"content": data.decode("utf-8", "replace")}
    rule = ExtractionRule.of(stated)
    known = SiteKnowledge(rule)
    return extract(
        seeds.PAGES[0], url=URL, content_type="text/html", fetched_at=NOW, time_zone="Asia/Shanghai", known=known
    )


def _scope(data: bytes) -> object:
    return Scope.of(["a.example"], allow=[data.decode("utf-8", "replace")[:200]])


def _text(data: bytes) -> str:
    return data.decode("utf-8", "replace").replace("\x00", "")


def _language(data: bytes) -> object:
    text = _text(data)
    return language_of(text, declared=text[:20]), letters_by_script(text), credit_lines_of(text)


def _fingerprint(data: bytes) -> object:
    text = _text(data)
    return fingerprint_text(text), analyse(text)


def _alignment(data: bytes) -> object:
    left, _, right = data.decode("utf-8", "replace").partition("\x00")
    left, right = left[:MOST_COMPARED], (right or left[::-1])[:MOST_COMPARED].replace("\x00", "")
    found = compare_texts(left, right)
    for one in found.judgement.passages:
        if not (0 <= one.left_start < one.left_end <= len(left) and 0 <= one.right_start < one.right_end <= len(right)):
            raise Untrue(f"{one} lies outside of its text")
    return found


def _query(data: bytes) -> object:
    pairs = parse_qsl(data.decode("utf-8", "replace"), keep_blank_values=True)
    arguments = MultiDict(pairs)
    asker = Asker(1, NOW, ZONE)
    return parse_case_query(arguments, asker), parse_hit_query(arguments), parse_page_query(arguments, bodies=True)


_FEEDS: Final = (seeds.FEEDS, tokens("feed"))
_WARCS: Final = (packed_seeds.WARCS, tokens("warc"))

PARSERS: Final = (
    Parser("charset", _charset, seeds.DECLARED, (*tokens("header"), *tokens("page")), share=8),
    Parser("page", _page, seeds.PAGES, tokens("page")),
    Parser("fragment", lambda data: read_document(data, is_fragment=True), seeds.PAGES, tokens("page"), share=3),
    Parser("markup", lambda data: parse(data.decode("utf-8", "replace")), seeds.PAGES, tokens("page"), share=8),
    Parser("feed", _feed, *_FEEDS, (feeds.Unreadable,), share=2),
    Parser("sitemap", _sitemap, seeds.SITEMAPS, tokens("sitemap"), (feeds.Unreadable,), share=8),
    Parser("robots", _robots, seeds.ROBOTS, tokens("robots"), share=8),
    Parser("http body", _http_body, packed_seeds.HTTP_BODIES, tokens("warc"), (Unreadable,), share=8),
    Parser("saved page", read_saved_page, (packed_seeds.MHTML,), tokens("mhtml"), share=8),
    Parser("pdf", read_document, packed_seeds.PDF, tokens("pdf")),
    Parser("docx", read_document, packed_seeds.DOCX, tokens("docx")),
    Parser("document", read_document, packed_seeds.DOCUMENTS, (*tokens("mhtml"), *tokens("pdf"))),
    Parser("import of lines", _imported("a.jsonl"), seeds.RECORD_LINES, tokens("record"), (CrawlerError,)),
    Parser("import of a table", _imported("a.csv"), seeds.TABLES, tokens("table"), (CrawlerError,), share=2),
    Parser("import of an archive", _imported("a.warc"), *_WARCS, (CrawlerError,)),
    Parser("import of a feed", _imported("a.xml"), *_FEEDS, (CrawlerError,)),
    Parser(
        "import of a saved page",
        _imported("a.mhtml"),
        (packed_seeds.MHTML,),
        tokens("mhtml"),
        (CrawlerError,),
    ),
    Parser("import of a text", _imported("a.txt"), seeds.TEXTS, tokens("text"), (CrawlerError,), share=3),
    Parser("address", _urls, seeds.URLS, tokens("url"), share=10),
    Parser("date", _dates, seeds.DATES, tokens("date"), share=10),
    Parser("rule", _rule, seeds.RULES, tokens("rule"), (BadRule,)),
    Parser("scope", _scope, (b"^/news/[0-9]+$", b"(a|b)*c"), tokens("url"), (BadScope,), share=10),
    Parser("language", _language, seeds.TEXTS, tokens("text"), share=5),
    Parser("fingerprint", _fingerprint, seeds.TEXTS, tokens("text"), share=2),
    Parser("alignment", _alignment, seeds.TEXTS, tokens("text")),
    Parser("query of the desk", _query, seeds.QUERIES, tokens("query"), share=10),
)
