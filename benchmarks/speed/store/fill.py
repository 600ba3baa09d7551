"""Puts the made-up store down by COPY, and makes it larger step by step."""

from collections.abc import Iterator, Mapping
from contextlib import nullcontext
from typing import TYPE_CHECKING, Final

from benchmarks.common.report import Progress
from benchmarks.speed.store.material import DISCLAIMER
from benchmarks.speed.store.rows import CHUNK, FINGERPRINT, PAGE, TEXT, VERSION, Row, Rows, code_row, owners, sites
from benchmarks.speed.store.simhash_generator import Codes
from fingerprint.initials import to_initials
from fingerprint.normalize import canonicalize
from storage.engine import transaction
from storage.postgres.copy_rows import copy_rows, emptied, indexes_set_aside, numbered_on, settle, table_like

if TYPE_CHECKING:
    from sqlalchemy import Engine

TABLES: Final = ("text", "page", "page_version", "fingerprint")
_RUN: Final = ("seed", "proves_nothing", "units", "sample", "texts", "families", "owners")
_TYPICAL_UNITS: Final = 60


class Filling:
    """A store that grows."""

    def __init__(self, engine: "Engine", rows: Rows) -> None:
        self._engine = engine
        self._rows = rows
        self.pages = 0

    def grow_to(self, pages: int, *, tell: Progress) -> None:
        """Until it holds so many pages; the verdicts on repeated runs are as if all had been compared."""
        if not self.pages:
            with transaction(self._engine) as session:
                copy_rows(session, "owner", ("id", "name"), owners())
                columns = ("id", "name", "owner_id", "role", "hosts", "start_urls")
                copy_rows(session, "site", columns, sites())
        what = f"{pages:,} pages stored"
        with transaction(self._engine) as session:
            # Row by row where only a part comes new: making indexes anew costs what the whole store costs.
            aside = indexes_set_aside(session, TABLES) if pages > 2 * self.pages else nullcontext()
            with aside:
                while self.pages < pages:
                    chunk = self._rows.next_chunk(min(CHUNK, pages - self.pages))
                    copy_rows(session, "text", TEXT, chunk.texts)
                    copy_rows(session, "page", PAGE, chunk.pages)
                    copy_rows(session, "page_version", VERSION, chunk.versions)
                    copy_rows(session, "fingerprint", FINGERPRINT, chunk.fingerprints)
                    self.pages += len(chunk.pages)
                    tell(what, self.pages, pages)
            emptied(session, "boilerplate")
            copy_rows(session, "boilerplate", _RUN, _verdicts(self._rows.marks(self.pages)))
            numbered_on(session, (*TABLES[:3], "owner", "site"))
        settle(self._engine)


def _verdicts(marks: Mapping[int, tuple[int, bool]]) -> Iterator[Row]:
    notice = to_initials(canonicalize(DISCLAIMER)).codes.tobytes().hex()
    typical = bytes(range(1, 21)).hex() * (_TYPICAL_UNITS // 20)
    for seed, (texts, proves_nothing) in marks.items():
        units = notice if proves_nothing else typical
        yield seed, proves_nothing, rf"\x{units}", DISCLAIMER[:120], texts, min(texts, 40), min(texts, 40)


def fill_codes(engine: "Engine", codes: Codes, *, schema: str, tell: Progress) -> None:
    """A table of fingerprints in a schema of its own that holds simhashes only: no text, slice or seed."""
    with transaction(engine) as session:
        table_like(session, "fingerprint", schema=schema)
        with indexes_set_aside(session, ("fingerprint",)):
            for start in range(0, len(codes), CHUNK):
                some = codes[start : start + CHUNK].tolist()
                rows = (code_row(start + place, code, set(), set()) for place, code in enumerate(some, start=1))
                copy_rows(session, "fingerprint", FINGERPRINT, rows)
                tell(f"{len(codes):,} codes stored", start + len(some), len(codes))
    settle(engine)
