"""Frozen values of the evidence: what was kept, what holds for a site, what is wrong."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum


class CaptureState(StrEnum):
    KEPT = "kept"
    FAILED = "failed"
    """Nothing answered, or what answered was no article."""
    ELSEWHERE = "elsewhere"
    """Another address answered, or without an article: what is kept is not the page's own."""
    NOT_YET = "not-yet"


@dataclass(frozen=True, slots=True)
class PageEvidence:
    """`entry` and `at`: of the newest own response that is kept. `refusal`: why the last capture brought none."""

    entry: int | None = None
    at: datetime | None = None
    refusal: str | None = None
    is_tried: bool = False

    @property
    def state(self) -> CaptureState:
        if self.entry is not None:
            return CaptureState.KEPT
        if self.refusal is not None:
            return CaptureState.FAILED
        return CaptureState.ELSEWHERE if self.is_tried else CaptureState.NOT_YET

    @property
    def is_kept(self) -> bool:
        return self.entry is not None


NOTHING_KEPT = PageEvidence()


DEFAULT_RAW_DAYS = 30


class EvidenceKind(StrEnum):
    """Why an entry was made."""

    STORED = "stored"
    """A version of a page was stored from this response."""
    CAPTURED = "captured"
    """A page was fetched anew, for a case or by hand."""
    FAILED = "failed"
    """A page was to be captured and could not be had."""
    GIVEN = "given"
    """A person brought the page along, in a file or as text."""
    SCREENSHOT = "screenshot"
    REMOVED = "removed"
    """Files of earlier entries were removed, as the rules of their sites say. The entries stay."""


class Keep(StrEnum):
    """What is kept of a site's responses."""

    RAW = "raw"
    """Status line, headers and body, for a time."""
    TEXT = "text"
    """Status and headers; of the body its hash. The article's text is in the store."""
    HASH = "hash"
    """Hashes alone."""


@dataclass(frozen=True, slots=True)
class EvidenceRule:
    """`raw_days` None: for good."""

    keep: Keep = Keep.RAW
    raw_days: int | None = DEFAULT_RAW_DAYS


@dataclass(frozen=True, slots=True)
class Head:
    """The last entry of the chain: who has noted it can tell whether anything before it was changed since."""

    number: int
    hash: bytes

    def __str__(self) -> str:
        return f"{self.number}:{self.hash.hex()}"

    @classmethod
    def parse(cls, text: str) -> "Head":
        """Raises ValueError for anything but `NUMBER:64 HEXADECIMAL DIGITS`."""
        number, _, digits = text.strip().partition(":")
        digest = bytes.fromhex(digits)
        if len(digest) != 32 or int(number) < 1:  # noqa: PLR2004  # SHA-256
            message = f"{text!r} is not NUMBER:HASH"
            raise ValueError(message)
        return cls(int(number), digest)


@dataclass(frozen=True, slots=True)
class NewEvidence:
    """What an entry is to say. `record` names a file; `refers` the file that holds a body already kept."""

    kind: EvidenceKind
    at: datetime
    url: str
    record: bytes | None = None
    payload: bytes | None = None
    head: bytes | None = None
    """SHA-256 of the status line and the headers."""
    text: bytes | None = None
    """SHA-256 of the article's text, by which the store knows it."""
    page: str | None = None
    """Of an article on several pages: the address that it is stored under."""
    refers: bytes | None = None
    status: int | None = None
    peer: str | None = None
    certificate: bytes | None = None
    """SHA-256 of the server's certificate."""
    headers: tuple[tuple[str, str], ...] | None = None
    why: str | None = None
    """A refusal, or for whom it was captured."""
    whom: str | None = None
    records: tuple[bytes, ...] | None = None
    """Of a removal: the files that went."""


@dataclass(frozen=True, slots=True)
class EvidenceEntry:
    """An entry as stored. `removed_by`: number of the entry that tells of its file's removal."""

    number: int
    kind: EvidenceKind
    at: datetime
    url: str
    record: bytes | None
    payload: bytes | None
    text: bytes | None
    refers: bytes | None
    removed_by: int | None
    body: str
    previous: bytes
    hash: bytes


@dataclass(frozen=True, slots=True)
class EvidenceProblem:
    """`number` of the entry that it is about; None: of no entry."""

    number: int | None
    message: str
    url: str | None = None
    """The page whose evidence is not its own, where that is the problem."""

    def __str__(self) -> str:
        return self.message if self.number is None else f"entry {self.number}: {self.message}"
