"""Words for what is done with tokens, second steps and articles that are handed over."""

from collections.abc import Mapping
from typing import Final

from flask_babel import lazy_gettext as _l

ACCESS_ACTS: Final[Mapping[str, object]] = {
    "token.add": _l("API token made"),
    "token.revoke": _l("API token revoked"),
    "two-factor.begin": _l("second step put on"),
    "two-factor.codes": _l("recovery codes renewed"),
    "two-factor.end": _l("second step taken off"),
    "two-factor.reset": _l("second step of somebody taken off"),
    "original.push": _l("articles handed over"),
    "original.withdraw": _l("article withdrawn by its publisher"),
}
