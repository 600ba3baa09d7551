"""The draft of a letter: whom it is about, what it may name, its text as filled in, and the page that shows it."""

import secrets
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, timedelta
from typing import Final

from flask import abort, render_template, request
from flask_babel import force_locale

from admin.alerts.kinds.mail import KIND as MAIL
from admin.alerts.letter_mail import mail_recipient
from admin.cases.common import Answer, case_or_404
from admin.cases.copier_summary import DECIDED, UNDECIDED, Copier, Item, copier_of
from admin.evidence.letter_formats import WRITERS
from admin.evidence.letter_gate import agency_cases, gate_reasons
from admin.evidence.letter_grounds import Grounds, NoLetter, grounds_of, without_agency
from admin.evidence.letter_templates import NAME, claims, current_wording, filled, follow_up_wording, own_wording
from admin.identity.dates import last_day, local_day
from admin.identity.permissions import actor
from admin.web.db_session import database
from admin.web.labels import label
from storage.alerts import channels
from storage.desk import letter_templates
from storage.errors import NotKnown
from storage.evidence import chain_store
from storage.letters import letterhead, listing
from storage.records.alerts import ChannelRecord
from storage.records.cases import CaseRecord
from storage.records.correspondence.letters import LetterheadRecord, LetterKind, LetterRecord, LetterState
from storage.records.correspondence.notices import NoticeForm
from storage.records.evidence import CaptureState
from storage.types import NoticeChannel

DEADLINE_DAYS: Final = 10


@dataclass(frozen=True, slots=True)
class RequestedLetter:
    """A requested letter: recipient, grounds and language. `follows`: the letter that was not answered, or not done."""

    case: CaseRecord
    copier: Copier
    grounds: Grounds
    language: str
    with_undecided: bool
    follows: LetterRecord | None = None

    @property
    def kind(self) -> LetterKind:
        if self.follows is None:
            return LetterKind.NOTICE
        return LetterKind.REMINDER if self.follows.replied_at is None else LetterKind.SECOND

    @property
    def today(self) -> date:
        return local_day(self.copier.made_at)


@dataclass(frozen=True, slots=True)
class SendingForm:
    """The fields beside the text: to whom, which way, when, until when. `key` makes it one letter however often it is
    sent; `named`: the cases as they were seen, each `ID:STATE`.
    """

    recipient: str
    channel: str
    sent: str
    deadline: str
    key: str = field(default_factory=lambda: secrets.token_hex(16))
    named: tuple[str, ...] = ()


def requested_letter(
    case_id: int, language: str, *, with_undecided: bool = False, follows_id: int | None = None
) -> RequestedLetter:
    """Ends the request with 404 for a case or an earlier letter that is not there, or not about this case."""
    case = case_or_404(case_id)
    states = DECIDED | UNDECIDED if with_undecided else DECIDED
    copier = copier_of(database(), case, states=states, made_by=actor().name, always=True)
    follows = None if follows_id is None else _followed(case, follows_id)
    grounds = grounds_of(copier, case)
    grounds = without_agency(grounds, case, agency_cases(database(), grounds.named))
    if follows is not None:
        grounds = _of_letter(grounds, follows)
    return RequestedLetter(case, copier, grounds, language, with_undecided, follows)


def _followed(case: CaseRecord, letter_id: int) -> LetterRecord:
    try:
        letter = listing.get_letter(database(), letter_id)
    except NotKnown:
        abort(404)
    if letter.other_key != case.other_key or letter.state is not LetterState.SENT:
        abort(404)
    is_over = letter.deadline is not None and letter.deadline <= datetime.now(UTC)
    if letter.followed_by is not None or (letter.replied_at is None and not is_over):
        abort(409)  # a reminder says that the term is over
    return letter


def _of_letter(grounds: Grounds, letter: LetterRecord) -> Grounds:
    """Only what the earlier letter named, and of it what still stands."""
    earlier = {one.case_id for one in listing.cases_of_letter(database(), letter.id)}
    named = tuple(item for item in grounds.named if item.case.id in earlier)
    refusal = grounds.refusal or (None if named else NoLetter.TAKEN_DOWN)
    return replace(grounds, named=named, refusal=refusal)


def draft_text(requested: RequestedLetter, items: Sequence[Item] | None = None) -> str:
    """The letter as the program fills it in; about `items` where these are not all that it may name."""
    head = chain_store.head(database())
    with force_locale(requested.language):
        return filled(
            wording_of(requested.language, requested.kind),
            requested.copier,
            requested.grounds.named if items is None else items,
            today=requested.today,
            deadline=requested.today + timedelta(days=DEADLINE_DAYS),
            head=None if head is None else str(head),
            sender=letterhead.letterhead(database()),
            earlier=_earlier(requested.follows),
        )


def _earlier(letter: LetterRecord | None) -> dict[str, str]:
    if letter is None:
        return {}
    return {
        "number": str(letter.id),
        "sent": f"{letter.dated:%Y-%m-%d}",
        "until": "—" if letter.deadline is None else last_day(letter.deadline),
    }


def wording_of(language: str, kind: LetterKind = LetterKind.NOTICE) -> str:
    if kind is not LetterKind.NOTICE:
        return follow_up_wording(kind, language)
    changed = letter_templates.get_wording(database(), NAME, language)
    return own_wording(language) if changed is None else current_wording(changed.body)


def letter_page(
    requested: RequestedLetter,
    text: str,
    *,
    claimed: Sequence[str] = (),
    problem: str = "",
    sending: SendingForm | None = None,
) -> str:
    captures = requested.grounds.captures
    head = letterhead.letterhead(database())
    return render_template(
        "evidence/letter.html",
        case=requested.case,
        copier=requested.copier,
        grounds=requested.grounds,
        follows=requested.follows,
        kind=requested.kind,
        captures=captures,
        # Sentences that claim captures by themselves were removed.
        lost=() if captures[CaptureState.KEPT] == len(requested.grounds.lines) else claimed,
        reasons=gate_reasons(database(), requested.grounds.named),
        text=text,
        problem=problem,
        chosen_language=requested.language,
        with_undecided=requested.with_undecided,
        kinds=list(WRITERS),
        sending=sending or _first_form(requested),
        letterhead=head,
        mail_channel=mail_channel(head),
        by_hand_words=[(channel, label(channel, "channel")) for channel in NoticeChannel],
    )


def _first_form(requested: RequestedLetter) -> SendingForm:
    """With what is known: the recipient of the last letter to the copier, else the address for complaints."""
    earlier = requested.follows or _last_letter(requested.copier)
    known = requested.copier.complaint_address if earlier is None else earlier.recipient
    by_mail = mail_recipient(known) is not None
    return SendingForm(
        recipient=known,
        channel=NoticeChannel.MAIL if by_mail else NoticeChannel.FORM if "://" in known else NoticeChannel.LETTER,
        sent=f"{requested.today:%Y-%m-%d}",
        deadline=f"{requested.today + timedelta(days=DEADLINE_DAYS):%Y-%m-%d}",
        named=seen(requested.grounds.named),
    )


def _last_letter(copier: Copier) -> LetterRecord | None:
    """The last letter to the copier itself: a notice by addressee goes to somebody else."""
    letters = (listing.letters_of_case(database(), item.case.id) for item in copier.items[:1])
    return next((letter for found in letters for letter in found if letter.form is NoticeForm.LETTER), None)


def seen(items: Iterable[Item]) -> tuple[str, ...]:
    """Cases with their states, as the form carries them."""
    return tuple(f"{item.case.id}:{item.case.state}" for item in items)


def mail_channel(head: LetterheadRecord) -> ChannelRecord | None:
    """The channel whose mail server takes letters: the chosen one, or the only one that there is."""
    known = [one for one in channels.list_channels(database()) if one.kind == MAIL.value and one.enabled]
    chosen = next((one for one in known if one.id == head.mail_channel_id), None)
    return chosen or (known[0] if len(known) == 1 and head.mail_channel_id is None else None)


def first_page(requested: RequestedLetter) -> str:
    claimed = claims(wording_of(requested.language, requested.kind))
    return letter_page(requested, draft_text(requested), claimed=claimed)


def refused(requested: RequestedLetter) -> Answer:
    page = render_template("evidence/no_letter.html", case=requested.case, why=requested.grounds.refusal)
    return page, 409


def follows_asked() -> int | None:
    """The earlier letter that the request names."""
    return request.values.get("follows", type=int)
