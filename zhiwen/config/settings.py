"""The settings: read once, from the environment and an optional file, and refused with the way out if one is wrong.

The environment wins over the file. In the file (`<home>/zhiwen.toml`, or the one that ZHIWEN_CONFIG names) a setting
is called like its variable, in small letters and without `zhiwen_`: `port = 8770`.
"""

import contextlib
import difflib
import json
import os
import secrets
import tomllib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path
from typing import TypeVar
from urllib.parse import quote

from platformdirs import user_data_path

from zhiwen.config import parsers
from zhiwen.config.parsers import SECRET_KEY_MIN_CHARS, Network

T = TypeVar("T")

FILE_NAME = "zhiwen.toml"
GIGABYTE = 1_000_000_000
SECRET_KEY_FILE_NAME = "secret-key"  # noqa: S105  (a file's name)

NAMES = (
    "home",
    "config",
    "database_url",
    "allowed_networks",
    "user_agent",
    "desk_url",
    "secret_key",
    "host",
    "port",
    "language",
    "time_zone",
    "postgres_grace_s",
    "postgres_fsync",
    "case_min_chars",
    "case_min_share",
    "crawl_memory_mb",
    "crawl_hours",
    "metrics_token",
    "log_format",
    "time_stamp_url",
    "time_stamp_certificates",
    "import_folder",
    "database_password_file",
    "backup_folder",
    "backup_rule",
    "backup_keep_daily",
    "backup_keep_weekly",
    "evidence_max_gb",
    "disk_floor_mb",
    "tls_proxy",
)
ENVIRONMENT_ONLY = ("home", "config")  # they say where the file is
NOT_SHOWN = ("secret_key", "database_url", "metrics_token")  # a message may end up in a log
FOR_TESTS = "ZHIWEN_TEST_"


class SettingsError(Exception):
    """A setting that cannot be used; the message names it, its value and the way out."""


@dataclass(frozen=True, slots=True)
class Settings:
    """What an installation decides. `load_settings` validates; nothing else reads the environment."""

    home: Path
    """Everything that Zhiwen keeps on this machine: the embedded database, the secret key."""
    database_url: str | None = field(default=None, repr=False)
    """A Postgres of one's own; None means the embedded one."""
    allowed_networks: tuple[Network, ...] = ()
    """Private networks that the crawler may enter all the same."""
    user_agent: str = field(default_factory=lambda: f"Zhiwen/{version('zhiwen')}")
    host: str = "127.0.0.1"
    port: int = 8770
    """Where the admin listens; port 0 means any free one."""
    desk_url: str | None = None
    """Where people reach the admin; None: where it listens. Alerts and feeds lead there."""
    language: str = "zh"
    time_zone: str = "Asia/Shanghai"
    """Of dates without one, on sites that do not have their own, and of what the admin shows."""
    postgres_grace_s: float = 20.0
    """How long the embedded database waits for its next user before it stops."""
    postgres_fsync: bool = True
    """Off only where the data are thrown away: a power cut may destroy them."""
    case_min_chars: int = 150
    case_min_share: float = 0.3
    """From where on a copy of ours makes a case: characters, or share of either text."""
    crawl_memory_mb: int = 1_500
    """Past this a crawl is ended; the next one goes on where it was."""
    crawl_hours: float = 24.0
    """Likewise."""
    time_stamp_url: str | None = None
    """The authority that stamps heads of the evidence's chain (RFC 3161); None: nobody is asked."""
    time_stamp_certificates: Path | None = None
    """The certificates by which it is believed, as PEM; a root at least."""
    metrics_token: str | None = field(default=None, repr=False)
    """Whoever has it may read `/metrics`; None: only this machine may."""
    log_format: str = "text"
    """How lines of the log are written: `text` or `json`."""
    import_folder: Path | None = None
    """What lies in it can be imported from the desk; None: only what is uploaded there."""
    database_password_file: Path | None = None
    """Holds the password for `database_url`, which has it already."""
    backup_folder: Path | None = None
    """Where the worker puts back-ups; None: it makes none."""
    backup_rule: str = "30 3 * * *"
    """When, as schedules of sites are written."""
    backup_keep_daily: int = 7
    backup_keep_weekly: int = 4
    """How many are kept: the last of each day, and the last of each week."""
    evidence_max_gb: float | None = None
    """More than this the files of the evidence shall not take; None: as much as they take. See `evidence_max_bytes`."""
    disk_floor_mb: int = 500
    """With less free space crawls and imports wait."""
    tls_proxy: bool = False
    """A proxy in front of the admin ends TLS and says who asks."""
    secret_key: str | None = field(default=None, repr=False)
    """What signs the admin's cookies; None means the one in the home: ask `secret_key()`."""

    @property
    def evidence_max_bytes(self) -> int | None:
        return None if self.evidence_max_gb is None else int(self.evidence_max_gb * GIGABYTE)

    @property
    def desk_address(self) -> str:
        """What links to the desk begin with, without a slash at the end."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return (self.desk_url or f"http://{host}:{self.port}").rstrip("/")


def load_settings(environ: Mapping[str, str], *, warn: Callable[[str], None] | None = None) -> Settings:
    """The settings of this environment and its file.

    Raises SettingsError. A variable that looks like ours and is not is told to `warn`: most likely a typing error,
    but it may belong to somebody's own script.
    """
    for message in _unknown_variables(environ):
        if warn is not None:
            warn(message)
    home = _home(environ)
    source = _Source(environ, *_read_file(environ, home))
    default = Settings(home)
    password_file = source.value("database_password_file", parsers.file, None)
    return Settings(
        home=home,
        database_url=_with_password(source.value("database_url", parsers.database_url, None), password_file),
        allowed_networks=source.value("allowed_networks", parsers.networks, ()),
        user_agent=source.value("user_agent", parsers.user_agent, default.user_agent),
        desk_url=source.value("desk_url", parsers.web_address, None),
        host=source.value("host", parsers.host, default.host),
        port=source.value("port", parsers.port, default.port),
        language=source.value("language", parsers.language, default.language),
        time_zone=source.value("time_zone", parsers.time_zone, default.time_zone),
        postgres_grace_s=source.value("postgres_grace_s", parsers.seconds, default.postgres_grace_s),
        postgres_fsync=source.value("postgres_fsync", parsers.yes_or_no, default.postgres_fsync),
        case_min_chars=source.value("case_min_chars", parsers.characters, default.case_min_chars),
        case_min_share=source.value("case_min_share", parsers.share, default.case_min_share),
        crawl_memory_mb=source.value("crawl_memory_mb", parsers.crawl_memory, default.crawl_memory_mb),
        crawl_hours=source.value("crawl_hours", parsers.crawl_hours, default.crawl_hours),
        time_stamp_url=source.value("time_stamp_url", parsers.web_address, None),
        time_stamp_certificates=source.value("time_stamp_certificates", parsers.file, None),
        metrics_token=source.value("metrics_token", parsers.token, None),
        log_format=source.value("log_format", parsers.log_format, default.log_format),
        import_folder=source.value("import_folder", parsers.file, None),
        database_password_file=password_file,
        backup_folder=source.value("backup_folder", parsers.file, None),
        backup_rule=source.value("backup_rule", parsers.rule, default.backup_rule),
        backup_keep_daily=source.value("backup_keep_daily", parsers.count, default.backup_keep_daily),
        backup_keep_weekly=source.value("backup_keep_weekly", parsers.count, default.backup_keep_weekly),
        evidence_max_gb=source.value("evidence_max_gb", parsers.gigabytes, None),
        disk_floor_mb=source.value("disk_floor_mb", parsers.count, default.disk_floor_mb),
        tls_proxy=source.value("tls_proxy", parsers.yes_or_no, default.tls_proxy),
        secret_key=source.value("secret_key", parsers.secret_key, None),
    )


def kept_settings(environ: Mapping[str, str]) -> tuple[str, tuple[str, ...]]:
    """What is set, by the environment or the file, as a settings file: without secrets and what is of this machine
    alone. And the names of the secrets that are set and left out.
    """
    home = _home(environ)
    source = _Source(environ, *_read_file(environ, home))
    found = {name: text for name in NAMES if (text := source.text(name))}
    lines = (
        f"{name} = {json.dumps(text)}\n"
        for name, text in found.items()
        if name not in (*NOT_SHOWN, *ENVIRONMENT_ONLY, "database_password_file")
    )
    return "".join(lines), tuple(name for name in NOT_SHOWN if name in found)


def _with_password(url: str | None, path: Path | None) -> str | None:
    """The address with the password that the file holds, where one is named."""
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
            "With ZHIWEN_DATABASE_PASSWORD_FILE, DATABASE_URL names the user and no password: "
            "postgresql://user@host:5432/database"
        )
    return f"{scheme}://{user}:{quote(password, safe='')}@{place}"


def secret_key(settings: Settings) -> str:
    """What signs the admin's cookies; made and kept in the home, for this user's eyes only, when first asked for."""
    if settings.secret_key is not None:
        return settings.secret_key
    path = settings.home / SECRET_KEY_FILE_NAME
    aside = path.with_name(f"{path.name}.{secrets.token_hex(4)}")
    try:
        if not path.exists():
            # As the built-in database makes it: root's server has to pass through.
            settings.home.mkdir(mode=0o700 if os.geteuid() else 0o711, parents=True, exist_ok=True)
            with os.fdopen(os.open(aside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
                file.write(secrets.token_hex(SECRET_KEY_MIN_CHARS))
            # Of two processes that ask first at the same time, both take the key of the one that came first.
            with contextlib.suppress(FileExistsError):
                os.link(aside, path)
            aside.unlink()
        key = path.read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise SettingsError(
            f"The secret key {path} cannot be read or made ({error}). "
            f"Give this user the right to write in {settings.home}, or set ZHIWEN_SECRET_KEY."
        ) from error
    if len(key) < SECRET_KEY_MIN_CHARS:
        raise SettingsError(
            f"The secret key in {path} is too short. Delete the file: a new one is made, and all log in again."
        )
    return key


@dataclass(frozen=True, slots=True)
class _Source:
    """Where a setting's text is looked up, and what it is called there."""

    environ: Mapping[str, str]
    path: Path
    file: Mapping[str, str]

    def value(self, name: str, parse: Callable[[str], T], default: T) -> T:
        called, text = self._find(name)
        if not text:
            return default
        try:
            return parse(text)
        except ValueError as error:
            shown = "(not shown)" if name in NOT_SHOWN else f"“{text}”"
            raise SettingsError(f"{called} is {shown}: {error}") from error

    def text(self, name: str) -> str:
        """What is set, as it stands there; empty where nothing is."""
        return self._find(name)[1]

    def _find(self, name: str) -> tuple[str, str]:
        variable = _variable(name)
        # An empty variable is one that is not set: that is how compose files and unit files leave one out.
        text = self.environ.get(variable, "").strip()
        if text:
            return variable, text
        return f"{name} in {self.path}", self.file.get(name, "").strip()


def _variable(name: str) -> str:
    return "DATABASE_URL" if name == "database_url" else f"ZHIWEN_{name.upper()}"


def _unknown_variables(environ: Mapping[str, str]) -> list[str]:
    known = [_variable(name) for name in NAMES]
    unknown = [
        name for name in environ if name.startswith("ZHIWEN_") and not name.startswith(FOR_TESTS) and name not in known
    ]
    return [f"{name} is not a setting of Zhiwen and is ignored.{_nearest(name, known)}" for name in sorted(unknown)]


def _nearest(name: str, known: Iterable[str]) -> str:
    near = difflib.get_close_matches(name, known, n=1)
    return f" Did you mean {near[0]}?" if near else ""


def _home(environ: Mapping[str, str]) -> Path:
    text = environ.get("ZHIWEN_HOME", "").strip()
    if not text:
        return user_data_path("zhiwen", appauthor=False)
    if not text.isprintable():
        raise SettingsError(
            f"ZHIWEN_HOME is {text!r}: a path cannot hold such characters. Set it to a directory's path."
        )
    try:
        return Path(text).expanduser().absolute()
    except RuntimeError as error:
        raise SettingsError(f"ZHIWEN_HOME is “{text}”: {error} Set it to a full path.") from error


def _read_file(environ: Mapping[str, str], home: Path) -> tuple[Path, dict[str, str]]:
    named = environ.get("ZHIWEN_CONFIG", "").strip()
    path = Path(named).expanduser().absolute() if named else home / FILE_NAME
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
    """One way of reading for both sources: the file's values as they would stand in a variable."""
    if name in ENVIRONMENT_ONLY:
        raise SettingsError(f"{name} in {path} has no effect there. Set {_variable(name)} in the environment.")
    if name not in NAMES:
        known = [name for name in NAMES if name not in ENVIRONMENT_ONLY]
        nearest = _nearest(name, known) or f" There are: {', '.join(known)}."
        raise SettingsError(f"{name} in {path} is not a setting of Zhiwen.{nearest}")
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, str | int | float):
        return str(value)
    if isinstance(value, list) and all(isinstance(part, str) for part in value):
        return ",".join(value)
    raise SettingsError(f"{name} in {path} is {value!r}: it must be a text, a number, or a list of texts.")
