"""Acts on notices: begin, save, request consent, consent, send or mark as sent, and the packet of what was sent."""

import re
from dataclasses import replace
from typing import Final

from flask import Blueprint, Response, abort, flash, request
from flask_babel import gettext as _

from admin.cases.common import Answer, case_or_404, person
from admin.cases.copier_summary import DECIDED
from admin.evidence.letter_drafts import SendingForm
from admin.evidence.letter_formats import as_word
from admin.identity.audit import note, note_export
from admin.identity.permissions import needs
from admin.letters import paper
from admin.letters.checked_letter import NotTrue, Way
from admin.notices.current import CurrentDraft, current_draft, notice_grounds
from admin.notices.elements import language_of
from admin.notices.inputs import first_inputs, inputs_of_request
from admin.notices.packets import ListedWork, packed, packet_files
from admin.notices.rights import consent_way
from admin.notices.sending import named_cases, new_letter
from admin.notices.views import notice_page
from admin.web import form_fields, reading_slots
from admin.web.answers import done
from admin.web.db_session import database, let_go
from admin.web.downloads import attachment
from admin.web.labels import label
from storage.cases import actions
from storage.cases import listing as case_listing
from storage.errors import MoveNotAllowed, NotConsented, NotKnown, NotSigned
from storage.jobs import queue
from storage.letters import consents, drafts, letterhead, listing, writing
from storage.records.correspondence.letters import NewLetter
from storage.records.correspondence.notices import NoticeForm
from storage.types import AccountRole, NoticeChannel

_UNPROCESSABLE, _CONFLICT = 422, 409
_KEY: Final = re.compile(r"[0-9a-f]{32}")
_DAY_CHARS: Final = 20
_DIGEST_CHARS: Final = 64
_DOCX: Final = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"

blueprint = Blueprint("notice_acts", __name__)


@blueprint.post("/cases/<key:case_id>/notices")
@needs(AccountRole.REVIEWER)
def begin(case_id: int) -> Answer:
    """A new draft about all confirmed cases of the copier."""
    form = form_fields.choice("form", NoticeForm)
    if form is NoticeForm.LETTER:
        abort(400)
    case = case_or_404(case_id)
    _copier, grounds = notice_grounds(case)
    if grounds.refusal is not None or case.state not in DECIDED:
        abort(409)
    inputs = first_inputs(form, (item.case.id for item in grounds.named))
    draft_id = drafts.add_draft(database(), case_id, form, language_of(form), inputs, actor=person())
    note("notice.begin", f"{draft_id}", {"cases": str(case_id)})
    return done(_("Draft created; nothing is sent yet."), "notices.page", draft_id=draft_id)


@blueprint.post("/notices/<key:draft_id>")
@needs(AccountRole.REVIEWER)
def save(draft_id: int) -> Answer:
    current = current_draft(draft_id)
    if current.notice is None:
        abort(400)
    if not drafts.change_draft(database(), draft_id, inputs_of_request(), actor=person()):
        return notice_page(current, problem=_("This notice has already been sent."), status=_CONFLICT)
    return done(_("Saved."), "notices.page", draft_id=draft_id)


@blueprint.post("/notices/<key:draft_id>/ask")
@needs(AccountRole.REVIEWER)
def ask(draft_id: int) -> Answer:
    """Request the consent of a second person to the present text."""
    current = current_draft(draft_id)
    if current.refusal is not None or current.draft.letter_id is not None:
        abort(409)
    if current.notice is not None and current.notice.missing:
        return notice_page(current, problem=_("Complete the missing elements first."), status=_UNPROCESSABLE)
    now = queue.database_time(database())
    consents.ask(database(), draft_id, current.text, current.reasons, actor=person(), at=now)
    note("letter.ask", f"{draft_id}", {"cases": str(current.case.id)})
    return done(_("Consent requested. Another person gives it on this page."), "notices.page", draft_id=draft_id)


@blueprint.post("/notices/<key:draft_id>/consent")
@needs(AccountRole.REVIEWER)
def consent(draft_id: int) -> Answer:
    """Consent to the text as this person has just seen it."""
    current = current_draft(draft_id)
    asked, way = current.consents.asked, consent_way(current)
    if current.refusal is not None or asked is None or way is None:
        return notice_page(current, problem=_("You cannot consent to this text yet."), status=_CONFLICT)
    if form_fields.line("seen", _DIGEST_CHARS) != current.digest:
        problem = _("The text has changed since you saw it. Read it again; nothing was sent.")
        return notice_page(current, problem=problem, status=_CONFLICT)
    consents.give(database(), asked.id, way, actor=person(), at=queue.database_time(database()))
    note("letter.consent", f"{draft_id}", {"cases": str(current.case.id), "to": current.digest})
    return done(_("Consent recorded."), "notices.page", category="success", draft_id=draft_id)


@blueprint.post("/notices/<key:draft_id>/send")
@needs(AccountRole.REVIEWER)
def send(draft_id: int) -> Answer:
    """Store the notice with its PDF, and notify all cases that it names; or say why it cannot leave."""
    current, way, sending = current_draft(draft_id), form_fields.choice("way", Way), _form()
    if current.notice is None or current.refusal is not None:
        return notice_page(current, status=_UNPROCESSABLE)
    head, seal = letterhead.letterhead(database()), letterhead.seal(database())
    try:
        new = new_letter(current, current.notice, way, sending, head, form_fields.line("seen", _DIGEST_CHARS))
    except NotTrue as error:
        return notice_page(current, problem=str(error), status=_UNPROCESSABLE)
    reading_slots.take()
    named = named_cases(current)
    # Printing takes seconds: the connection goes back to the pool, and the states are checked again afterwards.
    let_go()
    pdf, why = paper.on_paper(paper.letter_page(new.body, new.language, heading=head.heading, seal=seal))
    try:
        letter_id = writing.add_letter(database(), replace(new, pdf=pdf), named, actor=person())
    except (MoveNotAllowed, NotKnown, NotSigned, NotConsented):
        database().rollback()
        problem = _("Someone has changed a case of this letter meanwhile. Nothing was sent; open the letter again.")
        return notice_page(current_draft(draft_id), problem=problem, status=_CONFLICT)
    drafts.mark_sent(database(), draft_id, letter_id)
    if pdf is None:
        flash(_("No PDF was created: %(why)s. The text is stored.", why=label(why, "not_made")), "warning")
    return _sent(current, letter_id, way, new, [one.case_id for one in named])


def _form() -> SendingForm:
    key = request.form.get("key", "")
    if not _KEY.fullmatch(key):
        abort(400)
    return SendingForm(
        recipient=form_fields.line("recipient", actions.RECIPIENT_CHARS),
        channel=form_fields.choice("channel", NoticeChannel) if "channel" in request.form else NoticeChannel.FORM,
        sent=form_fields.line("sent", _DAY_CHARS),
        deadline=form_fields.line("deadline", _DAY_CHARS),
        key=key,
    )


def _sent(current: CurrentDraft, letter_id: int, way: Way, new: NewLetter, case_ids: list[int]) -> Answer:
    signer = "" if new.signed is None else new.signed.signer
    detail = {
        "recipient": new.recipient,
        "channel": new.channel.value,
        "cases": ", ".join(map(str, case_ids)),
        "by": f"{signer} ({current.draft.form})",
    }
    note("letter.send" if way is Way.MAIL else "letter.mark", f"{letter_id}", detail)
    words = _("Cases notified: %(count)s.", count=len(case_ids))
    return done(words, "sent_letters.detail", category="success", letter_id=letter_id)


@blueprint.get("/letters/<key:letter_id>/notice.<kind>")
def sent_file(letter_id: int, kind: str) -> Response:
    """A notice that was sent, as Word file or as the packet to hand in."""
    try:
        letter, document = listing.get_letter(database(), letter_id), listing.document(database(), letter_id)
    except NotKnown:
        abort(404)
    if kind not in ("docx", "zip"):
        abort(404)
    note_export("letter.download", f"{letter_id}", kind)
    if kind == "docx":
        return attachment(as_word(document.body, letter.language), f"letter-{letter_id}.docx", _DOCX)
    named = listing.cases_of_letter(database(), letter_id)
    urls = {one.id: one.our_url for one in case_listing.cases_by_id(database(), [one.case_id for one in named])}
    works = [
        ListedWork(one.title, urls.get(one.case_id, ""), tuple(str(page["url"]) for page in one.pages)) for one in named
    ]
    files = packet_files(letter.form, document.body, works, pdf=document.pdf, reports={})
    return attachment(packed(files), f"letter-{letter_id}.zip", "application/zip")
