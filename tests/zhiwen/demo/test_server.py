"""The demo's web server: what it serves, and that it ends with whoever started it."""

import json
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass
from email.message import Message
from http.client import HTTPConnection
from types import MappingProxyType
from urllib.parse import urlsplit

import pytest

from zhiwen.demo.server import serving
from zhiwen.demo.sites import SITE_NAMES, build_sites

NO_HEADERS: Mapping[str, str] = MappingProxyType({})


@pytest.fixture(scope="module")
def addresses() -> Iterator[Mapping[str, str]]:
    with serving() as started:
        yield started


@dataclass(frozen=True)
class Answer:
    status: int
    headers: Message
    body: bytes


def ask(address: str, path: str, method: str = "GET", headers: Mapping[str, str] = NO_HEADERS) -> Answer:
    with closing(HTTPConnection(urlsplit(address).netloc, timeout=10)) as connection:
        connection.request(method, path, headers=dict(headers))
        answer = connection.getresponse()
        return Answer(answer.status, answer.headers, answer.read())


def test_the_server_serves_what_was_built(addresses: Mapping[str, str]) -> None:
    assert len(set(addresses.values())) == 3
    for site in build_sites(addresses):
        for path, page in site.pages.items():
            answer = ask(addresses[site.name], path)
            assert (answer.status, answer.headers["Content-Type"]) == (200, page.content_type)
            assert answer.body == page.body


def test_the_server_answers_not_modified_to_its_own_validators(addresses: Mapping[str, str]) -> None:
    answer = ask(addresses["original"], "/")
    tag, date = answer.headers["ETag"], answer.headers["Last-Modified"]

    later = {"If-Modified-Since": "Thu, 31 Dec 2099 00:00:00 GMT"}
    for headers in ({"If-None-Match": tag}, {"If-Modified-Since": date}, later):
        again = ask(addresses["original"], "/", headers=headers)
        assert (again.status, again.body) == (304, b"")


@pytest.mark.parametrize(
    "headers",
    [
        {"If-None-Match": '"other"'},
        {"If-None-Match": '"other"', "If-Modified-Since": "Thu, 31 Dec 2099 00:00:00 GMT"},
        {"If-Modified-Since": "Thu, 01 Jan 1970 00:00:00 GMT"},
        {"If-Modified-Since": "yesterday"},
        {"If-Modified-Since": "Thu, 01 Jan 1970 00:00:00"},
    ],
)
def test_the_server_sends_the_page_to_other_validators(addresses: Mapping[str, str], headers: dict[str, str]) -> None:
    answer = ask(addresses["original"], "/", headers=headers)
    assert answer.status == 200
    assert answer.body


def test_a_head_request_gets_no_body(addresses: Mapping[str, str]) -> None:
    answer = ask(addresses["copier"], "/", "HEAD")
    assert answer.status == 200
    assert int(answer.headers["Content-Length"]) > 1000
    assert answer.body == b""


@pytest.mark.parametrize("path", ["/no-such-page", "/../../etc/passwd", "/%2e%2e/etc/passwd", "/%00", "*"])
def test_everything_else_is_not_found(addresses: Mapping[str, str], path: str) -> None:
    answer = ask(addresses["innocent"], path)
    assert answer.status == 404
    assert "没有这个页面" in answer.body.decode()


def start_by_hand() -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "zhiwen.demo.server"]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


@pytest.mark.parametrize("how", ["input closed", "SIGTERM", "SIGINT"])
def test_the_server_ends_quietly(how: str) -> None:
    with start_by_hand() as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        assert set(json.loads(process.stdout.readline())) == set(SITE_NAMES)

        if how == "input closed":
            process.stdin.close()
        else:
            process.send_signal(getattr(signal, how))

        assert process.wait(20) == 0
        assert process.stderr.read() == b""
