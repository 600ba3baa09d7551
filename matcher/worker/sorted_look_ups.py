"""Look-ups of a large backlog in sorted files, as those of a rematch: no query of the database for each page."""

import logging
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Final

from fingerprint.compute import Analysis
from fingerprint.model import ALGORITHM_VERSION
from matcher.batch.export import export
from matcher.batch.index import Index
from matcher.batch.model import DEFAULT_BOUNDS, LookedUp
from matcher.batch.progress import Busy, Interrupted, shared
from matcher.retrieval.candidates import Found, rank
from matcher.worker.match_version import LookUpAll, look_up_each
from storage.engine import transaction
from storage.matches import rematch as stored

if TYPE_CHECKING:
    from sqlalchemy import Engine
    from sqlalchemy.orm import Session

log = logging.getLogger(__name__)

LEAST_SHARE: Final = 1 / 100
"""Share of the stored texts that wait from which writing the files pays: that takes 0.04 ms for each stored text; a
look-up in the database takes 5 to 10 ms, in the files one.
"""


@contextmanager
def look_ups_for(
    engine: "Engine", folder: Path | None, *, waiting: int, should_stop: Callable[[], bool]
) -> Iterator[LookUpAll]:
    """Return look-ups for so many waiting pages: in files in `folder`, which processes on this machine share, or in the
    database if few pages wait, or without a folder.
    """
    with transaction(engine) as session:
        store, texts = stored.identity(session), stored.count_texts(session)
    if folder is None or waiting < LEAST_SHARE * texts:
        yield look_up_each
        return
    identity = sha256(repr((store, version("zhiwen"), ALGORITHM_VERSION, DEFAULT_BOUNDS)).encode()).hexdigest()

    def make(path: Path) -> None:
        export(engine, path, should_stop=should_stop, tell=lambda *_: None)

    with ExitStack() as stack:
        look_up: LookUpAll = look_up_each
        try:
            stack.enter_context(shared(folder, identity, make=make, should_stop=should_stop))
            look_up = _InFiles(Index.opened(folder))
        except (Busy, Interrupted, OSError) as error:
            log.warning("Candidates are looked up in the database, one page at a time: %r", error)
        yield look_up


class _InFiles:
    """Looks texts up that were stored when the files were written; queries the database for the others.

    A page stored later is on the backlog itself, and its own comparison finds those in the files.
    """

    def __init__(self, index: Index) -> None:
        self._index = index

    def __call__(self, session: "Session", asked: Mapping[int, Analysis]) -> Mapping[int, Found]:
        queries = {
            text_id: one
            for text_id, text in asked.items()
            if (one := self._index.asked_for(text_id, seeds=text.asked_seeds.hashes, slices=text.slice_keys))
        }
        found = dict(zip(queries, self._index.look_up(list(queries.values())), strict=True))
        return looked_up_before(found)(session, asked)


def looked_up_before(found: Mapping[int, LookedUp]) -> LookUpAll:
    """Return a look-up that answers from `found`, and queries the database for texts that are not in it."""

    def look_up(session: "Session", asked: Mapping[int, Analysis]) -> dict[int, Found]:
        others = {text_id: text for text_id, text in asked.items() if text_id not in found}
        return look_up_each(session, others) | {
            text_id: rank(text, one.near.pairs(), one.seeds.hits(), one.slices.hits(), cut=one.near.cut)
            for text_id, text in asked.items()
            if (one := found.get(text_id)) is not None
        }

    return look_up
