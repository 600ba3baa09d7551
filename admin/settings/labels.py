"""Labels of settings: name, help and valid texts of each that can be changed at the desk."""

from collections.abc import Mapping
from typing import Final

from flask_babel import lazy_gettext as _l

from admin.web.settings_desk import SettingSource

_SHARE: Final = _l("a number from 0 to 1, such as 0.3")
_COUNT: Final = _l("a whole number, 0 or more")

NAMES: Final[Mapping[str, object]] = {
    "case_min_chars": _l("Minimum copied characters"),
    "case_min_share": _l("Or minimum share"),
    "retelling_case_score": _l("Minimum score of a retelling"),
    "language": _l("Language"),
    "time_zone": _l("Time zone"),
    "user_agent": _l("Crawler name (User-Agent)"),
    "crawl_hours": _l("Time limit per crawl (hours)"),
    "crawl_memory_mb": _l("Memory limit per crawl (MB)"),
    "disk_floor_mb": _l("Minimum free disk space (MB)"),
    "evidence_max_gb": _l("Evidence limit (GB)"),
    "backup_rule": _l("Backup schedule"),
    "backup_keep_daily": _l("Daily backups to keep"),
    "backup_keep_weekly": _l("Weekly backups to keep"),
}
"""Every setting that the desk can change is here; a test compares."""

HELP: Final[Mapping[str, object]] = {
    "case_min_chars": _l("Copied characters of your text. Reaching one of the two is enough."),
    "case_min_share": _l("0.3 means three tenths of your text or of theirs."),
    "retelling_case_score": _l("Leave empty so that only people open such cases."),
    "language": _l("Used until a person chooses one."),
    "time_zone": _l("For the desk, and for sites without their own."),
    "user_agent": _l("Site owners see it in their logs: include how to reach you."),
    "crawl_hours": _l("The next crawl continues where this one ended."),
    "crawl_memory_mb": _l("A crawl that exceeds it is ended; the next one continues."),
    "disk_floor_mb": _l("Below this, crawls and imports wait. 0 means never."),
    "evidence_max_gb": _l(
        "Above this, the oldest evidence not needed by any case is deleted. Leave empty for no limit."
    ),
    "backup_rule": _l("In the time zone above."),
    "backup_keep_daily": "",
    "backup_keep_weekly": "",
}

VALID: Final[Mapping[str, object]] = {
    "case_min_chars": _COUNT,
    "case_min_share": _SHARE,
    "retelling_case_score": _SHARE,
    "language": _l("one of the two languages"),
    "time_zone": _l("the name of a time zone, such as Asia/Shanghai"),
    "user_agent": _l("at most 256 ASCII characters"),
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
    "index.build": _l("text index requested"),
    "index.drop": _l("text index dropped"),
    "backup.ask": _l("backup requested"),
}
"""Acts of the audit log."""
