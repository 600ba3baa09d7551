"""Responses as WARC records, read back by a reader that is not ours."""

import hashlib
import io
from typing import Any

import pytest
from warcio.archiveiterator import ArchiveIterator

from crawler.warc.writer import Earlier, RawResponse, Record, resource_record, response_record, with_certificate
from tests.support.evidence.evidence import AT, a_response


def read_back(record: Record) -> Any:
    (found,) = _all(record)
    return found


def _all(record: Record) -> list[dict[str, Any]]:
    found = []
    for one in ArchiveIterator(io.BytesIO(record.data), check_digests=True):
        body = one.raw_stream.read()
        found.append(
            {
                "type": one.rec_type,
                "url": one.rec_headers.get_header("WARC-Target-URI"),
                "peer": one.rec_headers.get_header("WARC-IP-Address"),
                "refers": one.rec_headers.get_header("WARC-Refers-To-Target-URI"),
                "head": None if one.http_headers is None else one.http_headers.to_str(),
                "body": body,
                "digests": one.digest_checker.passed,
            }
        )
    return found


def test_a_response_comes_back_to_the_byte() -> None:
    response = a_response(body=b"\x00\xff" * 1_000)

    found = read_back(response_record(response))

    assert (found["type"], found["url"], found["peer"]) == ("response", response.url, "192.0.2.7")
    assert found["body"] == response.body
    assert found["head"] == "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nServer: gün\r\n"
    assert found["digests"] is True


def test_a_record_is_named_by_its_bytes_and_made_the_same_twice() -> None:
    record = response_record(a_response())

    assert record.digest == hashlib.sha256(record.data).digest()
    assert response_record(a_response()) == record
    assert response_record(a_response(peer=None)) != record


def test_a_body_that_is_kept_already_is_referred_to() -> None:
    record = response_record(a_response(body=b"x" * 100_000), earlier=Earlier("https://other.example/", AT))

    found = read_back(record)

    assert (found["type"], found["refers"], found["body"]) == ("revisit", "https://other.example/", b"")
    assert found["head"].startswith("HTTP/1.1 200 OK\r\n")


def test_a_certificate_stands_behind_its_response() -> None:
    response = a_response(certificate=b"DER")

    first, second = _all(with_certificate(response_record(response), response))

    assert (first["type"], first["body"]) == ("response", response.body)
    assert (second["type"], second["body"], second["digests"]) == ("metadata", b"DER", True)
    assert with_certificate(response_record(a_response()), a_response()) == response_record(a_response())


def test_what_no_server_sent_is_a_resource() -> None:
    found = read_back(resource_record("https://a.example/", AT, b"saved", "text/html"))

    assert (found["type"], found["body"], found["digests"]) == ("resource", b"saved", True)


@pytest.mark.parametrize("hostile", ["a\r\nInjected: 1", "a\nInjected: 1", "a\x00b\r\n\r\nWARC/1.1"])
def test_no_header_and_no_address_adds_a_line(hostile: str) -> None:
    response = a_response(headers=(("X", hostile), (hostile, "x")), url=f"https://a.example/{hostile}")

    found = read_back(response_record(response))

    assert "Injected" not in [line.partition(":")[0] for line in found["head"].splitlines()]
    assert found["body"] == response.body


@pytest.mark.parametrize("response", [a_response(status=999), a_response(body=b""), a_response(headers=())])
def test_odd_responses_are_kept_too(response: RawResponse) -> None:
    assert read_back(response_record(response))["body"] == response.body
