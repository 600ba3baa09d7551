"""The dates of an answer as a form brings them, and the terms that follow from a letter and its answers."""

from collections.abc import Iterable, Mapping
from datetime import UTC, date, datetime, timedelta
from typing import Final

from flask import request
from flask_babel import gettext as _

from admin.identity.dates import local_day
from admin.letters.terms import Term, terms_of
from admin.web import form_fields
from admin.web.db_session import database
from storage.letters import answers
from storage.records.correspondence.letter_answers import AnswerDates, AnswerRecord, NoticeLaw
from storage.records.correspondence.letters import LetterRecord
from storage.records.correspondence.notices import NoticeForm

_LAWS: Final = {
    **dict.fromkeys((NoticeForm.REGULATION, NoticeForm.WECHAT, NoticeForm.TOUTIAO, NoticeForm.BAIDU), NoticeLaw.CHINA),
    **dict.fromkeys((NoticeForm.DMCA, NoticeForm.SEARCH), NoticeLaw.DMCA),
    NoticeForm.DSA: NoticeLaw.DSA,
}


def law_of(letter: LetterRecord) -> NoticeLaw:
    """The law under which a notice was made; of a letter to the copier, as its language tells. A person can say
    another with the answer.
    """
    by_language = NoticeLaw.CHINA if letter.language.startswith("zh") else NoticeLaw.OTHER
    return _LAWS.get(letter.form, by_language)


def dates_of_request(letter: LetterRecord) -> AnswerDates:
    """The dates of an answer. Raises InvalidField for days that cannot be, in the viewer's language."""
    today = local_day(datetime.now(UTC))
    received = _day("received") or today
    found = AnswerDates(
        received=received,
        law=form_fields.choice("law", NoticeLaw) if "law" in request.form else law_of(letter),
        dated=_day("dated"),
        provider_received=_day("provider_received"),
    )
    known = [day for day in (found.dated, found.provider_received) if day is not None]
    if received > today or any(day > received for day in known):
        raise form_fields.InvalidField(_("A date of the answer is in the future, or after its receipt."))
    if any(day < letter.dated for day in (received, *known)):
        raise form_fields.InvalidField(_("A date of the answer is before the date of the letter."))
    return found


def terms_of_letter(letter: LetterRecord, found: Iterable[AnswerRecord]) -> list[Term]:
    """The terms of a letter that left, by its newest answer."""
    until = None if letter.deadline is None else local_day(letter.deadline - timedelta(microseconds=1))
    return terms_of(until, law_of(letter), list(found))


def terms_of_letters(letters: Iterable[LetterRecord]) -> Mapping[int, list[Term]]:
    """The same for each letter of a list, with one query."""
    shown = list(letters)
    newest = answers.newest_answers(database(), [letter.id for letter in shown])
    return {letter.id: terms_of_letter(letter, [newest[letter.id]] if letter.id in newest else []) for letter in shown}


def _day(name: str) -> date | None:
    given = form_fields.line(name, 20)
    if not given:
        return None
    try:
        return date.fromisoformat(given)
    except ValueError as error:
        words = _("“%(day)s” is not a valid date (use YYYY-MM-DD).", day=given)
        raise form_fields.InvalidField(words) from error
