"""Submissions: texts that people submit, stored apart from crawled texts and deleted after their time.

Expired submissions are never returned, whether or not `drop_expired` has run.
"""

from collections.abc import Collection, Iterable, Mapping
from functools import cache
from typing import Any

from sqlalchemy import Select, delete, func, select, text, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import Session

from fingerprint.model import ALGORITHM_VERSION, Fingerprint
from storage.column_types import to_signed
from storage.errors import NotKnown
from storage.models.submissions import Submission
from storage.pages.pages import text_digest
from storage.postgres.planner import indexes_forced
from storage.postgres.rows import columns_of, record_of, records_of
from storage.postgres.text import storable
from storage.records.submissions import NewSubmission, SubmissionCandidate, SubmissionRecord

MOST_LISTED = 200
COLLECTION_CHARS = 100
AUTHOR_CHARS = 200
TITLE_CHARS = 300

_COLUMNS = columns_of(SubmissionRecord, Submission)
_LIVE = Submission.expires_at > func.now()

# Each branch uses its own index, as for crawled texts. An identical text is found however short it is.
_KIN = text(
    """
    WITH near AS (
        SELECT id FROM submission WHERE seeds && CAST(:seeds AS integer[])
        UNION SELECT id FROM submission WHERE slices && CAST(:slices AS integer[])
        UNION SELECT id FROM submission WHERE collection = :collection
            AND (sha256 = :sha256 OR bit_count((simhash # CAST(:simhash AS bigint))::bit(64)) <= :distance)
    ), shared AS (
        SELECT s.id,
            (SELECT count(*) FROM unnest(s.seeds) AS k(key) WHERE k.key = ANY(CAST(:seeds AS integer[]))) AS seeds,
            (SELECT count(*) FROM unnest(s.slices) AS k(key) WHERE k.key = ANY(CAST(:slices AS integer[]))) AS slices,
            bit_count((s.simhash # CAST(:simhash AS bigint))::bit(64)) AS distance
        FROM near JOIN submission AS s USING (id)
        WHERE s.collection = :collection AND s.author <> :author AND s.expires_at > now()
            AND s.algorithm_version = :version
    )
    SELECT id, seeds AS shared_seeds, slices AS shared_slices, distance AS simhash_distance, count(*) OVER () AS total
    FROM shared ORDER BY 2 * seeds + slices DESC, distance, id LIMIT :bound
    """
)


def add_submission(session: Session, new: NewSubmission) -> SubmissionRecord:
    """Stores a text. Submitted again by the same author to the same collection, it keeps the later expiry."""
    body = storable(new.body)
    values = {
        "collection": storable(new.collection)[:COLLECTION_CHARS],
        "author": storable(new.author)[:AUTHOR_CHARS],
        "title": storable(new.title)[:TITLE_CHARS],
        "body": body,
        "chars": len(body),
        "sha256": text_digest(body),
        "added_by_id": new.added_by_id,
        "added_by": new.added_by,
        "expires_at": new.expires_at,
        **_fingerprint_columns(new.fingerprint),
    }
    statement = insert(Submission).values(**values)
    later = func.greatest(Submission.expires_at, statement.excluded.expires_at)
    row = session.execute(
        statement.on_conflict_do_update(
            index_elements=[Submission.collection, Submission.author, Submission.sha256],
            set_={"expires_at": later},
        ).returning(*_COLUMNS)
    ).one()
    return record_of(SubmissionRecord, row)


def _fingerprint_columns(found: Fingerprint) -> dict[str, object]:
    return {
        "algorithm_version": found.algorithm_version,
        "simhash": found.simhash,
        "slices": list(found.slices),
        "seeds": list(found.seeds),
    }


def list_submissions(
    session: Session, *, collection: str | None = None, before_id: int | None = None, limit: int = MOST_LISTED
) -> list[SubmissionRecord]:
    """Newest first; with `before_id`, those with lower ids."""
    statement = _live().order_by(Submission.id.desc()).limit(limit)
    if collection is not None:
        statement = statement.where(Submission.collection == storable(collection))
    if before_id is not None:
        statement = statement.where(Submission.id < before_id)
    return records_of(SubmissionRecord, session.execute(statement))


def collections(session: Session, *, limit: int = MOST_LISTED) -> list[tuple[str, int]]:
    """Collections by name, with their number of texts."""
    counted = select(Submission.collection, func.count()).where(_LIVE).group_by(Submission.collection)
    return [(name, count) for name, count in session.execute(counted.order_by(Submission.collection).limit(limit))]


def get_submission(session: Session, submission_id: int) -> tuple[SubmissionRecord, str]:
    """A submission with its text. Raises NotKnown, also if it has expired."""
    statement = _live().add_columns(Submission.body).where(Submission.id == submission_id)
    found = session.execute(statement).one_or_none()
    if found is None:
        raise NotKnown("submission", str(submission_id))
    return record_of(SubmissionRecord, found), found.body


def bodies(session: Session, submission_ids: Collection[int]) -> dict[int, str]:
    """The texts of those submissions that have not expired, by their negative ids."""
    wanted = select(Submission.id, Submission.body).where(Submission.id.in_(submission_ids), _LIVE)
    return {-row.id: row.body for row in session.execute(wanted)} if submission_ids else {}


def delete_submission(session: Session, submission_id: int) -> SubmissionRecord:
    """Deletes a submission and returns its record. Raises NotKnown."""
    found, _body = get_submission(session, submission_id)
    session.execute(delete(Submission).where(Submission.id == submission_id))
    return found


def drop_expired(session: Session) -> int:
    """Deletes expired submissions. Returns how many."""
    return len(session.scalars(delete(Submission).where(~_LIVE).returning(Submission.id)).all())


def candidates_of(
    session: Session,
    *,
    collection: str,
    not_author: str,
    sha256: bytes,
    simhash: int | None,
    slices: Iterable[int],
    seeds: Iterable[int],
    distance: int,
    bound: int,
) -> tuple[list[SubmissionCandidate], int]:
    """Submissions of a collection that share keys with the query text or equal it, most shared keys first, and how many
    were left out by `bound`.

    `not_author`: submissions of this author are left out.
    """
    asked = {
        "collection": storable(collection),
        "author": storable(not_author),
        "sha256": sha256,
        "simhash": None if simhash is None else to_signed(simhash),
        "slices": sorted(set(slices)),
        "seeds": sorted(set(seeds)),
        "distance": distance,
        "version": ALGORITHM_VERSION,
        "bound": bound,
    }
    with indexes_forced(session):
        rows = session.execute(_KIN, asked).all()
    held = _held(session, [row.id for row in rows])
    kin = [
        record_of(
            SubmissionCandidate, row, submission=record_of(SubmissionRecord, held[row.id]), body=held[row.id].body
        )
        for row in rows
    ]
    return kin, (rows[0].total - len(rows) if rows else 0)


def _held(session: Session, ids: Collection[int]) -> dict[int, Any]:
    columns = (*_COLUMNS, Submission.body)
    return {row.id: row for row in session.execute(select(*columns).where(Submission.id.in_(ids)))}


def outdated(session: Session, *, collection: str, limit: int) -> dict[int, str]:
    """Texts by id with fingerprints of an older version, locked; rows locked by others are skipped."""
    statement = (
        select(Submission.id, Submission.body)
        .where(Submission.collection == storable(collection), Submission.algorithm_version != ALGORITHM_VERSION)
        .order_by(Submission.id)
        .limit(limit)
        .with_for_update(skip_locked=True)
    )
    return {row.id: row.body for row in session.execute(statement)}


def keep_fingerprints(session: Session, found: Mapping[int, Fingerprint]) -> None:
    for submission_id, fingerprint in sorted(found.items()):
        values = _fingerprint_columns(fingerprint)
        session.execute(update(Submission).where(Submission.id == submission_id).values(**values))


@cache
def _live() -> Select[*tuple[Any, ...]]:
    return select(*_COLUMNS).where(_LIVE)
