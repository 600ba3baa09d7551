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
        self._asked_at: float | None = None
        self._version: int | None = None
        self._current = base

    def current(self) -> Settings:
        """The settings that hold; the same object until something changes.

        While the database does not answer, the last known ones.
        """
        with self._lock:
            now = self._clock()
            if self._asked_at is None or now - self._asked_at >= self._every_s:
                self._asked_at = now
                self._refresh()
            return self._current

    def ask_again(self) -> None:
        """Read at the next call, however long ago the last reading was."""
        with self._lock:
            self._asked_at = None

    def _refresh(self) -> None:
        try:
            with transaction(self._engine) as session:
                version = setting_changes.version(session)
                if version == self._version:
                    return
                before, self._current = self._current, overlaid(self.base, setting_changes.values(session))
                self._version = version
        except Exception as error:  # whatever the database raises: what was known holds
            log.warning("the settings of the desk could not be read: %s", error)
            return
        changed = [name for name in CHANGEABLE if getattr(before, name) != getattr(self._current, name)]
        if changed:
            log.info(
                "settings of the desk: %s", ", ".join(f"{name} is {getattr(self._current, name)}" for name in changed)
            )
