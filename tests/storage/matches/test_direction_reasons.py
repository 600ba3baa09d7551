"""Reasons are sentences that know what they say, before and after they were stored."""

import copy
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from storage.matches.direction_reasons import SENTENCES, Reason, ReasonCode, decoded, encoded

FACTS: dict[str, str | int] = {
    "page": "https://one.example/a",
    "other": "https://two.example/b",
    "evidence": "来源：县报",
    "at": "2026-03-01 01:30 UTC",
    "later": "2026-03-02 01:30 UTC",
    "count": 5,
    "words": "侵删",
    "name": "江城晚报",
}


def a_reason(code: ReasonCode) -> Reason:
    return Reason(code, **{name: fact for name, fact in FACTS.items() if f"%({name})s" in SENTENCES[code]})


def test_a_reason_is_its_sentence() -> None:
    reason = a_reason(ReasonCode.SEEN_DAYS)

    assert reason == "https://one.example/a was first seen 5 days before https://two.example/b"
    assert json.loads(json.dumps([reason])) == [reason]


@pytest.mark.parametrize("code", ReasonCode)
def test_what_was_stored_is_read_again_with_code_and_facts(code: ReasonCode) -> None:
    reason = a_reason(code)

    again = decoded(encoded(reason))

    assert isinstance(again, Reason)
    assert (again, again.code, again.facts) == (str(reason), code, reason.facts)


@pytest.mark.parametrize("through", [copy.copy, copy.deepcopy])
def test_a_copy_knows_what_it_says(through: object) -> None:
    reason = a_reason(ReasonCode.CREDITS)

    again = through(reason)  # type: ignore[operator]  # each parameter is a function

    assert (again, again.code, again.facts) == (reason, reason.code, reason.facts)


@pytest.mark.parametrize(
    "stored",
    [
        "https://one.example/a was first seen 5 days before https://two.example/b",
        '{"code": "of-a-later-version", "page": "x"}',
        '{"code": "dated", "page": "x"}',
        '{"code": 3}',
        '{"code"',
        '{"code": "nothing"} and more',
        "",
    ],
)
def test_a_sentence_without_a_known_code_stays_as_it_is(stored: str) -> None:
    found = decoded(stored)

    assert found == stored
    assert not isinstance(found, Reason)
    assert encoded(found) == stored


@given(st.text())
def test_a_fact_is_never_taken_for_a_place_to_fill(evidence: str) -> None:
    reason = Reason(ReasonCode.CREDITS, page="{other}", evidence="{page}" + evidence)

    assert reason == "{other} credits the other: {page}" + evidence
    assert decoded(encoded(reason)) == reason
