"""`boilerplate`: texts that prove nothing, as people set them aside."""

from typing import TYPE_CHECKING, Any, Final

import click

from matcher.boilerplate.set_aside import CannotSetAside
from matcher.cases import setting_aside
from matcher.cases.set_aside_effect import Effect, effect_of
from matcher.cases.setting_aside import LargePartOfOurs
from storage.accounts import audit_log
from storage.engine import transaction
from storage.fingerprints import set_aside as stored
from storage.records.set_aside import NewSetAside, SetAsideRecord
from storage.sites import owners, sites
from storage.types import SetAsideScope
from zhiwen.commands.articles.text_input import text_at
from zhiwen.output.terminal import fail, json_option, print_json, print_records, print_table, say, store, store_session
from zhiwen.wiring import case_rule

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

SHOWN: Final = 60
"""Characters of a text in a table."""
_COLUMNS: Final = ("our article", "their page", "case", "rests on it", "result")


@click.group()
def boilerplate() -> None:
    """Manage texts that prove nothing: set phrases, notices, templates."""


@boilerplate.command("list")
@click.option("--withdrawn", is_flag=True, help="Those that were withdrawn instead.")
@json_option
def list_(*, withdrawn: bool, as_json: bool) -> None:
    """List the texts that people have set aside."""
    with store_session() as session:
        found = stored.list_set_aside(session, withdrawn=withdrawn)
    columns = ("number", "text", "where", "cases withdrawn", "decided, rest on it", "by", "on")
    print_records(found, columns, _row, as_json=as_json, shape=_shape)


@boilerplate.command()
@click.argument("source")
@click.option("--site", help="Only in comparisons with pages of this site.")
@click.option("--owner", help="Only in comparisons with pages of this owner.")
@json_option
def preview(source: str, *, site: str | None, owner: str | None, as_json: bool) -> None:
    """Show what setting a text aside would take back: SOURCE is a file, a URL or -."""
    text = text_at(source)
    with store() as (settings, engine), transaction(engine) as session:
        try:
            effect = effect_of(session, _new(session, text, site, owner), rule=case_rule(settings))
        except CannotSetAside as error:
            fail(str(error))
    if as_json:
        print_json(effect_json(effect))
    else:
        _print(effect)


@boilerplate.command()
@click.argument("source")
@click.option("--site", help="Only in comparisons with pages of this site.")
@click.option("--owner", help="Only in comparisons with pages of this owner.")
@click.option("--note", default="", show_default=False, help="Free text.")
@click.option("--confirm", is_flag=True, help="Set it aside even if it is a large part of an article of yours.")
@json_option
def add(source: str, *, site: str | None, owner: str | None, note: str, confirm: bool, as_json: bool) -> None:
    """Set a text aside: SOURCE is a file, a URL or -. Undecided cases that rest on it are withdrawn."""
    text = text_at(source)
    with store() as (settings, engine), transaction(engine) as session:
        try:
            done = setting_aside.set_aside(
                session,
                _new(session, text, site, owner, note),
                actor_id=None,
                actor="",
                is_confirmed=confirm,
                rule=case_rule(settings),
            )
        except CannotSetAside as error:
            fail(str(error))
        except LargePartOfOurs as error:
            fail(f"{error} Confirm with --confirm.")
        detail = {"cases": str(done.cases), "hits": str(done.effect.hits_gone)}
        audit_log.record(session, actor=None, act="set-aside.add", subject=f"#{done.set_aside_id}", detail=detail)
    if as_json:
        print_json({"id": done.set_aside_id, "cases": done.cases, **effect_json(done.effect)})
        return
    _print(done.effect)
    say(f"Set aside as number {done.set_aside_id}; cases withdrawn or smaller: {done.cases}.")
    if done.waiting:
        say(f"{done.waiting} pages are to be compared again: zhiwen match")


@boilerplate.command()
@click.argument("number", type=int)
def withdraw(number: int) -> None:
    """Withdraw a text by its number: the cases come back as they were."""
    with store_session() as session:
        done = setting_aside.withdraw(session, number, by="")
        if done is None:
            fail(f"Text {number} was withdrawn before.")
        detail = {"cases": str(done.cases)}
        audit_log.record(session, actor=None, act="set-aside.withdraw", subject=f"#{number}", detail=detail)
    say(f"Withdrew text {number}; cases that are back: {done.cases}.")
    if done.waiting:
        say(f"{done.waiting} pages are to be compared again: zhiwen match")


def _new(session: "Session", text: str, site: str | None, owner: str | None, note: str = "") -> NewSetAside:
    if site and owner:
        raise click.UsageError("Give --site or --owner, not both.")
    if site:
        return NewSetAside(text, SetAsideScope.SITE, site_id=sites.get_site(session, site).id, note=note)
    if owner:
        key = f"owner:{owners.get_owner(session, owner).id}"
        return NewSetAside(text, SetAsideScope.OWNER, owner_key=key, note=note)
    return NewSetAside(text, note=note)


def _print(effect: Effect) -> None:
    rows = [
        (
            one.ours.url,
            one.theirs.url,
            one.stored.case_id,
            f"{one.share:.0%}",
            _result(one.takes_case, one.rests, one.is_hit),
        )
        for one in effect.pairs
    ]
    if rows:
        print_table(_COLUMNS, rows)
    say(
        f"Hits gone: {effect.hits_gone} of {len(effect.pairs)}. Open cases withdrawn or smaller: "
        f"{len(effect.cases_gone)}. Decided cases that rest on it and stay: {len(effect.cases_resting)}."
    )
    if effect.is_cut:
        say("More hits hold it than are judged here: the next comparison decides about the others.")
    for part in effect.large_parts:
        say(f"It is {part.share:.0%} of {part.page.url}, which is yours: copies of that article would not be found.")


def _result(takes_case: bool, rests: bool, is_hit: bool) -> str:  # three facts of one pair
    if takes_case:
        return "case withdrawn"
    if rests:
        return "decided: unchanged"
    return "stands by the rest" if is_hit else "hit gone"


def effect_json(effect: Effect) -> dict[str, Any]:
    """The effect as JSON: the pairs with their shares, and the articles of ours that it would silence."""
    return {
        "hits_gone": effect.hits_gone,
        "cases_gone": list(effect.cases_gone),
        "cases_resting": list(effect.cases_resting),
        "is_cut": effect.is_cut,
        "texts": effect.texts,
        "hits": [
            {
                "id": one.stored.hit_id,
                "ours": one.ours.url,
                "theirs": one.theirs.url,
                "case": one.stored.case_id,
                "share": round(one.share, 4),
                "is_hit": one.is_hit,
                "takes_case": one.takes_case,
            }
            for one in effect.pairs
        ],
        "large_parts": [{"url": one.page.url, "share": round(one.share, 4)} for one in effect.large_parts],
    }


def _row(record: SetAsideRecord) -> tuple[object, ...]:
    where = record.site or record.owner or record.scope.value
    shown = " ".join(record.body.split())[:SHOWN]
    by = record.actor or "the command line"
    return record.id, shown, where, record.taken_back, record.resting, by, record.made_at.date()


def _shape(record: SetAsideRecord) -> dict[str, Any]:
    return {
        "id": record.id,
        "text": record.body,
        "scope": record.scope.value,
        "site": record.site,
        "owner": record.owner,
        "note": record.note,
        "by": record.actor,
        "made_at": record.made_at,
        "withdrawn_at": record.withdrawn_at,
        "withdrawn_by": record.withdrawn_by,
        "taken_back": record.taken_back,
        "resting": record.resting,
    }
