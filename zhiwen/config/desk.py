"""The settings as the desk shows and changes them: see `admin.web.settings_desk`."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

from admin.web.settings_desk import BadSetting, SettingSource, StatedSetting
from zhiwen.config.live import LiveSettings, overlaid
from zhiwen.config.parsers import is_web_address
from zhiwen.config.settings import CHANGEABLE, FILE_SETTINGS, Settings, variable


@dataclass(frozen=True, slots=True)
class SettingsOf:
    """The settings of one process."""

    live: LiveSettings

    def stated(self, stored: Mapping[str, str]) -> list[StatedSetting]:
        base = self.live.base
        now, plain = overlaid(base, stored), Settings(base.home)
        return [_stated(name, now, plain, stored) for name in FILE_SETTINGS]

    def check(self, name: str, text: str) -> None:
        if name not in CHANGEABLE:
            raise BadSetting(f"{name} cannot be changed at the desk")
        if name in self.live.base.given:
            raise BadSetting(f"{name} is set by {self.live.base.given[name]}; change it there")
        try:
            CHANGEABLE[name].parse(text)
        except ValueError as error:
            raise BadSetting(str(error)) from error

    def changed(self) -> None:
        self.live.ask_again()


def _stated(name: str, now: Settings, plain: Settings, stored: Mapping[str, str]) -> StatedSetting:
    declared, called = FILE_SETTINGS[name], now.given.get(name, "")
    value = getattr(now, name)
    return StatedSetting(
        name=name,
        variable=variable(name),
        value="" if declared.is_secret else in_words(value),
        default="" if declared.is_secret else in_words(getattr(plain, name)),
        source=_source(name, called, is_stored=name in stored and declared.is_changeable),
        where=called,
        is_secret=declared.is_secret,
        is_changeable=declared.is_changeable,
    )


def _source(name: str, called: str, *, is_stored: bool) -> SettingSource:
    if called:
        return SettingSource.ENVIRONMENT if called == variable(name) else SettingSource.FILE
    return SettingSource.DESK if is_stored else SettingSource.DEFAULT


def in_words(value: object) -> str:
    """A value as the text that sets it. An address without its query, which may hold a key (pure)."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, float):
        return f"{value:g}"
    if isinstance(value, tuple):
        return ", ".join(map(str, value))
    if isinstance(value, str | Path) and is_web_address(str(value)):
        parts = urlsplit(str(value))
        host = parts.netloc.rpartition("@")[2]
        return urlunsplit((parts.scheme, host, parts.path, "", ""))
    return str(value)
