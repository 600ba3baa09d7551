"""The direction's reasons in the reader's language."""

import re
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Final

from flask_babel import gettext as _
from flask_babel import lazy_gettext as _l

from admin.identity.dates import when
from storage.matches.direction_reasons import SENTENCES, Fact, Reason, ReasonCode
from storage.records.matches import HitRecord
from storage.types import Precision

WORDS: Final[Mapping[ReasonCode, object]] = {
    ReasonCode.CREDITS: _l("%(page)s credits the other: %(evidence)s"),
    ReasonCode.DATED: _l("%(page)s is dated %(at)s, %(other)s %(later)s"),
    ReasonCode.SEEN_DAYS: _l("%(page)s was first seen %(count)s days before %(other)s"),
    ReasonCode.SEEN_HOURS: _l("%(page)s was first seen %(count)s hours before %(other)s"),
    ReasonCode.SERVED_DAYS: _l("the server dates %(page)s %(count)s days before %(other)s"),
    ReasonCode.SERVED_HOURS: _l("the server dates %(page)s %(count)s hours before %(other)s"),
    ReasonCode.ORIGINAL_SITE: _l("%(page)s stands on a site registered as an original publisher"),
    ReasonCode.WORN: _l(
        "%(count)s characters are replaced by others that sound or look alike, "
        "and it is the words of %(page)s that they break"
    ),
    ReasonCode.CUT: _l("%(page)s breaks off in the middle of a sentence that the other has whole"),
    ReasonCode.LEFT_OVER: _l("%(page)s says of its text: %(words)s"),
    ReasonCode.SPEAKS: _l("%(page)s speaks in the name of the other: %(name)s"),
    ReasonCode.NOTHING: _l("nothing tells which came first"),
}

_FIELDS: Final = {
    "page": r"\S+",
    "other": r"\S+",
    "at": r"[\d: -]+ \S+",
    "later": r"[\d: -]+ \S+",
    "count": r"\d+",
    "evidence": r".*",
    "words": r".*",
    "name": r".*",
}
"""How each fact is written in a sentence. Addresses hold no spaces, so nothing backtracks far."""


def _pattern(sentence: str) -> re.Pattern[str]:
    literal = re.split(r"\{(\w+)\}", sentence)
    parts = (f"(?P<{part}>{_FIELDS[part]})" if number % 2 else re.escape(part) for number, part in enumerate(literal))
    return re.compile("".join(parts), re.DOTALL)


_PATTERNS: Final = {code: _pattern(sentence) for code, sentence in SENTENCES.items()}
"""Hits that were judged before reasons had codes hold bare sentences."""


def is_known(reason: str) -> bool:
    """Whether `reason` can be said in the reader's language."""
    return code_and_facts(reason) is not None


def code_and_facts(reason: str) -> tuple[ReasonCode, Mapping[str, Fact]] | None:
    """What a reason is about; None for a sentence that no version of ours has written."""
    return (reason.code, reason.facts) if isinstance(reason, Reason) else _read(reason)


def reasons_in_words(hit: HitRecord, reasons: Iterable[str] | None = None) -> list[str]:
    """Each reason of a hit, or of `reasons` about it, with "the copy" and "the source" for the addresses; one that is
    not known stays as it is.
    """
    names = {hit.copy.url: _("the copy"), hit.source.url: _("the source")}
    return [reason_in_words(reason, names) for reason in (hit.reasons if reasons is None else reasons)]


def reason_in_words(reason: str, names: Mapping[str, str]) -> str:
    """`names`: what is said for an address."""
    known = code_and_facts(reason)
    if known is None:
        return reason
    code, facts = known
    said = {key: names.get(str(value), str(value)) for key, value in facts.items()} | _local_dates(facts)
    return str(WORDS[code]) % said


def _local_dates(facts: Mapping[str, Fact]) -> dict[str, str]:
    """Those facts that are dates, in the viewer's zone and as exactly as they were stated."""
    exact = {name: facts.get(f"{name}_exact") for name in ("at", "later")}
    return {
        name: when(datetime.fromisoformat(value), Precision(str(facts[f"{name}_precision"])))
        for name, value in exact.items()
        if isinstance(value, str)
    }


def _read(sentence: str) -> tuple[ReasonCode, Mapping[str, Fact]] | None:
    for code, pattern in _PATTERNS.items():
        found = pattern.fullmatch(sentence)
        if found is not None:
            return code, found.groupdict()
    return None
