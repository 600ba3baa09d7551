"""What a crawl keeps as evidence, against a real server."""

import gzip
import hashlib
import io
import ipaddress
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.serialization import Encoding
from cryptography.x509.oid import NameOID
from scrapy.http import Response
from sqlalchemy import Engine
from twisted.internet.ssl import Certificate

from crawler.evidence.page_capture import Captured, capture
from crawler.evidence.record_files import EvidenceFolder
from crawler.network.raw_response import raw_response
from crawler.outcomes.refusals import Refusal
from crawler.run.crawl_order import CrawlOrder
from crawler.run.crawl_process import crawl_site
from crawler.warc.reader import archived_pages
from storage.engine import transaction
from storage.evidence import chain_store
from storage.pages import pages
from storage.records.crawl import RunRecord
from storage.records.evidence import EvidenceEntry, EvidenceKind
from storage.records.sites import SiteSettings
from storage.sites import sites
from tests.fake_web import served
from tests.support.evidence.evidence import verified

LOOPBACK = (ipaddress.ip_network("127.0.0.0/8"),)


@pytest.fixture(scope="module")
def web() -> Iterator[str]:
    with served() as base:
        yield base


def crawl(engine: Engine, web: str, home: Path | None, *, start: str) -> RunRecord:
    chosen = SiteSettings(name="报", hosts=(urlsplit(web).netloc,), start_urls=(f"{web}{start}",), delay_s=0.0)
    with transaction(engine) as session:
        sites.add_site(session, chosen)
    url = engine.url.render_as_string(hide_password=False)
    return crawl_site(CrawlOrder(url, "报", allowed_networks=LOOPBACK, max_pages=4, home=home, trigger="test"))


def all_entries(engine: Engine) -> list[EvidenceEntry]:
    with transaction(engine) as session:
        return list(chain_store.entries(session))


def test_every_stored_version_has_its_response(engine: Engine, web: str, tmp_path: Path) -> None:
    crawl(engine, web, tmp_path, start="/news/1")

    with transaction(engine) as session:
        stored = {page.url: pages.text_body(session, page.text_id) or "" for page in pages.list_pages(session)}
    kept = {entry.url: entry for entry in all_entries(engine)}
    assert stored
    assert set(stored) <= set(kept)
    folder = EvidenceFolder(tmp_path)
    for url, text in stored.items():
        entry = kept[url]
        assert (entry.kind, entry.text) == (EvidenceKind.STORED, hashlib.sha256(text.encode()).digest())
        data = folder.read(entry.record or b"")
        assert data is not None
        (page,) = archived_pages(io.BytesIO(gzip.decompress(data)), max_bytes=10_000_000)
        assert page.url == url
        assert text.splitlines()[0][:10] in page.body.decode()
    seen, problems = verified(engine, tmp_path)
    assert (seen.texts_gone, seen.unnamed, problems) == (0, 0, [])


def test_without_a_home_nothing_is_kept_and_pages_are_stored_all_the_same(engine: Engine, web: str) -> None:
    run = crawl(engine, web, None, start="/news/1")

    assert run.counters["articles/new"] >= 1
    assert all_entries(engine) == []


def test_a_page_whose_evidence_cannot_be_written_is_not_stored(engine: Engine, web: str, tmp_path: Path) -> None:
    (tmp_path / "evidence").write_text("a file where the folder should be")

    run = crawl(engine, web, tmp_path, start="/news/1")

    assert run.exit_reason == "storage-failed"
    with transaction(engine) as session:
        assert list(pages.list_pages(session)) == []


def test_a_page_is_captured_as_it_was_sent_and_by_whom(web: str) -> None:
    found = capture(f"{web}/news/1", allowed_networks=LOOPBACK)

    assert isinstance(found, Captured)
    assert (found.page.refusal, found.page.url, found.response.peer) == (None, f"{web}/news/1", "127.0.0.1")
    assert (found.response.status, found.response.body) == (200, found.page.body)
    assert ("Content-Type", "text/html; charset=utf-8") in found.response.headers


def test_a_server_s_certificate_is_noted() -> None:
    key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "copier.example")])
    made = x509.CertificateBuilder().subject_name(name).issuer_name(name).public_key(key.public_key())
    day = datetime(2026, 1, 1, tzinfo=UTC)
    dated = made.serial_number(1).not_valid_before(day).not_valid_after(day + timedelta(days=1))
    der = dated.sign(key, hashes.SHA256()).public_bytes(Encoding.DER)

    raw = raw_response(Response("https://copier.example/", body=b"x", certificate=Certificate.load(der)))

    assert (raw.certificate, raw.status, raw.peer) == (der, 200, None)


def test_that_a_page_is_gone_is_captured_too(web: str) -> None:
    found = capture(f"{web}/nothing", allowed_networks=LOOPBACK)

    assert isinstance(found, Captured)
    assert (found.page.refusal, found.response.status) == (Refusal.GONE, 404)
    assert b"nothing here" in found.response.body


@pytest.mark.parametrize(
    ("path", "refusal"),
    [("/private", Refusal.BLOCKED_ADDRESS), ("/loop", Refusal.TOO_MANY_REDIRECTS), ("/bomb", Refusal.TOO_LARGE)],
)
def test_what_cannot_be_captured_has_a_name(web: str, path: str, refusal: Refusal) -> None:
    assert capture(f"{web}{path}", allowed_networks=LOOPBACK) is refusal


def test_loopback_is_not_captured_unless_it_was_opened(web: str) -> None:
    assert capture(f"{web}/news/1") is Refusal.BLOCKED_ADDRESS
    assert capture("ftp://a.example/") is Refusal.UNUSABLE_URL
