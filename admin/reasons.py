"""The direction's reasons in the reader's language: the matcher states them as English sentences with addresses."""

import re
from typing import Final

from flask_babel import gettext as _
from flask_babel import lazy_gettext as _l

from storage.records import HitRecord

# Each pattern is anchored and made of \S+ and fixed words: addresses hold no spaces, so nothing backtracks far.
_SENTENCES: Final = (
    (
        re.compile(r"(?P<page>\S+) credits the other: (?P<evidence>.*)", re.DOTALL),
        _l("%(page)s credits the other: %(evidence)s"),
    ),
    (
        re.compile(r"(?P<page>\S+) is dated (?P<at>[\d: -]+ \S+), (?P<other>\S+) (?P<later>[\d: -]+ \S+)"),
        _l("%(page)s is dated %(at)s, %(other)s %(later)s"),
    ),
    (
        re.compile(r"(?P<page>\S+) was first seen (?P<count>\d+) days before (?P<other>\S+)"),
        _l("%(page)s was first seen %(count)s days before %(other)s"),
    ),
    (
        re.compile(r"(?P<page>\S+) was first seen (?P<count>\d+) hours before (?P<other>\S+)"),
        _l("%(page)s was first seen %(count)s hours before %(other)s"),
    ),
    (
        re.compile(r"the server dates (?P<page>\S+) (?P<count>\d+) days before (?P<other>\S+)"),
        _l("the server dates %(page)s %(count)s days before %(other)s"),
    ),
    (
        re.compile(r"the server dates (?P<page>\S+) (?P<count>\d+) hours before (?P<other>\S+)"),
        _l("the server dates %(page)s %(count)s hours before %(other)s"),
    ),
    (
        re.compile(r"(?P<page>\S+) stands on a site registered as an original publisher"),
        _l("%(page)s stands on a site registered as an original publisher"),
    ),
    (
        re.compile(
            r"(?P<count>\d+) characters are replaced by others that sound or look alike, "
            r"and it is the words of (?P<page>\S+) that they break"
        ),
        _l(
            "%(count)s characters are replaced by others that sound or look alike, "
            "and it is the words of %(page)s that they break"
        ),
    ),
    (
        re.compile(r"(?P<page>\S+) breaks off in the middle of a sentence that the other has whole"),
        _l("%(page)s breaks off in the middle of a sentence that the other has whole"),
    ),
    (
        re.compile(r"(?P<page>\S+) says of its text: (?P<words>.*)", re.DOTALL),
        _l("%(page)s says of its text: %(words)s"),
    ),
    (
        re.compile(r"(?P<page>\S+) speaks in the name of the other: (?P<name>.*)", re.DOTALL),
        _l("%(page)s speaks in the name of the other: %(name)s"),
    ),
    (re.compile(r"nothing tells which came first"), _l("nothing tells which came first")),
)


def is_known(reason: str) -> bool:
    """Whether `reason` is one of the matcher's sentences that can be said in the reader's language."""
    return any(pattern.fullmatch(reason) for pattern, _translated in _SENTENCES)


def reasons_in_words(hit: HitRecord) -> list[str]:
    """Each reason with "the copy" and "the source" for the addresses; one that is not known stays as it is."""
    names = {hit.copy.url: _("the copy"), hit.source.url: _("the source")}
    return [reason_in_words(reason, names) for reason in hit.reasons]


def reason_in_words(reason: str, names: dict[str, str]) -> str:
    for pattern, translated in _SENTENCES:
        found = pattern.fullmatch(reason)
        if found is not None:
            said = {key: names.get(value, value) for key, value in found.groupdict().items()}
            return str(translated) % said
    return reason
