"""Possible retellings for programs: listed newest first, read with their sentences, refused as everything is."""

from dataclasses import replace

import pytest
from flask.testing import FlaskClient
from sqlalchemy import Engine
from werkzeug.test import TestResponse

from storage.accounts.api_tokens import TokenScope
from storage.types import RetellingKind
from tests.support.api_tokens import bearer, token_of
from tests.support.desk_client import add_person, make_app
from tests.support.meaning.retellings import OUR_SIDE, THEIR_SIDE, stored_retelling


@pytest.fixture
def client(engine: Engine) -> FlaskClient:
    return make_app(engine).test_client()


@pytest.fixture
def token(engine: Engine) -> str:
    return token_of(engine, add_person(engine), frozenset({TokenScope.READ}))


def get(client: FlaskClient, token: str, path: str = "", **query: str) -> TestResponse:
    return client.get(f"/api/v1/retellings{path}", query_string=query, headers=bearer(token))


def test_a_retelling_is_read_with_its_sentences(client: FlaskClient, engine: Engine, token: str) -> None:
    found = stored_retelling(engine)

    answer = get(client, token, f"/{found.id}").get_json()

    assert (answer["kind"], answer["state"], answer["relation"], answer["third"]) == ("retold", "open", "copy", None)
    assert (answer["copy"]["url"], answer["source"]["url"]) == (THEIR_SIDE.url, OUR_SIDE.url)
    assert answer["figures"] == {"shared": 2, "of": 3}
    assert "figures in them that agree: 2 of 3" in answer["proof"]
    first = answer["passages"][0]
    assert OUR_SIDE.text[first["source_start"] : first["source_end"]] == "冀北辰带着三个人量了七天。"


def test_lists_come_in_pieces_newest_first_with_filters(client: FlaskClient, engine: Engine, token: str) -> None:
    old = stored_retelling(engine)
    new = stored_retelling(
        engine, copy=replace(THEIR_SIDE, url="https://b.example/"), kind=RetellingKind.TRANSLATED, score=0.9
    )

    first = get(client, token, limit="1").get_json()
    rest = get(client, token, limit="1", cursor=first["next"]).get_json()

    assert [item["id"] for item in (*first["items"], *rest["items"])] == [new.id, old.id]
    assert rest["next"] is None
    assert "passages" not in first["items"][0]
    for query, ids in (
        ({"kind": "retold"}, [old.id]),
        ({"min_score": "0.85"}, [new.id]),
        ({"state": "dismissed"}, []),
        ({"relation": "copy", "role": "original", "owner": "县报社"}, [new.id, old.id]),
        ({"text": "b.example"}, [new.id]),
    ):
        assert [item["id"] for item in get(client, token, **query).get_json()["items"]] == ids, query


def test_what_is_not_there_or_not_understood_is_a_problem(client: FlaskClient, engine: Engine, token: str) -> None:
    assert get(client, token, "/987654321").status_code == 404
    assert get(client, token, kind="near").status_code == 422
    assert get(client, token, unknown="x").status_code == 422
    assert client.get("/api/v1/retellings").status_code == 401
