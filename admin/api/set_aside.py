"""Texts that prove nothing: listing, setting aside with its effect shown first, withdrawing."""

from typing import Any, Final

from marshmallow import Schema, fields

from admin.api.asking import Caller
from admin.api.fields import PieceQuery, RequestSchema, one_of, piece, pieces_of, words
from admin.api.problems import refuse
from admin.api.routes import READS, Needs, Routes
from admin.web import reading_slots
from admin.web.db_session import database
from admin.web.services import current_services
from matcher.boilerplate.set_aside import MOST_CHARS, CannotSetAside
from matcher.cases import setting_aside
from matcher.cases.set_aside_effect import Effect, effect_of
from matcher.cases.setting_aside import LargePartOfOurs
from storage.accounts import audit_log
from storage.accounts.api_tokens import TokenScope
from storage.errors import NotKnown
from storage.fingerprints import set_aside as stored
from storage.jobs import queue
from storage.records.set_aside import NewSetAside, SetAsideRecord
from storage.sites import owners, sites
from storage.types import AccountRole, SetAsideScope

_MOST_BYTES: Final = 8 * MOST_CHARS
_SETS_ASIDE: Final = Needs(TokenScope.DECIDE, AccountRole.REVIEWER)

routes = Routes("set-aside", "Texts that people have set aside: they prove nothing, and no case rests on them.")


class SetAsideItem(Schema):
    """A text that was set aside."""

    id = fields.Integer(required=True)
    text = fields.String(required=True)
    scope = fields.String(required=True, metadata={"enum": list(SetAsideScope)})
    site = fields.String(required=True, allow_none=True)
    owner = fields.String(required=True, allow_none=True)
    note = fields.String(required=True)
    by = fields.String(required=True, metadata={"description": "Who set it aside; empty: the command line."})
    made_at = fields.DateTime(required=True)
    withdrawn_at = fields.DateTime(required=True, allow_none=True)
    withdrawn_by = fields.String(required=True)
    taken_back = fields.Integer(required=True, metadata={"description": "Cases that it withdrew or made smaller."})
    resting = fields.Integer(required=True, metadata={"description": "Decided cases that rest on it."})


class SetAsideQuery(PieceQuery):
    withdrawn = fields.Boolean(load_default=False, metadata={"description": "Those that were withdrawn instead."})


class SetAsideBody(RequestSchema):
    """A text, and where it proves nothing. Unless `act` is true, the answer only says what it would take back."""

    text = words(MOST_CHARS, least=1, required=True, about="The text as it stands on a page.")
    scope = one_of(SetAsideScope, about="Default: everywhere.")
    site = words(200, about="The site's name, for the scope `site`.")
    owner = words(200, about="The owner's name, for the scope `owner`.")
    note = words(stored.NOTE_CHARS)
    act = fields.Boolean(load_default=False, metadata={"description": "Whether to set it aside."})
    confirm = fields.Boolean(
        load_default=False, metadata={"description": "Even if it is a large part of an article of ours."}
    )


class HitEffect(Schema):
    """A stored hit that holds the text, and what is left of it."""

    id = fields.Integer(required=True)
    case = fields.Integer(required=True, allow_none=True)
    share = fields.Float(required=True, metadata={"description": "Of what the hit shares, how much is in the text."})
    is_hit = fields.Boolean(required=True, metadata={"description": "Whether the rest is still a match."})
    takes_case = fields.Boolean(required=True, metadata={"description": "Whether its page leaves an undecided case."})


class LargePartItem(Schema):
    """An article of ours of which the text is more than a third."""

    url = fields.String(required=True)
    share = fields.Float(required=True)


class EffectAnswer(Schema):
    """What setting the text aside takes back."""

    id = fields.Integer(required=True, allow_none=True, metadata={"description": "Its number, once it is set aside."})
    hits_gone = fields.Integer(required=True)
    cases_gone = fields.List(fields.Integer(), required=True)
    cases_resting = fields.List(fields.Integer(), required=True)
    is_cut = fields.Boolean(required=True, metadata={"description": "Whether more hits hold it than were judged."})
    hits = fields.List(fields.Nested(HitEffect), required=True)
    large_parts = fields.List(fields.Nested(LargePartItem), required=True)


class NothingBody(RequestSchema):
    """No fields."""


class WithdrawnAnswer(Schema):
    """The text is withdrawn."""

    id = fields.Integer(required=True)
    cases = fields.Integer(required=True, metadata={"description": "Cases that are back."})


SetAsideAnswer = pieces_of(SetAsideItem, "SetAsideAnswer")


@routes.get("", READS, query=SetAsideQuery, answer=SetAsideAnswer)
def list_set_aside(_caller: Caller, params: dict[str, Any]) -> object:
    """Texts that were set aside, newest first."""
    found = stored.list_set_aside(
        database(), withdrawn=params["withdrawn"], limit=params["limit"] + 1, below=params["cursor"]
    )
    return piece(found, params["limit"], _item)


@routes.post("", _SETS_ASIDE, body=SetAsideBody, answers={200: EffectAnswer}, most_bytes=_MOST_BYTES)
def put(caller: Caller, params: dict[str, Any]) -> object:
    """Shows what setting a text aside takes back, and does it if `act` is true."""
    new, rule = _new(params), current_services().case_rule
    reading_slots.take_for(new.body)
    try:
        if not params["act"]:
            return _effect(effect_of(database(), new, rule=rule), None)
        account = caller.account
        done = setting_aside.set_aside(
            database(), new, actor_id=account.id, actor=account.name, is_confirmed=params["confirm"], rule=rule
        )
    except CannotSetAside as error:
        refuse(422, str(error), word="cannot-set-aside")
    except LargePartOfOurs as error:
        refuse(409, f"{error} Send `confirm`: true.", word="large-part")
    said = {"cases": str(done.cases), "token": caller.token.name}
    audit_log.record(database(), actor=account, act="set-aside.add", subject=f"#{done.set_aside_id}", detail=said)
    queue.defer_once(database(), queue.MATCH)
    return _effect(done.effect, done.set_aside_id)


@routes.post("/<key:set_aside_id>/withdraw", _SETS_ASIDE, body=NothingBody, answers={200: WithdrawnAnswer})
def withdraw(caller: Caller, _asked: dict[str, Any], set_aside_id: int) -> object:
    """Withdraws a text: the cases come back as they were."""
    try:
        done = setting_aside.withdraw(database(), set_aside_id, by=caller.account.name)
    except NotKnown:
        refuse(404, f"There is no set-aside text {set_aside_id}.")
    if done is None:
        refuse(409, "It was withdrawn before.", word="withdrawn-before")
    said = {"cases": str(done.cases), "token": caller.token.name}
    audit_log.record(
        database(), actor=caller.account, act="set-aside.withdraw", subject=f"#{set_aside_id}", detail=said
    )
    queue.defer_once(database(), queue.MATCH)
    return {"id": set_aside_id, "cases": done.cases}


def _new(params: dict[str, Any]) -> NewSetAside:
    scope = SetAsideScope(params.get("scope", SetAsideScope.EVERYWHERE))
    new = {"body": params["text"], "scope": scope, "note": params.get("note", "")}
    try:
        if scope is SetAsideScope.SITE:
            return NewSetAside(**new, site_id=sites.get_site(database(), params.get("site", "")).id)
        if scope is SetAsideScope.OWNER:
            return NewSetAside(**new, owner_key=f"owner:{owners.get_owner(database(), params.get('owner', '')).id}")
    except NotKnown as error:
        refuse(422, f"{error} Name the site or the owner of the scope.", word="scope-unknown")
    return NewSetAside(**new)


def _item(record: SetAsideRecord) -> dict[str, Any]:
    return {
        "text": record.body,
        "by": record.actor,
        **{
            name: getattr(record, name)
            for name in ("id", "scope", "site", "owner", "note", "made_at", "withdrawn_at", "withdrawn_by")
        },
        "taken_back": record.taken_back,
        "resting": record.resting,
    }


def _effect(effect: Effect, set_aside_id: int | None) -> dict[str, Any]:
    return {
        "id": set_aside_id,
        "hits_gone": effect.hits_gone,
        "cases_gone": list(effect.cases_gone),
        "cases_resting": list(effect.cases_resting),
        "is_cut": effect.is_cut,
        "hits": [
            {
                "id": one.stored.hit_id,
                "case": one.stored.case_id,
                "share": one.share,
                "is_hit": one.is_hit,
                "takes_case": one.takes_case,
            }
            for one in effect.pairs
        ],
        "large_parts": [{"url": one.page.url, "share": one.share} for one in effect.large_parts],
    }
