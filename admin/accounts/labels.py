"""Labels of account roles, and of acts with tokens, two-factor login and pushed articles."""

from collections.abc import Mapping
from typing import Final

from flask_babel import lazy_gettext as _l

from storage.types import AccountRole

ACCOUNT_ROLES: Final[Mapping[str, object]] = {
    AccountRole.VIEWER: _l("Viewer"),
    AccountRole.REVIEWER: _l("Reviewer"),
    AccountRole.MANAGER: _l("Manager"),
    AccountRole.ADMINISTRATOR: _l("Administrator"),
}


ACCESS_ACTS: Final[Mapping[str, object]] = {
    "token.add": _l("API token created"),
    "token.revoke": _l("API token revoked"),
    "two-factor.begin": _l("two-step verification turned on"),
    "two-factor.codes": _l("recovery codes renewed"),
    "two-factor.end": _l("two-step verification turned off"),
    "two-factor.reset": _l("two-step verification turned off for someone"),
    "original.push": _l("articles pushed"),
    "original.withdraw": _l("article withdrawn by its publisher"),
}

ACCOUNT_TABLES: Final[Mapping[str, Mapping[str, object]]] = {
    "account_role": ACCOUNT_ROLES,
    "account_role_meaning": {
        AccountRole.VIEWER: _l("can read everything except people"),
        AccountRole.REVIEWER: _l("can also decide cases and check texts"),
        AccountRole.MANAGER: _l("can also manage sites, owners, licences and rules"),
        AccountRole.ADMINISTRATOR: _l("can also manage people and read the audit log"),
    },
}
