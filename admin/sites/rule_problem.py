"""Translations of the problems of extraction rules and of address patterns (pure but for the words)."""

import re
from collections.abc import Mapping
from json import JSONDecodeError
from typing import Final

from flask_babel import gettext as _
from flask_babel import lazy_gettext as _l

_PATTERN: Final = r"The pattern (?P<pattern>.*) cannot be used: (?P<cause>.*)\. Correct it in the site's settings\."
_SLOW: Final = "it takes too long"
_RULE: Final = (
    r"(?:'(?P<name>.*?)' of the|The) extraction rule cannot be used: (?P<cause>.*)\. Correct it, and try it .*"
)

_CAUSES: Final[Mapping[str, object]] = {
    r"it is not a JSON object": _l("it is not a JSON object"),
    r"there is no such field; there are (?P<fields>.*)": _l("there is no such field; the fields are %(fields)s"),
    r"it is neither a selector nor a list of selectors": _l("it is neither a selector nor a list of selectors"),
    r"it has more than (?P<bound>\d+) selectors": _l("it has more than %(bound)s selectors"),
    r"a selector has between 1 and (?P<bound>\d+) characters": _l("a selector must have 1 to %(bound)s characters"),
    r"(?P<selector>.+) has (?P<word>.+), which is not known here": _l(
        "%(selector)s contains %(word)s, which is unknown"
    ),
    r"(?P<selector>.+) cannot be understood \(.*\)": _l("%(selector)s is not a valid selector"),
    r"(?P<selector>.+) gives a \w+, not a part of the page": _l("%(selector)s does not select a part of the page"),
}


def rule_problem(error: Exception) -> str:
    """Return what is wrong with a rule or a pattern, in the viewer's language; other errors as they are."""
    if isinstance(error, JSONDecodeError):
        return str(_("The rule is not valid JSON (line %(line)s).", line=error.lineno))
    if isinstance(error, (ValueError, RecursionError)):
        return str(_("The rule is not valid JSON."))
    if found := re.fullmatch(_PATTERN, str(error), re.DOTALL):
        return _pattern_problem(found["pattern"], is_slow=found["cause"].startswith(_SLOW))
    found = re.fullmatch(_RULE, str(error), re.DOTALL)
    if found is None:
        return str(error)
    cause = _cause(found["cause"])
    if found["name"] is None:
        return str(_("The extraction rule cannot be used: %(cause)s.", cause=cause))
    return str(_("“%(name)s” of the extraction rule cannot be used: %(cause)s.", name=found["name"], cause=cause))


def _pattern_problem(pattern: str, *, is_slow: bool) -> str:
    if is_slow:
        return str(_("The pattern %(pattern)s is too slow: no repetition inside another.", pattern=pattern))
    return str(_("The pattern %(pattern)s is not a valid regular expression.", pattern=pattern))


def _cause(text: str) -> str:
    for pattern, words in _CAUSES.items():
        found = re.fullmatch(pattern, text, re.DOTALL)
        if found is not None:
            return str(words) % found.groupdict()
    return text
