"""Settings that were changed at the desk, as texts. The caller knows which there are, and which texts are valid."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from sqlalchemy import func, insert, select, text
from sqlalchemy.dialects.postgresql import distinct_on
from sqlalchemy.orm import Session

from storage.models.upkeep import SettingChange
from storage.postgres.rows import records_of

LONGEST_VALUE: Final = 2_000
"""Characters."""
_LOCK: Final = 0x5A_68_77_30_04


@dataclass(frozen=True, slots=True)
class SettingChangeRecord:
    """`value`: the new text; None: the default again."""

    id: int
    name: str
    value: str | None
    changed_by: str
    changed_at: datetime


def version(session: Session) -> int:
    """A number that grows with each change; 0 before the first."""
    return session.scalar(select(func.max(SettingChange.id))) or 0


def values(session: Session) -> dict[str, str]:
    """The texts that hold, by the name of their setting."""
    newest = (
        select(SettingChange.name, SettingChange.value)
        .ext(distinct_on(SettingChange.name))
        .order_by(SettingChange.name, SettingChange.id.desc())
    )
    return {name: value for name, value in session.execute(newest) if value is not None}


def change(session: Session, new: Mapping[str, str | None], *, by: str) -> dict[str, tuple[str | None, str | None]]:
    """Stores new texts; None returns to the default. Returns those that really changed, each with its former text.

    Changes are made one after the other, so that the version, once seen, stands for all before it. Raises ValueError
    for a text that is too long.
    """
    for name, value in new.items():
        if value is not None and len(value) > LONGEST_VALUE:
            message = f"{name} has {len(value)} characters; at most {LONGEST_VALUE} are stored"
            raise ValueError(message)
    session.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _LOCK})
    held = values(session)
    changed = {name: (held.get(name), value) for name, value in new.items() if held.get(name) != value}
    for name, (_before, value) in changed.items():
        session.execute(insert(SettingChange).values(name=name, value=value, changed_by=by))
    return changed


def history(session: Session, *, limit: int = 200) -> list[SettingChangeRecord]:
    """The changes, newest first."""
    found = session.scalars(select(SettingChange).order_by(SettingChange.id.desc()).limit(limit))
    return records_of(SettingChangeRecord, found)
