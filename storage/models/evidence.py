"""The evidence chain, the evidence rules of sites, and the progress of imports."""

from datetime import datetime

from sqlalchemy import CheckConstraint, ForeignKey, Index, LargeBinary
from sqlalchemy.orm import Mapped, mapped_column
from sqlalchemy.sql import func, text

from storage.base import Base, BigKey
from storage.records.evidence import EvidenceKind, Keep
from storage.types import word

DIGEST = LargeBinary(32)


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
