"""Made-up stores of several sizes in one folder, each a database of its own, filled once."""

import json
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Final

from benchmarks.common.report import Progress
from benchmarks.common.stores import opened
from benchmarks.speed.store.fill import Filling, fill_codes
from benchmarks.speed.store.material import Material, Probe
from benchmarks.speed.store.rows import Rows
from benchmarks.speed.store.simhash_generator import Codes
from storage.embedded import server

if TYPE_CHECKING:
    from sqlalchemy import Engine

CODES_SCHEMA: Final = "codes"


LEAST_FREE: Final = 15_000_000_000
"""Bytes that a store of fingerprints leaves free on the disk."""


class NoRoom(Exception):  # reads as what it says
    """The disk is too full for the store. What had been made of it is deleted."""


class Stores:
    """The stores, with the texts they were made of beside them: another run uses the same."""

    def __init__(
        self, folder: Path, make_material: Callable[[], Material], *, seed: int, least_free: int = LEAST_FREE
    ) -> None:
        self._folder = folder
        self._seed = seed
        self._least_free = least_free
        folder.mkdir(parents=True, exist_ok=True)
        kept = folder / "material.json"
        if not kept.exists():
            kept.write_text(json.dumps(asdict(make_material()), ensure_ascii=False), "utf-8")
        self.material = _read(kept)

    def home(self, pages: int) -> Path:
        return self._folder / str(pages)

    @contextmanager
    def opened(self, pages: int, *, progress: Progress) -> Iterator["Engine"]:
        """The store of so many pages, filled if it is not yet; its server is stopped at the end."""

        def fill(engine: "Engine") -> None:
            Filling(engine, Rows(self.material, pages=pages, seed=self._seed)).grow_to(pages, progress=progress)

        with self._opened(self.home(pages), fill) as engine:
            yield engine

    @contextmanager
    def opened_fingerprints(self, texts: int, *, progress: Progress) -> Iterator["Engine"]:
        """The same without pages, and with a line for each text: a third of the bytes. Raises NoRoom."""

        def filling(what: str, done: int, whole: int) -> None:
            if shutil.disk_usage(self._folder).free < self._least_free:
                left = self._least_free // 10**9
                message = f"Less than {left} GB of disk are left after {done:,} of {whole:,} fingerprints."
                raise NoRoom(message)
            progress(what, done, whole)

        def fill(engine: "Engine") -> None:
            rows = Rows(self.material, pages=texts, seed=self._seed, with_texts=False)
            Filling(engine, rows).grow_to(texts, progress=filling)

        home = self._folder / f"fingerprints-{texts}"
        try:
            with self._opened(home, fill) as engine:
                yield engine
        except NoRoom:
            server.delete(home)
            raise

    @contextmanager
    def opened_codes(self, codes: Codes, *, progress: Progress) -> Iterator["Engine"]:
        """A table of these simhashes alone, in the schema `CODES_SCHEMA`. Of one number of codes it is filled once."""

        def fill(engine: "Engine") -> None:
            fill_codes(engine, codes, schema=CODES_SCHEMA, progress=progress)

        with self._opened(self._folder / f"codes-{len(codes)}", fill) as engine:
            yield engine

    @contextmanager
    def _opened(self, home: Path, fill: Callable[["Engine"], None]) -> Iterator["Engine"]:
        filled = home / "filled"
        with opened(home) as (_, engine):
            if not filled.exists():
                fill(engine)
                filled.touch()
            yield engine


def delete_all(folder: Path) -> None:
    """Every database in the folder, for good."""
    for home in folder.iterdir():
        if home.is_dir():
            server.delete(home)


def _read(kept: Path) -> Material:
    value = json.loads(kept.read_text("utf-8"))
    return Material(
        texts=tuple(value["texts"]),
        planted=tuple(value["planted"]),
        story=value["story"],
        probes=tuple(Probe(**probe) for probe in value["probes"]),
        is_made_up=value["is_made_up"],
    )
