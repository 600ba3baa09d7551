"""Letters to a copier: filled in, edited, downloaded; and their wording."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from flask import Blueprint, abort, flash, redirect, render_template, request, url_for
from flask_babel import force_locale, get_locale
from flask_babel import gettext as _
from werkzeug.wrappers import Response as AnyResponse

from admin.cases.common import Answer, case_or_404
from admin.cases.copier_summary import DECIDED, UNDECIDED, Copier, copier_of
from admin.evidence.letter_formats import WRITERS
from admin.evidence.letter_grounds import Grounds, grounds_of
from admin.evidence.letter_templates import (
    NAME,
    PLACEHOLDERS,
    claims,
    current_wording,
    filled,
    own_wording,
    unknown_placeholders,
)
from admin.identity.audit import note, note_export
from admin.identity.dates import local_day
from admin.identity.language import LANGUAGES
from admin.identity.permissions import actor, needs
from admin.web import form_fields
from admin.web.db_session import database
from admin.web.downloads import attachment
from storage.desk import letter_templates
from storage.desk.letter_templates import TEMPLATE_CHARS
from storage.evidence import chain_store
from storage.records.cases import CaseRecord
from storage.records.evidence import CaptureState
from storage.types import AccountRole

DEADLINE_DAYS: Final = 10
LONGEST_LETTER: Final = 400_000
"""Enough for three hundred articles with their pages."""

blueprint = Blueprint("letters", __name__, url_prefix="/letters")


@dataclass(frozen=True, slots=True)
class RequestedLetter:
    """A requested letter: recipient, grounds and language."""

    case: CaseRecord
    copier: Copier
    grounds: Grounds
    language: str
    with_undecided: bool


def letter(case_id: int) -> Answer:
    """The letter about a case, filled in for editing; or the reason why there is none."""
    requested = _requested(case_id, requested_language(), with_undecided=bool(request.args.get("undecided")))
    if requested.grounds.refusal is not None:
        return _refused(requested)
    head = chain_store.head(database())
    today = local_day(requested.copier.made_at)
    wording = wording_of(requested.language)
    with force_locale(requested.language):
        text = filled(
            wording,
            requested.copier,
            requested.grounds.named,
            today=today,
            deadline=today + timedelta(days=DEADLINE_DAYS),
            head=None if head is None else str(head),
        )
    return _letter_page(requested, text, claimed=claims(wording))


@needs(AccountRole.VIEWER)
def letter_file(case_id: int) -> Answer:
    """The letter as edited. Nothing is stored; sending it is recorded at the case."""
    kind, language = request.form.get("as", ""), request.form.get("language", "")
    if kind not in WRITERS or language not in LANGUAGES:
        abort(400)
    text = form_fields.text("text", LONGEST_LETTER)
    requested = _requested(case_id, language, with_undecided=bool(request.form.get("undecided")))
    if requested.grounds.refusal is not None:
        return _refused(requested)
    undecided = requested.grounds.undecided
    if undecided and not request.form.get("sure"):
        problem = _(
            "Not every case that this letter names is decided. Tick that you have checked them, or decide them first."
        )
        return _letter_page(requested, text, problem=problem), 422
    content_type, write = WRITERS[kind]
    ticked = ", ".join(f"#{number}" for number in undecided)
    note_export("evidence.letter", f"#{case_id}", kind, language=language, undecided=ticked)
    return attachment(write(text, language), f"zhiwen-letter-{case_id}.{kind}", content_type)


def _requested(case_id: int, language: str, *, with_undecided: bool) -> RequestedLetter:
    case = case_or_404(case_id)
    states = DECIDED | UNDECIDED if with_undecided else DECIDED
    copier = copier_of(database(), case, states=states, made_by=actor().name, always=True)
    return RequestedLetter(case, copier, grounds_of(copier, case), language, with_undecided)


def _letter_page(requested: RequestedLetter, text: str, *, claimed: Sequence[str] = (), problem: str = "") -> str:
    captures = requested.grounds.captures
    return render_template(
        "evidence/letter.html",
        case=requested.case,
        copier=requested.copier,
        grounds=requested.grounds,
        captures=captures,
        # Sentences that claim captures by themselves were removed.
        lost=() if captures[CaptureState.KEPT] == len(requested.grounds.lines) else claimed,
        text=text,
        problem=problem,
        chosen_language=requested.language,
        with_undecided=requested.with_undecided,
        kinds=list(WRITERS),
    )


def _refused(requested: RequestedLetter) -> Answer:
    page = render_template("evidence/no_letter.html", case=requested.case, why=requested.grounds.refusal)
    return page, 409


def wording_of(language: str) -> str:
    changed = letter_templates.get_wording(database(), NAME, language)
    return own_wording(language) if changed is None else current_wording(changed.body)


@blueprint.get("/takedown")
@needs(AccountRole.MANAGER)
def wording() -> str:
    return _wording_page(requested_language())


@blueprint.post("/takedown")
@needs(AccountRole.MANAGER)
def change_wording() -> AnyResponse | tuple[str, int]:
    language = request.form.get("language", "")
    if language not in LANGUAGES:
        abort(400)
    body = form_fields.text("body", TEMPLATE_CHARS)
    problem = _problem(body)
    if request.form.get("act") != "reset" and problem:
        return _wording_page(language, body=body, problem=problem), 422
    if request.form.get("act") == "reset":
        letter_templates.forget_wording(database(), NAME, language)
        note("letter.reset", f"{NAME} ({language})")
        flash(_("The letter is as it came."))
    else:
        letter_templates.set_wording(database(), NAME, language, body, changed_by=actor().name)
        note("letter.change", f"{NAME} ({language})", {"to": body})
        flash(_("The wording is saved. It holds for every letter from now on."))
    return redirect(url_for("letters.wording", language=language))


def _problem(body: str) -> str:
    unknown = unknown_placeholders(body)
    if not body:
        return str(_("A letter needs some words."))
    if unknown:
        return str(_("Nothing is known by these names: %(names)s.", names=", ".join(unknown)))
    return ""


def _wording_page(language: str, *, body: str | None = None, problem: str = "") -> str:
    shown = wording_of(language) if body is None else body
    return render_template(
        "evidence/letter_wording.html",
        chosen_language=language,
        body=shown,
        claims=claims(shown),
        changed=letter_templates.get_wording(database(), NAME, language),
        placeholders=PLACEHOLDERS,
        problem=problem,
    )


def requested_language() -> str:
    """The requested language of a document, else the viewer's."""
    wanted = request.args.get("language") or str(get_locale())
    if wanted not in LANGUAGES:
        abort(404)
    return wanted
