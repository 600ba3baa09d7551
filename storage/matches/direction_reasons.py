"""Reasons for the direction of a hit: a code with facts, and a sentence in English."""

import json
from collections.abc import Mapping
from enum import StrEnum
from typing import Final, TypeAlias

Fact: TypeAlias = str | int


class ReasonCode(StrEnum):
    """Codes of reasons. They are stored: a code never changes its meaning."""

    CREDITS = "credits"
    DATED = "dated"
    SEEN_DAYS = "seen-days"
    SEEN_HOURS = "seen-hours"
    SERVED_DAYS = "served-days"
    SERVED_HOURS = "served-hours"
    ORIGINAL_SITE = "original-site"
    WORN = "worn"
    CUT = "cut"
    LEFT_OVER = "left-over"
    SPEAKS = "speaks"
    NOTHING = "nothing"


SENTENCES: Final[Mapping[ReasonCode, str]] = {
    ReasonCode.CREDITS: "{page} credits the other: {evidence}",
    ReasonCode.DATED: "{page} is dated {at}, {other} {later}",
    ReasonCode.SEEN_DAYS: "{page} was first seen {count} days before {other}",
    ReasonCode.SEEN_HOURS: "{page} was first seen {count} hours before {other}",
    ReasonCode.SERVED_DAYS: "the server dates {page} {count} days before {other}",
    ReasonCode.SERVED_HOURS: "the server dates {page} {count} hours before {other}",
    ReasonCode.ORIGINAL_SITE: "{page} stands on a site registered as an original publisher",
    ReasonCode.WORN: "{count} characters are replaced by others that sound or look alike, "
    "and it is the words of {page} that they break",
    ReasonCode.CUT: "{page} breaks off in the middle of a sentence that the other has whole",
    ReasonCode.LEFT_OVER: "{page} says of its text: {words}",
    ReasonCode.SPEAKS: "{page} speaks in the name of the other: {name}",
    ReasonCode.NOTHING: "nothing tells which came first",
}
"""In English, for the command line and JSON. `page` and `other` are URLs."""


class Reason(str):
    """The English sentence, with its code and facts for translation."""

    __slots__ = ("code", "facts")

    code: ReasonCode
    facts: Mapping[str, Fact]

    def __new__(cls, code: ReasonCode, /, **facts: Fact) -> "Reason":
        reason = super().__new__(cls, SENTENCES[code].format_map(facts))
        reason.code, reason.facts = code, facts
        return reason

    def __getnewargs_ex__(self) -> tuple[tuple[ReasonCode], dict[str, Fact]]:
        """Makes reasons picklable."""
        return (self.code,), dict(self.facts)


def encoded(reason: str) -> str:
    """A reason as stored: code and facts as JSON, or the bare sentence if it has no code."""
    if not isinstance(reason, Reason):
        return reason
    return json.dumps({"code": reason.code, **reason.facts}, ensure_ascii=False)


def decoded(stored: str) -> str:
    """The inverse of `encoded`. Plain sentences and unknown codes are returned unchanged."""
    if not stored.startswith('{"code"'):
        return stored
    try:
        facts = json.loads(stored)
        return Reason(ReasonCode(facts.pop("code")), **facts)
    except (ValueError, KeyError, TypeError, AttributeError):
        return stored
