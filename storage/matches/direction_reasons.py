"""Reasons for the direction of a hit: a code with facts, and a sentence in English."""

import json
from collections.abc import Mapping
from enum import StrEnum
from typing import Final, TypeAlias

from storage.messages import N_

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
    MORE_PARTICULARS = "more-particulars"
    NOTHING = "nothing"
    THIRD_HAS_ALL = "third-has-all"
    THIRD_SAYS_ALL = "third-says-all"
    ELSEWHERE = "elsewhere"
    BEYOND_THIRD = "beyond-third"
    WORDED_BEYOND_THIRD = "worded-beyond-third"


SENTENCES: Final[Mapping[ReasonCode, str]] = {
    ReasonCode.CREDITS: N_("%(page)s credits the other: %(evidence)s"),
    ReasonCode.DATED: N_("%(page)s is dated %(at)s, %(other)s %(later)s"),
    ReasonCode.SEEN_DAYS: N_("%(page)s was first seen %(count)s days before %(other)s"),
    ReasonCode.SEEN_HOURS: N_("%(page)s was first seen %(count)s hours before %(other)s"),
    ReasonCode.SERVED_DAYS: N_("the server dates %(page)s %(count)s days before %(other)s"),
    ReasonCode.SERVED_HOURS: N_("the server dates %(page)s %(count)s hours before %(other)s"),
    ReasonCode.ORIGINAL_SITE: N_("%(page)s is on a site registered as an original publisher"),
    ReasonCode.WORN: N_(
        "%(count)s characters are replaced by others that sound or look alike, and they break words of %(page)s"
    ),
    ReasonCode.CUT: N_("%(page)s breaks off in the middle of a sentence that the other has whole"),
    ReasonCode.LEFT_OVER: N_("%(page)s says of its text: %(words)s"),
    ReasonCode.SPEAKS: N_("%(page)s speaks in the name of the other: %(name)s"),
    ReasonCode.MORE_PARTICULARS: N_(
        "of what both report, %(page)s has more names and figures: %(count)s that %(other)s lacks"
    ),
    ReasonCode.NOTHING: N_("nothing shows which was first"),
    ReasonCode.THIRD_HAS_ALL: N_("both may have it from %(page)s, which was first and has all that they share"),
    ReasonCode.THIRD_SAYS_ALL: N_(
        "both may have it from %(page)s, which says all that they share: "
        "they share %(count)s percent of their own wording, as independent writers do"
    ),
    ReasonCode.ELSEWHERE: N_(
        "perhaps both are translations: they say the same in the same order, "
        "but share only %(count)s percent of their wording, and there is a foreign original (%(evidence)s)"
    ),
    ReasonCode.BEYOND_THIRD: N_("both also depart from %(page)s in the same way, in %(count)s places"),
    ReasonCode.WORDED_BEYOND_THIRD: N_(
        "%(page)s says all that they share, but %(count)s percent of their own wording is the same"
    ),
}
"""In English, for command line and JSON; the desk translates them. `page` and `other` are addresses."""


class Reason(str):
    """The English sentence, with its code and facts for translation."""

    __slots__ = ("code", "facts")

    code: ReasonCode
    facts: Mapping[str, Fact]

    def __new__(cls, code: ReasonCode, /, **facts: Fact) -> "Reason":
        reason = super().__new__(cls, SENTENCES[code] % facts)
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
