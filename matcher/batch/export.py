"""Exports a snapshot of the store by COPY into the sorted files of `matcher.batch.index`."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeAlias

import numpy as np

from matcher.batch.progress import Interrupted
from matcher.batch.simhash_index import write_codes
from matcher.batch.sorted_keys import Places, written_sorted
from storage.matches import rematch as stored

if TYPE_CHECKING:
    from sqlalchemy import Engine
    from sqlalchemy.orm import Session

    from matcher.batch.model import Texts

Tell: TypeAlias = Callable[[str, int, int], None]
"""Reports progress: what is read, how much is done, and about how much there is."""

SOURCES: Final = {"seeds": stored.copy_seeds, "slices": stored.copy_slices}


def export(engine: "Engine", folder: Path, *, should_stop: Callable[[], bool], tell: Tell) -> None:
    """Writes everything that `Index.opened` and `versions_of` read. Raises Interrupted."""

    def go_on(what: str, done: int, whole: int) -> None:
        if should_stop():
            raise Interrupted
        tell(what, done, whole)

    folder.mkdir(parents=True, exist_ok=True)
    with stored.snapshot(engine) as session:
        ids = _codes(session, folder, go_on)
        expected = stored.estimated_keys(session)
        for name, copy in SOURCES.items():
            with written_sorted(folder / name, expected=expected) as write:
                done = 0

                def take(rows: stored.Rows, write: Callable[..., None] = write, name: str = name) -> None:
                    nonlocal done
                    done += len(rows)
                    go_on(f"reading {name}", done, max(expected // len(SOURCES), done))
                    write(rows["key"].astype(np.int32), _places(ids, rows["text"].astype(np.int64)))

                copy(session, take)
        np.array(sorted(stored.quiet_seeds(session)), dtype=np.int32).tofile(folder / "quiet")
        _versions(session, folder, ids)


def _codes(session: "Session", folder: Path, tell: Tell) -> "Texts":
    parts: dict[str, list[Texts]] = {"text": [], "simhash": [], "known": []}

    def take(rows: stored.Rows) -> None:
        for name, some in parts.items():
            some.append(rows[name].astype(np.int64))
        done = sum(map(len, parts["text"]))
        tell("reading simhashes", done, done)

    stored.copy_codes(session, take)
    ids, simhashes, known = (np.concatenate([np.empty(0, dtype=np.int64), *some]) for some in parts.values())
    has_code, codes = known.astype(np.bool_), simhashes.view(np.uint64)
    ids.tofile(folder / "ids")
    has_code.tofile(folder / "has_code")
    codes.tofile(folder / "code_of")
    write_codes(folder / "codes", codes[has_code], np.flatnonzero(has_code).astype(np.uint32))
    return ids


def _versions(session: "Session", folder: Path, ids: "Texts") -> None:
    texts, versions = [np.empty(0, dtype=np.int64)], [np.empty(0, dtype=np.int64)]

    def take(rows: stored.Rows) -> None:
        texts.append(rows["text"].astype(np.int64))
        versions.append(rows["version"].astype(np.int64))

    stored.copy_versions(session, take)
    held = np.concatenate(texts)
    has_keys = np.isin(held, ids)
    np.concatenate(versions)[has_keys].tofile(folder / "versions")
    begins = np.searchsorted(held[has_keys], np.append(ids, np.iinfo(np.int64).max))
    begins.astype(np.int64).tofile(folder / "versions_begin")


def _places(ids: "Texts", texts: "Texts") -> Places:
    return np.searchsorted(ids, texts).astype(np.uint32)
