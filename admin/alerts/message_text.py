"""The content of alerts: subject, text and data of a message, in the language of its channel (pure but for the words).

Each message says what happened, how much was copied and since when, and has one link. Crawled text is made inert: no
line ends, hidden characters, mark-up or mentions of chat programs, or further links.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from typing import Any, Final
from urllib.parse import urlencode

from flask import Flask
from flask_babel import Babel, force_locale
from flask_babel import gettext as _
from flask_babel import lazy_gettext as _l

from admin.alerts.cards import Fact, Said
from admin.alerts.channel_kind import ChannelKind
from admin.alerts.labels import BRAND, EVENTS, MEASURES, OPERATION
from admin.alerts.people_message import for_person
from admin.alerts.plain_words import TITLE_CHARS, inert
from admin.alerts.problem_text import problem_in_words
from admin.alerts.retelling_message import many_retellings, one_retelling, retelling_data
from admin.cases.labels import CASE_TABLES
from admin.hits.labels import HIT_TABLES
from admin.hooks.template_filters import number, percent
from admin.web.labels import install, label
from storage.alerts.outbox import NewMessage
from storage.alerts.rules import CaseFacts
from storage.records.alerts import OF_CASES, AlertKind, EventRecord
from storage.records.cases import CaseRecord
from storage.records.monitoring import Measure
from storage.records.retellings import RetellingRecord
from storage.time_zones import zone_named
from storage.types import BY_MEANING, CaseQueue, Credit

MOST_LISTED: Final = 100
MOST_IN_DATA: Final = 500
PROBLEM_CHARS: Final = 400

_ORDER: Final = (AlertKind.COPY_REAPPEARED, AlertKind.CASE_OPENED, AlertKind.COPY_REMOVED)
_IN_DOUBT: Final[Mapping[CaseQueue, object]] = {
    CaseQueue.WE_MAY_BE_COPIER: _l("we may be the copier"),
    CaseQueue.AGENCY: _l("possible agency story"),
    CaseQueue.SHARED_PASSAGE: _l("shares a passage"),
}
_SHARES: Final = frozenset({Measure.EMPTY, Measure.FAILED, Measure.REWRITTEN})
_GIGABYTE: Final = 1_000_000_000


@dataclass(frozen=True, slots=True)
class Item:
    """An event, with its case, its retelling or the name of its site."""

    event: EventRecord
    facts: CaseFacts | None = None
    site: str | None = None
    retelling: RetellingRecord | None = None


@dataclass(frozen=True, slots=True)
class Place:
    """The address of the desk, and the time zone of times that have no other."""

    desk_url: str
    time_zone: str


@contextmanager
def speaking(language: str) -> Iterator[None]:
    """Translate into this language within the block; needs no request."""
    with _speaker().app_context(), force_locale(language):
        yield


@cache
def _speaker() -> Flask:
    app = Flask("admin")
    Babel(app)
    install(app, CASE_TABLES, HIT_TABLES)
    return app


def make_message(items: Sequence[Item], kind: ChannelKind, place: Place) -> NewMessage:
    """The message about one event, or about several events of cases together. Call it within `speaking`."""
    said = _of_case(items[0], place) if len(items) == 1 else None
    subject, text, link = (said.subject, said.text, said.link) if said else _of_others(items, kind, place)
    payload = _data(items, subject, text, link) if kind.gets_data else {}
    if said is not None and kind.gets_card:
        payload = {**payload, "card": said.card}
    return NewMessage(f"{BRAND} {subject}", text, payload)


def test_message(place: Place) -> NewMessage:
    """A message that only says that the channel works."""
    subject, text = _("Test message"), _("This channel works. Alerts arrive here.")
    text = f"{text}\n\n{place.desk_url}/"
    return NewMessage(f"{BRAND} {subject}", text, {"kind": "test", "subject": subject, "text": text, "events": []})


test_message.__test__ = False  # type: ignore[attr-defined]  # not a test of pytest's


def _of_others(items: Sequence[Item], kind: ChannelKind, place: Place) -> tuple[str, str, str]:
    """Subject, text and link of a message that is not about one case."""
    if len(items) > 1:
        return _many(items, kind, place)
    if items[0].retelling is not None:
        return one_retelling(items[0].retelling, place.desk_url)
    return _of_operation(items[0], place)


def _of_case(item: Item, place: Place) -> Said | None:
    """A message about one case, or for a person; None: the event is about something else."""
    facts = item.facts
    if item.event.kind is AlertKind.MENTIONED:
        known = () if facts is None else _facts(item, facts, place)
        return for_person(item.event, known, place.desk_url)
    if facts is None or item.retelling is not None:
        return None
    case = facts.record
    subject = _subjects(case, {"copier": inert(case.other_name), "title": _title(case)})[item.event.kind]
    return Said(subject, _facts(item, facts, place), f"{place.desk_url}/cases/{case.id}", str(_("Open case")))


def _facts(item: Item, facts: CaseFacts, place: Place) -> tuple[Fact, ...]:
    """What is known of a case."""
    case = facts.record
    known = [
        (_("Article"), _title(case)),
        (_("Copier") if case.accuses else _("Also at"), inert(case.other_name)),
        (_("Page"), inert(str(item.event.details.get("url", "")), 200)),
        (_("Shared text"), _how_much(case)),
        (_("Credit"), _credit(case)),
        (_("Severity"), _severity(case)),
        (_("Online since"), _time(facts.since, facts, place) if facts.since else ""),
        (_("Time found"), _time(item.event.at, facts, place) if item.event.kind in OF_CASES else ""),
        (_("Found by"), _services(facts)),
    ]
    return tuple(Fact(str(name), str(value)) for name, value in known if value)


def _services(facts: CaseFacts) -> str:
    """The search services that found it; empty if it was found otherwise."""
    names = ", ".join(inert(name, 40) for name in facts.search_services)
    return str(_("search (%(services)s)", services=names)) if names else ""


def _subjects(case: CaseRecord, said: Mapping[str, str]) -> Mapping[AlertKind, str]:
    if case.kind in BY_MEANING:
        return {
            AlertKind.CASE_OPENED: _("New case: %(copier)s has a text similar to “%(title)s”", **said),
            AlertKind.COPY_REMOVED: _("Removed: the text similar to “%(title)s” at %(copier)s", **said),
            AlertKind.COPY_REAPPEARED: _("Back again: the text similar to “%(title)s” at %(copier)s", **said),
        }
    if case.queue is CaseQueue.WE_MAY_BE_COPIER:
        return {
            AlertKind.CASE_OPENED: _("New case: “%(title)s” is also at %(copier)s; we may be the copier", **said),
            AlertKind.COPY_REMOVED: _("Removed: the text similar to “%(title)s” at %(copier)s", **said),
            AlertKind.COPY_REAPPEARED: _("Back again: the text similar to “%(title)s” at %(copier)s", **said),
        }
    if case.queue is CaseQueue.AGENCY:
        return {
            AlertKind.CASE_OPENED: _("New case: “%(title)s” is also at %(copier)s; possibly an agency story", **said),
            AlertKind.COPY_REMOVED: _("Removed: the text similar to “%(title)s” at %(copier)s", **said),
            AlertKind.COPY_REAPPEARED: _("Back again: the text similar to “%(title)s” at %(copier)s", **said),
        }
    if case.queue is CaseQueue.SHARED_PASSAGE:
        return {
            AlertKind.CASE_OPENED: _("To look at: a page at %(copier)s shares a passage with “%(title)s”", **said),
            AlertKind.COPY_REMOVED: _("Removed: the text similar to “%(title)s” at %(copier)s", **said),
            AlertKind.COPY_REAPPEARED: _("Back again: the text similar to “%(title)s” at %(copier)s", **said),
        }
    return {
        AlertKind.CASE_OPENED: _("New case: %(copier)s copied “%(title)s”", **said),
        AlertKind.COPY_REMOVED: _("Taken down: a copy of “%(title)s” at %(copier)s", **said),
        AlertKind.COPY_REAPPEARED: _("Back again: a copy of “%(title)s” at %(copier)s", **said),
    }


def _of_operation(item: Item, place: Place) -> tuple[str, str, str]:
    said = {"site": inert(item.site or "—")}
    subject = str(OPERATION.get(item.event.kind, item.event.kind.value)) % said
    paths = {AlertKind.ALERTS_HELD: "/alerts"}
    of_site = f"/sites/{item.event.site_id}" if item.event.site_id is not None else "/"
    link = place.desk_url + paths.get(item.event.kind, of_site)
    at = _("Noticed at: %(at)s", at=_time(item.event.at, None, place))
    return subject, "\n".join((*filter(None, (subject, *_particulars(item.event.details, place), at)), "", link)), link


def _particulars(details: Mapping[str, object], place: Place) -> list[str]:
    """The details of an event of the operation, a line each."""
    measure, value, usual = (details.get(name) for name in ("measure", "value", "usual"))
    found = []
    if measure in MEASURES and isinstance(value, int | float) and isinstance(usual, int | float):
        shown = percent if measure in _SHARES else lambda amount: number(round(amount))
        found.append(str(MEASURES[str(measure)]) % {"value": shown(value), "usual": shown(usual)})
    free, total = details.get("free"), details.get("total")
    if isinstance(free, int) and isinstance(total, int):
        gigabytes = {"free": f"{free / _GIGABYTE:.1f}", "total": f"{total / _GIGABYTE:.1f}"}
        found.append(_("%(machine)s: %(free)s of %(total)s GB free", machine=details.get("machine", "—"), **gigabytes))
    if details.get("full_at"):
        found.append(_("It will be full around %(day)s", day=_day(str(details["full_at"]), place)))
    if details.get("task"):
        found.append(_("Job: %(task)s", task=inert(str(details["task"]))))
    return [*found, inert(problem_in_words(str(details.get("problem", ""))), PROBLEM_CHARS)]


def _many(items: Sequence[Item], kind: ChannelKind, place: Place) -> tuple[str, str, str]:
    if items[0].retelling is not None:
        return many_retellings([item.retelling for item in items if item.retelling], kind, place.desk_url)
    subject = _subject(items)
    first = min(item.event.at for item in items).astimezone(UTC).replace(microsecond=0)
    is_news = any(item.event.kind is AlertKind.CASE_OPENED for item in items)
    query = {"tab": "all", "since": first.isoformat()} if is_news else {"tab": "all"}
    link = f"{place.desk_url}/cases?{urlencode(query)}"
    for listed in range(min(len(items), MOST_LISTED), 0, -1):
        text = _list(items, listed, subject, link, place)
        if kind.digest_bytes is None or len(text.encode()) <= kind.digest_bytes:
            return subject, text, link
    return subject, f"{subject}\n\n{link}", link


def _subject(items: Sequence[Item]) -> str:
    kinds = {item.event.kind for item in items}
    if kinds == {AlertKind.CASE_OPENED}:
        return str(_("New cases: %(count)s", count=number(len(items))))
    return str(_("Case updates: %(count)s", count=number(len(items))))


def _list(items: Sequence[Item], listed: int, subject: str, link: str, place: Place) -> str:
    """The digest with `listed` cases in all, the most severe of each kind first."""
    lines = [subject]
    left = listed
    for kind in _ORDER:
        of_kind = sorted((item for item in items if item.event.kind is kind), key=_weight)
        if not of_kind:
            continue
        lines += ["", f"{EVENTS[kind]} · {number(len(of_kind))}"]
        lines += [_line(item, place) for item in of_kind[:left]]
        left -= min(left, len(of_kind))
    if len(items) > listed:
        lines += ["", _("More in the list: %(count)s.", count=number(len(items) - listed))]
    return "\n".join((*lines, "", link))


def _line(item: Item, place: Place) -> str:
    if item.facts is None:
        return f"· {item.event.kind}"
    case = item.facts.record
    parts = (
        inert(case.other_name, 30),
        str(_IN_DOUBT.get(case.queue, "")),
        _how_much(case),
        _credit(case),
        _severity(case),
        _("since %(at)s", at=_time(item.facts.since, item.facts, place)) if item.facts.since else "",
    )
    return f"· {_title(case, 40)}\n  {' · '.join(filter(None, parts))}"


def _weight(item: Item) -> tuple[int, int, int]:
    if item.facts is None:
        return (0, 0, item.event.id)
    ranks = {"grave": 0, "middling": 1}
    return (ranks.get(item.facts.record.severity.value, 2), -item.facts.record.chars, item.event.id)


def _title(case: CaseRecord, limit: int = TITLE_CHARS) -> str:
    return inert(case.our_title if case.our_title.strip() else case.our_url, limit)


def _credit(case: CaseRecord) -> str:
    """The credit given; that there is none is a reproach, which only an accusation makes."""
    is_said = case.credit is not None and (case.accuses or case.credit is not Credit.NONE)
    return str(label(case.credit, "credit")) if is_said else ""


def _severity(case: CaseRecord) -> str:
    """How grave the copying is; empty where the list says that there may be none."""
    return str(label(case.severity, "severity")) if case.queue is CaseQueue.COPIED else ""


def _how_much(case: CaseRecord) -> str:
    return str(_("%(chars)s characters, %(share)s of ours", chars=number(case.chars), share=percent(case.our_share)))


def _time(at: datetime, facts: CaseFacts | None, place: Place) -> str:
    zone = zone_named((facts.time_zone if facts else None) or place.time_zone, place.time_zone)
    return f"{at.astimezone(zone):%Y-%m-%d %H:%M} ({zone.key})"


def _day(at: str, place: Place) -> str:
    return f"{datetime.fromisoformat(at).astimezone(zone_named(place.time_zone)):%Y-%m-%d}"


def _data(items: Sequence[Item], subject: str, text: str, link: str) -> Mapping[str, Any]:
    return {
        "kind": items[0].event.kind.value if len(items) == 1 else "digest",
        "subject": subject,
        "text": text,
        "link": link,
        "events": [_event(item) for item in items[:MOST_IN_DATA]],
        "events_left_out": max(0, len(items) - MOST_IN_DATA),
    }


def _event(item: Item) -> dict[str, Any]:
    event = item.event
    said: dict[str, Any] = {"event": event.id, "kind": event.kind.value, "at": event.at.isoformat()}
    if event.details:
        said["details"] = dict(event.details)
    if item.site is not None:
        said["site"] = item.site
    if item.facts is not None:
        said["case"] = _case(item.facts)
    if item.retelling is not None:
        said["retelling"] = retelling_data(item.retelling)
    return said


def _case(facts: CaseFacts) -> dict[str, Any]:
    case = facts.record
    return {
        "id": case.id,
        "state": case.state.value,
        "list": case.queue.value,
        "opened_at": case.opened_at.isoformat(),
        "online_since": None if facts.since is None else facts.since.isoformat(),
        "our_url": case.our_url,
        "our_title": case.our_title,
        "copier": case.other_name,
        "their_url": case.their_url,
        "their_title": case.their_title,
        "pages": case.pages,
        "characters": case.chars,
        "share_of_ours": case.our_share,
        "kind": None if case.kind is None else case.kind.value,
        "credit": None if case.credit is None else case.credit.value,
        "severity": case.severity.value,
        "search_services": list(facts.search_services),
    }


assert set(_ORDER) == OF_CASES, "a digest has a place for every kind of event of a case"  # noqa: S101
