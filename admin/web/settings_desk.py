"""What the desk needs to show and change settings; `zhiwen` hands it in."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol


class SettingSource(StrEnum):
    """Where a setting's value is from. The first of these that has one wins."""

    ENVIRONMENT = "environment"
    FILE = "file"
    DESK = "desk"
    DEFAULT = "default"


@dataclass(frozen=True, slots=True)
class StatedSetting:
    """A setting as it holds. A secret has no `value`, whatever it is."""

    name: str
    variable: str
    """The environment variable that sets it."""
    value: str
    """As text, like a variable; empty where there is none."""
    default: str
    """As text; empty where there is none."""
    source: SettingSource
    where: str = ""
    """The variable, or the line of the file, that sets it."""
    is_secret: bool = False
    is_changeable: bool = False
    """Whether the desk can change it at all; it can now, unless environment or file set it."""

    @property
    def is_fixed(self) -> bool:
        return self.source in (SettingSource.ENVIRONMENT, SettingSource.FILE)


class BadSetting(ValueError):
    """A text that is no valid value of a setting."""


class SettingsDesk(Protocol):
    """The settings of this installation."""

    def stated(self, stored: Mapping[str, str]) -> Sequence[StatedSetting]:
        """All settings, with the texts that the store holds."""

    def check(self, name: str, text: str) -> None:
        """Raises BadSetting, also for a setting that the desk cannot change or that is fixed."""

    def changed(self) -> None:
        """Have this process read the changes now. Other processes read them within seconds."""
