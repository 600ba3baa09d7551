"""A letter as it was handed in, held against the store; it leaves only if all that it says is so."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from enum import StrEnum
from typing import Final

from flask_babel import force_locale
from flask_babel import gettext as _

from admin.alerts.letter_mail import mail_recipient
from admin.cases.copier_summary import Item
from admin.evidence.letter_drafts import RequestedLetter, SendingForm, draft_text, mail_channel
from admin.identity.time_zone import start_of_day
from admin.letters import truth
from admin.web.db_session import database
from admin.web.url_converters import as_key
from storage.cases import listing
from storage.evidence import chain_store
from storage.records.correspondence.letters import ByMail, LetterheadRecord, NamedCase, NewLetter
from storage.types import NoticeChannel

SHOWN: Final = 5
"""Addresses or sentences that a refusal names."""
SUBJECT_CHARS: Final = 200


class Way(StrEnum):
    """How a letter is sent."""

    MAIL = "mail"
    """By the program."""
    MARK = "mark"
    """By a person, who notes it."""


class NotTrue(Exception):
    """The letter cannot leave as it is. The message says why and what to do, in the viewer's language."""


@dataclass(frozen=True, slots=True)
class Term:
    """When a letter is sent, and until when it asks for an answer."""

    sent_at: datetime
    sent_on: date
    deadline: datetime | None


def checked_cases(requested: RequestedLetter, text: str, sending: SendingForm) -> list[NamedCase]:
    """The cases that the text names, with what it may say of their pages. Raises NotTrue."""
    named = truth.named_in(text, requested.grounds.named)
    if not named:
        raise NotTrue(_("The letter names no case: it must contain our URL and theirs."))
    forbidden = truth.forbidden_in(text, requested.copier.items, named)
    if forbidden:
        raise NotTrue(
            _(
                "The letter must not name these pages (licensed, removed or not proved): %(pages)s",
                pages=_some(forbidden),
            )
        )
    _check_states(requested, text, named, sending)
    _check_claims(requested, text, named)
    return [
        NamedCase(item.case.id, item.case.state, tuple(
            {"url": line.url, "chars": line.chars, "share": line.our_share} for line in item.lines
        ))
        for item in named
    ]  # fmt: skip


def _check_states(requested: RequestedLetter, text: str, named: Collection[Item], sending: SendingForm) -> None:
    in_text = {item.case.id for item in named}
    seen = _seen(sending)
    lost = set(truth.changed(list(seen.items()), requested.grounds.named))
    places = truth.Places(text)
    still_there = {one.id for one in listing.cases_by_id(database(), lost - in_text) if places.has(one.our_url)}
    if lost & in_text or still_there or in_text - seen.keys():
        numbers = sorted((lost & in_text) | still_there | (in_text - seen.keys()))
        cases = " ".join(f"#{number}" for number in numbers[:SHOWN])
        raise NotTrue(
            _(
                "Someone has changed these cases meanwhile: %(cases)s. Open the letter again; your text is below.",
                cases=cases,
            )
        )
    undecided = in_text.intersection(requested.grounds.undecided)
    if undecided:
        cases = " ".join(f"#{number}" for number in sorted(undecided)[:SHOWN])
        raise NotTrue(_("Confirm these cases first, since the letter makes an accusation: %(cases)s.", cases=cases))


def _seen(sending: SendingForm) -> dict[int, str]:
    pairs = (part.partition(":") for part in sending.named)
    return {number: state for id_, _colon, state in pairs if (number := as_key(id_)) is not None}


def _check_claims(requested: RequestedLetter, text: str, named: tuple[Item, ...]) -> None:
    heads = truth.heads_in(text)
    if not chain_store.are_heads(database(), heads):
        raise NotTrue(_("The letter names a head of the chain of evidence that does not exist."))
    if all(line.evidence.is_kept for item in named for line in item.lines):
        return
    untrue = truth.untrue_claims(text, draft_text(requested, named))
    if untrue:
        raise NotTrue(
            _(
                "These statements about captures are not proved by the store. Remove or correct them: %(lines)s",
                lines=_some(untrue),
            )
        )


def _some(found: list[str]) -> str:
    return " · ".join(one[:200] for one in found[:SHOWN])


def checked_term(requested: RequestedLetter, way: Way, text: str, sending: SendingForm) -> Term:
    """Raises NotTrue: a date is none, or the text says another one."""
    today = requested.today
    try:
        sent_on = today if way is Way.MAIL or not sending.sent else date.fromisoformat(sending.sent)
        deadline = start_of_day(sending.deadline, days_later=1)
        until = date.fromisoformat(sending.deadline) if sending.deadline else None
    except ValueError:
        raise NotTrue(_("Not a valid date (use YYYY-MM-DD).")) from None
    if sent_on > today:
        raise NotTrue(_("The date of a sent letter cannot be in the future."))
    if until is not None and until <= sent_on:
        raise NotTrue(_("The deadline is before the date of sending."))
    if until is not None and not truth.names_day(text, until):
        raise NotTrue(_("The letter does not state the deadline, %(day)s.", day=until))
    if way is Way.MAIL and not truth.names_day(text, today):
        raise NotTrue(_("The letter is not dated today, %(day)s.", day=today))
    return Term(_moment(sent_on, today), sent_on, deadline)


def _moment(day: date, today: date) -> datetime:
    if day == today:
        return datetime.now(UTC)
    return start_of_day(f"{day:%Y-%m-%d}") or datetime.now(UTC)


def letter_of(
    requested: RequestedLetter, way: Way, text: str, sending: SendingForm, head: LetterheadRecord
) -> NewLetter:
    """The letter without its PDF. Raises NotTrue."""
    term = checked_term(requested, way, text, sending)
    mail, recipient = by_mail(head, sending) if way is Way.MAIL else (None, sending.recipient)
    if not recipient:
        raise NotTrue(_("Enter the recipient."))
    return NewLetter(
        key=sending.key,
        case_id=requested.case.id,
        other_key=requested.case.other_key,
        copier=requested.copier.name,
        kind=requested.kind,
        follows_id=None if requested.follows is None else requested.follows.id,
        language=requested.language,
        subject=_subject(requested, text),
        recipient=recipient,
        channel=NoticeChannel.MAIL if way is Way.MAIL else NoticeChannel(sending.channel),
        dated=term.sent_on,
        sent_at=term.sent_at,
        deadline=term.deadline,
        body=text,
        pdf=None,
        mail=mail,
    )


def by_mail(head: LetterheadRecord, sending: SendingForm) -> tuple[ByMail, str]:
    """How the mail leaves, and to whom. Raises NotTrue: there is no mail server, or the address is none."""
    channel, recipient = mail_channel(head), mail_recipient(sending.recipient)
    if channel is None:
        raise NotTrue(_("No mail server is set up for letters."))
    if recipient is None:
        raise NotTrue(
            _("“%(text)s” is not a mail address (use one address such as name@example.org).", text=sending.recipient)
        )
    send_at = datetime.now(UTC) + timedelta(minutes=head.outbox_minutes)
    return ByMail(channel.id, channel.shown, send_at), recipient


def _subject(requested: RequestedLetter, text: str) -> str:
    """The first line of the letter and who writes: one line without control characters."""
    with force_locale(requested.language):
        title = text.partition("\n")[0].strip() or _("Notice of infringement")
    words = f"{title} · {requested.copier.our_owner}" if requested.copier.our_owner else title
    shown = "".join(letter if letter.isprintable() else " " for letter in words)
    return " ".join(shown.split())[:SUBJECT_CHARS]
