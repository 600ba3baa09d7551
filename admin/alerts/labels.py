"""Labels of channels, alert events and states of messages."""

from collections.abc import Mapping
from typing import Final

from flask_babel import lazy_gettext as _l

from admin.alerts.channel_registry import KINDS
from storage.records.alerts import AlertKind, MessageState
from storage.records.monitoring import Measure

BRAND: Final = _l("[Zhiwen]")
"""Prefix of every subject, for mail filters."""

EVENTS: Final[Mapping[str, object]] = {
    AlertKind.CASE_OPENED: _l("New cases"),
    AlertKind.COPY_REMOVED: _l("Copies taken down"),
    AlertKind.COPY_REAPPEARED: _l("Copies back online"),
    AlertKind.RETELLING_FOUND: _l("Possible retellings"),
    AlertKind.SITE_BLIND: _l("A site behaves unusually"),
    AlertKind.SITE_RECOVERED: _l("A site is back to normal"),
    AlertKind.ALERTS_HELD: _l("Alerts on hold"),
    AlertKind.DISK_LOW: _l("The disk is almost full"),
    AlertKind.BACKUP_FAILED: _l("A backup failed"),
    AlertKind.JOB_SET_ASIDE: _l("A job was set aside"),
    AlertKind.MENTIONED: _l("Mentions in comments, assigned cases"),
    AlertKind.EVIDENCE_ALARM: _l("Evidence could not be kept or confirmed"),
}

OPERATION: Final[Mapping[str, object]] = {
    AlertKind.SITE_BLIND: _l("%(site)s: unusual"),
    AlertKind.SITE_RECOVERED: _l("%(site)s: back to normal"),
    AlertKind.ALERTS_HELD: _l("%(site)s: a crawl looks wrong; its alerts are on hold"),
    AlertKind.DISK_LOW: _l("The disk is almost full"),
    AlertKind.BACKUP_FAILED: _l("The backup failed"),
    AlertKind.JOB_SET_ASIDE: _l("A job failed repeatedly and was set aside"),
    AlertKind.EVIDENCE_ALARM: _l("Evidence could not be kept or confirmed"),
}
"""Subjects of messages that are not about cases."""

MEASURES: Final[Mapping[str, object]] = {
    Measure.ARTICLES: _l("New articles on that day: %(value)s, usually about %(usual)s"),
    Measure.WEEK: _l("New articles in seven days: %(value)s, usually about %(usual)s"),
    Measure.EMPTY: _l("Pages without an article: %(value)s, usually about %(usual)s"),
    Measure.FAILED: _l("Requests that failed: %(value)s, usually about %(usual)s"),
    Measure.LENGTH: _l("Mean length of new articles in characters: %(value)s, usually about %(usual)s"),
    Measure.REWRITTEN: _l("Known pages found changed or gone: %(value)s, usually about %(usual)s"),
}

STATES: Final[Mapping[str, object]] = {
    MessageState.WAITING: _l("waiting"),
    MessageState.SENT: _l("sent"),
    MessageState.SET_ASIDE: _l("set aside"),
    MessageState.DROPPED: _l("dropped"),
}

ALERT_ACTS: Final[Mapping[str, object]] = {
    "channel.add": _l("channel added"),
    "channel.edit": _l("channel changed"),
    "channel.remove": _l("channel removed"),
    "channel.secret": _l("channel secret renewed"),
    "channel.test": _l("channel tested"),
    "rule.add": _l("rule for alerts added"),
    "rule.edit": _l("rule for alerts changed"),
    "rule.remove": _l("rule for alerts removed"),
    "alert.retry": _l("message sent again"),
    "alert.drop": _l("message dropped"),
    "hold.send": _l("alerts on hold sent"),
    "hold.drop": _l("alerts on hold dropped"),
    "feed.add": _l("feed address created"),
    "feed.remove": _l("feed address revoked"),
}

ALERT_TABLES: Final[Mapping[str, Mapping[str, object]]] = {
    "alert_event": EVENTS,
    "alert_channel": {value: kind.label for value, kind in KINDS.items()},
    "alert_state": STATES,
}
