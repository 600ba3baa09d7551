"""The number of addresses in the sitemaps of a site, whatever these hold."""

import gzip
from collections.abc import Mapping

import pytest

from crawler.discovery.sitemap_size import MOST_SITEMAPS, Listed, listed_addresses
from crawler.fetch.fetch import Fetched
from crawler.outcomes.refusals import Refusal

ROOT = "https://a.example/sitemap.xml"


def counted(bodies: Mapping[str, bytes]) -> Listed:
    def fetch(url: str) -> Fetched | Refusal:
        body = bodies.get(url)
        return Refusal.UNREACHABLE if body is None else Fetched(url, 200, {}, body)

    return listed_addresses([ROOT], fetch)


def of_pages(count: int) -> bytes:
    return b"<?xml version='1.0'?><urlset>" + b"<url><loc> https://a.example/1 </loc></url>" * count + b"</urlset>"


def index(*urls: str) -> bytes:
    return b"<sitemapindex>" + b"".join(f"<sitemap><loc>{url}</loc></sitemap>".encode() for url in urls)


def test_addresses_are_counted_plain_packed_and_through_an_index() -> None:
    assert counted({ROOT: of_pages(3)}) == Listed(3, True)
    assert counted({ROOT: gzip.compress(of_pages(4_000))}) == Listed(4_000, True)
    parts = {ROOT: index("/1.xml?a=1&amp;b=2", "https://a.example/2.xml")}
    bodies = parts | {"https://a.example/1.xml?a=1&b=2": of_pages(2), "https://a.example/2.xml": of_pages(5)}
    assert counted(bodies) == Listed(7, True)


def test_what_is_left_out_is_said() -> None:
    many = {ROOT: index(*(f"/{number}.xml" for number in range(500)))}
    bodies = many | {f"https://a.example/{number}.xml": of_pages(1) for number in range(500)}
    assert counted(bodies) == Listed(MOST_SITEMAPS - 1, False)
    assert counted({}) == Listed(0, False)
    assert counted({ROOT: index(ROOT)}) == Listed(0, False)


@pytest.mark.parametrize(
    "body",
    [b"", b"\xff\xfe\x00", b"<html>404", b"\x1f\x8bnot packed", gzip.compress(of_pages(9), mtime=0)[:-20],
     b"<loc" * 100_000,
     b"<sitemapindex><loc>http://[</loc>", b"<loc>" + b"x" * 100_000],
)  # fmt: skip
def test_whatever_a_sitemap_holds_it_is_counted_or_not(body: bytes) -> None:
    assert counted({ROOT: body}).addresses <= 9


def test_a_small_file_that_unpacks_to_much_is_cut() -> None:
    assert counted({ROOT: gzip.compress(b"<urlset>" + b" " * 60_000_000)}) == Listed(0, False)
