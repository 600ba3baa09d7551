"""`licence`: who may republish what of ours."""

from dataclasses import asdict
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, Final
from zoneinfo import ZoneInfo

import click

from storage.cases import licences
from storage.engine import transaction
from storage.records.cases import LicenceTerms
from storage.types import Credit
from zhiwen.output.terminal import json_option, print_json, print_table, reporting_errors, say, store

if TYPE_CHECKING:
    from storage.records.cases import LicenceRecord

DAY: Final = click.DateTime(formats=["%Y-%m-%d"])
REQUIRED: Final = {"link": Credit.LINKED, "credit": Credit.NAMED, "nothing": Credit.NONE}


@click.group()
def licence() -> None:
    """Licences: who may republish what of yours, and on which terms."""


@licence.command()
@click.option("--owner", help="For all texts of this owner.")
@click.option("--author", help="For all texts of this author.")
@click.option("--article", help="For the one article at this URL.")
@click.option("--to", "copier", help="The owner who may; anyone if not given.")
@click.option("--column", "columns", multiple=True, help="Only there: a path prefix (/news/) or a section (sport).")
@click.option(
    "--requires",
    type=click.Choice(list(REQUIRED)),
    default="nothing",
    show_default=True,
    help="What a copy has to give: a link, a credit (a link will do), or nothing.",
)
@click.option("--delay", type=click.IntRange(0, 36_500), default=0, help="Days to wait after the original appeared.")
@click.option("--from", "first", type=DAY, help="First day of its term, such as 2026-01-01.")
@click.option("--until", "last", type=DAY, help="Last day of its term.")
@click.option("--notes", default="", help="Anything else.")
@reporting_errors
def add(**said: Any) -> None:
    """Say who may republish what."""
    _refuse_contradictions(said)
    article = _canonical(said["article"])
    with store() as (settings, engine), transaction(engine) as session:
        zone = ZoneInfo(settings.time_zone)
        terms = LicenceTerms(
            owner=said["owner"],
            author=said["author"],
            article_url=article,
            copier=said["copier"],
            columns=said["columns"],
            requires=REQUIRED[said["requires"]],
            delay_days=said["delay"],
            valid_from=_start(said["first"], zone),
            valid_until=_start(said["last"] + timedelta(days=1), zone) if said["last"] else None,
            notes=said["notes"],
        )
        added = licences.add_licence(session, terms)
        waiting = licences.requeue_licensed(session, added)
    say(f"Added licence {added.id}.")
    _say_what_waits(waiting)


def _refuse_contradictions(said: dict[str, Any]) -> None:
    given = [name for name in ("owner", "author", "article") if said[name]]
    if len(given) != 1:
        raise click.UsageError("Say whose texts these are with exactly one of --owner, --author and --article.")
    if said["owner"] and said["owner"] == said["copier"]:
        raise click.UsageError(f"{said['owner']} needs no licence for what is its own.")
    if said["first"] and said["last"] and said["last"] < said["first"]:
        raise click.UsageError("--until is before --from.")


def _canonical(url: str | None) -> str | None:
    from crawler.outcomes.errors import UnusableUrl  # noqa: PLC0415  # only a licence for one article has an address
    from crawler.urls.canonical import canonical_url  # noqa: PLC0415

    try:
        return canonical_url(url) if url else None
    except UnusableUrl as error:
        raise click.UsageError(str(error)) from error


def _start(day: datetime | None, zone: ZoneInfo) -> datetime | None:
    return None if day is None else day.replace(tzinfo=zone)


@licence.command("list")
@json_option
@reporting_errors
def list_(*, as_json: bool) -> None:
    """All licences."""
    with store() as (settings, engine), transaction(engine) as session:
        found = licences.list_licences(session)
    zone = ZoneInfo(settings.time_zone)
    if as_json:
        for record in found:
            print_json(_plain(record, zone))
        return
    columns = ("number", "texts of", "may be copied by", "columns", "requires", "delay", "from", "until", "notes")
    print_table(columns, [_row(_plain(record, zone)) for record in found])


@licence.command()
@click.argument("number", type=int)
@reporting_errors
def remove(number: int) -> None:
    """Take a licence back, by its number."""
    with store() as (_, engine), transaction(engine) as session:
        removed = licences.remove_licence(session, number)
        waiting = licences.requeue_licensed(session, removed)
    say(f"Removed licence {number}.")
    _say_what_waits(waiting)


def _say_what_waits(waiting: int) -> None:
    if waiting:
        say(f"{waiting} articles that it is about have matches. Judge them again with: zhiwen match")


def _plain(record: "LicenceRecord", zone: ZoneInfo) -> dict[str, Any]:
    """As the options of `add` say it."""
    terms = record.terms
    words = {credit: word for word, credit in REQUIRED.items()}
    last = None if terms.valid_until is None else terms.valid_until.astimezone(zone) - timedelta(days=1)
    first = None if terms.valid_from is None else terms.valid_from.astimezone(zone)
    return {
        "id": record.id,
        **{name: value for name, value in asdict(terms).items() if name not in ("valid_from", "valid_until")},
        "requires": words[terms.requires],
        "from": None if first is None else first.date(),
        "until": None if last is None else last.date(),
    }


def _row(plain: dict[str, Any]) -> tuple[object, ...]:
    return (
        *(plain["id"], plain["owner"] or plain["author"] or plain["article_url"], plain["copier"] or "anyone"),
        *(", ".join(plain["columns"]), plain["requires"], plain["delay_days"], plain["from"], plain["until"]),
        plain["notes"],
    )
