"""Cases for programs: the permissions and rules of the desk apply."""

from typing import Any, Final

from flask import request
from marshmallow import Schema, fields, validate

from admin.api.asking import Caller
from admin.api.case_answers import CaseAnswer, CaseItem, EventItem
from admin.api.correspondence.letter_answers import LettersAnswer
from admin.api.correspondence.letters import with_answers
from admin.api.fields import Moment, PieceQuery, RequestSchema, key, one_of, piece, pieces_of, share, words, words_of
from admin.api.problems import refuse
from admin.api.routes import READS, Needs, Routes
from admin.cases.columns import FILTERS
from admin.cases.copier_summary import MOST_LINES
from admin.evidence.dossier import dossier_of
from admin.evidence.letter_gate import no_letter
from admin.evidence.made_packages import ACT, PACKAGE_TYPE, NoPackage, own_key, package_answer, signature_answer
from admin.web.db_session import database
from admin.web.services import current_services
from storage.accounts import audit_log
from storage.accounts.api_tokens import TokenScope
from storage.cases import actions, detail, handout, listing
from storage.cases.lists.filters import CaseFilter
from storage.errors import MoveNotAllowed, NothingToUndo
from storage.evidence.case_proofs import case_proofs
from storage.letters import listing as listing_of_letters
from storage.records.cases import Actor, CaseRecord
from storage.types import AccountRole, CaseQueue, CaseState, Dismissal

MOST_PAGES: Final = 100
_THEIRS_FIRST: Final = (
    "What is known says that their page was there before ours: there is nobody to notify. If you know that ours was "
    "first, say so at the desk, on the page of the case: We were first."
)
_OF_AGENCY: Final = (
    "The text may be a news agency's: there is nobody to notify. If you know that it is yours alone, say so at the "
    "desk, on the page of the case: Ours alone."
)
_OF_PASSAGE: Final = (
    "A search service returned the page, and it shares a passage only, which both may have from elsewhere: there is "
    "nobody to notify. If you know that they have it from you, say so at the desk, on the page of the case: A copy of "
    "ours."
)
_DECIDES: Final = Needs(TokenScope.DECIDE, AccountRole.REVIEWER)

routes = Routes("cases", "Copies of ours under a person's judgement.")


class _CasesQuery(PieceQuery):
    queue = one_of(CaseQueue)
    state = one_of(CaseState)
    site = words(200, about="A site's name, on either side.")
    owner = words(200, about="Who is behind the copies: an owner's name, or a host of which no owner is known.")
    min_share = share("Of our text, at least so much was taken.")
    opened_from = Moment(metadata={"description": "Opened then or later."})
    opened_before = Moment(metadata={"description": "Opened earlier than that."})
    text = words(400, least=1, about="Part of a title, an address or the copier's name.")


CasesQuery: type[RequestSchema] = type(
    "CasesQuery", (_CasesQuery,), {column.api_name: one_of(column.enum) for column in FILTERS}
)


class DecisionBody(RequestSchema):
    """A move of a case. `expected` is the state in which it was seen; if it has changed since, nothing is done."""

    to = one_of(CaseState, required=True)
    expected = one_of(CaseState, required=True)
    because = one_of(Dismissal, about="Why, where it is dismissed.")
    note = words(actions.NOTE_CHARS)


class UndoBody(RequestSchema):
    """Takes the last decision back."""

    event = key(required=True, about="The decision's number in the events of the case.")


class SignatureQuery(RequestSchema):
    """Which package."""

    sha256 = fields.String(
        validate=validate.Regexp(r"[0-9a-f]{64}\Z"), metadata={"description": "SHA-256 of the package, in hexadecimal."}
    )


CasesAnswer = pieces_of(CaseItem, "CasesAnswer")


class MoveAnswer(Schema):
    """The new state of the case, and the event with which the move can be undone."""

    id = fields.Integer(required=True)
    state = fields.String(required=True, metadata={"enum": list(CaseState)}, validate=validate.OneOf(list(CaseState)))
    event = fields.Nested(EventItem, required=True, allow_none=True)


@routes.get("", READS, query=CasesQuery, answer=CasesAnswer)
def list_cases(_caller: Caller, params: dict[str, Any]) -> object:
    """Cases, the last opened first."""
    found = listing.list_cases(database(), _filter(dict(params)), limit=params["limit"] + 1)
    return piece(found, params["limit"])


@routes.get("/<key:case_id>", READS, answer=CaseAnswer)
def get_case(_caller: Caller, _asked: dict[str, Any], case_id: int) -> object:
    """One case with the pages of the copier and its events."""
    case = _case(case_id)
    lines = handout.lines_of_cases(database(), [case_id], limit=MOST_LINES).get(case_id, [])
    return {
        "case": case,
        "no_letter": no_letter(database(), case, lines),
        "pages": detail.pages_of_case(database(), case_id, limit=MOST_PAGES),
        "events": actions.history(database(), case_id),
        "evidence": case_proofs(database(), case_id, set_up=current_services().witness_kinds),
    }


@routes.get("/<key:case_id>/letters", READS, answer=LettersAnswer)
def letters_of_case(_caller: Caller, _asked: dict[str, Any], case_id: int) -> object:
    """The letters and notices that name a case, newest first, each with its answers and terms."""
    _case(case_id)
    return {"items": with_answers(listing_of_letters.letters_of_case(database(), case_id))}


@routes.file("/<key:case_id>/package", READS, content_type=PACKAGE_TYPE)
def package(caller: Caller, _asked: dict[str, Any], case_id: int) -> object:
    """The evidence package of a case (WACZ), made for this request. The header Link leads to its signature."""
    case, subject = _case(case_id), f"#{case_id}"

    def note(detail: dict[str, str]) -> None:
        said = {"kind": "wacz", "token": caller.token.name, **detail}
        audit_log.record(database(), actor=caller.account, act=ACT, subject=subject, detail=said)

    signature = f"{request.path}/signature?sha256="
    try:
        # The key first: the chain, whose head the package names, then announces it.
        key = own_key()
        dossier = dossier_of(database(), case, made_by=caller.account.name)
        if dossier is None:
            refuse(409, "Our page of this case was removed: there is nothing to package.", word="page-removed")
        return package_answer(dossier, key, note, signature_at=lambda digest: f"{signature}{digest}")
    except NoPackage as error:
        refuse(409, f"No package can be made here: {error}", word="no-package")


@routes.file("/<key:case_id>/package/signature", READS, content_type="application/json", query=SignatureQuery)
def package_signature(_caller: Caller, params: dict[str, Any], case_id: int) -> object:
    """The detached signature of a package of this case that was downloaded: the newest, or the one with a hash."""
    _case(case_id)
    try:
        return signature_answer(case_id, params.get("sha256"))
    except NoPackage as error:
        refuse(409, f"No package can be signed here: {error}", word="no-package")


@routes.post("/<key:case_id>/decisions", _DECIDES, body=DecisionBody, answers={200: MoveAnswer})
def decide(caller: Caller, params: dict[str, Any], case_id: int) -> object:
    """Moves a case: confirms, dismisses, licenses … as the desk does."""
    case = _case(case_id)
    to, expected = CaseState(params["to"]), CaseState(params["expected"])
    because = Dismissal(params["because"]) if "because" in params else None
    if to is CaseState.DISMISSED and because is None:
        refuse(422, "Say why it is dismissed: because.", word="reason-missing")
    if to is CaseState.NOTIFIED and case.queue is CaseQueue.WE_MAY_BE_COPIER:
        refuse(409, _THEIRS_FIRST, word="theirs-first")
    if to is CaseState.NOTIFIED and case.queue is CaseQueue.AGENCY:
        refuse(409, _OF_AGENCY, word="agency")
    if to is CaseState.NOTIFIED and case.queue is CaseQueue.SHARED_PASSAGE:
        refuse(409, _OF_PASSAGE, word="shared-passage")
    try:
        actions.move_case(
            database(),
            case_id,
            to,
            expected=expected,
            actor=_actor(caller),
            note=params.get("note", ""),
            because=because,
        )
    except MoveNotAllowed as error:
        refuse(409, str(error), word="moved-meanwhile")
    said = {"from": expected.value, "to": to.value, "token": caller.token.name}
    audit_log.record(database(), actor=caller.account, act="case.move", subject=f"#{case_id}", detail=said)
    return _moved(case_id)


@routes.post("/<key:case_id>/undo", _DECIDES, body=UndoBody, answers={200: MoveAnswer})
def undo(caller: Caller, params: dict[str, Any], case_id: int) -> object:
    """Undo the last decision on a case. A decision that made a licence is undone at the desk."""
    _case(case_id)
    last = actions.last_decision(database(), case_id)
    if last is not None and last.id == params["event"] and "licence" in last.details:
        refuse(409, "This decision made a licence: take the licence back at the desk.", word="made-a-licence")
    if last is not None and last.id == params["event"] and actions.LETTER in last.details:
        refuse(409, "This decision is a letter about several cases: take it back at the desk.", word="made-by-letter")
    try:
        actions.undo_decision(database(), case_id, params["event"], actor=_actor(caller))
    except NothingToUndo as error:
        refuse(409, str(error), word="nothing-to-undo")
    said = {"token": caller.token.name}
    audit_log.record(database(), actor=caller.account, act="case.undo", subject=f"#{case_id}", detail=said)
    return _moved(case_id)


def _moved(case_id: int) -> dict[str, object]:
    last = actions.last_decision(database(), case_id)
    return {"id": case_id, "state": _case(case_id).state, "event": last}


def _case(case_id: int) -> CaseRecord:
    case = listing.get_case(database(), case_id)
    if case is None:
        refuse(404, f"There is no case {case_id}.")
    return case


def _actor(caller: Caller) -> Actor:
    return Actor(caller.account.id, caller.account.name)


def _filter(params: dict[str, Any]) -> CaseFilter:
    params.pop("limit")
    below, state = params.pop("cursor"), params.pop("state", None)
    found = words_of(params, {"queue": CaseQueue, **{column.field: column.enum for column in FILTERS}})
    states = frozenset() if state is None else frozenset({CaseState(state)})
    return CaseFilter(**found, states=states, below_id=below)
