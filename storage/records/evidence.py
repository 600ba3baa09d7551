"""Records of evidence: entries, rules of sites, problems."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Final

RECORD_NOT_YET: Final = "not-yet"
"""In place of the problem of a record: the page waits to be opened in a browser, or the program ended before that."""


class CaptureState(StrEnum):
    KEPT = "kept"
    FAILED = "failed"
    """No answer, or no article in it."""
    ELSEWHERE = "elsewhere"
    """Another URL answered, or without an article: the kept response is not the page's own."""
    NOT_YET = "not-yet"


@dataclass(frozen=True, slots=True)
class PageEvidence:
    """`entry` and `at`: of the newest kept response of the page itself. `refusal`: why the last capture failed."""

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
    """A page was fetched again, for a case or by hand."""
    FAILED = "failed"
    """A page could not be captured."""
    GIVEN = "given"
    """A person submitted the page, as a file or as text."""
    SCREENSHOT = "screenshot"
    REMOVED = "removed"
    """Files of earlier entries were removed by the rules of their sites. The entries stay."""
    RECORDED = "recorded"
    """A page was opened in a browser: its pictures, its resources, and a signed record of how that was done."""
    KEY = "key"
    """A key that signs records was announced, renewed or lost."""
    WITNESSED = "witnessed"
    """A head of another installation's chain was countersigned."""


class Keep(StrEnum):
    """What is stored of a site's responses."""

    RAW = "raw"
    """Status line, headers and body, for a time."""
    TEXT = "text"
    """Status and headers; of the body its hash. The article's text is in the store."""
    HASH = "hash"
    """Hashes alone."""


@dataclass(frozen=True, slots=True)
class EvidenceRule:
    """`raw_days` None: forever."""

    keep: Keep = Keep.RAW
    raw_days: int | None = DEFAULT_RAW_DAYS


@dataclass(frozen=True, slots=True)
class Head:
    """The last entry of the chain. With a copy of it, one can verify that no earlier entry was changed."""

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
    """The content of a new entry. `record` names its file; `refers` names the file of a body that is already stored."""

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
    """For an article on several pages: the URL under which it is stored."""
    refers: bytes | None = None
    folder: str | None = None
    """Name of the folder that keeps the file."""
    status: int | None = None
    peer: str | None = None
    certificate: bytes | None = None
    """SHA-256 of the server's certificate."""
    headers: tuple[tuple[str, str], ...] | None = None
    why: str | None = None
    """A refusal, or the reason of the capture."""
    whom: str | None = None
    records: tuple[bytes, ...] | None = None
    """For a removal: the files removed."""
    statement: str | None = None
    """What `signatures` sign, in UTF-8; None if they sign the body whose hash is `payload`."""
    signatures: tuple[tuple[str, str], ...] | None = None
    """Ed25519 signatures in hex, each after the id of its key."""


@dataclass(frozen=True, slots=True)
class EvidenceEntry:
    """A stored entry. `removed_by`: the number of the entry that records the removal of its file."""

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
    """`number`: the entry concerned; None: no single entry."""

    number: int | None
    message: str
    url: str | None = None
    """The page whose evidence is from another response, if that is the problem."""

    def __str__(self) -> str:
        return self.message if self.number is None else f"entry {self.number}: {self.message}"
