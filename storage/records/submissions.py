"""Frozen values of the texts that people hand in."""

from dataclasses import dataclass
from datetime import datetime

from fingerprint.model import Fingerprint


@dataclass(frozen=True, slots=True)
class NewSubmission:
    """`expires_at` lies in the future. `collection` and `author` are not empty."""

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
    """A submission without its text: what a list shows."""

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
    """A submission that shares something with the text asked about."""

    submission: SubmissionRecord
    body: str
    shared_seeds: int
    shared_slices: int
    simhash_distance: int | None
