"""The backlog: claims, compares and stores new page versions, one transaction a batch."""

import logging
from collections.abc import Callable, Collection, Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeAlias

from matcher.boilerplate.survey import survey
from matcher.cases.case_rule import DEFAULT_RULE, CaseRule
from matcher.comparison.kept_texts import KeptTexts
from matcher.worker.match_version import LookUpAll, Progress, look_up_each, match_versions
from matcher.worker.recompute import bring_up_to_date
from matcher.worker.sorted_look_ups import look_ups_for
from storage.analytics import fingerprint_health
from storage.engine import transaction
from storage.matches import backlog
from storage.postgres import statistics
from storage.records.matches import BacklogItem

if TYPE_CHECKING:
    from sqlalchemy import Engine
    from sqlalchemy.orm import Session

LOG = logging.getLogger(__name__)

BATCH: Final = 64
SURVEY_FROM: Final = 500
"""Number of waiting pages from which a survey of the whole store costs less than comparing them twice."""


Match: TypeAlias = Callable[["Session", Sequence[BacklogItem]], Progress]
"""Compares versions of the backlog."""


def work_off(
    engine: "Engine",
    *,
    should_stop: Callable[[], bool],
    on_progress: Callable[[Progress], None] | None = None,
    rule: CaseRule = DEFAULT_RULE,
    folder: Path | None = None,
) -> Progress:
    """Compare all versions of the backlog, until it is empty or `should_stop()`. Safe to run in any number of
    processes.

    Texts without a fingerprint of this version get it first; if many pages are new, repeated runs are judged before the
    first comparison, and candidates are looked up in sorted files in `folder` (see `matcher.worker.sorted_look_ups`).
    """
    bring_up_to_date(engine, should_stop=should_stop)
    with transaction(engine) as session:
        waiting = backlog.waiting(session)
    if waiting < SURVEY_FROM:
        done = work_on(engine, should_stop=should_stop, on_progress=on_progress, rule=rule)
    else:
        survey(engine, should_stop=should_stop, of_waiting=True)
        with look_ups_for(engine, folder, waiting=waiting, should_stop=should_stop) as look_up:
            done = work_on(engine, should_stop=should_stop, on_progress=on_progress, rule=rule, look_up=look_up)
    if done.compared:
        statistics.refresh(engine)
    return done


def work_on(
    engine: "Engine",
    *,
    should_stop: Callable[[], bool],
    on_progress: Callable[[Progress], None] | None = None,
    rule: CaseRule = DEFAULT_RULE,
    among: Collection[int] | None = None,
    look_up: LookUpAll = look_up_each,
) -> Progress:
    """Do the same without checking first whether fingerprints or boilerplate verdicts are due. `among`: only these
    versions; `look_up` retrieves the candidates.
    """
    match = partial(match_versions, rule=rule, look_up=look_up, kept=KeptTexts())
    total = Progress()
    while not should_stop():
        step = _batch(engine, match, among)
        if step is None:
            return total
        total = total.plus(step)
        _note(engine, step)
        if on_progress is not None:
            on_progress(total)
    return total


def _note(engine: "Engine", step: Progress) -> None:
    """Count compared and failed versions by date, in a transaction of its own, so that no batch waits for another."""
    with transaction(engine) as session:
        fingerprint_health.note_comparisons(session, datetime.now(UTC).date(), **asdict(step))


def _batch(engine: "Engine", match: Match, among: Collection[int] | None) -> Progress | None:
    """Compare one batch in one transaction; if a page of it fails, repeat the batch page by page."""
    try:
        with transaction(engine) as session:
            items = backlog.claim(session, limit=BATCH, among=among)
            if not items:
                return None
            done = match(session, items)
            backlog.done(session, [item.version_id for item in items])
    except Exception:
        LOG.exception("a batch failed; its pages are compared one by one")
        return _one_by_one(engine, match, among)
    return done


def _one_by_one(engine: "Engine", match: Match, among: Collection[int] | None) -> Progress:
    done = Progress()
    for _ in range(BATCH):
        with transaction(engine) as session:
            items = backlog.claim(session, limit=1, among=among)
            if items:
                done = done.plus(_single(session, items[0], match))
    return done


def _single(session: "Session", item: BacklogItem, match: Match) -> Progress:
    """Compare one page; if it fails, store its error and roll back what it had written."""
    try:
        with session.begin_nested():
            step = match(session, [item])
            backlog.done(session, [item.version_id])
    except Exception as error:  # any failure of one page must not stop the others, and is stored with it
        LOG.exception("version %d could not be compared", item.version_id, extra={"page": item.page_id})
        backlog.push_ahead(session, item.version_id, f"{type(error).__name__}: {error}")
        return Progress(failed=1)
    return step
