"""Reads for a rematch of the whole store by COPY, and requeueing of versions."""

from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import numpy.typing as npt
from sqlalchemy import exists, func, or_, select, text
from sqlalchemy.orm import Session, aliased

from fingerprint.model import ALGORITHM_VERSION
from storage.models.matches import Boilerplate, Match
from storage.models.pages import PageVersion, StoredFingerprint
from storage.pages import backlog_entry

if TYPE_CHECKING:
    from sqlalchemy import Engine

Rows = npt.NDArray[np.void]

AT_ONCE: Final = 1 << 20
"""Rows passed on together."""

COUNTED_UP_TO: Final = 100_000
"""Texts from which an estimate is used: counting more takes longer than a tenth of a second."""

_HEADER: Final = 19
"""Bytes of the binary format before the first row; after the last one there are two."""
_TYPES: Final = {"integer": np.dtype(">i4"), "bigint": np.dtype(">i8")}

_IDENTITY: Final = text(
    """
    SELECT (SELECT system_identifier FROM pg_control_system()) AS cluster,
           (SELECT oid::bigint FROM pg_database WHERE datname = current_database()) AS database,
           'fingerprint'::regclass::oid::bigint AS made
    """
)
_ESTIMATES: Final = text(
    """
    SELECT greatest(reltuples, 0)::bigint AS texts,
           (SELECT avg(cardinality(seeds) + cardinality(slices))::float8
            FROM (SELECT seeds, slices FROM fingerprint LIMIT 1000) AS sample) AS keys
    FROM pg_class WHERE oid = 'fingerprint'::regclass
    """
)


def identity(session: Session) -> str:
    """A string that identifies this store; a restored copy has another."""
    row = session.execute(_IDENTITY).one()
    return f"{row.cluster}/{row.database}/{row.made}"


@contextmanager
def snapshot(engine: "Engine") -> Iterator[Session]:
    """A read-only session on one snapshot. Blocks nobody."""
    with Session(engine) as session, session.begin():
        session.connection(execution_options={"isolation_level": "REPEATABLE READ", "postgresql_readonly": True})
        yield session


def estimated_keys(session: Session) -> int:
    """An estimate of the number of seeds and slices of all texts."""
    row = session.execute(_ESTIMATES).one()
    return int(row.texts * (row.keys or 0.0))


def count_texts(session: Session) -> int:
    """The number of texts, as of the last ANALYZE if there are many."""
    known: int = session.execute(_ESTIMATES).one().texts
    if known > COUNTED_UP_TO:
        return known
    return session.scalar(select(func.count()).select_from(StoredFingerprint)) or 0


def copy_codes(session: Session, take: Callable[[Rows], None]) -> None:
    """Passes on every text of the current version by id: `text`, `simhash` (signed), `known` (1 if it has one)."""
    _copy(
        session,
        "SELECT text_id, coalesce(simhash, 0), (simhash IS NOT NULL)::integer FROM fingerprint"  # noqa: S608  # our number
        f" WHERE algorithm_version = {ALGORITHM_VERSION} ORDER BY text_id",
        {"text": "bigint", "simhash": "bigint", "known": "integer"},
        take,
    )


def copy_seeds(session: Session, take: Callable[[Rows], None]) -> None:
    """Passes on every stored seed with its text: `key`, `text`."""
    _copy_keys(session, "seeds", take)


def copy_slices(session: Session, take: Callable[[Rows], None]) -> None:
    """The same of slices."""
    _copy_keys(session, "slices", take)


def _copy_keys(session: Session, column: str, take: Callable[[Rows], None]) -> None:
    _copy(
        session,
        f"SELECT k.key, f.text_id FROM fingerprint AS f CROSS JOIN LATERAL unnest(f.{column}) AS k(key)"  # noqa: S608  # a column of ours
        f" WHERE f.algorithm_version = {ALGORITHM_VERSION}",
        {"key": "integer", "text": "bigint"},
        take,
    )


def copy_versions(session: Session, take: Callable[[Rows], None]) -> None:
    """Passes on every current version by text: `text`, `version`."""
    query = "SELECT text_id, id FROM page_version WHERE is_current ORDER BY text_id, id"
    _copy(session, query, {"text": "bigint", "version": "bigint"}, take)


def quiet_seeds(session: Session) -> list[int]:
    """Seeds that prove nothing on any site."""
    return list(
        session.scalars(select(Boilerplate.seed).where(Boilerplate.site_id.is_(None), Boilerplate.proves_nothing))
    )


def put_back(session: Session, version_ids: Collection[int], *, sharing: Collection[int]) -> list[int]:
    """Puts those of these versions on the backlog that are current and have anything to compare with: their text is in
    `sharing`, has matches, or is on another page. Returns their ids.
    """
    other = aliased(PageVersion)
    is_matched = exists().where(
        or_(Match.low_text_id == PageVersion.text_id, Match.high_text_id == PageVersion.text_id)
    )
    is_twice = exists().where(other.text_id == PageVersion.text_id, other.page_id != PageVersion.page_id)
    wanted = (
        select(PageVersion.id)
        .where(PageVersion.id.in_(version_ids), PageVersion.is_current)
        .where(or_(PageVersion.text_id.in_(sharing), is_matched, is_twice))
        .order_by(PageVersion.id)
    )
    found = list(session.scalars(wanted))
    backlog_entry.enqueue(session, found)
    return found


def _copy(session: Session, query: str, columns: dict[str, str], take: Callable[[Rows], None]) -> None:
    # The binary format gives every row the same length: for each column its size and its value.
    fields: list[tuple[str, Any]] = [("columns", ">i2")]
    for name, kind in columns.items():
        fields += [(f"{name}_size", ">i4"), (name, _TYPES[kind])]
    sink = _Sink(np.dtype(fields), take)
    connection = session.connection().connection.driver_connection
    assert connection is not None  # noqa: S101  # the session has just handed it out
    with connection.cursor() as cursor:
        cursor.copy_expert(f"COPY ({query}) TO STDOUT (FORMAT binary)", sink)
    sink.close()


class _Sink:
    """A file-like object for COPY: collects bytes and passes on whole rows."""

    def __init__(self, row: np.dtype[np.void], take: Callable[[Rows], None]) -> None:
        self._row, self._take = row, take
        self._bytes = bytearray()
        self._head = _HEADER

    def write(self, some: bytes) -> None:
        self._bytes += some
        if len(self._bytes) >= AT_ONCE * self._row.itemsize:
            self._hand_on()

    def close(self) -> None:
        self._hand_on()

    def _hand_on(self) -> None:
        count = (len(self._bytes) - self._head) // self._row.itemsize
        end = self._head + count * self._row.itemsize
        if count:
            self._take(np.frombuffer(bytes(self._bytes[self._head : end]), dtype=self._row))
        del self._bytes[:end]
        self._head = 0
