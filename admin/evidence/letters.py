"""Letters to a copier: filled in, edited, downloaded; and their wording."""

from typing import Final

from flask import Blueprint, abort, flash, redirect, render_template, request, url_for
from flask_babel import get_locale
from flask_babel import gettext as _
from werkzeug.wrappers import Response as AnyResponse

from admin.cases.common import Answer
from admin.evidence.letter_drafts import (
    first_page,
    follows_asked,
    letter_page,
    refused,
    requested_letter,
    wording_of,
)
from admin.evidence.letter_formats import WRITERS
from admin.evidence.letter_templates import NAME, PLACEHOLDERS, claims, unknown_placeholders
from admin.identity.audit import note, note_export
from admin.identity.language import LANGUAGES
from admin.identity.permissions import actor, needs
from admin.web import form_fields
from admin.web.db_session import database
from admin.web.downloads import attachment
from admin.web.labels import joined
from admin.web.url_converters import LARGEST_KEY
from storage.desk import letter_templates
from storage.desk.letter_templates import TEMPLATE_CHARS
from storage.errors import NotKnown
from storage.letters import drafts
from storage.types import AccountRole

LONGEST_LETTER: Final = 400_000
"""Enough for three hundred articles with their pages."""

blueprint = Blueprint("letters", __name__, url_prefix="/letters")


def letter(case_id: int) -> Answer:
    """The letter about a case, filled in for editing; or the reason why there is none."""
    undecided = bool(request.args.get("undecided"))
    language, follows = requested_language(), follows_asked()
    requested = requested_letter(case_id, language, with_undecided=undecided, follows_id=follows)
    if requested.grounds.refusal is not None:
        return refused(requested)
    text = _draft_text(case_id)
    return first_page(requested) if text is None else letter_page(requested, text)


def _draft_text(case_id: int) -> str | None:
    """The text of the draft that the request names, to which somebody may have consented."""
    draft_id = request.args.get("draft", type=int)
    if draft_id is None or not 0 <= draft_id <= LARGEST_KEY:
        return None
    try:
        draft = drafts.get_draft(database(), draft_id)
    except NotKnown:
        abort(404)
    return draft.inputs.get("text") if draft.case_id == case_id else None


@needs(AccountRole.VIEWER)
def letter_file(case_id: int) -> Answer:
    """The letter as edited, as a file. Nothing is stored: that is done when it is sent."""
    kind, language = request.form.get("as", ""), request.form.get("language", "")
    if kind not in WRITERS or language not in LANGUAGES:
        abort(400)
    text = form_fields.text("text", LONGEST_LETTER)
    undecided = bool(request.form.get("undecided"))
    requested = requested_letter(case_id, language, with_undecided=undecided, follows_id=follows_asked())
    if requested.grounds.refusal is not None:
        return refused(requested)
    suspected = requested.grounds.undecided
    if suspected and not request.form.get("sure"):
        problem = _(
            "Some cases named in this letter are undecided. Tick that you have checked them, or decide them first."
        )
        return letter_page(requested, text, problem=problem), 422
    content_type, write = WRITERS[kind]
    ticked = ", ".join(f"#{number}" for number in suspected)
    note_export("evidence.letter", f"#{case_id}", kind, language=language, undecided=ticked)
    return attachment(write(text, language), f"zhiwen-letter-{case_id}.{kind}", content_type)


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
        flash(_("Default wording restored."))
    else:
        letter_templates.set_wording(database(), NAME, language, body, changed_by=actor().name)
        note("letter.change", f"{NAME} ({language})", {"to": body})
        flash(_("Wording saved. It applies to all letters from now on."))
    return redirect(url_for("letters.wording", language=language))


def _problem(body: str) -> str:
    unknown = unknown_placeholders(body)
    if not body:
        return str(_("The letter cannot be empty."))
    if unknown:
        return str(_("Unknown placeholders: %(names)s.", names=joined(unknown)))
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
