"""Labels of settings: name, help and valid texts of each that can be changed at the desk."""

from collections.abc import Mapping
from typing import Final

from flask_babel import lazy_gettext as _l

from admin.web.settings_desk import SettingSource

_SHARE: Final = _l("a number from 0 to 1, such as 0.3")
_COUNT: Final = _l("a whole number from 0")

NAMES: Final[Mapping[str, object]] = {
    "case_min_chars": _l("Characters from which a copy becomes a case"),
    "case_min_share": _l("or share of either text"),
    "retelling_case_score": _l("Score from which a possible retelling becomes a case"),
    "language": _l("Language"),
    "time_zone": _l("Time zone"),
    "user_agent": _l("Name of the crawler"),
    "crawl_hours": _l("Longest crawl, in hours"),
    "crawl_memory_mb": _l("Most memory of a crawl, in MB"),
    "disk_floor_mb": _l("Free disk space that is kept, in MB"),
    "evidence_max_gb": _l("Most evidence, in GB"),
    "backup_rule": _l("When back-ups are made"),
    "backup_keep_daily": _l("Days of which the last back-up is kept"),
    "backup_keep_weekly": _l("Weeks of which the last back-up is kept, too"),
}
"""Every setting that the desk can change is here; a test compares."""

HELP: Final[Mapping[str, object]] = {
    "case_min_chars": _l("Copied characters of your text. One of the two bounds is enough."),
    "case_min_share": _l("0.3 is three tenths of your text or of theirs."),
    "retelling_case_score": _l("Empty: only people open such cases."),
    "language": _l("Until a person chooses one."),
    "time_zone": _l("Of the desk, and of sites without one of their own."),
    "user_agent": _l("Site owners read it in their logs: say how to reach you."),
    "crawl_hours": _l("The next crawl continues where this one ended."),
    "crawl_memory_mb": _l("A crawl that needs more is ended; the next one continues."),
    "disk_floor_mb": _l("With less, crawls and imports wait. 0: they never wait."),
    "evidence_max_gb": _l("Above it, the oldest evidence that no case needs is deleted. Empty: no limit."),
    "backup_rule": _l("Five cron fields, or “every 12 h”. The hours are those of the time zone above."),
    "backup_keep_daily": "",
    "backup_keep_weekly": "",
}

VALID: Final[Mapping[str, object]] = {
    "case_min_chars": _COUNT,
    "case_min_share": _SHARE,
    "retelling_case_score": _SHARE,
    "language": _l("one of the two languages"),
    "time_zone": _l("the name of a time zone, such as Asia/Shanghai"),
    "user_agent": _l("at most 256 letters, figures and signs of ASCII"),
    "crawl_hours": _l("a number of hours above 0 and up to 8760"),
    "crawl_memory_mb": _l("a whole number from 300 to 1000000"),
    "disk_floor_mb": _COUNT,
    "evidence_max_gb": _l("a number above 0"),
    "backup_rule": _l("five cron fields such as “30 3 * * *”, or “every 12 h”"),
    "backup_keep_daily": _COUNT,
    "backup_keep_weekly": _COUNT,
}
"""What a valid text is, for the message about another one."""

SOURCES: Final[Mapping[str, object]] = {
    SettingSource.ENVIRONMENT: _l("environment"),
    SettingSource.FILE: _l("settings file"),
    SettingSource.DESK: _l("set here"),
    SettingSource.DEFAULT: _l("default"),
}

SETTING_TABLES: Final[Mapping[str, Mapping[str, object]]] = {
    "setting": NAMES,
    "setting_help": HELP,
    "setting_valid": VALID,
    "setting_source": SOURCES,
}

SETTING_ACTS: Final[Mapping[str, object]] = {
    "setting.change": _l("setting changed"),
    "index.build": _l("text index asked for"),
    "index.drop": _l("text index given up"),
    "backup.ask": _l("back-up asked for"),
}
"""Acts of the audit log."""
