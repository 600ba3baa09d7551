"""Recomputes fingerprints of an older algorithm version. Any number of processes may do so at once."""

import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from fingerprint.compute import fingerprint_texts
from matcher.cases.setting_aside import renew
from storage.engine import transaction
from storage.fingerprints import recompute

if TYPE_CHECKING:
    from sqlalchemy import Engine

BATCH: Final = 200
PAUSE_S: Final = 0.2


def bring_up_to_date(
    engine: "Engine", *, should_stop: Callable[[], bool], on_progress: Callable[[int], None] | None = None
) -> int:
    """Work until no text waits or `should_stop()`; return how many this call did. Texts that people have set aside get
    their runs of this version first.

    Returns only when the last text of all processes is done: an earlier comparison would see half of the store.
    """
    renew(engine, should_stop=should_stop)
    done = 0
    while not should_stop():
        with transaction(engine) as session:
            claimed = recompute.claim(session, limit=BATCH)
            recompute.keep(session, dict(zip(claimed, fingerprint_texts(claimed.values()), strict=True)))
            left = recompute.waiting(session) if not claimed else BATCH
        done += len(claimed)
        if claimed and on_progress is not None:
            on_progress(done)
        if not left:
            break
        if not claimed:
            time.sleep(PAUSE_S)
    return done
