"""A crawl of a site whose articles are PDF and Word files, linked from a list."""

import ipaddress
from urllib.parse import urlsplit

from crawler.network.loopback_server import Answer, LoopbackServer
from crawler.run.crawl_order import CrawlOrder
from crawler.run.crawl_process import crawl_site
from storage.engine import make_engine, transaction
from storage.pages import pages
from storage.records.sites import SiteSettings
from storage.sites import sites
from tests.support.documents import a_pdf, a_word_file

PDF = "application/pdf"
WORD = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
LINES = [
    "The captain of the ferry wrote down every crossing that he made in that long and",
    "cold winter, and he kept the book in a box under the wheel until the ship was sold.",
]


def test_documents_linked_from_a_list_are_stored_with_their_responses(clean_database_url: str) -> None:
    links = "".join(f"<li><a href='/files/{name}'>{name}</a></li>" for name in ("a.pdf", "b.docx", "scan.pdf"))
    answers = {
        "/": Answer(f"<html><body><ul>{links}</ul></body></html>".encode()),
        "/files/a.pdf": Answer(a_pdf(LINES * 4, LINES * 2, Title="Crossings"), PDF),
        "/files/b.docx": Answer(a_word_file("A book of crossings", *LINES * 3), WORD),
        "/files/scan.pdf": Answer(a_pdf([], []), PDF),
    }
    server = LoopbackServer(answers=answers.get)
    engine = make_engine(clean_database_url)
    with server.running():
        with transaction(engine) as session:
            settings = SiteSettings(
                name="library",
                hosts=(urlsplit(server.address).netloc,),
                start_urls=(f"{server.address}/",),
                delay_s=0.0,
            )
            sites.add_site(session, settings)
        networks = (ipaddress.ip_network("127.0.0.0/8"),)
        run = crawl_site(CrawlOrder(clean_database_url, "library", allowed_networks=networks, trigger="test"))
    with transaction(engine) as session:
        found = {urlsplit(page.url).path: page for page in pages.list_pages(session)}
        text = pages.text_body(session, found["/files/a.pdf"].text_id) or ""
    engine.dispose()

    assert {path: page.title for path, page in found.items()} == {
        "/files/a.pdf": "Crossings",
        "/files/b.docx": "A book of crossings",
    }
    assert "in that long and cold winter" in text
    assert run.counters["refused/scan"] == 1
    assert run.counters["articles/new"] == 2
