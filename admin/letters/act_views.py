"""Sending a letter: by mail through the outbox, or marked as sent. Either notifies all cases that it names, at once."""

import re
from dataclasses import replace
from typing import Final

from flask import Blueprint, abort, flash, request
from flask_babel import gettext as _

from admin.cases.common import Answer, person
from admin.evidence.letter_drafts import SendingForm, follows_asked, letter_page, refused, requested_letter
from admin.evidence.letters import LONGEST_LETTER
from admin.identity.audit import note
from admin.identity.language import LANGUAGES
from admin.identity.permissions import needs
from admin.letters import consent, paper
from admin.letters.checked_letter import NotTrue, Way, checked_cases, letter_of
from admin.web import form_fields, reading_slots
from admin.web.answers import done
from admin.web.db_session import database, let_go
from admin.web.labels import label
from storage.cases import actions
from storage.errors import MoveNotAllowed, NotConsented, NotKnown
from storage.letters import consents, drafts, letterhead, writing
from storage.records.correspondence.letters import NewLetter
from storage.types import AccountRole, NoticeChannel

_UNPROCESSABLE, _CONFLICT = 422, 409
_KEY: Final = re.compile(r"[0-9a-f]{32}")
_DAY_CHARS: Final = 20
_MOST_NAMED: Final = 300
"""As `admin.cases.copier_summary.MOST_CASES`, and the current case."""

blueprint = Blueprint("letter_acts", __name__, url_prefix="/cases/<key:case_id>/letter")


@blueprint.post("/send")
@needs(AccountRole.REVIEWER)
def send(case_id: int) -> Answer:
    """Store the letter with its PDF, and notify all cases that it names; or say why it cannot leave."""
    way, language = form_fields.choice("way", Way), request.form.get("language", "")
    if language not in LANGUAGES:
        abort(400)
    text, sending = form_fields.text("text", LONGEST_LETTER), _form()
    requested = requested_letter(case_id, language, follows_id=follows_asked())
    if requested.grounds.refusal is not None:
        return refused(requested)
    head, seal = letterhead.letterhead(database()), letterhead.seal(database())
    try:
        named = checked_cases(requested, text, sending)
        new = replace(letter_of(requested, way, text, sending, head), consented=consent.consented(requested, text))
    except NotTrue as error:
        return letter_page(requested, text, problem=str(error), sending=sending), _UNPROCESSABLE
    reading_slots.take()
    # Printing takes seconds: the connection goes back to the pool, and the states are checked again afterwards.
    let_go()
    page = paper.letter_page(text, language, heading=head.heading, seal=seal)
    pdf, why = paper.on_paper(page)
    try:
        letter_id = writing.add_letter(database(), replace(new, pdf=pdf), named, actor=person())
    except (MoveNotAllowed, NotConsented, NotKnown):
        problem = _("Someone has changed a case of this letter meanwhile. Nothing was sent; open the letter again.")
        return letter_page(requested, text, problem=problem, sending=sending), _CONFLICT
    drafts.mark_letter_sent(database(), case_id, consents.digest(text), letter_id)
    if pdf is None:
        flash(_("No PDF was created: %(why)s. The text is stored.", why=label(why, "not_made")), "warning")
    return _sent(letter_id, way, new, [one.case_id for one in named])


@blueprint.post("/ask")
@needs(AccountRole.REVIEWER)
def ask(case_id: int) -> Answer:
    """Request the consent of a second person to the text as edited."""
    return consent.ask(case_id)


def _form() -> SendingForm:
    key, named = request.form.get("key", ""), request.form.get("named", "")
    if not _KEY.fullmatch(key) or named.count(",") > _MOST_NAMED:
        abort(400)
    return SendingForm(
        recipient=form_fields.line("recipient", actions.RECIPIENT_CHARS),
        channel=form_fields.choice("channel", NoticeChannel),
        sent=form_fields.line("sent", _DAY_CHARS),
        deadline=form_fields.line("deadline", _DAY_CHARS),
        key=key,
        named=tuple(named.split(",")) if named else (),
    )


def _sent(letter_id: int, way: Way, new: NewLetter, case_ids: list[int]) -> Answer:
    cases = ", ".join(map(str, case_ids))
    detail = {"recipient": new.recipient, "channel": new.channel.value, "cases": cases}
    note("letter.send" if way is Way.MAIL else "letter.mark", f"{letter_id}", detail)
    return done(
        _("Cases notified: %(count)s.", count=len(case_ids)),
        "sent_letters.detail",
        category="success",
        letter_id=letter_id,
    )
