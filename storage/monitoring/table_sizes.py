"""Disk space of tables and indexes in bytes."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from sqlalchemy import func, select, text
from sqlalchemy.orm import Session

from storage.models.pages import StoredFingerprint, Text

_OF_TABLE = text(
    """
    SELECT i.relname AS name, pg_relation_size(i.oid) AS bytes
    FROM pg_index AS x JOIN pg_class AS i ON i.oid = x.indexrelid
    WHERE x.indrelid = CAST(:table AS regclass)
    UNION ALL SELECT :table, pg_relation_size(CAST(:table AS regclass))
    UNION ALL SELECT 'toast', pg_table_size(CAST(:table AS regclass)) - pg_relation_size(CAST(:table AS regclass))
    ORDER BY name
    """
)


@dataclass(frozen=True, slots=True)
class FingerprintSizes:
    """`parts`: bytes of the fingerprint table, its overhead (`toast`, maps) and each index."""

    parts: Mapping[str, int]
    texts: int
    text_bytes: int
    """All texts in UTF-8, as published, without the compression on disk."""

    @property
    def total(self) -> int:
        return sum(self.parts.values())


def sizes_of(session: Session, tables: Iterable[str]) -> tuple[dict[str, dict[str, int]], int]:
    """Return the bytes of each table by part, as `FingerprintSizes.parts`, and of all texts in UTF-8."""
    sizes = {
        table: {row.name: int(row.bytes) for row in session.execute(_OF_TABLE, {"table": table})} for table in tables
    }
    return sizes, session.scalar(select(func.coalesce(func.sum(func.octet_length(Text.body)), 0))) or 0


def fingerprint_sizes(session: Session) -> FingerprintSizes:
    rows = session.execute(_OF_TABLE, {"table": StoredFingerprint.__tablename__})
    texts, text_bytes = session.execute(
        select(func.count(), func.coalesce(func.sum(func.octet_length(Text.body)), 0))
    ).one()
    return FingerprintSizes({row.name: row.bytes for row in rows}, texts, int(text_bytes))
