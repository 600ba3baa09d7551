"""Labels of licences."""

from collections.abc import Mapping
from typing import Final

from flask_babel import lazy_gettext as _l

from storage.types import Credit

REQUIREMENTS: Final[Mapping[str, object]] = {
    Credit.LINKED: _l("a link to the original"),
    Credit.NAMED: _l("a credit, or a link"),
    Credit.NONE: _l("none required"),
}


LICENCE_TABLES: Final[Mapping[str, Mapping[str, object]]] = {
    "requirement": REQUIREMENTS,
    "licence_standing": {
        "valid": _l("valid"),
        "ending": _l("ends soon"),
        "expired": _l("expired"),
        "waiting": _l("not yet"),
    },
}
