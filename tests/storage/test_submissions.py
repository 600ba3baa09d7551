"""Texts that people hand in: found by what they share, by nobody's own, and never after their time."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from sqlalchemy import text as sql
from sqlalchemy.orm import Session

from fingerprint.compute import analyse, fingerprint_text
from storage.analytics import row_counts
from storage.desk.letter_templates import forget_wording, get_wording, set_wording
from storage.errors import NotKnown
from storage.intake import submissions
from storage.pages import pages
from storage.records.submissions import NewSubmission, SubmissionCandidate, SubmissionRecord
from tests.support.factories import text_of

LATER = datetime.now(UTC) + timedelta(days=30)


def hand_in(session: Session, body: str, **fields: Any) -> SubmissionRecord:
    defaults: dict[str, Any] = {"collection": "征文", "author": "甲", "title": "题", "expires_at": LATER}
    new = NewSubmission(body=body, fingerprint=fingerprint_text(body), **(defaults | fields))
    return submissions.add_submission(session, new)


def kin(session: Session, body: str, *, author: str = "乙", bound: int = 40) -> tuple[list[SubmissionCandidate], int]:
    asked = analyse(body)
    return submissions.candidates_of(
        session,
        collection="征文",
        not_author=author,
        sha256=pages.text_digest(body),
        simhash=asked.fingerprint.simhash,
        slices=asked.slice_keys.tolist(),
        seeds=asked.asked_seeds.hashes.tolist(),
        distance=7,
        bound=bound,
    )


def let_expire(session: Session, submission_id: int) -> None:
    session.execute(
        sql("UPDATE submission SET created_at = now() - interval '2 days', expires_at = now() - interval '1 second'"
            " WHERE id = :id"),
        {"id": submission_id},
    )  # fmt: skip


def test_a_submission_is_found_by_what_another_text_shares_with_it(session: Session) -> None:
    own = hand_in(session, text_of(1, chars=900))
    hand_in(session, text_of(2, chars=900))

    (found,), cut = kin(session, text_of(1, chars=900)[200:700])

    assert (found.submission, found.body, cut) == (own, text_of(1, chars=900), 0)
    assert found.shared_seeds > 0


def test_the_same_text_is_found_however_short(session: Session) -> None:
    hand_in(session, "短。")

    assert [one.body for one in kin(session, "短。")[0]] == ["短。"]
    assert kin(session, "不同。")[0] == []


def test_what_the_author_handed_in_is_left_out(session: Session) -> None:
    hand_in(session, text_of(1), author="甲")

    assert kin(session, text_of(1), author="甲")[0] == []
    assert len(kin(session, text_of(1), author="乙")[0]) == 1


def test_another_collection_is_another_world(session: Session) -> None:
    hand_in(session, text_of(1), collection="别的征文")

    assert kin(session, text_of(1))[0] == []


def test_a_bound_keeps_those_that_share_most_and_counts_the_others(session: Session) -> None:
    whole = hand_in(session, text_of(1), author="甲")
    hand_in(session, text_of(1)[:200] + text_of(7), author="丙")

    found, cut = kin(session, text_of(1), bound=1)

    assert [one.submission for one in found] == [whole]
    assert cut == 1


def test_handed_in_twice_is_one_submission_with_the_later_end(session: Session) -> None:
    first = hand_in(session, text_of(1))
    longer = hand_in(session, text_of(1), expires_at=LATER + timedelta(days=9))
    shorter = hand_in(session, text_of(1), expires_at=LATER - timedelta(days=9))

    assert first.id == longer.id == shorter.id
    assert longer.expires_at == shorter.expires_at == LATER + timedelta(days=9)
    assert hand_in(session, text_of(1), author="丁").id != first.id


def test_after_its_time_it_is_not_there_even_before_it_is_deleted(session: Session) -> None:
    own = hand_in(session, text_of(1))
    kept = hand_in(session, text_of(2))
    let_expire(session, own.id)

    assert submissions.list_submissions(session) == [kept]
    assert submissions.collections(session) == [("征文", 1)]
    assert kin(session, text_of(1))[0] == []
    with pytest.raises(NotKnown):
        submissions.get_submission(session, own.id)

    assert submissions.drop_expired(session) == 1
    assert session.scalar(sql("SELECT count(*) FROM submission")) == 1


def test_handing_in_again_what_was_over_makes_it_live_again(session: Session) -> None:
    own = hand_in(session, text_of(1))
    let_expire(session, own.id)

    assert hand_in(session, text_of(1)).id == own.id
    assert submissions.get_submission(session, own.id)[1] == text_of(1)


def test_a_submission_is_no_text_of_the_store(session: Session) -> None:
    hand_in(session, text_of(1))

    assert row_counts.summary(session).texts == 0
    assert list(pages.list_pages(session)) == []


def test_deleted_is_deleted(session: Session) -> None:
    own = hand_in(session, text_of(1))

    assert submissions.delete_submission(session, own.id) == own
    assert submissions.list_submissions(session) == []
    with pytest.raises(NotKnown):
        submissions.delete_submission(session, own.id)


def test_the_list_goes_on_where_it_ended(session: Session) -> None:
    made = [hand_in(session, text_of(number)) for number in range(3)]

    first = submissions.list_submissions(session, limit=2)
    rest = submissions.list_submissions(session, limit=2, before_id=first[-1].id)

    assert first + rest == made[::-1]
    assert submissions.list_submissions(session, collection="没有") == []


def test_what_cannot_be_stored_is_replaced(session: Session) -> None:
    own = hand_in(session, "甲\0乙\ud800丙" * 9, title="\0" * 400, collection="征文", author="\0作者")

    record, body = submissions.get_submission(session, own.id)
    assert body == "甲\ufffd乙\ufffd丙" * 9
    assert record.author == "\ufffd作者"
    assert len(record.title) == submissions.TITLE_CHARS


def test_fingerprints_of_an_older_version_are_made_anew(session: Session) -> None:
    own = hand_in(session, text_of(1))
    session.execute(sql("UPDATE submission SET algorithm_version = 0, seeds = '{}', slices = '{}'"))
    assert kin(session, text_of(1))[0] == []

    waiting = submissions.outdated(session, collection="征文", limit=9)
    submissions.keep_fingerprints(session, {number: fingerprint_text(body) for number, body in waiting.items()})

    assert waiting == {own.id: text_of(1)}
    assert [one.submission for one in kin(session, text_of(1))[0]] == [own]
    assert submissions.outdated(session, collection="征文", limit=9) == {}


def test_the_look_up_goes_by_its_indexes(session: Session) -> None:
    session.execute(sql("SET LOCAL enable_seqscan = off"))
    plan = session.execute(
        sql("EXPLAIN SELECT id FROM submission WHERE seeds && CAST(:keys AS integer[])"), {"keys": [1, 2]}
    )

    assert "ix_submission_seeds" in "\n".join(plan.scalars())


def test_a_letter_is_worded_anew_and_as_it_came_again(session: Session) -> None:
    assert get_wording(session, "takedown", "zh") is None

    set_wording(session, "takedown", "zh", "您好\0", changed_by="甲")
    set_wording(session, "takedown", "zh", "你好", changed_by="乙")
    found = get_wording(session, "takedown", "zh")
    assert found is not None
    assert (found.body, found.changed_by) == ("你好", "乙")
    assert get_wording(session, "takedown", "en") is None

    forget_wording(session, "takedown", "zh")
    assert get_wording(session, "takedown", "zh") is None
