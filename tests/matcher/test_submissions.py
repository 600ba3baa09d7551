"""Submissions are compared by the same matcher as everything else."""

from datetime import UTC, datetime, timedelta

from sqlalchemy import text as sql
from sqlalchemy.orm import Session

from fingerprint.compute import fingerprint_text
from matcher.comparison import check as comparison_check
from matcher.comparison.check import CheckResult, ComparedWith
from matcher.comparison.submissions import SubmissionsBeside, submission_id
from storage.intake import submissions
from storage.records.submissions import NewSubmission
from storage.types import MatchKind
from tests.support.factories import an_article, save, story, text_of

NOTHING = ComparedWith(0, 0, None)


def hand_in(session: Session, body: str, author: str = "甲") -> int:
    expires_at = datetime.now(UTC) + timedelta(days=9)
    new = NewSubmission("征文", author, "题", body, fingerprint_text(body), expires_at)
    return submissions.add_submission(session, new).id


def check(session: Session, body: str, *, author: str = "乙") -> CheckResult:
    beside = SubmissionsBeside(session, "征文", author, lambda _cut: None)
    article = an_article("about://checked", body, fetched_at=datetime.now(UTC) + timedelta(hours=2))
    return comparison_check.check(session, article, against=NOTHING, beside=beside)


def test_a_copy_of_a_submission_is_a_copy(session: Session) -> None:
    number = hand_in(session, story())

    result = check(session, story())

    (found,) = result.matches
    assert result.verdict == "copy"
    assert (submission_id(found.pages[0].url), found.kind) == (number, MatchKind.IDENTICAL)
    assert found.judgement.left_share == 1.0
    assert (found.pages[0].author, found.other_pages) == ("甲", 0)


def test_the_author_may_hand_in_again(session: Session) -> None:
    hand_in(session, story(), author="甲")

    assert check(session, story(), author="甲").verdict == "original"


def test_pages_and_submissions_are_found_side_by_side(session: Session) -> None:
    save(session, an_article("web", story()))
    number = hand_in(session, text_of(3))

    result = check(session, story() + "\n" + text_of(3))

    places = {submission_id(found.pages[0].url) for found in result.matches}
    assert places == {None, number}
    assert {found.kind for found in result.matches} == {MatchKind.MOSAIC}
    assert sum(found.own_share for found in result.matches) <= 1


def test_without_a_collection_submissions_are_not_looked_at(session: Session) -> None:
    hand_in(session, story())

    result = comparison_check.check(session, an_article("about://checked", story()), against=NOTHING)

    assert result.matches == ()


def test_submissions_of_an_older_version_are_brought_up_to_date_by_the_check(session: Session) -> None:
    hand_in(session, story())
    session.execute(sql("UPDATE submission SET algorithm_version = 0, simhash = NULL, seeds = '{}', slices = '{}'"))

    assert check(session, story()).verdict == "copy"


def test_the_number_of_a_submission_is_read_from_its_address_alone() -> None:
    assert submission_id("submission:17") == 17
    assert submission_id("https://a.example/submission:17") is None
