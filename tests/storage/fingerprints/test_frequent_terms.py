"""Keys that very many texts hold, and who held them first."""

from datetime import timedelta
from time import monotonic

import pytest
from sqlalchemy import Engine, text
from sqlalchemy.orm import Session

from fingerprint.model import ALGORITHM_VERSION
from storage.engine import transaction
from storage.fingerprints import candidates, frequent_terms
from storage.postgres import planner
from tests.support.factories import a_fingerprint, save_fingerprints

TEXTS = frequent_terms.FREQUENT_SCAN + 50
OLDER = ALGORITHM_VERSION + 1_000


def first(session: Session, *keys: int, known: frequent_terms.KeyStatistics | None = None) -> list[int]:
    with planner.indexes_forced(session, alone=True):
        return (known or frequent_terms.KeyStatistics(None, {})).first_holders(session, "seeds", keys)


def test_frequent_terms_come_rarest_first_and_only_those_asked_for() -> None:
    known = frequent_terms.KeyStatistics(None, {"seeds": {1: 0.5, 2: 0.1, 3: 0.1, 4: 0.001, 5: 0.9}}, texts=1_000.0)

    assert list(known.among([1, 2, 3, 4, 9], "seeds", 100).items()) == [(2, 100), (3, 100), (1, 500)]
    assert known.among([1], "slices", 100) == {}


def test_the_texts_that_held_a_key_first_are_as_many_as_are_kept(session: Session) -> None:
    asked = [[1, 2] for _ in range(TEXTS)]
    older, *ids, last = save_fingerprints(
        session,
        [a_fingerprint(seeds=[1], version=OLDER), *(a_fingerprint(seeds=keys) for keys in [*asked, [3]])],
    )

    stored = session.scalars(text("SELECT text_id FROM fingerprint ORDER BY ctid")).all()
    oldest = [text_id for text_id in stored if text_id in set(ids)][: frequent_terms.FREQUENT_SCAN]
    assert first(session, 1) == sorted(oldest)
    assert first(session, 3, 1) == sorted([*oldest[: frequent_terms.FREQUENT_SCAN // 2], last])
    assert first(session) == first(session, 9) == []
    assert older not in first(session, 1)


def test_who_held_a_key_first_is_kept_for_some_minutes(session: Session) -> None:
    one, other = save_fingerprints(session, [a_fingerprint(seeds=[1]), a_fingerprint(seeds=[2])])
    known = frequent_terms.KeyStatistics(None, {})
    assert first(session, 1, known=known) == [one]

    session.execute(text("UPDATE fingerprint SET seeds = '{1}' WHERE text_id = :other"), {"other": other})
    assert first(session, 1, known=known) == [one]

    looked_up, holders = known.holders["seeds", 1]
    assert monotonic() - looked_up < frequent_terms.KEPT_S
    known.holders["seeds", 1] = looked_up - frequent_terms.KEPT_S, holders
    assert first(session, 1, known=known) == [one, other]


def test_a_text_that_is_gone_is_not_found_by_what_is_kept(session: Session) -> None:
    one, other = save_fingerprints(session, [a_fingerprint(seeds=[1]) for _ in range(2)])
    known = frequent_terms.KeyStatistics(None, {"seeds": {1: 1.0}}, texts=2.0)
    session.connection().info[frequent_terms._KEPT] = known
    first(session, 1, known=known)
    session.execute(text("DELETE FROM fingerprint WHERE text_id = :one"), {"one": one})

    with planner.indexes_forced(session, alone=True):
        rows = candidates._holders(
            session,
            known,
            "seeds",
            [1],
            {1: 2},
            passed_over=(),
            bounds={"scan": 9, "named": 2, "bound": 9, "self": 0, "version": ALGORITHM_VERSION},
        )

    assert [hit.text_id for hit in rows.hits] == [other]


@pytest.mark.usefixtures("clean_database_url")
def test_what_is_known_goes_with_the_count(engine: Engine) -> None:
    with transaction(engine) as session:
        save_fingerprints(session, [a_fingerprint(seeds=[1]) for _ in range(3)])
        session.execute(text("ANALYZE fingerprint"))
    with transaction(engine) as session:
        counted = session.scalar(text("SELECT pg_stat_get_last_analyze_time('fingerprint'::regclass)"))
        kept = session.connection().info[frequent_terms._KEPT] = frequent_terms.KeyStatistics(counted, {})
        assert frequent_terms.known(session) is kept
        session.connection().info[frequent_terms._KEPT] = frequent_terms.KeyStatistics(
            counted - timedelta(seconds=1), {}
        )
        anew = frequent_terms.known(session)
        assert (set(anew.shares), anew.counted_at) == ({"seeds"}, None), "counted a moment ago: not to be relied on"
        assert frequent_terms.known(session) is not anew
