"""Who was first, in one sentence: by how much, and by which clock."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Final

from flask_babel import gettext as _
from flask_babel import ngettext

from admin.web.labels import joined, label
from storage.matches.direction_reasons import Reason, ReasonCode
from storage.records.matches import HitRecord
from storage.records.pages import PageRecord
from storage.types import DateOrigin

EVEN: Final = 0.5
MOST_CLOCKS: Final = 2
"""The strongest clocks; the list of reasons has all."""

_UNITS: Final = {
    ReasonCode.SEEN_DAYS: timedelta(days=1),
    ReasonCode.SEEN_HOURS: timedelta(hours=1),
    ReasonCode.SERVED_DAYS: timedelta(days=1),
    ReasonCode.SERVED_HOURS: timedelta(hours=1),
}
_SEEN: Final = frozenset({ReasonCode.SEEN_DAYS, ReasonCode.SEEN_HOURS})
_TWO_HOURS, _TWO_DAYS = timedelta(hours=2), timedelta(days=2)
"""“26 hours” and not “1 day”: below two of a unit the smaller one is more exact."""


class First(StrEnum):
    OURS = "ours"
    THEIRS = "theirs"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class HeadStart:
    """`clocks`: what each clock says, those for the answer first; empty if no clock says anything. `confidence`: in
    `who`, 0.5…1.
    """

    who: First
    clocks: tuple[str, ...]
    confidence: float


def head_start(hit: HitRecord, our_page_id: int, origins: Mapping[str, DateOrigin]) -> HeadStart:
    """Who was first according to a hit. `origins`: by URL, where a page states its date."""
    ours = hit.source if hit.source.page_id == our_page_id else hit.copy
    said = tuple(_said(list(_clocks(hit.reasons, ours.url, origins))[:MOST_CLOCKS]))
    if hit.confidence <= EVEN:
        return HeadStart(First.UNKNOWN, said, EVEN)
    return HeadStart(First.OURS if ours is hit.source else First.THEIRS, said, hit.confidence)


def origins_of(pages: Iterable[PageRecord]) -> dict[str, DateOrigin]:
    return {page.url: page.declared.origin for page in pages}


def _clocks(
    reasons: Iterable[str], ours: str, origins: Mapping[str, DateOrigin]
) -> Iterator[tuple[bool, timedelta, str]]:
    """By each clock: whether ours was earlier, by how much, and the name of the clock."""
    for reason in reasons:
        # Reasons from before they had codes are plain sentences: the list of reasons shows them.
        apart = _apart(reason) if isinstance(reason, Reason) else None
        if isinstance(reason, Reason) and apart is not None:
            first = str(reason.facts.get("page", ""))
            yield first == ours, apart, _clock(reason.code, origins.get(first))


def _said(clocks: Iterable[tuple[bool, timedelta, str]]) -> Iterator[str]:
    """A sentence for each difference; clocks that agree in words share one."""
    agreeing: dict[tuple[bool, str], list[str]] = {}
    for is_ours, apart, clock in clocks:
        agreeing.setdefault((is_ours, in_words(apart)), []).append(clock)
    for (is_ours, time), names in agreeing.items():
        yield _sentence(time, joined(names), is_ours=is_ours)


def _apart(reason: Reason) -> timedelta | None:
    """How much later the other page was, by this reason; None if it names no clock."""
    if reason.code in _UNITS:
        return int(reason.facts.get("count", 0)) * _UNITS[reason.code]
    exact = [reason.facts.get(name) for name in ("at_exact", "later_exact")]
    if reason.code is not ReasonCode.DATED or not all(exact):
        return None
    at, later = (datetime.fromisoformat(str(one)) for one in exact)
    return later - at


def _clock(code: ReasonCode, origin: DateOrigin | None) -> str:
    if code in _SEEN:
        return str(_("first seen"))
    if code in _UNITS:
        return str(_("server time"))
    return label(origin, "origin") if origin is not None else str(_("stated date"))


def _sentence(time: str, clock: str, *, is_ours: bool) -> str:
    words = {"time": time, "clock": clock}
    if is_ours:
        return str(_("Ours is %(time)s earlier (%(clock)s)", **words))
    return str(_("Theirs is %(time)s earlier (%(clock)s)", **words))


def in_words(apart: timedelta) -> str:
    """In minutes, hours or days; not in weeks or months, which nobody counts in here."""
    if apart < _TWO_HOURS:
        return str(ngettext("%(num)s minute", "%(num)s minutes", apart // timedelta(minutes=1)))
    if apart < _TWO_DAYS:
        return str(ngettext("%(num)s hour", "%(num)s hours", apart // timedelta(hours=1)))
    return str(ngettext("%(num)s day", "%(num)s days", apart // timedelta(days=1)))


def delay_in_words(delay: timedelta) -> str:
    """How long after ours the copy is dated. A delay of whole days may come from dates without a time of day."""
    if abs(delay) < timedelta(minutes=1):
        return str(_("same day"))
    words = in_words(abs(delay))
    return str(_("%(time)s later", time=words) if delay > timedelta() else _("%(time)s earlier", time=words))
