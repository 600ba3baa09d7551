"""`match` and `matches`."""

import csv
import sys
from typing import TYPE_CHECKING, Any, Final

import click

from matcher.explanation.json_shapes import hit_json
from storage.engine import transaction
from storage.matches import backlog
from storage.matches import hits as stored
from storage.records.matches import HitFilter
from storage.types import Credit, MatchKind, SiteRole, Standing
from zhiwen.output.json_shapes import CSV_COLUMNS, csv_row
from zhiwen.output.progress import bar, stopped_by_signals
from zhiwen.output.terminal import fail, json_option, print_json, print_table, reporting_errors, say, store

if TYPE_CHECKING:
    from threading import Event

    from sqlalchemy import Engine

    from matcher.cases.hit_status import HitStanding
    from matcher.worker.match_version import Progress as Done
    from zhiwen.config.settings import Settings

WATCH_EVERY_S: Final = 2.0


@click.command()
@click.option("--watch", is_flag=True, help="Go on: compare what comes in until Ctrl-C.")
@reporting_errors
def match(*, watch: bool) -> None:
    """Compare every stored text that was not yet compared with all others.

    May be interrupted at any time, and run by several processes at once: nothing is lost and nothing done twice.
    """
    stop = stopped_by_signals()
    with store() as (settings, engine):
        done = _work_off(engine, stop, settings)
        while watch and not stop.wait(WATCH_EVERY_S):
            done = done.plus(_work_off(engine, stop, settings))
        with transaction(engine) as session:
            hits, waiting = stored.count_hits(session), backlog.waiting(session)
    say(
        f"Compared {done.compared} pages, found {done.matched} matching texts. "
        f"Copies known: {hits}. Waiting: {waiting}."
    )
    if done.cut:
        say(f"{done.cut} candidates were left out by a bound: far more texts share something than can be aligned.")
    if stop.is_set() and not watch:
        raise click.Abort
    if done.failed:
        fail(f"{done.failed} pages could not be compared; they are set aside and tried again later. See the log above.")


def _work_off(engine: "Engine", stop: "Event", settings: "Settings") -> "Done":
    from matcher.cases.case_rule import CaseRule  # noqa: PLC0415
    from matcher.worker.backlog import work_off  # noqa: PLC0415  # dictionaries are loaded only by those who match

    with transaction(engine) as session:
        waiting = backlog.waiting(session)
    with bar("comparing", waiting) as shown:
        return work_off(
            engine,
            should_stop=stop.is_set,
            on_progress=lambda done: shown(done.compared),
            rule=CaseRule(min_chars=settings.case_min_chars, min_share=settings.case_min_share),
        )


@click.command()
@json_option
@click.option("--csv", "as_csv", is_flag=True, help="Print comma-separated values, one copy a line.")
@click.option("--site", help="Copies or sources on this site.")
@click.option("--owner", help="Copies or sources of this owner.")
@click.option("--kind", type=click.Choice([kind.value for kind in MatchKind]))
@click.option("--credit", type=click.Choice([credit.value for credit in Credit]))
@click.option("--role", type=click.Choice([role.value for role in SiteRole]), help="Role of the source's site.")
@click.option("--min-share", type=click.FloatRange(0, 1), default=0.0, help="At least this share of the copy is taken.")
@click.option("--min-score", type=click.FloatRange(0, 1), default=0.0)
@click.option("--text", help="Part of a URL or title on either side.")
@click.option("--cases", "open_case", is_flag=True, help="Only copies that stand in an open case.")
@click.option("--limit", type=click.IntRange(1))
@reporting_errors
def matches(*, as_json: bool, as_csv: bool, limit: int | None, **filters: Any) -> None:
    """Copies found, surest first: who has it from whom, how much, how disguised, credited or not."""
    if as_json and as_csv:
        raise click.UsageError("Choose one of --json and --csv.")
    from matcher.cases.hit_status import standings_of  # noqa: PLC0415  # tables are loaded only by those who ask

    where = HitFilter(**_typed(filters))
    with store() as (_, engine), transaction(engine) as session:
        found = stored.list_hits(session, where, limit=limit)
        standings = standings_of(session, found)
        waiting = backlog.waiting(session)
    if as_json:
        for hit in found:
            print_json(hit_json(hit, standings[hit.id]))
    elif as_csv:
        writer = csv.writer(sys.stdout, lineterminator="\n")
        writer.writerow(CSV_COLUMNS)
        writer.writerows(csv_row(hit, standings[hit.id]) for hit in found)
    else:
        rows = [
            (hit.copy.title or hit.copy.url, hit.copy.site_name or hit.copy.host, hit.source.title or hit.source.url,
             hit.source.site_name or hit.source.host, hit.kind, f"{hit.copy.share:.0%}", hit.longest, hit.credit,
             f"{hit.confidence:.0%}", f"{hit.score:.2f}", _licence(standings[hit.id]), standings[hit.id].case_id)
            for hit in found
        ]  # fmt: skip
        columns = (
            "copy",
            "on",
            "source",
            "on",
            "kind",
            "taken",
            "longest",
            "credit",
            "direction",
            "score",
            "licence",
            "case",
        )
        print_table(columns, rows)
    if waiting:
        say(f"{waiting} pages are not compared yet. Run: zhiwen match")


def _licence(standing: "HitStanding") -> str:
    """`licensed`, `breach: no-link`, or nothing where there is none."""
    permission = standing.permission
    if permission is None or permission.standing is Standing.UNLICENSED:
        return ""
    return ": ".join(filter(None, (permission.standing, ", ".join(permission.broken))))


def _typed(filters: dict[str, Any]) -> dict[str, Any]:
    words = {"kind": MatchKind, "credit": Credit, "role": SiteRole}
    return {name: words[name](value) if name in words and value else value for name, value in filters.items()}
