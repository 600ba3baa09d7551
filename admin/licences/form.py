"""The licence form: articles, licensee and terms (pure but for the texts)."""

from datetime import datetime
from enum import StrEnum
from typing import Final

from flask_babel import gettext as _

from admin.identity.time_zone import start_of_day
from admin.web import form_fields
from admin.web.form_fields import InvalidField
from crawler.outcomes.errors import CrawlerError
from crawler.urls.canonical import canonical_url
from storage.records.cases import LicenceTerms
from storage.types import Credit

LONGEST_DELAY_DAYS: Final = 36_500
LONGEST_NAME: Final = 200
LONGEST_URL: Final = 2_000
MOST_COLUMNS: Final = 100
FIELDS: Final = (
    "whose",
    "owner",
    "author",
    "article",
    "copier",
    "delay",
    "first",
    "last",
    "requires",
    "notes",
    "columns",
)


class Whose(StrEnum):
    """What a licence covers."""

    OWNER = "owner"
    AUTHOR = "author"
    ARTICLE = "article"


def submitted_terms() -> LicenceTerms:
    """The terms that the form states. Raises Wrong for invalid or contradictory fields."""
    whose, requires = form_fields.choice("whose", Whose), form_fields.choice("requires", Credit)
    named = {Whose.OWNER: "owner", Whose.AUTHOR: "author", Whose.ARTICLE: "article"}[whose]
    value = form_fields.line(named, LONGEST_URL if whose is Whose.ARTICLE else LONGEST_NAME)
    if not value:
        raise InvalidField(_("Enter which texts are licensed."))
    copier = form_fields.line("copier", LONGEST_NAME) or None
    if whose is Whose.OWNER and value == copier:
        raise InvalidField(_("%(name)s needs no licence for its own articles.", name=value))
    columns = form_fields.lines("columns", LONGEST_URL)
    if len(columns) > MOST_COLUMNS:
        raise InvalidField(_("At most %(most)s lines in one field.", most=MOST_COLUMNS))
    first, last = _day("first"), _day("last", days_later=1)
    if first is not None and last is not None and last <= first:
        raise InvalidField(_("The last day is before the first."))
    return LicenceTerms(
        owner=value if whose is Whose.OWNER else None,
        author=value if whose is Whose.AUTHOR else None,
        article_url=_canonical(value) if whose is Whose.ARTICLE else None,
        copier=copier,
        columns=columns,
        requires=requires,
        delay_days=_delay(form_fields.line("delay")),
        valid_from=first,
        valid_until=last,
        notes=form_fields.text("notes", LONGEST_URL),
    )


def as_sent() -> dict[str, str]:
    """The fields as sent, to be shown again with the error."""
    return {name: form_fields.text(name, LONGEST_URL) for name in FIELDS}


def _day(name: str, *, days_later: int = 0) -> datetime | None:
    text = form_fields.line(name)
    try:
        return start_of_day(text, days_later=days_later)
    except ValueError as error:
        raise InvalidField(_("“%(text)s” is not a valid date (use YYYY-MM-DD).", text=text[:40])) from error


def _delay(text: str) -> int:
    try:
        days = int(text or "0")
    except ValueError:
        days = -1
    if not 0 <= days <= LONGEST_DELAY_DAYS:
        raise InvalidField(_("The waiting time must be a whole number of days, 0 or more."))
    return days


def _canonical(url: str) -> str:
    try:
        return canonical_url(url)
    except CrawlerError as error:
        raise InvalidField(_("“%(url)s” is not a web address.", url=url[:100])) from error
