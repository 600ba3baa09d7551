"""What the desk weighs on the wire: compression, names with a hash, and the sum of a first visit."""

import gzip
import re
from typing import Final

import pytest
from flask.testing import FlaskClient
from sqlalchemy import Engine
from werkzeug.test import TestResponse
from werkzeug.wrappers import Response

from admin.hooks.compression import MOST_PADDING, compressed_page
from storage.engine import transaction
from tests.support.case_actions import a_case
from tests.support.desk_client import client_of_person, make_app

FIRST_VISIT_BYTES: Final = 60_000
ASKS: Final = {"Accept-Encoding": "gzip, deflate"}
_LINKED: Final = re.compile(r'(?:href|src)="(/(?:static|style|bootstrap)/[^"]+)"')


def wire_bytes(answer: Response) -> int:
    """Status line and headers as they are sent, and the body."""
    return len(f"HTTP/1.1 {answer.status}\r\n{answer.headers}") + len(answer.data)


def unpacked(answer: TestResponse) -> str:
    is_packed = answer.headers.get("Content-Encoding") == "gzip"
    return (gzip.decompress(answer.data) if is_packed else answer.data).decode()


def first_visit(client: FlaskClient, path: str) -> dict[str, int]:
    """Bytes of a page and of everything that it loads, by path."""
    page = client.get(path, headers=ASKS)
    assert page.status_code == 200
    linked = sorted(set(_LINKED.findall(unpacked(page))))
    assert len(linked) >= 4
    return {path: wire_bytes(page)} | {one: _fetched(client, one) for one in linked}


def _fetched(client: FlaskClient, path: str) -> int:
    with client.get(path, headers=ASKS) as answer:
        return wire_bytes(answer)


def test_the_log_in_is_light(engine: Engine) -> None:
    weight = first_visit(make_app(engine).test_client(), "/login")

    assert sum(weight.values()) < FIRST_VISIT_BYTES, weight


def test_the_list_of_fifty_cases_is_light(engine: Engine) -> None:
    with transaction(engine) as session:
        for number in range(50):
            a_case(session, number)
    client = client_of_person(engine)

    weight = first_visit(client, "/cases")

    assert unpacked(client.get("/cases", headers=ASKS)).count('href="/cases/') >= 50
    assert sum(weight.values()) < FIRST_VISIT_BYTES, weight


def test_files_with_their_hash_are_kept_for_ever_and_others_are_not(engine: Engine) -> None:
    client = make_app(engine).test_client()
    linked = _LINKED.findall(client.get("/login").text)

    for path in linked:
        with client.get(path) as answer:
            assert answer.status_code == 200, path
            assert answer.headers["Cache-Control"] == "public, max-age=31536000, immutable", path
    for path in ("/static/desk.css", "/static/desk.000000000000.css", "/style/bootstrap.000000000000.css"):
        with client.get(path) as answer:
            assert answer.headers["Cache-Control"] == "no-cache", path
    assert client.get("/static/../app.py").status_code == 404
    assert client.get("/static/none.000000000000.css").status_code == 404


def test_a_file_with_a_hash_is_asked_for_once_and_answered_with_304(engine: Engine) -> None:
    client = make_app(engine).test_client()
    (path, *_others) = [one for one in _LINKED.findall(client.get("/login").text) if "desk." in one]

    with client.get(path, headers=ASKS) as first:
        assert first.headers["Content-Encoding"] == "gzip"
        assert first.headers["ETag"].startswith("W/")
    with client.get(path, headers={**ASKS, "If-None-Match": first.headers["ETag"]}) as again:
        assert (again.status_code, again.data) == (304, b"")


@pytest.mark.parametrize(
    ("headers", "is_packed"),
    [
        ({"Accept-Encoding": "gzip"}, True),
        ({"Accept-Encoding": "br, gzip;q=0.5"}, True),
        ({"Accept-Encoding": "gzip;q=0"}, False),
        ({}, False),
        ({"Accept-Encoding": "gzip", "Sec-Fetch-Site": "same-origin"}, True),
        ({"Accept-Encoding": "gzip", "Sec-Fetch-Site": "none"}, True),
        ({"Accept-Encoding": "gzip", "Sec-Fetch-Site": "cross-site"}, False),
        ({"Accept-Encoding": "gzip", "Sec-Fetch-Site": "same-site"}, False),
    ],
)
def test_a_page_is_compressed_unless_another_site_asked_for_it(
    engine: Engine, headers: dict[str, str], is_packed: bool
) -> None:
    client = client_of_person(engine)

    answer = client.get("/pages", headers=headers)

    assert (answer.headers.get("Content-Encoding") == "gzip") == is_packed
    assert "Accept-Encoding" in answer.headers["Vary"]
    assert "<h1" in unpacked(answer)
    assert int(answer.headers["Content-Length"]) == len(answer.data)


@pytest.mark.parametrize("path", ["/account", "/account/tokens", "/login"])
def test_pages_with_secrets_are_never_compressed(engine: Engine, path: str) -> None:
    answer = client_of_person(engine).get(path, headers=ASKS)

    assert "Content-Encoding" not in answer.headers


def test_files_of_evidence_and_exports_stay_as_they_are(engine: Engine) -> None:
    answer = client_of_person(engine).get("/exports/hits.csv", headers=ASKS)

    assert answer.status_code == 200
    assert "Content-Encoding" not in answer.headers


def test_the_length_of_a_page_varies_and_its_content_does_not() -> None:
    data = b"the same page " * 100

    packed = {compressed_page(data) for _ in range(200)}

    assert {gzip.decompress(one) for one in packed} == {data}
    assert 30 < len({len(one) for one in packed}) <= MOST_PADDING + 1
