"""The evidence chain, its witnesses, the evidence rules of sites, and the progress of imports."""

from datetime import datetime

from sqlalchemy import CheckConstraint, ForeignKey, Index, LargeBinary, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column
from sqlalchemy.sql import func, text

from storage.base import Base, BigKey
from storage.column_types import word
from storage.records.evidence import EvidenceKind, Keep
from storage.records.witnesses import WitnessKind, WitnessState

DIGEST = LargeBinary(32)
MADE_AS_EVIDENCE = (
    "kind NOT IN ('stored', 'failed', 'removed', 'key', 'witnessed') AND record IS NOT NULL AND removed_by IS NULL"
)


class Evidence(Base):
    """An entry of the chain. Only `removed_by` ever changes. It names pages by URL and texts by hash, and outlives
    both.
    """

    __tablename__ = "evidence"
    __table_args__ = (
        CheckConstraint("octet_length(hash) = 32 AND octet_length(previous) = 32", name="hashes"),
        Index(None, "url", "text"),
        Index(None, "payload", postgresql_where=text("record IS NOT NULL AND removed_by IS NULL")),
        Index(None, "refers", postgresql_where=text("removed_by IS NULL")),
        Index(None, "at", postgresql_where=text("record IS NOT NULL AND removed_by IS NULL")),
        Index(None, "number", postgresql_where=text("kind = 'key'")),
        Index("ix_evidence_made", "number", postgresql_where=text(MADE_AS_EVIDENCE)),
    )

    number: Mapped[int] = mapped_column(BigKey, primary_key=True, autoincrement=False)
    kind: Mapped[EvidenceKind] = mapped_column(word(EvidenceKind))
    at: Mapped[datetime]
    url: Mapped[str]
    record: Mapped[bytes | None] = mapped_column(DIGEST)
    payload: Mapped[bytes | None] = mapped_column(DIGEST)
    text: Mapped[bytes | None] = mapped_column(DIGEST)
    refers: Mapped[bytes | None] = mapped_column(DIGEST)
    removed_by: Mapped[int | None] = mapped_column(BigKey)
    body: Mapped[str]
    previous: Mapped[bytes] = mapped_column(DIGEST)
    hash: Mapped[bytes] = mapped_column(DIGEST, unique=True)


class SiteEvidence(Base):
    """What is kept of a site's responses, if not the default."""

    __tablename__ = "site_evidence"
    __table_args__ = (CheckConstraint("raw_days >= 0", name="raw_days"),)

    site_id: Mapped[int] = mapped_column(BigKey, ForeignKey("site.id", ondelete="CASCADE"), primary_key=True)
    keep: Mapped[Keep] = mapped_column(word(Keep))
    raw_days: Mapped[int | None]


class ClockCheck(Base):
    """A comparison of a machine's clock with that of a timestamp authority."""

    __tablename__ = "clock_check"
    __table_args__ = (Index(None, "folder", "at"),)

    id: Mapped[int] = mapped_column(BigKey, primary_key=True)
    folder: Mapped[str]
    """Name of the evidence folder of the machine."""
    at: Mapped[datetime]
    """By the machine's clock."""
    offset_s: Mapped[float]
    """The machine's time less the authority's; negative if the machine is late."""
    within_s: Mapped[float]
    """Half the time that the question took, and the authority's own accuracy."""
    authority: Mapped[str]


class FileListRow(Base):
    """A list of hashes of files that is shown to witnesses as a whole. Never changed."""

    __tablename__ = "file_list"
    __table_args__ = (CheckConstraint("octet_length(digest) = 32", name="digest"),)

    id: Mapped[int] = mapped_column(BigKey, primary_key=True)
    made_at: Mapped[datetime] = mapped_column(server_default=func.now())
    digest: Mapped[bytes] = mapped_column(DIGEST, unique=True)
    body: Mapped[str]


class ListedFile(Base):
    """A file of the evidence that stands in a list."""

    __tablename__ = "listed_file"

    record: Mapped[bytes] = mapped_column(DIGEST, primary_key=True)
    list_id: Mapped[int] = mapped_column(BigKey, ForeignKey("file_list.id", ondelete="RESTRICT"), index=True)


class WitnessRow(Base):
    """What one witness says of a list, and when it is asked (again)."""

    __tablename__ = "witness"
    __table_args__ = (
        UniqueConstraint("list_id", "kind", "source"),
        Index(None, "next_at", postgresql_where=text("next_at IS NOT NULL")),
    )

    id: Mapped[int] = mapped_column(BigKey, primary_key=True)
    list_id: Mapped[int] = mapped_column(BigKey, ForeignKey("file_list.id", ondelete="RESTRICT"))
    kind: Mapped[WitnessKind] = mapped_column(word(WitnessKind))
    source: Mapped[str]
    state: Mapped[WitnessState] = mapped_column(word(WitnessState))
    attempts: Mapped[int] = mapped_column(server_default="0")
    next_at: Mapped[datetime | None]
    problem: Mapped[str] = mapped_column(server_default="")
    at: Mapped[datetime | None]
    request: Mapped[bytes | None]
    proof: Mapped[bytes | None]
    certificates: Mapped[str | None]
    height: Mapped[int | None] = mapped_column(BigKey)
    merkle_root: Mapped[bytes | None] = mapped_column(DIGEST)


class HeardHeadRow(Base):
    """A head of another installation, as it was countersigned. Never changed."""

    __tablename__ = "heard_head"
    __table_args__ = (CheckConstraint("octet_length(key_id) = 32 AND octet_length(hash) = 32", name="hashes"),)

    key_id: Mapped[bytes] = mapped_column(DIGEST, primary_key=True)
    number: Mapped[int] = mapped_column(BigKey, primary_key=True, autoincrement=False)
    hash: Mapped[bytes] = mapped_column(DIGEST)
    entry: Mapped[int] = mapped_column(BigKey)
    heard_at: Mapped[datetime]
    public_key: Mapped[bytes]
    statement: Mapped[str]
    signature: Mapped[bytes]
    answer: Mapped[str]
    answer_signature: Mapped[bytes]
    answer_public_key: Mapped[bytes]


class CountersignatureRow(Base):
    """A head of ours that another installation is asked to countersign."""

    __tablename__ = "countersignature"
    __table_args__ = (
        UniqueConstraint("number", "source"),
        CheckConstraint("octet_length(hash) = 32", name="hash"),
        CheckConstraint("(state = 'done') <= (answer IS NOT NULL)", name="answer"),
    )

    id: Mapped[int] = mapped_column(BigKey, primary_key=True)
    number: Mapped[int] = mapped_column(BigKey)
    hash: Mapped[bytes] = mapped_column(DIGEST)
    source: Mapped[str]
    state: Mapped[WitnessState] = mapped_column(word(WitnessState))
    attempts: Mapped[int] = mapped_column(server_default="0")
    next_at: Mapped[datetime | None]
    problem: Mapped[str] = mapped_column(server_default="")
    made_at: Mapped[datetime]
    at: Mapped[datetime | None]
    public_key: Mapped[bytes]
    statement: Mapped[str]
    signature: Mapped[bytes]
    answer: Mapped[str | None]
    answer_signature: Mapped[bytes | None]
    answer_public_key: Mapped[bytes | None]


class ImportProgress(Base):
    """The progress of an import, written in the transaction that stores the records."""

    __tablename__ = "import_progress"

    path: Mapped[str] = mapped_column(primary_key=True)
    """As given: a file, or the folder in which it was found."""
    options: Mapped[str] = mapped_column(primary_key=True)
    """Site and rights: with others, the same file is another import."""
    file: Mapped[str]
    size: Mapped[int] = mapped_column(BigKey)
    mtime_ns: Mapped[int] = mapped_column(BigKey)
    number: Mapped[int] = mapped_column(BigKey)
    """Number of records of `file` that are stored."""
    is_done: Mapped[bool]
    """Whether the whole path is imported."""
    changed_at: Mapped[datetime] = mapped_column(server_default=func.now())
