"""Candidates of a sweep from a Spark cluster. Needs the extra `spark`, and Java."""

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from matcher.batch.array_files import mapped
from matcher.batch.arrow import read_found, write_asked
from matcher.batch.export import Tell
from matcher.batch.index import Index
from matcher.batch.model import LookedUp, Texts
from matcher.batch.progress import Interrupted
from matcher.batch.spark import AT_ONCE, look_up_all
from storage.engine import transaction
from storage.pages import pages

if TYPE_CHECKING:
    from sqlalchemy import Engine


class OnSpark:
    """Writes all texts to a file of queries, has the cluster look them up, and reads the results block by block."""

    name = "spark"

    def __init__(self, master: str) -> None:
        self._master = master

    def prepare(self, engine: "Engine", folder: Path, *, should_stop: Callable[[], bool], tell: Tell) -> None:
        """Run the look-up on the cluster. Raises Interrupted."""
        ids = mapped(folder / "ids", np.int64)
        asked = folder / "asked.parquet"
        write_asked(asked, _bodies(engine, ids, should_stop, tell))
        look_up_all(
            self._master,
            asked,
            folder,
            folder / "found",
            texts=len(ids),
            should_stop=should_stop,
            tell=lambda done, whole: tell("looking up on Spark", done, whole),
        )
        asked.unlink()

    def found(self, engine: "Engine", folder: Path, index: Index, places: range) -> Mapping[int, LookedUp]:
        return read_found(folder / "found", int(index.ids[places.start]), int(index.ids[places.stop - 1]))


def _bodies(engine: "Engine", ids: Texts, should_stop: Callable[[], bool], tell: Tell) -> Iterator[dict[int, str]]:
    for start in range(0, len(ids), AT_ONCE):
        if should_stop():
            raise Interrupted
        with transaction(engine) as session:
            yield pages.text_bodies(session, ids[start : start + AT_ONCE].tolist())
        tell("reading texts", min(start + AT_ONCE, len(ids)), len(ids))
