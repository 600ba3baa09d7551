"""Words for passwords that are refused."""

from collections.abc import Mapping
from typing import Final

from flask_babel import lazy_gettext as _l

from admin.auth.passwords import Refused

PASSWORDS: Final[Mapping[str, object]] = {
    Refused.TOO_SHORT: _l("The password is too short: at least ten characters, best a few words."),
    Refused.TOO_LONG: _l("The password is too long: at most 1,024 characters."),
    Refused.IS_NAME: _l("The password is made of the account's name; choose something else."),
    Refused.COMMON: _l("This password is among the first that anybody would try; choose something else."),
}

PASSWORD_TABLES: Final[Mapping[str, Mapping[str, object]]] = {
    "password": PASSWORDS,
}
