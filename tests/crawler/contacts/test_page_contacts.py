"""What a page says about whom to write to."""

from datetime import UTC, datetime

import pytest

from crawler.contacts.contact_links import contact_links, role_of
from crawler.contacts.page_contacts import PageContacts, contacts_on_page, decoded_address
from crawler.outcomes.refusals import Refusal
from storage.records.correspondence.contacts import Confidence, ContactKind, ContactProposal, ContactRole

NOW = datetime(2026, 6, 1, tzinfo=UTC)
URL = "https://www.copier-news.com/"
FRONT = """<html><head><title>legal@title-only.com</title><script>var a="script@copier-news.com"</script></head><body>
<!-- comment@copier-news.com --><p>新闻 a@2x.png</p>
<a href="/2026/0601/copyright-law.html">一篇关于版权法修改的长长的新闻标题文章报道</a>
<footer>版权投诉：<a href="mailto:Legal%40copier-news.com?subject=x">写信</a> 客服 kefu@copier-news.com
 商务 biz#copier-news.com <a href="/contact">联系我们</a> <a href="/tousu.html">侵权投诉</a>
 <a href="https://other-site.com/dmca">DMCA</a> <a href="https://help.copier-news.com/x">Copyright</a>
 <a href="https://beian.miit.gov.cn/">京ICP备12345678号-1</a> 京公网安备 11010102000001号</footer></body></html>"""


def read(body: str, role: ContactRole | None = None) -> PageContacts:
    found = contacts_on_page(body.encode(), content_type="text/html; charset=utf-8", url=URL, seen_at=NOW, role=role)
    assert isinstance(found, PageContacts)
    return found


def by_value(found: PageContacts) -> dict[str, ContactProposal]:
    return {one.value: one for one in found.proposals}


def test_a_page_states_its_addresses_with_what_they_are_for() -> None:
    found = by_value(read(FRONT))

    assert {value: (one.role, one.confidence) for value, one in found.items() if one.kind is ContactKind.MAIL} == {
        "legal@copier-news.com": (ContactRole.COPYRIGHT, Confidence.STATED),
        "kefu@copier-news.com": (ContactRole.GENERAL, Confidence.LIKELY),
        "biz@copier-news.com": (ContactRole.GENERAL, Confidence.GUESS),
    }
    assert found["京ICP备12345678号-1"].kind is ContactKind.REGISTRATION
    assert {one.place for one in found.values()} == {URL}


def test_its_links_lead_to_complaints_first_and_never_to_another_domain() -> None:
    assert [(link.url, link.role) for link in read(FRONT).links] == [
        ("https://www.copier-news.com/tousu.html", ContactRole.COPYRIGHT),
        ("https://help.copier-news.com/x", ContactRole.COPYRIGHT),
        ("https://www.copier-news.com/contact", ContactRole.GENERAL),
    ]


def test_an_address_on_a_page_for_complaints_is_for_complaints() -> None:
    found = by_value(read("<p>请发邮件到 service@copier-news.com</p>", ContactRole.COPYRIGHT))

    assert found["service@copier-news.com"].role is ContactRole.COPYRIGHT
    assert found["service@copier-news.com"].confidence is Confidence.STATED


def test_an_address_that_is_split_over_elements_is_read() -> None:
    assert "news@copier-news.com" in by_value(read("<p>news<b>@</b>copier-news<i>.com</i></p>"))


def test_an_address_that_a_delivery_network_hides_is_decoded() -> None:
    key, address = 0x5A, b"abuse@copier-news.com"
    hidden = bytes([key, *(byte ^ key for byte in address)]).hex()

    found = by_value(read(f'<a class="__cf_email__" data-cfemail="{hidden}">[email&#160;protected]</a>'))

    assert found["abuse@copier-news.com"].confidence is Confidence.LIKELY
    assert [decoded_address(bad) for bad in ("", "zz", "00", "5a" * 400, hidden[:-1])] == [None] * 5


def test_a_page_in_gb18030_is_read() -> None:
    body = '<meta charset="gbk"><p>版权投诉：legal@copier-news.com 京ICP备12345678号</p>'.encode("gb18030")

    found = contacts_on_page(body, content_type="text/html", url=URL, seen_at=NOW)

    assert isinstance(found, PageContacts)
    assert set(by_value(found)) == {"legal@copier-news.com", "京ICP备12345678号"}


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"\x00\x01\x02\xff" * 1000,
        b"<div>" * 5000 + b"a@copier-news.com",
        b"<p " + b"a=1 " * 50_000 + b">",
        b"%PDF-1.7 \xff\xfe\x00",
        b"<a href='mailto:" + b"x" * 500_000,
        b"<a href='mailto:%00%ff@copier-news.com'>x</a><a href='mailto:'>y</a>",
        b"<p>" + b"a@b.com " * 100_000,
    ],
)
def test_a_hostile_page_is_refused_or_read(body: bytes) -> None:
    found = contacts_on_page(body, content_type="text/html", url=URL, seen_at=NOW)

    assert isinstance(found, Refusal) or len(found.proposals) <= 200


@pytest.mark.parametrize(
    ("url", "words", "role"),
    [
        ("https://a-site.com/x", "Report copyright infringement", ContactRole.COPYRIGHT),
        ("https://a-site.com/x", "聯絡我們", ContactRole.GENERAL),
        ("https://a-site.com/banquan.html", "", ContactRole.COPYRIGHT),
        ("https://a-site.com/impressum", "", ContactRole.LEGAL),
        ("https://a-site.com/2026/0601/about-the-sea", "", None),
        ("https://a-site.com/news", "新闻", None),
    ],
)
def test_a_link_is_known_by_its_words_or_its_address(url: str, words: str, role: ContactRole | None) -> None:
    assert role_of(url, words) is role


def test_a_page_of_many_links_is_bounded() -> None:
    many = ((f"https://a-site.com/contact/{number}", "联系") for number in range(100_000))

    assert len(contact_links(many, "a-site.com", limit=6)) == 6
