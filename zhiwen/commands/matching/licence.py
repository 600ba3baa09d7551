"""`licence`: who may republish which texts."""

from dataclasses import asdict
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, Final
from zoneinfo import ZoneInfo

import click

from storage.cases import licences
from storage.engine import transaction
from storage.records.cases import LicenceTerms
from storage.types import Credit
from zhiwen.output.terminal import json_option, print_records, say, store, store_session

if TYPE_CHECKING:
    from storage.records.cases import LicenceRecord

DAY: Final = click.DateTime(formats=["%Y-%m-%d"])
REQUIRED: Final = {"link": Credit.LINKED, "credit": Credit.NAMED, "nothing": Credit.NONE}


@click.group()
def licence() -> None:
    """Manage licences: who may republish which of your texts, and on which terms."""


@licence.command()
@click.option("--owner", help="Licence all texts of this owner.")
@click.option("--author", help="Licence all texts of this author.")
@click.option("--article", help="Licence the article at this URL.")
@click.option("--to", "copier", help="Owner who may republish; anyone by default.")
@click.option(
    "--column", "columns", multiple=True, help="Only in this column: a path prefix (/news/) or a section (sport)."
)
@click.option(
    "--requires",
    type=click.Choice(list(REQUIRED)),
    default="nothing",
    help="What a copy must have: a link, a credit (a link counts as one), or nothing.",
)
@click.option(
    "--delay", type=click.IntRange(0, 36_500), default=0, help="Days that a copy must wait after the original appeared."
)
@click.option("--from", "first", type=DAY, help="First date of the term, such as 2026-01-01.")
@click.option("--until", "last", type=DAY, help="Last date of the term.")
@click.option("--notes", default="", show_default=False, help="Free text.")
def add(**said: Any) -> None:
    """Add a licence."""
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
    _report_backlog(waiting)


def _refuse_contradictions(said: dict[str, Any]) -> None:
    given = [name for name in ("owner", "author", "article") if said[name]]
    if len(given) != 1:
        raise click.UsageError("Give exactly one of --owner, --author and --article.")
    if said["owner"] and said["owner"] == said["copier"]:
        raise click.UsageError(f"{said['owner']} needs no licence for its own texts.")
    if said["first"] and said["last"] and said["last"] < said["first"]:
        raise click.UsageError("--until is before --from.")


def _canonical(url: str | None) -> str | None:
    from crawler.outcomes.errors import UnusableUrl  # noqa: PLC0415  # only for a licence of one article
    from crawler.urls.canonical import canonical_url  # noqa: PLC0415

    try:
        return canonical_url(url) if url else None
    except UnusableUrl as error:
        raise click.UsageError(str(error)) from error


def _start(day: datetime | None, zone: ZoneInfo) -> datetime | None:
    return None if day is None else day.replace(tzinfo=zone)


@licence.command("list")
@json_option
def list_(*, as_json: bool) -> None:
    """List all licences."""
    with store() as (settings, engine), transaction(engine) as session:
        found = licences.list_licences(session)
    zone = ZoneInfo(settings.time_zone)
    columns = ("number", "texts of", "licensed to", "columns", "requires", "delay", "from", "until", "notes")
    shapes = [_plain(record, zone) for record in found]
    print_records(shapes, columns, _row, as_json=as_json, shape=dict)


@licence.command()
@click.argument("number", type=int)
def remove(number: int) -> None:
    """Remove a licence by its number."""
    with store_session() as session:
        removed = licences.remove_licence(session, number)
        waiting = licences.requeue_licensed(session, removed)
    say(f"Removed licence {number}.")
    _report_backlog(waiting)


def _report_backlog(waiting: int) -> None:
    if waiting:
        say(f"{waiting} articles under it have matches. Judge them again with: zhiwen match")


def _plain(record: "LicenceRecord", zone: ZoneInfo) -> dict[str, Any]:
    """With the keys and values of the options of `add`."""
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
