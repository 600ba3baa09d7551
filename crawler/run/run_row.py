"""The row of a run: what it counted, and how it ended."""

from typing import TYPE_CHECKING

from storage.crawl import runs
from storage.monitoring import site_alarms

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sqlalchemy.orm import Session


def record_run(
    session: "Session",
    run_id: int,
    counters: "Mapping[str, int]",
    samples: "Mapping[str, Sequence[str]]",
    exit_reason: str | None,
) -> None:
    """Writes what a run counted, and its end if there is an `exit_reason`."""
    if exit_reason is None:
        runs.record_run(session, run_id, counters=counters, refusal_samples=samples)
    else:
        runs.finish_run(session, run_id, exit_reason=exit_reason, counters=counters, refusal_samples=samples)
    site_alarms.judge_run(session, run_id, counters)
