"""Reasons of a direction in the viewer's language."""

import re
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Final

from flask_babel import gettext as _

from admin.identity.dates import when
from storage.matches.direction_reasons import SENTENCES, Fact, Reason, ReasonCode
from storage.records.matches import HitRecord
from storage.types import Precision

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
"""Pattern of each fact in a sentence. URLs contain no spaces, so backtracking is short."""


def _pattern(sentence: str) -> re.Pattern[str]:
    literal = re.split(r"%\((\w+)\)s", sentence)
    parts = (f"(?P<{part}>{_FIELDS[part]})" if number % 2 else re.escape(part) for number, part in enumerate(literal))
    return re.compile("".join(parts), re.DOTALL)


_PATTERNS: Final = {code: _pattern(sentence) for code, sentence in SENTENCES.items()}
"""Hits from before reasons had codes hold plain sentences."""


def code_and_facts(reason: str) -> tuple[ReasonCode, Mapping[str, Fact]] | None:
    """Code and facts of a reason; None for a sentence that no version of ours has written."""
    return (reason.code, reason.facts) if isinstance(reason, Reason) else _read(reason)


def reasons_in_words(hit: HitRecord, reasons: Iterable[str] | None = None) -> list[str]:
    """The reasons of a hit, or `reasons` about it, with "the copy" and "the source" in place of URLs. Unknown ones are
    returned as they are.
    """
    names = {hit.copy.url: _("the copy"), hit.source.url: _("the source")}
    return [reason_in_words(reason, names) for reason in (hit.reasons if reasons is None else reasons)]


def reason_in_words(reason: str, names: Mapping[str, str]) -> str:
    """A reason in the viewer's language. `names`: names for URLs."""
    known = code_and_facts(reason)
    if known is None:
        return reason
    code, facts = known
    said = {key: names.get(str(value), str(value)) for key, value in facts.items()} | _local_dates(facts)
    return str(_(SENTENCES[code])) % said


def _local_dates(facts: Mapping[str, Fact]) -> dict[str, str]:
    """Facts that are dates, in the viewer's zone and with their declared precision."""
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
