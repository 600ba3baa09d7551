"""Records of submitted texts."""

from dataclasses import dataclass
from datetime import datetime

from fingerprint.model import Fingerprint


@dataclass(frozen=True, slots=True)
class NewSubmission:
    """`expires_at` must be in the future. `collection` and `author` must not be empty."""

    collection: str
    author: str
    title: str
    body: str
    fingerprint: Fingerprint
    expires_at: datetime
    added_by_id: int | None = None
    added_by: str = ""


@dataclass(frozen=True, slots=True)
class SubmissionRecord:
    """A submission without its text, for lists."""

    id: int
    collection: str
    author: str
    title: str
    chars: int
    added_by_id: int | None
    added_by: str
    created_at: datetime
    expires_at: datetime


@dataclass(frozen=True, slots=True)
class SubmissionCandidate:
    """A submission that shares something with the query text."""

    submission: SubmissionRecord
    body: str
    shared_seeds: int
    shared_slices: int
    simhash_distance: int | None
