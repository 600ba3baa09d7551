"""Translations of the problems of search services and of their file (pure but for the words).

Services and the file say in English what is wrong, also on the command line; what a server wrote stays as it is.
"""

import re
from collections.abc import Mapping
from typing import Final

from flask_babel import lazy_gettext as _l

_IN_SENTENCE: Final = r"The search service (?P<name>.{1,80}?) \((?P<host>[^()\s]{1,260})\) "

_SERVICE: Final[Mapping[str, object]] = {
    r"cannot be reached \((?P<cause>.*)\)\. Check its address\.": _l(
        "%(name)s (%(host)s) cannot be reached: %(cause)s. Check its URL."
    ),
    r"answers with (?P<cause>.*)\. Ask it for fewer results\.": _l(
        "The answer of %(name)s (%(host)s) is too large. Request fewer results."
    ),
    r"asks for a captcha(?: \(status \d+\))?\. Ask it less often\.": _l(
        "%(name)s (%(host)s) asks for a captcha. Query it less often."
    ),
    r"sends elsewhere \(status (?P<cause>\d+)\), which is not followed\. Set its address\.": _l(
        "%(name)s (%(host)s) redirects (status %(cause)s); redirects are not followed. Set its final URL."
    ),
    r"refuses access \(status (?P<cause>\d+)\)\. Check its key, or its own settings\.": _l(
        "%(name)s (%(host)s) refuses access (status %(cause)s). Check the key, or the settings of the service."
    ),
    r"has no queries left \(status (?P<cause>\d+)\)\. Extend its plan\.": _l(
        "%(name)s (%(host)s) has no queries left (status %(cause)s). Extend its plan."
    ),
    r"is busy or failing \(status (?P<cause>\d+)\)\. It is asked later\.": _l(
        "%(name)s (%(host)s) is busy or failing (status %(cause)s). It is queried again later."
    ),
    r"refuses the query \(status (?P<cause>\d+): (?P<words>.*)\)\. Check its settings\.": _l(
        "%(name)s (%(host)s) refuses the query (status %(cause)s). Check its settings. Its answer: %(words)s"
    ),
    r"got no answer from its engines \((?P<cause>.*)\)\. It is asked later\.": _l(
        "%(name)s (%(host)s) got no answer from its search engines (%(cause)s). It is queried again later."
    ),
    r"answers with (?P<cause>.*)\. Check where its results are\.": _l(
        "The results of %(name)s (%(host)s) were not found: %(cause)s. Check the path to the results."
    ),
    r"answers with (?P<cause>.*)\. Check the name of its index\.": _l(
        "%(name)s (%(host)s) refuses the query: %(cause)s. Check the name of the index."
    ),
    r"answers with (?P<cause>.*)\. Check its address(?: and format)?\.": _l(
        "The answer of %(name)s (%(host)s) was not understood: %(cause)s. Check its URL and format."
    ),
}
"""After the start of the sentence, the same for all."""

_FILE: Final[Mapping[str, object]] = {
    r"The file of search services (?P<path>\S.*?) cannot be read: (?P<cause>.*)": _l(
        "The file of search services %(path)s cannot be read: %(cause)s"
    ),
    r"The file of search services (?P<path>\S.*?): “(?P<name>[^”]*)” (?P<cause>.*)\. Correct it there": _l(
        "The file of search services %(path)s: “%(name)s” %(cause)s. Correct it there."
    ),
    r"The file (?P<path>\S.*?) cannot be written: (?P<cause>.*)": _l("The file %(path)s cannot be written: %(cause)s"),
    r"There is no service “(?P<name>.*)” any more\.": _l("The service “%(name)s” no longer exists."),
    r"There is a service “(?P<name>.*)” already\.": _l("A service named “%(name)s” already exists."),
}

_CAUSES: Final[Mapping[str, object]] = {
    r".*\[Errno 111\].*|.*Connection refused.*": _l("connection refused"),
    r".*\[Errno -[235]\].*|.*getaddrinfo failed.*": _l("host not found"),
    r".*CERTIFICATE_VERIFY_FAILED.*": _l("certificate not trusted"),
    r".*timed out.*|TimeoutError": _l("no answer in time"),
    r".*\[Errno 13\].*": _l("no permission"),
    r"it has more than (?P<bound>[\d,]+) bytes": _l("it is larger than %(bound)s bytes"),
    r"has the wrong type": _l("has the wrong type"),
    r"must be a number of 0 or more": _l("must be a number, 0 or more"),
    r"is missing": _l("is missing"),
    r"is no web address, like (?P<example>.*)": _l("is not a web address such as %(example)s"),
    r"has a user or a password; give it in “key”": _l("contains a user name or password; enter it in “key”"),
    r"must be a table": _l("must be a table"),
    r"is unknown": _l("is unknown"),
    r"must have 1 to (?P<bound>\d+) characters": _l("must have 1 to %(bound)s characters"),
    r"must be one of (?P<kinds>.*)": _l("must be one of: %(kinds)s"),
    r"must be whole numbers from 0 to (?P<bound>\d+)": _l("must be whole numbers from 0 to %(bound)s"),
    r"must be visible ASCII characters": _l("must be visible ASCII characters"),
    r"it must have (?P<mark>\S+) after the host, like (?P<example>.*)": _l(
        "must contain %(mark)s after the host, such as %(example)s"
    ),
}
"""What stands within a sentence; causes that are not listed are words of a server or of the system."""


def search_problem(problem: str) -> str:
    """Return the translation of a problem of search services; any other text unchanged."""
    start = re.match(_IN_SENTENCE, problem)
    if start is None:
        return _first(_FILE, problem, {}) or problem
    return _first(_SERVICE, problem[start.end() :], start.groupdict()) or problem


def _first(words: Mapping[str, object], text: str, names: Mapping[str, str]) -> str:
    """The words of the first pattern that fits the whole text; empty if none does."""
    for pattern, said in words.items():
        found = re.fullmatch(pattern, text, re.DOTALL)
        if found is not None:
            parts = {**names, **found.groupdict()}
            if "cause" in parts:
                parts["cause"] = _first(_CAUSES, parts["cause"], {}) or parts["cause"]
            return str(said) % parts
    return ""
