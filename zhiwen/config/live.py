"""Settings while the program runs: environment before file before desk before default.

What the desk changes is kept in the store. Each process asks for the version of these changes, at most every two
seconds, and reads them when it has grown; so all processes see a change, on this machine and on others.
"""

import logging
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from storage.desk import setting_changes
from storage.engine import transaction
from zhiwen.config.settings import CHANGEABLE, Settings

if TYPE_CHECKING:
    from sqlalchemy import Engine

ASKED_EVERY_S: Final = 2.0
AWAY_S: Final = 30.0
"""Until a database that did not answer is asked again: each attempt may take seconds."""

log = logging.getLogger(__name__)


def overlaid(settings: Settings, stored: Mapping[str, str]) -> Settings:
    """`settings` with the texts that the desk stored, but for those that environment or file set.

    A text that is not valid, or a setting that this version cannot change, is left out with a line in the log: another
    version stored it.
    """
    found: dict[str, Any] = {}
    for name, text in stored.items():
        if name in settings.given:
            continue
        if name not in CHANGEABLE:
            log.warning("the store has a setting %s, which this version does not change at the desk", name)
            continue
        try:
            found[name] = CHANGEABLE[name].parse(text)
        except ValueError as error:
            log.warning("the setting %s of the desk is ignored: %s", name, error)
    return replace(settings, **found) if found else settings


def with_desk_settings(settings: Settings, engine: "Engine") -> Settings:
    """`settings` as they hold at this moment, for a command that ends soon."""
    return LiveSettings(settings, engine).current()


class LiveSettings:
    """`base`: as read from environment and file. Safe to use from several threads."""

    def __init__(
        self,
        base: Settings,
        engine: "Engine",
        *,
        asked_every_s: float = ASKED_EVERY_S,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.base = base
        self._engine = engine
        self._every_s = asked_every_s
        self._clock = clock
        self._lock = threading.Lock()
        self._next_at: float | None = None
        self._version: int | None = None
        self._current = base

    def current(self) -> Settings:
        """The settings that hold; the same object until something changes.

        While the database does not answer, the last known ones; it is asked again after half a minute. One thread asks,
        and the others go on with what is known meanwhile.
        """
        if self._lock.acquire(blocking=self._next_at is None):
            try:
                now = self._clock()
                if self._next_at is None or now >= self._next_at:
                    self._next_at = now + (self._every_s if self._refreshed() else AWAY_S)
            finally:
                self._lock.release()
        return self._current

    def ask_again(self) -> None:
        """Read at the next call, however long ago the last reading was."""
        with self._lock:
            self._next_at = None

    def _refreshed(self) -> bool:
        """Reads the changes, if there are any. Whether the database answered."""
        try:
            with transaction(self._engine) as session:
                version = setting_changes.version(session)
                if version == self._version:
                    return True
                before, self._current = self._current, overlaid(self.base, setting_changes.values(session))
                self._version = version
        except Exception as error:  # whatever the database raises: what was known holds
            log.warning("the settings of the desk could not be read: %s", error)
            return False
        self._log_changes(before)
        return True

    def _log_changes(self, before: Settings) -> None:
        pairs = {name: (getattr(before, name), getattr(self._current, name)) for name in CHANGEABLE}
        changed = [f"{name} is {now}" for name, (was, now) in pairs.items() if was != now]
        if changed:
            log.info("settings of the desk: %s", ", ".join(changed))
