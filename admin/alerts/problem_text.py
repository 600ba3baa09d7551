"""Translations of the problems for which a message failed or alerts are held (pure but for the words).

Our own problems are stored in English; the words of services and servers stay as they are.
"""

import re
from collections.abc import Callable, Mapping
from typing import Final

from flask_babel import gettext as _
from flask_babel import lazy_gettext as _l

_SERVICES: Final[Mapping[str, object]] = {
    "WeCom Bot": _l("WeCom group bot"),
    "WeChat (WeCom)": _l("WeCom"),
    "DingTalk": _l("DingTalk"),
    "Feishu": _l("Feishu"),
    "Lark (Feishu)": _l("Feishu"),
    "E-Mail": _l("Mail"),
}
"""Names that the library of services gives to those that have another one here."""

_REFUSED: Final = (
    r"Failed to send (?P<name>[^:]{1,60}?)(?: notification)?(?: to [^:]{0,200})?: .{0,400}?error=(?P<status>\d{3})\b.*"
)

_PATTERNS: Final[Mapping[str, Callable[[re.Match[str]], str]]] = {
    r"It answered (\d{3})\.": lambda found: _("The receiver answered with status %(status)s.", status=found[1]),
    r"It gave no answer in time\.": lambda _found: _("No answer in time."),
    r"Its sender died\.": lambda _found: _("The sending process ended unexpectedly."),
    r"It did not take the message\.": lambda _found: _("The service did not accept the message."),
    r"It says that it took the message, but nothing was sent to it\.": lambda _found: _(
        "The service reports success, but nothing was sent to it."
    ),
    r"It refused the message: (.+)\.": lambda found: _("The service refused the message: %(reason)s.", reason=found[1]),
    r"It answered in a form that is unknown.*": lambda _found: _(
        "The service’s answer was not understood; it is unknown whether the message was delivered."
    ),
    r"Refused for (.+)\.": lambda found: _("The mail server refused: %(recipients)s.", recipients=found[1]),
    r"(?:.*\s)?(\S+) is not a public address; ZHIWEN_ALLOWED_NETWORKS names.*": lambda found: _(
        "%(address)s is not a public address. Allow its network in ZHIWEN_ALLOWED_NETWORKS first.", address=found[1]
    ),
    r"URLError: <urlopen error \[Errno 111\].*|ConnectionRefusedError: .*": lambda _found: _(
        "Connection refused at this address."
    ),
    r".*(?:\[Errno -[235]\]|getaddrinfo failed).*": lambda _found: _("Host not found."),
    r".*CERTIFICATE_VERIFY_FAILED.*": lambda _found: _("The receiver’s certificate is not trusted."),
    r"Run (\d+) found (\d+) of the (\d+) known pages changed or gone \((\d+%)\)\.": lambda found: _(
        "Crawl %(run)s found %(changed)s of %(known)s known pages (%(share)s) changed or gone.",
        run=found[1],
        changed=found[2],
        known=found[3],
        share=found[4],
    ),
    # The library logs in three words: "sending", "posting", "querying", and misspells one of them.
    r"A [Cc]onnection error occurr?ed \w+ (?:to )?(?P<name>[^:]{1,60}?)(?: notification)?\.?(?:; .*)?": lambda found: _(
        "Could not connect to %(name)s.", name=_service(found["name"])
    ),
    _REFUSED: lambda found: _(
        "%(name)s rejected the message (status %(status)s).",
        name=_service(found["name"]),
        status=found["status"],
    ),
    r"(\S+) could not be captured in (\d+) attempts \((.*)\)\. Try again at case (\d+)\.": lambda found: _(
        "%(url)s could not be captured in %(tries)s attempts (%(reason)s). Retry at case %(case)s.",
        url=found[1],
        tries=found[2],
        reason=found[3],
        case=found[4],
    ),
    r"No witness for list (\d+): (.*)": lambda found: _(
        "No witness for list %(number)s of evidence files: %(reason)s", number=found[1], reason=found[2]
    ),
    r"The installation with the key (\S+) sent head (\d+)\. (.*)": lambda found: _(
        "The installation with the key %(key)s sent head %(number)s, which contradicts an earlier one. %(more)s",
        key=found[1],
        number=found[2],
        more=found[3],
    ),
    r"SMTPAuthenticationError: .*": lambda _found: _("The mail server rejected the user name or password."),
}


def _service(name: str) -> str:
    return str(_SERVICES.get(name.strip(), name.strip()))


def problem_in_words(problem: str) -> str:
    """The translation of a stored problem; any other text unchanged, for it may be the answer of a server."""
    for pattern, words in _PATTERNS.items():
        found = re.fullmatch(pattern, problem, re.DOTALL)
        if found is not None:
            return words(found)
    return problem
