"""Fills a database with the made-up store by COPY, and enlarges it step by step."""

from collections.abc import Iterator, Mapping
from contextlib import nullcontext
from typing import TYPE_CHECKING, Final

from benchmarks.common.made_up_store import Row, Table, copy_table
from benchmarks.common.report import Progress
from benchmarks.speed.store.material import DISCLAIMER
from benchmarks.speed.store.rows import CHUNK, Rows, code_row, owners, sites
from benchmarks.speed.store.simhash_generator import Codes
from fingerprint.initials import to_initials
from fingerprint.normalize import canonicalize
from storage.engine import transaction
from storage.postgres.copy_rows import emptied, indexes_set_aside, numbered_on, settle, table_like

if TYPE_CHECKING:
    from sqlalchemy import Engine

TABLES: Final = ("text", "page", "page_version", "fingerprint")
_TYPICAL_UNITS: Final = 60


class Filling:
    """A store that grows."""

    def __init__(self, engine: "Engine", rows: Rows) -> None:
        self._engine = engine
        self._rows = rows
        self.pages = 0

    def grow_to(self, pages: int, *, progress: Progress) -> None:
        """Until it holds so many pages; the verdicts on repeated runs are as if all had been compared."""
        if not self.pages:
            with transaction(self._engine) as session:
                copy_table(session, Table("owner", owners()))
                copy_table(session, Table("site", sites()))
        what = f"{pages:,} pages stored"
        with transaction(self._engine) as session:
            # Row by row where only a part is new: rebuilding the indexes costs as much as the whole store does.
            aside = indexes_set_aside(session, TABLES) if pages > 2 * self.pages else nullcontext()
            with aside:
                while self.pages < pages:
                    count = min(CHUNK, pages - self.pages)
                    for table in self._rows.next_chunk(count):
                        copy_table(session, table)
                    self.pages += count
                    progress(what, self.pages, pages)
            emptied(session, "boilerplate")
            copy_table(session, Table("boilerplate", _verdicts(self._rows.marks(self.pages))))
            numbered_on(session, (*TABLES[:3], "owner", "site"))
        settle(self._engine)


def _verdicts(marks: Mapping[int, tuple[int, bool]]) -> Iterator[Row]:
    notice = to_initials(canonicalize(DISCLAIMER)).codes.tobytes().hex()
    typical = bytes(range(1, 21)).hex() * (_TYPICAL_UNITS // 20)
    for seed, (texts, proves_nothing) in marks.items():
        yield {
            "seed": seed,
            "proves_nothing": proves_nothing,
            "units": rf"\x{notice if proves_nothing else typical}",
            "sample": DISCLAIMER[:120],
            "texts": texts,
            "families": min(texts, 40),
            "owners": min(texts, 40),
        }


def fill_codes(engine: "Engine", codes: Codes, *, schema: str, progress: Progress) -> None:
    """A table of fingerprints in a schema of its own that holds simhashes only: no text, slice or seed."""
    with transaction(engine) as session:
        table_like(session, "fingerprint", schema=schema)
        with indexes_set_aside(session, ("fingerprint",)):
            for start in range(0, len(codes), CHUNK):
                some = codes[start : start + CHUNK].tolist()
                rows = (code_row(start + place, code, set(), set()) for place, code in enumerate(some, start=1))
                copy_table(session, Table("fingerprint", rows))
                progress(f"{len(codes):,} codes stored", start + len(some), len(codes))
    settle(engine)
