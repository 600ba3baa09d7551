"""The daily tidying up: what is over its time goes."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

from sqlalchemy import Engine, text

from fingerprint.compute import fingerprint_text
from storage import submissions
from storage.engine import transaction
from storage.submission_records import NewSubmission
from zhiwen.config import Settings
from zhiwen.jobs import Jobs


def hand_in(engine: Engine, body: str) -> int:
    expires_at = datetime.now(UTC) + timedelta(days=1)
    with transaction(engine) as session:
        new = NewSubmission("征文", "甲", "题", body, fingerprint_text(body), expires_at)
        return submissions.add_submission(session, new).id


def test_submissions_whose_time_is_over_are_deleted_and_no_others(
    engine: Engine, clean_database_url: str, tmp_path: Path
) -> None:
    over, kept = hand_in(engine, "到期的一篇。"), hand_in(engine, "还在的一篇。")
    with engine.begin() as connection:
        connection.execute(
            text("UPDATE submission SET created_at = now() - interval '2 days', expires_at = now() WHERE id = :id"),
            {"id": over},
        )

    Jobs(Settings(tmp_path), engine, clean_database_url).prune()

    with engine.begin() as connection:
        assert list(connection.execute(text("SELECT id FROM submission")).scalars()) == [kept]
