"""The site form, parsed into settings or errors (pure but for the texts)."""

import json
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, replace
from datetime import time
from typing import Any, Final, TypeVar

from flask_babel import gettext as _

from admin.identity.time_zone import is_zone
from admin.sites.rule_problem import rule_problem
from admin.sites.schedule_choice import PRESET, chosen, sent_rule
from admin.web import form_fields
from admin.web.form_fields import InvalidField
from crawler.extraction.site_rule import ExtractionRule
from crawler.outcomes.errors import BadScope, CrawlerError
from crawler.urls.canonical import canonical_url, host_of
from crawler.urls.patterns import check_patterns
from storage.records.crawl import Politeness
from storage.records.sites import LONGEST_DELAY_S, MOST_MEGABYTES, MOST_PAGES, SiteSettings
from storage.types import Rights, SiteRole

LONGEST_NAME: Final = 200
MOST_LINES: Final = 200
"""URLs or patterns of one kind; more belong into an import."""
MEGABYTE: Final = 1_000_000

_Value = TypeVar("_Value")


@dataclass(frozen=True, slots=True)
class SiteForm:
    """`fields` as sent, to be shown again; `settings` is None where something is wrong."""

    fields: Mapping[str, Any]
    owner: str
    settings: SiteSettings | None
    politeness: Politeness
    rule: str | None
    """Of the schedule; empty: none; None: as it is."""
    problems: tuple[str, ...]


def fields_of(settings: SiteSettings, owner: str, politeness: Politeness, rule: str | None = PRESET) -> dict[str, Any]:
    """The settings as fields of the form. `rule`: of the schedule; None: it has none."""
    choice, other = chosen(rule)
    shown = {name: "\n".join(value) if isinstance(value, tuple) else value for name, value in asdict(settings).items()}
    return shown | {
        "owner": owner,
        "page_budget": settings.page_budget or "",
        "delay_s": f"{settings.delay_s:g}",
        "megabytes": (politeness.byte_budget or 0) // MEGABYTE or "",
        "window_start": _clock(politeness.window_start),
        "window_end": _clock(politeness.window_end),
        "obey_noindex": politeness.obey_noindex,
        "obey_noarchive": politeness.obey_noarchive,
        "rule": choice,
        "other_rule": other,
    }


def submitted(before: SiteSettings) -> SiteForm:
    """The form of this request. Settings without a field stay as they were `before`."""
    reader = _Reader()
    role, rights = form_fields.choice("role", SiteRole), form_fields.choice("rights", Rights)
    name, owner = form_fields.line("name"), form_fields.line("owner")
    reader.check(_named, name)
    reader.check(_named_or_empty, owner)
    start_urls = reader.addresses("start_urls")
    hosts = reader.hosts(start_urls)
    settings = replace(
        before,
        name=name,
        role=role,
        rights=Rights.OWN if role is SiteRole.ORIGINAL and rights is Rights.UNKNOWN else rights,
        start_urls=start_urls,
        hosts=hosts,
        sitemaps=reader.addresses("sitemaps"),
        feeds=reader.addresses("feeds"),
        allow=reader.patterns("allow"),
        deny=reader.patterns("deny"),
        delay_s=reader.value(_delay, form_fields.line("delay_s"), 1.0),
        page_budget=reader.value(_budget, form_fields.line("page_budget"), None),
        time_zone=reader.value(_zone, form_fields.line("time_zone"), before.time_zone),
        browser=form_fields.is_ticked("browser"),
    )
    politeness = reader.politeness()
    rule = reader.value(lambda _text: sent_rule(), "", None)
    if not (start_urls or settings.sitemaps or settings.feeds):
        reader.problems.append(_("Enter at least one start URL: a page, a feed or a sitemap."))
    problems = tuple(dict.fromkeys(reader.problems))
    return SiteForm(_as_sent(), owner, None if problems else settings, politeness, rule, problems)


def rule_in(text: str) -> dict[str, Any] | None:
    """The extraction rule in a JSON text; None for no rule. Raises Wrong."""
    if not text.strip():
        return None
    try:
        stated = json.loads(text)
        ExtractionRule.of(stated)
    except (ValueError, RecursionError, CrawlerError) as error:
        raise InvalidField(rule_problem(error)) from error
    return dict(stated)


class _Reader:
    """Reads fields and collects what is wrong, so that all of it is shown at once."""

    def __init__(self) -> None:
        self.problems: list[str] = []

    def value(self, parse: Callable[[str], _Value], text: str, otherwise: _Value) -> _Value:
        try:
            return parse(text)
        except InvalidField as wrong:
            self.problems.append(str(wrong))
            return otherwise

    def check(self, rule: Callable[[str], str], text: str) -> None:
        self.value(rule, text, "")

    def addresses(self, name: str) -> tuple[str, ...]:
        return tuple(dict.fromkeys(self.value(_address, line, line) for line in self._lines(name)))

    def hosts(self, start_urls: tuple[str, ...]) -> tuple[str, ...]:
        """The hosts of the form, else those of the start URLs."""
        given = tuple(self.value(_host, line, line) for line in self._lines("hosts"))
        return given or tuple(dict.fromkeys(host_of(url) for url in start_urls if "://" in url))

    def patterns(self, name: str) -> tuple[str, ...]:
        found = self._lines(name)
        for pattern in found:
            try:
                check_patterns((pattern,))
            except BadScope as error:
                self.problems.append(rule_problem(error))
        return found

    def politeness(self) -> Politeness:
        start, end = (self.value(_time_of_day, form_fields.line(name), None) for name in ("window_start", "window_end"))
        if (start is None) is not (end is None):
            self.problems.append(_("Enter both the start and the end of the crawl hours, or neither."))
        megabytes = self.value(_megabytes, form_fields.line("megabytes"), None)
        return Politeness(
            byte_budget=megabytes and megabytes * MEGABYTE,
            window_start=start,
            window_end=end,
            obey_noindex=form_fields.is_ticked("obey_noindex"),
            obey_noarchive=form_fields.is_ticked("obey_noarchive"),
        )

    def _lines(self, name: str) -> tuple[str, ...]:
        found = form_fields.lines(name)
        if len(found) > MOST_LINES:
            self.problems.append(_("At most %(most)s lines in one field.", most=MOST_LINES))
        return found[:MOST_LINES]


def _as_sent() -> dict[str, Any]:
    one_line = ("name", "owner", "role", "rights", "delay_s", "page_budget", "time_zone", "megabytes")
    ticks = ("browser", "obey_noindex", "obey_noarchive")
    lists = ("start_urls", "hosts", "sitemaps", "feeds", "allow", "deny")
    return {
        **{name: form_fields.line(name) for name in (*one_line, "window_start", "window_end", "rule", "other_rule")},
        **{name: form_fields.is_ticked(name) for name in ticks},
        **{name: form_fields.text(name) for name in lists},
    }


def _named(text: str) -> str:
    if not text:
        raise InvalidField(_("The site needs a name."))
    return _named_or_empty(text)


def _named_or_empty(text: str) -> str:
    if len(text) > LONGEST_NAME:
        raise InvalidField(_("A name can have at most %(most)s characters.", most=LONGEST_NAME))
    return text


def _address(text: str) -> str:
    wrong = InvalidField(_("“%(url)s” is not a web address.", url=text[:100]))
    try:
        address = canonical_url(text)
    except CrawlerError as error:
        raise wrong from error
    if not address.startswith(("http://", "https://")):
        # Imported files have addresses too, which cannot be crawled.
        raise wrong
    return address


def _host(text: str) -> str:
    try:
        return host_of(canonical_url(text if "://" in text else f"http://{text}/"))
    except CrawlerError as error:
        raise InvalidField(_("“%(host)s” is not a valid host name.", host=text[:100])) from error


def _delay(text: str) -> float:
    seconds = _number(text or "1", float, _("The pause between two requests must be a number of seconds."))
    if not 0 <= seconds <= LONGEST_DELAY_S:
        raise InvalidField(
            _("The pause between two requests must be 0 to %(most)s seconds.", most=int(LONGEST_DELAY_S))
        )
    return seconds


def _budget(text: str) -> int | None:
    return _bounded(text, MOST_PAGES, _("Maximum pages per crawl: a whole number, 1 or more, or empty for no limit."))


def _megabytes(text: str) -> int | None:
    return _bounded(text, MOST_MEGABYTES, _("Maximum MB per crawl: a whole number, 1 or more, or empty for no limit."))


def _bounded(text: str, most: int, words: str) -> int | None:
    if not text:
        return None
    number = _number(text, int, words)
    if not 1 <= number <= most:
        raise InvalidField(words)
    return number


def _number(text: str, kind: Callable[[str], _Value], words: str) -> _Value:
    try:
        return kind(text)
    except ValueError as error:
        raise InvalidField(words) from error


def _zone(text: str) -> str:
    if not is_zone(text):
        raise InvalidField(_("Unknown time zone “%(name)s”.", name=text[:100]))
    return text


def _time_of_day(text: str) -> time | None:
    if not text:
        return None
    try:
        return time.fromisoformat(text).replace(tzinfo=None)
    except ValueError as error:
        raise InvalidField(_("“%(text)s” is not a valid time (use HH:MM).", text=text[:20])) from error


def _clock(at: time | None) -> str:
    return "" if at is None else f"{at:%H:%M}"
