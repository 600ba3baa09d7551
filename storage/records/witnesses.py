"""Records of witnesses: others who confirm when something was there, and the state of each."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from storage.records.evidence import Head

COUNTERSIGNATURE = "countersignature"
"""Beside the kinds of witnesses of lists, the one of heads; and captures, which are counted with them."""
CAPTURE = "capture"


class WitnessKind(StrEnum):
    """What kind of witness confirms a list of files."""

    STAMP = "stamp"
    """A time stamp authority (RFC 3161)."""
    OPEN_TIMESTAMPS = "open-timestamps"
    """A calendar that commits to Bitcoin blocks (OpenTimestamps)."""


class WitnessState(StrEnum):
    WAITING = "waiting"
    """Not asked yet, or asked without result and to be asked again."""
    PENDING = "pending"
    """A calendar promised to commit to it. It proves nothing yet."""
    DONE = "done"
    FAILED = "failed"
    """Asked too often without result, or refused for good. Not asked again by itself."""


@dataclass(frozen=True, slots=True)
class FileList:
    """Hashes of files, as `sha256sum` writes them. `digest`: the SHA-256 of `body` in UTF-8."""

    id: int
    made_at: datetime
    digest: bytes
    body: str


@dataclass(frozen=True, slots=True)
class WitnessRecord:
    """One witness of one list. `at`: the time stated by an authority, or when a calendar's proof was complete.

    `source`: the authority's or calendar's address. `proof`: the answer of an authority, or a file in the format of
    OpenTimestamps. `height`, `merkle_root`: the Bitcoin block that such a file leads to.
    """

    id: int
    list_id: int
    kind: WitnessKind
    source: str
    state: WitnessState
    attempts: int
    next_at: datetime | None
    problem: str
    at: datetime | None = None
    request: bytes | None = None
    proof: bytes | None = None
    certificates: str | None = None
    height: int | None = None
    merkle_root: bytes | None = None


@dataclass(frozen=True, slots=True)
class WitnessAnswer:
    """What a witness answered. Fields as in `WitnessRecord`."""

    state: WitnessState
    proof: bytes
    at: datetime | None = None
    request: bytes | None = None
    certificates: str | None = None
    height: int | None = None
    merkle_root: bytes | None = None


@dataclass(frozen=True, slots=True)
class SignedStatement:
    """A text and the Ed25519 signature of its UTF-8 bytes. `public_key`: its 32 raw bytes."""

    text: str
    signature: bytes
    public_key: bytes


@dataclass(frozen=True, slots=True)
class HeardHead:
    """A head of another installation that this one countersigned. `entry`: the number of its entry in our chain."""

    key_id: bytes
    head: Head
    entry: int
    heard_at: datetime
    statement: SignedStatement
    answer: SignedStatement


@dataclass(frozen=True, slots=True)
class CountersignatureRecord:
    """A head of ours that another installation was asked to countersign. `at`: by its clock. `source`: its address."""

    id: int
    head: Head
    source: str
    state: WitnessState
    attempts: int
    next_at: datetime | None
    problem: str
    made_at: datetime
    at: datetime | None
    statement: SignedStatement
    answer: SignedStatement | None


@dataclass(frozen=True, slots=True)
class WitnessCount:
    """How many witnesses are in a state. `kind`: of `WitnessKind`, or `countersignature`, or `capture`."""

    kind: str
    state: WitnessState
    count: int


class ProofState(StrEnum):
    """The state of one kind of evidence of a case."""

    DONE = "done"
    WAITING = "waiting"
    """Not made yet, or tried without result and tried again by itself."""
    PENDING = "pending"
    """Promised by a calendar. It proves nothing yet."""
    FAILED = "failed"
    """Not tried again by itself."""
    OFF = "off"
    """Not set up."""


class ProofKind(StrEnum):
    """What evidence of a case consists of."""

    CAPTURE = CAPTURE
    PICTURE = "picture"
    STAMP = "stamp"
    OPEN_TIMESTAMPS = "open-timestamps"
    COUNTERSIGNATURE = COUNTERSIGNATURE


@dataclass(frozen=True, slots=True)
class CaseProof:
    """The state of one kind of evidence over all pages or files of a case: the worst of them.

    `done`, `total`: pages (captures, pictures), files (stamps, calendars) or entries of the chain. `at`: the newest.
    `next_at`: when the first of those that wait is tried again. `problems`: why, each once.
    """

    kind: ProofKind
    state: ProofState
    done: int
    total: int
    at: datetime | None = None
    next_at: datetime | None = None
    problems: tuple[str, ...] = ()
