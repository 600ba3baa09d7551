"""The check by meaning on real articles: what is found, what is left alone, and what is said of it."""

import json
from typing import Any

import pytest
from sqlalchemy import Engine, text
from sqlalchemy.orm import Session

from matcher.comparison import check
from matcher.explanation.json_shapes import check_json
from matcher.meaning.encoders.encoder import Encoder, EncoderUnavailable
from matcher.retellings.check_by_meaning import MeaningResult, check_by_meaning
from matcher.retellings.opening import MeaningOfStore
from storage.records.pages import NewArticle
from tests.matcher.meaning.texts import RETOLD, TRANSLATED
from tests.matcher.retellings.texts import INNOCENT, INNOCENT_ENGLISH
from tests.support.factories import an_article, story, text_of
from zhiwen.demo.articles import articles

SOURCE = "https://balcony-garden.example/a"
_NAMES = """
    url page_id title site pages other_pages kind score query_share stored_share own_share longest simhash_distance
    shared_slices shared_seeds direction credit passages
"""
LITERAL_KEYS = frozenset(_NAMES.split())


def _checked(session: Session, article: NewArticle, opened: MeaningOfStore) -> tuple[check.CheckResult, MeaningResult]:
    literal = check.check(session, article, against=check.compared_with(session))
    return literal, check_by_meaning(session, article, literal, opened)


def _shape(session: Session, body: str, opened: MeaningOfStore) -> dict[str, Any]:
    literal, meaning = _checked(session, an_article("https://new.example/b", body), opened)
    shape: dict[str, Any] = json.loads(json.dumps(check_json("1", literal, meaning), default=str))
    return shape


@pytest.mark.parametrize(("body", "kind"), [(RETOLD, "retold"), (TRANSLATED, "translated")])
def test_what_says_the_same_is_named_with_its_proof(
    stored: Session, open_search: MeaningOfStore, body: str, kind: str
) -> None:
    shape = _shape(stored, body, open_search)

    assert shape["verdict"] == "similar"
    (match,) = shape["matches"]
    assert set(match) >= LITERAL_KEYS | {"particulars", "relation", "third", "proof", "in_order", "figures", "retold"}
    assert (match["url"], match["kind"], match["relation"], match["third"]) == (SOURCE, kind, "copy", None)
    assert 0.6 <= match["score"] <= 1
    assert min(match["query_share"], match["stored_share"], match["own_share"]) > 0.4
    assert match["figures"]["shared"] >= 4
    assert match["in_order"] >= 8
    assert any("in the same order" in said for said in match["proof"])
    first = match["passages"][0]
    assert body[first["query_start"] : first["query_end"]].startswith(body[:10])
    assert story()[first["stored_start"] : first["stored_end"]] == story()[: first["stored_end"]]
    assert set(first["differences"].values()) == {0}
    assert 0 < first["similarity"] <= 1


@pytest.mark.parametrize("body", [INNOCENT, INNOCENT_ENGLISH, text_of(3), "太短。", "The end."])
def test_an_article_on_the_same_subject_is_left_alone(stored: Session, open_search: MeaningOfStore, body: str) -> None:
    shape = _shape(stored, body, open_search)
    assert shape["verdict"] in ("original", "cannot_judge")
    assert shape["matches"] == []


def test_a_copy_of_the_wording_is_not_reported_again(stored: Session, open_search: MeaningOfStore) -> None:
    shape = _shape(stored, story(), open_search)
    assert shape["verdict"] == "copy"
    assert [(match["kind"], match["retold"], match["particulars"]) for match in shape["matches"]] == [
        ("identical", None, [])
    ]


def test_a_match_of_the_wording_carries_what_is_retold_beside_it(stored: Session, open_search: MeaningOfStore) -> None:
    original = story()
    half = original.index("\n", len(original) // 2)
    literal_part, retold_part = original[half:], RETOLD[: RETOLD.index("日照也要")]
    shape = _shape(stored, retold_part + literal_part, open_search)

    (match,) = shape["matches"]
    assert match["kind"] not in ("retold", "translated")
    assert match["retold"]["kind"] == "retold"
    assert match["retold"]["passages"][0]["query_start"] == 0
    assert match["particulars"]
    assert shape["verdict"] in ("copy", "borrowed")


def test_without_encoded_texts_it_is_left_out_with_the_reason(
    pgvector: None, engine: Engine, open_search: MeaningOfStore
) -> None:
    with Session(engine) as session, pytest.raises(EncoderUnavailable, match="from 30 on"):
        open_search(session)


def test_without_the_extension_it_is_left_out_with_the_reason(encoded_engine: Engine, encoder: Encoder) -> None:
    """A role that sees no pgvector finds nothing, and the result says why."""
    with encoded_engine.connect() as connection, connection.begin() as outer, Session(connection) as session:
        session.execute(text("CREATE TEMPORARY TABLE pg_extension (extname name, extnamespace oid, oid oid)"))
        session.execute(text("SET LOCAL search_path = pg_temp, pg_catalog, public"))
        literal = check.check(session, an_article("new", RETOLD), against=check.compared_with(session))
        meaning = check_by_meaning(session, an_article("new", RETOLD), literal, MeaningOfStore(encoder))
        outer.rollback()
    assert "pgvector" in meaning.left_out
    assert meaning.verdict(literal.verdict) == "original"


def test_a_text_that_is_not_public_stays_on_this_machine(stored: Session, encoder: Encoder) -> None:
    class Elsewhere:
        """An encoder that sends texts to another machine, and may not; asked for one, it would fail."""

        reads_unpublished = False
        name = encoder.name
        version = encoder.version
        size = encoder.size

        def encode(self, texts: object) -> Any:
            raise AssertionError(texts)

    literal, meaning = _checked(stored, an_article("new", RETOLD), MeaningOfStore(Elsewhere()))
    assert "not public" in meaning.left_out
    assert (meaning.retold, meaning.verdict(literal.verdict)) == ((), "original")


@pytest.mark.parametrize(
    "body", ["", "\0", "\ud800" * 50, "。" * 5_000, "\u202e" + INNOCENT, "a" * 100_000, "汉" * 50_000, "{}();" * 4_000]
)
def test_hostile_texts_find_nothing(stored: Session, open_search: MeaningOfStore, body: str) -> None:
    article = an_article("https://new.example/b", body.replace("\0", "\ufffd"))
    literal = check.CheckResult(len(body), 0.0, "original", check.ComparedWith(40, 40, None), (), 0, 0)
    meaning = check_by_meaning(stored, article, literal, open_search)
    assert (meaning.retold, meaning.left_out) == ((), "")


def test_no_article_of_the_demo_retells_another(stored: Session, open_search: MeaningOfStore) -> None:
    for name in list(articles("innocent"))[:8]:
        body = articles("innocent")[name].text
        assert _shape(stored, body + "另记。", open_search)["verdict"] != "similar"
