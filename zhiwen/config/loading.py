"""Reading the settings, once, from the environment and an optional file.

The environment wins over the file. In the file (`<home>/zhiwen.toml`, or the one that ZHIWEN_CONFIG names) a setting
is called like its variable, in small letters and without `zhiwen_`: `port = 8770`.
"""

import difflib
import json
import tomllib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import quote

from platformdirs import user_data_path

from zhiwen.config.parsers import NotShown, is_web_address
from zhiwen.config.settings import DECLARATIONS, FILE_SETTINGS, Settings, SettingsError, variable

FILE_NAME = "zhiwen.toml"
FOR_TESTS = "ZHIWEN_TEST_"


def load_settings(environ: Mapping[str, str], *, warn: Callable[[str], None] | None = None) -> Settings:
    """The settings of this environment and its file.

    Raises SettingsError. An unknown variable that begins like ours is only reported to `warn`: most likely a typing
    error, but it may belong to somebody's own script.
    """
    for message in _unknown_variables(environ):
        if warn is not None:
            warn(message)
    home = _home(environ)
    texts = _texts(environ, home)
    values = {name: _parsed(name, called, text) for name, (called, text) in texts.items()}
    settings = Settings(home, **values, given={name: called for name, (called, _text) in texts.items()})
    if settings.replica_url is not None and settings.database_url is None:
        raise SettingsError("ZHIWEN_REPLICA_URL needs DATABASE_URL: the built-in database has no replica.")
    if is_web_address(settings.encoder) and (settings.encoder_model is None or settings.encoder_size is None):
        raise SettingsError(
            "ZHIWEN_ENCODER is an address: an endpoint also needs ZHIWEN_ENCODER_MODEL, the name of its model, and "
            "ZHIWEN_ENCODER_SIZE, the numbers of a vector."
        )
    if settings.witness_url is not None and (settings.witness_token is None or settings.witness_key is None):
        raise SettingsError(
            "ZHIWEN_WITNESS_URL is set: it also needs ZHIWEN_WITNESS_TOKEN, a token of that desk, and "
            "ZHIWEN_WITNESS_KEY, the id of the key with which it signs."
        )
    password_file = settings.database_password_file
    return replace(
        settings,
        database_url=_with_password(settings.database_url, password_file),
        replica_url=_with_password(settings.replica_url, password_file, "ZHIWEN_REPLICA_URL"),
    )


def kept_settings(environ: Mapping[str, str]) -> tuple[str, tuple[str, ...]]:
    """The given settings as a settings file, without secrets and local settings; and the names of the secrets that are
    left out.
    """
    texts = _texts(environ, _home(environ))
    secret = tuple(name for name in texts if FILE_SETTINGS[name].is_secret)
    kept = [name for name in texts if name not in secret and not FILE_SETTINGS[name].is_local]
    return "".join(f"{name} = {json.dumps(texts[name][1])}\n" for name in kept), secret


def _texts(environ: Mapping[str, str], home: Path) -> dict[str, tuple[str, str]]:
    """The given settings by name: the variable or the line that sets each, and its text."""
    path, file = _read_file(environ, home)
    found = {}
    for name in FILE_SETTINGS:
        # An empty variable counts as not set: compose files and unit files cannot leave one out.
        if text := environ.get(variable(name), "").strip():
            found[name] = variable(name), text
        elif text := file.get(name, "").strip():
            found[name] = f"{name} in {path}", text
    return found


def _parsed(name: str, called: str, text: str) -> Any:
    declared = DECLARATIONS[name]
    try:
        return declared.parse(text)
    except ValueError as error:
        shown = "(not shown)" if declared.is_secret or isinstance(error, NotShown) else f"“{text}”"
        raise SettingsError(f"{called} is {shown}: {error}") from error


def _with_password(url: str | None, path: Path | None, name: str = "DATABASE_URL") -> str | None:
    """The address with the password from the file, if one is given."""
    if url is None or path is None:
        return url
    try:
        password = path.read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise SettingsError(
            f"ZHIWEN_DATABASE_PASSWORD_FILE names {path}, which cannot be read ({error}). Correct the path, or give "
            f"this user the right to read it."
        ) from error
    scheme, _, rest = url.partition("://")
    user, at, place = rest.rpartition("@")
    if not at or ":" in user:
        raise SettingsError(
            f"With ZHIWEN_DATABASE_PASSWORD_FILE, {name} names the user and no password: "
            "postgresql://user@host:5432/database"
        )
    return f"{scheme}://{user}:{quote(password, safe='')}@{place}"


def _unknown_variables(environ: Mapping[str, str]) -> list[str]:
    known = [variable(name) for name in DECLARATIONS]
    unknown = [
        name for name in environ if name.startswith("ZHIWEN_") and not name.startswith(FOR_TESTS) and name not in known
    ]
    return [f"{name} is not a setting of Zhiwen and is ignored.{_nearest(name, known)}" for name in sorted(unknown)]


def _nearest(name: str, known: Iterable[str]) -> str:
    near = difflib.get_close_matches(name, known, n=1)
    return f" Did you mean {near[0]}?" if near else ""


def _home(environ: Mapping[str, str]) -> Path:
    return _path(environ, "home") or user_data_path("zhiwen", appauthor=False)


def _path(environ: Mapping[str, str], name: str) -> Path | None:
    text = environ.get(variable(name), "").strip()
    return _parsed(name, variable(name), text) if text else None


def _read_file(environ: Mapping[str, str], home: Path) -> tuple[Path, dict[str, str]]:
    named = _path(environ, "config")
    path = named or home / FILE_NAME
    try:
        with path.open("rb") as file:
            tables = tomllib.load(file)
    except FileNotFoundError as error:
        if not named:
            return path, {}
        raise SettingsError(
            f"ZHIWEN_CONFIG names {path}, which does not exist. Correct the path or unset it."
        ) from error
    except OSError as error:
        raise SettingsError(f"The settings file {path} cannot be read ({error.strerror}).") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise SettingsError(f"The settings file {path} is not TOML: {error}. Lines look like: port = 8770") from error
    return path, {name: _text(path, name, value) for name, value in tables.items()}


def _text(path: Path, name: str, value: object) -> str:
    """A value of the file as the text that a variable would hold."""
    if name not in FILE_SETTINGS:
        if name in DECLARATIONS:
            raise SettingsError(f"{name} in {path} has no effect there. Set {variable(name)} in the environment.")
        nearest = _nearest(name, FILE_SETTINGS) or f" There are: {', '.join(FILE_SETTINGS)}."
        raise SettingsError(f"{name} in {path} is not a setting of Zhiwen.{nearest}")
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, str | int | float):
        return str(value)
    if isinstance(value, list) and all(isinstance(part, str) for part in value):
        return ",".join(value)
    raise SettingsError(f"{name} in {path} is {value!r}: it must be a text, a number, or a list of texts.")
