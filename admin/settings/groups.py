"""Which settings stand together on the page, and the changes of them as people read them (pure)."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from admin.web.settings_desk import StatedSetting
from storage.desk.setting_changes import SettingChangeRecord

GROUPS: Final[Mapping[str, tuple[str, ...]]] = {
    "cases": ("case_min_chars", "case_min_share", "retelling_case_score"),
    "desk": ("language", "time_zone"),
    "crawls": ("user_agent", "crawl_hours", "crawl_memory_mb"),
    "retention": ("evidence_max_gb", "disk_floor_mb"),
    "backups": ("backup_rule", "backup_keep_daily", "backup_keep_weekly"),
}
"""Every setting that the desk can change is in one; a test compares."""


@dataclass(frozen=True, slots=True)
class Change:
    """A change, with what held before. `can_undo`: it is the newest of its setting."""

    record: SettingChangeRecord
    former: str | None
    can_undo: bool


def grouped(found: Iterable[StatedSetting]) -> dict[str, list[StatedSetting]]:
    by_name = {one.name: one for one in found}
    return {group: [by_name[name] for name in names if name in by_name] for group, names in GROUPS.items()}


def fixed_above(found: Iterable[StatedSetting]) -> list[StatedSetting]:
    """Settings that the desk only shows: of those it cannot change, all; of the others, those set above it."""
    return [one for one in found if one.is_fixed or not one.is_changeable]


def with_former(newest_first: Sequence[SettingChangeRecord]) -> list[Change]:
    """The changes with the text that each replaced; None: the default. Needs the whole history."""
    held: dict[str, str | None] = {}
    last: dict[str, int] = {}
    found = []
    for record in reversed(newest_first):
        found.append((record, held.get(record.name)))
        held[record.name], last[record.name] = record.value, record.id
    return [Change(record, former, last[record.name] == record.id) for record, former in reversed(found)]
