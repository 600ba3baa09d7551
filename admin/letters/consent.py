"""Consent to a letter in a wording of ours: what it needs, and how it is requested."""

from flask import abort, request
from flask_babel import gettext as _

from admin.cases.common import Answer, person
from admin.evidence.letter_drafts import RequestedLetter, follows_asked, refused, requested_letter
from admin.evidence.letter_gate import gate_reasons
from admin.evidence.letters import LONGEST_LETTER
from admin.identity.audit import note
from admin.identity.language import LANGUAGES
from admin.letters import truth
from admin.letters.checked_letter import NotTrue
from admin.web import form_fields
from admin.web.answers import done
from admin.web.db_session import database
from storage.jobs import queue
from storage.letters import consents, drafts
from storage.records.correspondence.notices import Consented, NoticeForm


def consented(requested: RequestedLetter, text: str) -> Consented:
    """What this text needs consent for. Raises NotTrue where nobody has consented to it."""
    reasons = gate_reasons(database(), truth.named_in(text, requested.grounds.named))
    if reasons and not consents.is_given(database(), requested.case.id, NoticeForm.LETTER, text, reasons):
        raise NotTrue(
            _("A second person must consent to this letter first: choose “Request consent”. Your text is below.")
        )
    return Consented(frozenset(reasons), text)


def ask(case_id: int) -> Answer:
    """Keep the text as a draft, and request the consent of a second person to it."""
    language = request.form.get("language", "")
    if language not in LANGUAGES:
        abort(400)
    text, follows = form_fields.text("text", LONGEST_LETTER), follows_asked()
    requested = requested_letter(case_id, language, follows_id=follows)
    if requested.grounds.refusal is not None:
        return refused(requested)
    reasons = gate_reasons(database(), truth.named_in(text, requested.grounds.named))
    inputs = {"text": text, "follows": "" if follows is None else str(follows)}
    draft_id = drafts.add_draft(database(), case_id, NoticeForm.LETTER, language, inputs, actor=person())
    if reasons:
        now = queue.database_time(database())
        consents.ask(database(), draft_id, text, reasons, actor=person(), at=now)
    note("letter.ask", f"{draft_id}", {"cases": str(case_id)})
    return done(_("Consent requested. Another person gives it on this page."), "notices.page", draft_id=draft_id)
