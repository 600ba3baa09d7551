"""Mail addresses in text, plain and disguised."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawler.contacts.domains import registered_domain
from crawler.contacts.mail_addresses import LONGEST_TEXT, MOST_ADDRESSES, addresses_in, mail_address

PLAIN = {
    "联系邮箱：news@copier-news.com。": "news@copier-news.com",
    "Mail Abuse@Copier-News.COM.": "abuse@copier-news.com",
    "法务 fawu＠copier-news.com.cn": "fawu@copier-news.com.cn",
    "a.b+c@mail.copier-news.co.uk,": "a.b+c@mail.copier-news.co.uk",
}
HIDDEN = {
    "legal#copier-news.com（请把#换成@）": "legal@copier-news.com",
    "legal(at)copier-news.com": "legal@copier-news.com",
    "legal [at] copier-news [dot] com": "legal@copier-news.com",
    "legal （艾特） copier-news.com": "legal@copier-news.com",
    "legal at copier-news dot com": "legal@copier-news.com",
    "legal★copier-news.com": "legal@copier-news.com",
}
NONE = (
    "logo@2x.png",
    "name@example.com",
    "@handle",
    "a@b",
    "user@localhost",
    "user@10.0.0.1",
    "see page#section.two",
    "C#",
    "at the end of the line",
    "a@@copier-news.com",
    "x@copier..com",
    "REDACTED FOR PRIVACY",
    "",
)


@pytest.mark.parametrize(("text", "address"), PLAIN.items())
def test_a_plain_address_is_found(text: str, address: str) -> None:
    assert [(one.address, one.is_hidden) for one in addresses_in(text)] == [(address, False)]


@pytest.mark.parametrize(("text", "address"), HIDDEN.items())
def test_a_disguised_address_is_decoded_and_said_to_be(text: str, address: str) -> None:
    assert [(one.address, one.is_hidden) for one in addresses_in(text)] == [(address, True)]


@pytest.mark.parametrize("text", NONE)
def test_what_only_looks_like_an_address_is_none(text: str) -> None:
    assert addresses_in(text) == []


def test_an_address_is_returned_once_and_with_its_highest_confidence() -> None:
    found = addresses_in("a#copier-news.com, a@copier-news.com, A@copier-news.com")

    assert [(one.address, one.is_hidden) for one in found] == [("a@copier-news.com", False)]


@given(st.text(max_size=300))
def test_any_text_is_read(text: str) -> None:
    for one in addresses_in(text):
        assert mail_address(one.address) == one.address


@pytest.mark.parametrize(
    "piece", ["a@", "a.", "#a.", "(at)a", "a at ", "@a.b.c.d.e.f.", "a[dot]", "\ud800@x.com ", "\0a@b\0.com"]
)
def test_a_hostile_text_is_read_to_its_end(piece: str) -> None:
    assert len(addresses_in(piece * (LONGEST_TEXT * 2 // len(piece)))) <= MOST_ADDRESSES


@pytest.mark.parametrize(
    ("host", "domain"),
    [
        ("news.copier.com.cn:8080", "copier.com.cn"),
        ("WWW.Copier-News.com.", "copier-news.com"),
        ("xn--fiqs8s.xn--55qx5d.cn", "xn--fiqs8s.xn--55qx5d.cn"),
        ("127.0.0.1:80", None),
        ("[::1]:80", None),
        ("::1", None),
        ("localhost", None),
        ("com.cn", None),
        ("", None),
        ("a" * 300 + ".com", None),
        ("..", None),
    ],
)
def test_the_domain_that_somebody_registered(host: str, domain: str | None) -> None:
    assert registered_domain(host) == domain
