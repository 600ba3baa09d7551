"""`match` and `matches`."""

import csv
import sys
from typing import TYPE_CHECKING, Any, Final

import click

from matcher.explanation.json_shapes import hit_json, retelling_json
from storage.engine import transaction
from storage.matches import backlog
from storage.matches import hits as stored
from storage.meaning import retellings
from storage.records.matches import HitFilter
from storage.types import Credit, MatchKind, RetellingKind, SiteRole, Standing
from zhiwen.commands.matching.encoding import encode_with_bar
from zhiwen.output.json_shapes import CSV_COLUMNS, csv_cells, csv_row
from zhiwen.output.number_types import ROWS, NumberRange
from zhiwen.output.progress import bar, stopped_by_signals
from zhiwen.output.terminal import ValueOf, fail, json_option, print_records, say, store, store_session
from zhiwen.wiring import case_rule

if TYPE_CHECKING:
    from threading import Event

    from sqlalchemy import Engine

    from matcher.cases.hit_status import HitStanding
    from matcher.cases.retelling_standing import RetellingStanding
    from matcher.worker.match_version import Progress as Done
    from storage.records.matches import HitRecord
    from storage.records.retellings import RetellingRecord
    from zhiwen.config.settings import Settings

WATCH_EVERY_S: Final = 2.0
FOLDER: Final = "match"
"""Folder in the home for the files of a large backlog."""
_COLUMNS: Final = (
    *("copy", "on", "source", "on", "kind", "share", "longest", "credit", "confidence", "score", "licence", "case"),
)


@click.command()
@click.option("--watch", is_flag=True, help="Keep comparing new texts until Ctrl-C.")
def match(*, watch: bool) -> None:
    """Compare all texts of the backlog with the store, then encode new texts and compare them by meaning.

    It can be interrupted at any time, and several processes can run at once: no text is lost or compared twice.
    """
    stop = stopped_by_signals()
    with store() as (settings, engine):
        done = _work_off(engine, stop, settings)
        encode_with_bar(settings, engine, stop)
        if _is_any_waiting(engine):  # what was found by meaning may explain hits
            done = done.plus(_work_off(engine, stop, settings))
        while watch and not stop.wait(WATCH_EVERY_S):
            done = done.plus(_work_off(engine, stop, settings))
            encode_with_bar(settings, engine, stop)
        with transaction(engine) as session:
            hits, waiting = stored.count_hits(session), backlog.waiting(session)
    say(
        f"Compared {done.compared} pages, found {done.matched} matching texts. "
        f"Copies known: {hits}. Backlog: {waiting}."
    )
    if done.cut:
        say(f"{done.cut} candidates were left out by a limit: too many texts share keys to align them all.")
    if stop.is_set() and not watch:
        raise click.Abort
    if done.failed:
        fail(f"{done.failed} pages could not be compared; they are set aside and tried again later. See above.")


def _is_any_waiting(engine: "Engine") -> bool:
    with transaction(engine) as session:
        return backlog.waiting(session) > 0


def _work_off(engine: "Engine", stop: "Event", settings: "Settings") -> "Done":
    from matcher.worker.backlog import work_off  # noqa: PLC0415  # loads the dictionaries

    with transaction(engine) as session:
        waiting = backlog.waiting(session)
    with bar("comparing", waiting) as shown:
        return work_off(
            engine,
            should_stop=stop.is_set,
            on_progress=lambda done: shown(done.compared),
            rule=case_rule(settings),
            folder=settings.home / FOLDER,
        )


@click.command()
@json_option
@click.option("--csv", "as_csv", is_flag=True, help="Print comma-separated values, one copy a line.")
@click.option("--site", help="Only copies or sources on this site.")
@click.option("--owner", help="Only copies or sources of this owner.")
@click.option(
    "--kind",
    type=click.Choice([kind.value for kind in (*MatchKind, *RetellingKind)]),
    help="Only copies of this kind; retold and translated list pages that say the same in other words.",
)
@click.option("--credit", type=ValueOf(Credit), help="Only copies that give this credit.")
@click.option("--role", type=ValueOf(SiteRole), help="Only copies whose source is on a site of this role.")
@click.option(
    "--min-share", type=NumberRange(0, 1), default=0.0, help="Only copies with at least this share of copied text."
)
@click.option("--min-score", type=NumberRange(0, 1), default=0.0, help="Only copies with at least this score.")
@click.option("--text", help="Only copies with this text in a URL or title on either side.")
@click.option("--cases", "open_case", is_flag=True, help="Only copies in an open case.")
@click.option("--limit", type=ROWS, help="Most copies to list.")
def matches(*, as_json: bool, as_csv: bool, limit: int | None, **filters: Any) -> None:
    """List copies found, most confident first: copy and source, share copied, kind, credit, case."""
    if as_json and as_csv:
        raise click.UsageError("Choose one of --json and --csv.")
    if filters["kind"] in set(RetellingKind):
        _list_retellings(
            RetellingKind(filters.pop("kind")), HitFilter(**filters), limit, as_json=as_json, as_csv=as_csv
        )
        return
    from matcher.cases.hit_status import standings_of  # noqa: PLC0415  # only where needed

    filters["kind"] = MatchKind(filters["kind"]) if filters["kind"] else None
    with store_session() as session:
        found = stored.list_hits(session, HitFilter(**filters), limit=limit)
        standings = standings_of(session, found)
        waiting = backlog.waiting(session)
    if as_csv:
        writer = csv.writer(sys.stdout, lineterminator="\n")
        writer.writerow(CSV_COLUMNS)
        writer.writerows(csv_row(hit, standings[hit.id]) for hit in found)
    else:
        print_records(
            found,
            _COLUMNS,
            lambda hit: _row(hit, standings[hit.id]),
            as_json=as_json,
            shape=lambda hit: hit_json(hit, standings[hit.id]),
        )
    if waiting:
        say(f"{waiting} pages are not compared yet. Run: zhiwen match")


def _list_retellings(kind: RetellingKind, where: HitFilter, limit: int | None, *, as_json: bool, as_csv: bool) -> None:
    """List pages that may say the same in other words or in another language. Credit is judged here, not stored."""
    from matcher.cases.retelling_standing import standings_of_retellings  # noqa: PLC0415  # only where needed

    with store_session() as session:
        found = retellings.list_retellings(session, kind, where, limit=None if where.credit else limit)
        standings = standings_of_retellings(session, found)
    kept = [one for one in found if where.credit in (None, standings[one.id].credit.credit)][:limit]
    if as_csv:
        writer = csv.writer(sys.stdout, lineterminator="\n")
        writer.writerow(CSV_COLUMNS)
        writer.writerows(csv_cells(retelling_json(one, standings[one.id])) for one in kept)
        return
    print_records(
        kept,
        _COLUMNS,
        lambda one: _retelling_row(one, standings[one.id]),
        as_json=as_json,
        shape=lambda one: retelling_json(one, standings[one.id]),
    )


def _retelling_row(one: "RetellingRecord", judged: "RetellingStanding") -> tuple[object, ...]:
    sides = [(side.title or side.url, side.site_name or side.host) for side in (one.copy, one.source)]
    longest = max((pair.left_end - pair.left_start for pair in one.sentences), default=0)
    shares = (one.kind, f"{one.copy.share:.0%}", longest, judged.credit.credit, f"{one.confidence:.0%}")
    return *sides[0], *sides[1], *shares, f"{one.score:.2f}", _licence(judged.standing), one.case_id


def _row(hit: "HitRecord", standing: "HitStanding") -> tuple[object, ...]:
    sides = [(side.title or side.url, side.site_name or side.host) for side in (hit.copy, hit.source)]
    shares = (hit.kind, f"{hit.copy.share:.0%}", hit.longest, hit.credit, f"{hit.confidence:.0%}", f"{hit.score:.2f}")
    return *sides[0], *sides[1], *shares, _licence(standing), standing.case_id


def _licence(standing: "HitStanding") -> str:
    """`licensed`, `breach: no-link`, or empty where there is none."""
    permission = standing.permission
    if permission is None or permission.standing is Standing.UNLICENSED:
        return ""
    return ": ".join(filter(None, (permission.standing, ", ".join(permission.broken))))
