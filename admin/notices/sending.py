"""A notice that is complete, consented to and signed becomes a letter; anything else is refused with the reason."""

from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Final

from flask_babel import gettext as _

from admin.evidence.letter_drafts import SendingForm
from admin.identity.dates import local_day
from admin.identity.time_zone import start_of_day
from admin.letters.checked_letter import SUBJECT_CHARS, NotTrue, Way, by_mail
from admin.letters.signing import NotSignedHere, signed_of_request
from admin.notices.current import CurrentDraft
from admin.notices.document import Notice
from admin.notices.elements import BY_HAND, TITLES
from admin.web.labels import joined, label
from storage.records.correspondence.letters import LetterheadRecord, LetterKind, NamedCase, NewLetter
from storage.records.correspondence.notices import Consented, Signed
from storage.types import NoticeChannel

_SHOWN: Final = 5


@dataclass(frozen=True, slots=True)
class Term:
    """When a notice is sent, and until when an answer is expected."""

    sent_on: date
    sent_at: datetime
    deadline: datetime | None


def new_letter(
    current: CurrentDraft, notice: Notice, way: Way, sending: SendingForm, head: LetterheadRecord, seen: str
) -> NewLetter:
    """The letter without its PDF. `seen`: the hash of the text that the person saw. Raises NotTrue."""
    _check(current, notice, way, seen)
    term = _term(way, sending)
    mail, recipient = by_mail(head, sending) if way is Way.MAIL else (None, sending.recipient)
    if not recipient:
        raise NotTrue(_("Enter the recipient."))
    signed = _signed(current)
    return NewLetter(
        key=sending.key,
        case_id=current.case.id,
        other_key=current.case.other_key,
        copier=current.copier.name,
        kind=LetterKind.NOTICE,
        follows_id=None,
        language=current.draft.language,
        subject=_subject(current),
        recipient=recipient,
        channel=NoticeChannel.MAIL if mail is not None else sending_channel(sending),
        dated=term.sent_on,
        sent_at=term.sent_at,
        deadline=term.deadline,
        body=notice.signed(signed, term.sent_on),
        pdf=None,
        mail=mail,
        form=current.draft.form,
        signed=signed,
        consented=Consented(frozenset(current.reasons), notice.text),
    )


def sending_channel(sending: SendingForm) -> NoticeChannel:
    return NoticeChannel(sending.channel)


def _check(current: CurrentDraft, notice: Notice, way: Way, seen: str) -> None:
    if current.draft.letter_id is not None:
        raise NotTrue(_("This notice has already been sent."))
    if notice.missing:
        names = joined(label(field.element.key, "notice_element") for field in notice.missing[:_SHOWN])
        raise NotTrue(_("The notice lacks required elements: %(names)s.", names=names))
    if not current.named:
        raise NotTrue(_("The notice names no confirmed case."))
    if seen != current.digest:
        raise NotTrue(_("The text has changed since you saw it. Read it again; nothing was sent."))
    if current.consents.is_open:
        raise NotTrue(_("A second person must consent to this text first."))
    if way is Way.MAIL and current.draft.form in BY_HAND:
        raise NotTrue(_("This notice is submitted through their form. Mark it as sent afterwards."))


def _signed(current: CurrentDraft) -> Signed:
    try:
        signed = signed_of_request(current.draft.form)
    except NotSignedHere as error:
        raise NotTrue(str(error)) from error
    if signed is None:
        raise NotTrue(_("This notice has already been sent."))
    return signed


def _term(way: Way, sending: SendingForm) -> Term:
    today = local_day(datetime.now(UTC))
    try:
        sent_on = today if way is Way.MAIL or not sending.sent else date.fromisoformat(sending.sent)
        deadline = start_of_day(sending.deadline, days_later=1)
        sent_at = datetime.now(UTC) if sent_on == today else start_of_day(f"{sent_on:%Y-%m-%d}") or datetime.now(UTC)
    except ValueError:
        raise NotTrue(_("Not a valid date (use YYYY-MM-DD).")) from None
    if sent_on > today:
        raise NotTrue(_("The date of a sent letter cannot be in the future."))
    if deadline is not None and deadline <= sent_at:
        raise NotTrue(_("The deadline is before the date of sending."))
    return Term(sent_on, sent_at, deadline)


def _subject(current: CurrentDraft) -> str:
    owner = current.copier.our_owner
    words = f"{TITLES[current.draft.form]} · {owner}" if owner else TITLES[current.draft.form]
    shown = "".join(letter if letter.isprintable() else " " for letter in words)
    return " ".join(shown.split())[:SUBJECT_CHARS]


def named_cases(current: CurrentDraft) -> list[NamedCase]:
    """The cases with what the notice says of each page."""
    return [
        NamedCase(item.case.id, item.case.state, tuple(
            {"url": line.url, "chars": line.chars, "share": line.our_share} for line in item.lines
        ))
        for item in current.named
    ]  # fmt: skip
