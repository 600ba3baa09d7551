"""Labels of the audit log: acts, names of details, and values that are codes."""

from collections.abc import Mapping
from typing import Final

from flask_babel import lazy_gettext as _l

from admin.accounts.labels import ACCESS_ACTS, ACCOUNT_ROLES
from admin.alerts.labels import ALERT_ACTS
from admin.cases.labels import CASE_ACTS, CHANNELS, STATES
from admin.check.labels import CHECK_ACTS
from admin.contacts.labels import CONTACT_ACTS
from admin.imports.labels import IMPORT_ACTS
from admin.letters.labels import LETTER_ACTS, LETTER_TABLES
from admin.licences.labels import REQUIREMENTS
from admin.pages.labels import PAGE_ACTS, RIGHTS
from admin.retellings.labels import RETELLING_ACTS
from admin.settings.labels import SETTING_ACTS
from admin.sites.labels import ROLES
from admin.web_search.labels import SEARCH_ACTS

AUDIT_WORDS: Final[Mapping[str, object]] = {
    "article": _l("this article"),
    "everything": _l("all articles from now on"),
    "first-code": _l("by the code in the log"),
    "link": _l("by link"),
    "password": _l("by one-time password"),
    **ROLES,
    **ACCOUNT_ROLES,
    **STATES,
    **CHANNELS,
    **REQUIREMENTS,
    **RIGHTS,
    **LETTER_TABLES["reply_kind"],
}
"""Values in the audit log that are codes."""


ACTS: Final[Mapping[str, object]] = {
    **CASE_ACTS,
    **ALERT_ACTS,
    **PAGE_ACTS,
    **RETELLING_ACTS,
    **IMPORT_ACTS,
    **CHECK_ACTS,
    **ACCESS_ACTS,
    **LETTER_ACTS,
    **CONTACT_ACTS,
    **SEARCH_ACTS,
    **SETTING_ACTS,
    "account.add": _l("account added"),
    "account.edit": _l("account changed"),
    "account.password": _l("own password changed"),
    "account.preferences": _l("own preferences changed"),
    "account.remove": _l("account removed"),
    "account.reset": _l("password reset"),
    "licence.add": _l("licence added"),
    "set-aside.add": _l("text set aside"),
    "set-aside.withdraw": _l("set-aside text withdrawn"),
    "licence.remove": _l("licence revoked"),
    "owner.add": _l("owner added"),
    "owner.edit": _l("owner changed"),
    "site.add": _l("site added"),
    "site.crawl": _l("crawl requested"),
    "site.edit": _l("site changed"),
    "alarm.accept": _l("accepted as normal"),
    "site.pause": _l("site paused"),
    "site.remove": _l("site removed"),
    "site.resume": _l("site resumed"),
    "site.schedule": _l("schedule changed"),
    "site.rule": _l("extraction rule changed"),
    "session.begin": _l("logged in"),
    "session.end": _l("logged out"),
    "session.revoke": _l("browsers logged out"),
}

AUDIT_TABLES: Final[Mapping[str, Mapping[str, object]]] = {
    "act": ACTS,
    "audit_detail": {
        "address": _l("address:"),
        "after": _l("after:"),
        "before": _l("before:"),
        "browser": _l("browser:"),
        "by": _l("by:"),
        "cases": _l("cases:"),
        "channel": _l("by way of:"),
        "count": _l("count:"),
        "enabled": _l("may log in:"),
        "from": _l("from:"),
        "kept": _l("stays:"),
        "kind": _l("kind:"),
        "language": _l("language:"),
        "licence": _l("licence:"),
        "manners": _l("crawl settings:"),
        "owner": _l("owner:"),
        "pages": _l("pages:"),
        "query": _l("filter:"),
        "recipient": _l("to whom:"),
        "requires": _l("requires:"),
        "role": _l("role:"),
        "rule": _l("rule:"),
        "rights": _l("rights:"),
        "scope": _l("for:"),
        "site": _l("site:"),
        "start": _l("start pages:"),
        "time_zone": _l("time zone:"),
        "title": _l("title:"),
        "to": _l("to:"),
        "until": _l("until:"),
    },
    "audit_word": AUDIT_WORDS,
}
