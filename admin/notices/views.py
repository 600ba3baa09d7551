"""Pages of notices: choose a form, the drafts, one draft with its elements and text, and its files."""

import secrets
from collections.abc import Collection
from datetime import UTC, datetime, timedelta
from typing import Final

from flask import Blueprint, abort, render_template, request

from admin.alerts.letter_mail import mail_recipient
from admin.cases.common import Answer, case_or_404
from admin.evidence.letter_drafts import DEADLINE_DAYS, mail_channel
from admin.evidence.letter_formats import as_text, as_word
from admin.identity.audit import note_export
from admin.identity.dates import local_day
from admin.identity.permissions import actor
from admin.letters.signing import SOURCES, WORDINGS
from admin.notices.current import CurrentDraft, current_draft, notice_grounds
from admin.notices.elements import BY_HAND, ELEMENTS, Key
from admin.notices.inputs import INPUTS
from admin.notices.labels import NOTICE_TABLES
from admin.notices.packets import field_file, listed_works, packed, packet_files
from admin.notices.reports import reports_of
from admin.notices.rights import consent_way
from admin.web import labels, reading_slots
from admin.web.db_session import database
from admin.web.downloads import attachment
from admin.web.labels import label
from storage.evidence.servers import servers_of
from storage.letters import drafts, letterhead
from storage.records.correspondence.notices import NoticeForm
from storage.types import NoticeChannel

_DOCX: Final = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
_TEXT: Final = "text/plain; charset=utf-8"

blueprint = Blueprint("notices", __name__)
labels.register(blueprint, NOTICE_TABLES)


@blueprint.get("/cases/<key:case_id>/notices")
def choose(case_id: int) -> Answer:
    """The forms of notices about a case, and its drafts; or the reason why there is none."""
    case = case_or_404(case_id)
    copier, grounds = notice_grounds(case)
    if grounds.refusal is not None:
        return render_template("evidence/no_letter.html", case=case, why=grounds.refusal), 409
    found = [one for one in drafts.open_drafts(database()) if one.case_id == case_id]
    return render_template("notices/choose.html", case=case, copier=copier, grounds=grounds, forms=list(ELEMENTS),
                           drafts=found, elements=ELEMENTS)  # fmt: skip


@blueprint.get("/notices")
def index() -> str:
    """Drafts of all cases; those that wait for consent are marked."""
    found = drafts.open_drafts(database())
    waiting = drafts.waiting_since(database(), [one.id for one in found])
    return render_template("notices/notices.html", drafts=found, waiting=waiting)


@blueprint.get("/notices/<key:draft_id>")
def page(draft_id: int) -> Answer:
    return notice_page(current_draft(draft_id))


def notice_page(current: CurrentDraft, *, problem: str = "", status: int = 200) -> Answer:
    if current.refusal is not None:
        return render_template("evidence/no_letter.html", case=current.case, why=current.refusal), 409
    head = letterhead.letterhead(database())
    recipient = request.form.get("recipient") or current.draft.inputs.get("recipient", "")
    until = local_day(datetime.now(UTC)) + timedelta(days=DEADLINE_DAYS)
    form = current.draft.form
    keys = {element.key.value for element in ELEMENTS.get(form, ())}
    html = render_template(
        "notices/notice.html",
        current=current,
        draft=current.draft,
        case=current.case,
        notice=current.notice,
        inputs=current.draft.inputs,
        bounds=INPUTS,
        servers=_servers(current, keys),
        asked=current.consents.asked,
        way_to_consent=consent_way(current),
        may_mail=form not in BY_HAND,
        mail_channel=mail_channel(head),
        letterhead=head,
        keys=keys,
        statements=list(zip(WORDINGS[form], SOURCES[form], strict=True)),
        by_hand_words=[(channel, label(channel, "channel")) for channel in NoticeChannel],
        channel=_usual_channel(form, recipient),
        today=f"{local_day(datetime.now(UTC)):%Y-%m-%d}",
        deadline=request.form.get("deadline", f"{until:%Y-%m-%d}"),
        key=secrets.token_hex(16),
        problem=problem,
        viewer=actor(),
    )
    return html, status


def _servers(current: CurrentDraft, keys: Collection[str]) -> list[str]:
    """IP addresses that answered the captures of the pages, where the form asks for that of the site."""
    if Key.IP_ADDRESS.value not in keys or current.facts is None:
        return []
    return servers_of(database(), current.facts.addresses)


def _usual_channel(form: NoticeForm, recipient: str) -> NoticeChannel:
    """The way that the form proposes: a complaint form, unless the notice may go by mail and has a mail address."""
    by_mail = form not in BY_HAND and mail_recipient(recipient) is not None
    return NoticeChannel.MAIL if by_mail else NoticeChannel.FORM


@blueprint.get("/notices/<key:draft_id>/notice.<kind>")
def file(draft_id: int, kind: str) -> Answer:
    """The draft as a file, without a signature: as text, Word, single fields, or a packet."""
    current = current_draft(draft_id)
    if current.notice is None or current.facts is None or current.refusal is not None:
        abort(404)
    body, name = current.notice.draft(), f"notice-draft-{draft_id}"
    if kind not in ("txt", "docx", "fields", "zip"):
        abort(404)
    note_export("notice.draft", f"{draft_id}", kind)
    if kind == "txt":
        return attachment(as_text(body, ""), f"{name}.txt", _TEXT)
    if kind == "docx":
        return attachment(as_word(body, ""), f"{name}.docx", _DOCX)
    if kind == "fields":
        return attachment(field_file(current.notice), f"{name}-fields.txt", _TEXT)
    reading_slots.take()
    reports = reports_of(current.named, current.draft.language)
    files = packet_files(current.draft.form, body, listed_works(current.facts.works), pdf=None, reports=reports)
    return attachment(packed({**files, "fields.txt": field_file(current.notice)}), f"{name}.zip", "application/zip")
