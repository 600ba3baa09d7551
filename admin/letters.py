"""Letters to a copier: filled for all that it has, edited by a person, taken along as a file. And their wording."""

from datetime import timedelta
from typing import Final

from flask import Blueprint, Response, abort, flash, redirect, render_template, request, url_for
from flask_babel import force_locale, get_locale
from flask_babel import gettext as _
from werkzeug.wrappers import Response as AnyResponse

from admin import forms
from admin.case_desk import case_or_404
from admin.copier import DECIDED, UNDECIDED, copier_of
from admin.dates import local_day
from admin.downloads import attachment
from admin.handed_out import note_handed_out, of_case
from admin.language import LANGUAGES
from admin.letter_files import WRITERS
from admin.letter_text import NAME, PLACES, WORDINGS, filled, unknown_places
from admin.roles import actor, needs
from admin.session import database
from storage import audit, evidence, letters
from storage.letters import TEMPLATE_CHARS
from storage.types import AccountRole

DEADLINE_DAYS: Final = 10
LONGEST_LETTER: Final = 400_000
"""Three hundred articles with their pages."""
_UNPROCESSABLE: Final = 422

blueprint = Blueprint("letters", __name__, url_prefix="/letters")


def letter(case_id: int) -> str:
    """The letter to whoever is behind a case, filled and ready to be edited."""
    case, language = case_or_404(case_id), asked_language()
    with_undecided = bool(request.args.get("undecided"))
    states = DECIDED | UNDECIDED if with_undecided else DECIDED
    copier = copier_of(database(), case, states=states, made_by=actor().name, always=True)
    head = evidence.head(database())
    deadline = local_day(copier.made_at) + timedelta(days=DEADLINE_DAYS)
    with force_locale(language):
        text = filled(
            wording_of(language),
            copier,
            today=local_day(copier.made_at),
            deadline=deadline,
            head=None if head is None else str(head),
        )
    return render_template(
        "letter.html",
        case=case,
        copier=copier,
        text=text,
        chosen_language=language,
        with_undecided=with_undecided,
        kinds=list(WRITERS),
    )


@needs(AccountRole.VIEWER)
def letter_file(case_id: int) -> Response:
    """The letter as the person has edited it. Nothing is stored: what was sent is noted at the case."""
    case = case_or_404(case_id)
    kind, language = request.form.get("as", ""), request.form.get("language", "")
    if kind not in WRITERS or language not in LANGUAGES:
        abort(400)
    text = forms.text("text", LONGEST_LETTER)
    content_type, write = WRITERS[kind]
    note_handed_out("evidence.letter", of_case(case.id), kind, language=language)
    return attachment(write(text, language), f"zhiwen-letter-{case.id}.{kind}", content_type)


def wording_of(language: str) -> str:
    changed = letters.get_wording(database(), NAME, language)
    return WORDINGS[language] if changed is None else changed.body


@blueprint.get("/takedown")
@needs(AccountRole.MANAGER)
def wording() -> str:
    return _wording_page(asked_language())


@blueprint.post("/takedown")
@needs(AccountRole.MANAGER)
def change_wording() -> AnyResponse | tuple[str, int]:
    language = request.form.get("language", "")
    if language not in LANGUAGES:
        abort(400)
    body = forms.text("body", TEMPLATE_CHARS)
    problem = _problem(body)
    if request.form.get("act") != "reset" and problem:
        return _wording_page(language, body=body, problem=problem), _UNPROCESSABLE
    if request.form.get("act") == "reset":
        letters.forget_wording(database(), NAME, language)
        audit.record(database(), actor=actor(), act="letter.reset", subject=f"{NAME} ({language})")
        flash(_("The letter is as it came."))
    else:
        letters.set_wording(database(), NAME, language, body, changed_by=actor().name)
        audit.record(
            database(), actor=actor(), act="letter.change", subject=f"{NAME} ({language})", detail={"to": body}
        )
        flash(_("The wording is saved. It holds for every letter from now on."))
    return redirect(url_for("letters.wording", language=language))


def _problem(body: str) -> str:
    unknown = unknown_places(body)
    if not body:
        return str(_("A letter needs some words."))
    if unknown:
        return str(_("Nothing is known by these names: %(names)s.", names=", ".join(unknown)))
    return ""


def _wording_page(language: str, *, body: str | None = None, problem: str = "") -> str:
    return render_template(
        "letter_wording.html",
        chosen_language=language,
        body=wording_of(language) if body is None else body,
        changed=letters.get_wording(database(), NAME, language),
        places=PLACES,
        problem=problem,
    )


def asked_language() -> str:
    """The language of what is handed out: the one that was chosen for it, else the viewer's."""
    wanted = request.args.get("language") or str(get_locale())
    if wanted not in LANGUAGES:
        abort(404)
    return wanted
