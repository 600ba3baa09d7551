"""The settings of an installation, each declared once: name, type, default, parser with its bounds, and meaning.

`zhiwen.config.loading` reads them. The table in docs/settings.md repeats names, defaults and meanings; a test compares.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final, TypeVar

from zhiwen.config import parsers
from zhiwen.config.parsers import Network, number, one_of, whole_number

T = TypeVar("T")
D = TypeVar("D")

GIGABYTE: Final = 1_000_000_000
_DECLARED: Final = "declared"


class SettingsError(Exception):
    """A setting that cannot be used. The message names the setting, its value and the remedy."""


@dataclass(frozen=True, slots=True)
class Declaration:
    """How the text of a setting is parsed, and what it means."""

    parse: Callable[[str], Any]
    meaning: str
    default: str
    """In words, where it is no plain value."""
    is_secret: bool = False
    """Not shown in messages, which may end up in a log, and not saved in backups."""
    is_local: bool = False
    """Names something on this machine: not saved in backups."""
    is_changeable: bool = False
    """Can be changed at the desk while the program runs, where neither environment nor file sets it."""

    @property
    def metadata(self) -> "dict[str, Declaration]":
        return {_DECLARED: self}


def setting(
    parse: Callable[[str], T],
    default: D,
    meaning: str,
    *,
    shown: str = "",
    secret: bool = False,
    local: bool = False,
    desk: bool = False,
) -> T | D:
    """Declares a field of `Settings`. `shown`: the default in words, where it is no plain value. `desk`: changeable at
    the desk.
    """
    words = shown or _in_words(default)
    declared = Declaration(parse, meaning, words, is_secret=secret, is_local=local, is_changeable=desk)
    found: D = field(default=default, repr=not secret, metadata=declared.metadata)
    return found


def _in_words(default: object) -> str:
    if default is None:
        return "none"
    if isinstance(default, bool):
        return "`on`" if default else "`off`"
    return f"`{default:g}`" if isinstance(default, float) else f"`{default}`"


_HOME: Final = Declaration(
    parsers.file,
    "Folder of the built-in database, the evidence, the secret key and the settings file.",
    "the user's data directory: `~/.local/share/zhiwen` on Linux, `~/Library/Application Support/zhiwen` on macOS",
)
_CONFIG: Final = Declaration(parsers.file, "The settings file.", "`zhiwen.toml` in the home")
_USER_AGENT: Final = Declaration(
    parsers.user_agent, "Name of the crawler in its requests.", "`Zhiwen/` and the version", is_changeable=True
)
_COUNT: Final = whole_number("a whole number, like 7")
_CHARACTERS: Final = whole_number("a number of characters, like 150")
_SHARE: Final = number("a share from 0 to 1, like 0.3", most=1)
_SECONDS: Final = number("a number of seconds, like 20")
_HOURS: Final = number("a number of hours above 0 and up to 8760, like 12 or 0.5", most=8_760, above_zero=True)
_GIGABYTES: Final = number("a number of gigabytes above 0, like 50", above_zero=True)
_MEGABYTES: Final = whole_number("a number of megabytes from 300 to 1000000", least=300, most=1_000_000)
_PORT: Final = whole_number("a number from 0 (any free port) to 65535", most=65_535)


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings of an installation. `load_settings` validates them; nothing else reads the environment."""

    home: Path = field(metadata=_HOME.metadata)
    database_url: str | None = setting(
        parsers.database_url, None, "A Postgres server of your own.", shown="the built-in database", secret=True
    )
    database_password_file: Path | None = setting(
        parsers.file, None, "File with the password for `DATABASE_URL`, which then contains only the user.", local=True
    )
    replica_url: str | None = setting(
        parsers.database_url, None, "A read-only replica of that server, for checks and the desk's lists.", secret=True
    )
    replica_lag_s: float = setting(_SECONDS, 10.0, "Seconds that the replica may be behind; else it is not used.")
    postgres_grace_s: float = setting(_SECONDS, 20.0, "Seconds until the built-in database stops after its last use.")
    postgres_fsync: bool = setting(parsers.yes_or_no, True, "`off`: faster, but a power cut may destroy the data.")
    allowed_networks: tuple[Network, ...] = setting(
        parsers.networks, (), "Private networks that the crawler may enter.", shown="none"
    )
    user_agent: str = field(default_factory=lambda: f"Zhiwen/{version('zhiwen')}", metadata=_USER_AGENT.metadata)
    host: str = setting(parsers.host, "127.0.0.1", "Address that the admin listens on.")
    port: int = setting(_PORT, 8770, "Port that the admin listens on; 0 takes any free one.")
    desk_url: str | None = setting(
        parsers.web_address, None, "Address at which people reach the admin.", shown="where it listens"
    )
    tls_proxy: bool = setting(parsers.yes_or_no, False, "`on` behind a proxy that ends TLS.")
    language: str = setting(
        one_of("zh", "en"), "zh", "Language of the admin until a person chooses one: `zh` or `en`.", desk=True
    )
    time_zone: str = setting(
        parsers.time_zone,
        "Asia/Shanghai",
        "Time zone of the admin, and of sites that have none of their own.",
        desk=True,
    )
    secret_key: str | None = setting(
        parsers.secret_key, None, "Key that signs the admin's cookies.", shown="made, and kept in the home", secret=True
    )
    metrics_token: str | None = setting(parsers.token, None, "Token for reading `/metrics`.", secret=True)
    log_format: str = setting(one_of("text", "json"), "text", "Format of log lines: `text` or `json`.")
    case_min_chars: int = setting(
        _CHARACTERS, 150, "A copy with so many characters of your text becomes a case.", desk=True
    )
    case_min_share: float = setting(
        _SHARE, 0.3, "So does a copy with this share of your text, or of its own.", desk=True
    )
    retelling_case_score: float | None = setting(
        _SHARE,
        None,
        "A possible retelling of your text with this score becomes a case by itself.",
        shown="off",
        desk=True,
    )
    crawl_memory_mb: int = setting(_MEGABYTES, 1_500, "Megabytes of memory at which a crawl is ended.", desk=True)
    crawl_hours: float = setting(_HOURS, 24.0, "Hours after which a crawl is ended.", desk=True)
    public_certificates: bool = setting(
        parsers.yes_or_no, False, "`on`: certificates of checks are looked up by their number without an account."
    )
    encoder: str = setting(parsers.encoder, parsers.BUILT_IN_ENCODER, "What turns texts into vectors of their meaning.")
    encoder_model: str | None = setting(
        parsers.words, None, "Name of the model that an embeddings endpoint is asked for."
    )
    encoder_size: int | None = setting(parsers.vector_size, None, "Numbers of a vector of that model.")
    encoder_key: str | None = setting(parsers.key, None, "Key for the embeddings endpoint.", secret=True)
    encoder_sends_unpublished: bool = setting(
        parsers.yes_or_no, False, "`on`: the endpoint also gets texts that are not public."
    )
    search_services: Path | None = setting(
        parsers.file,
        None,
        "File of the search services that are asked for copies on the open web.",
        shown="`search_services.toml` in the home",
        local=True,
    )
    rdap_bootstrap: str = setting(
        parsers.web_address, "https://data.iana.org/rdap/", "Where the tables of RDAP servers are read (RFC 9224)."
    )
    whois_server: str = setting(parsers.host, "whois.iana.org", "WHOIS server that knows those of the registries.")
    import_folder: Path | None = setting(parsers.file, None, "Folder with files that can be imported at the desk.")
    backup_folder: Path | None = setting(
        parsers.file, None, "Folder for the worker's backups; without it, none are made."
    )
    backup_rule: str = setting(parsers.rule, "30 3 * * *", "When backups are made.", desk=True)
    backup_keep_daily: int = setting(_COUNT, 7, "Number of days of which the last backup is kept.", desk=True)
    backup_keep_weekly: int = setting(_COUNT, 4, "Number of weeks of which the last backup is also kept.", desk=True)
    time_stamp_url: str | None = setting(
        parsers.web_address, None, "Time stamp authority (RFC 3161) that signs the head of the evidence."
    )
    time_stamp_certificates: Path | None = setting(
        parsers.file, None, "PEM file with the certificates of that authority: its root at least."
    )
    ots_calendars: tuple[str, ...] = setting(
        parsers.web_addresses, (), "OpenTimestamps calendars that confirm evidence files, up to 4.", shown="none"
    )
    witness_url: str | None = setting(
        parsers.secure_address, None, "Desk of another installation that countersigns heads of the evidence."
    )
    witness_token: str | None = setting(
        parsers.key, None, "API token for it, of the scope `witness`.", shown="none", secret=True
    )
    witness_key: str | None = setting(parsers.key_id, None, "Id of the key with which it signs.")
    witness_accepts: tuple[str, ...] = setting(
        parsers.key_ids, (), "Ids of keys of other installations whose heads are countersigned here.", shown="none"
    )
    evidence_max_gb: float | None = setting(
        _GIGABYTES, None, "Most gigabytes for the files of the evidence.", shown="no limit", desk=True
    )
    disk_floor_mb: int = setting(_COUNT, 500, "Crawls and imports wait while fewer megabytes are free.", desk=True)
    given: Mapping[str, str] = field(default_factory=dict, repr=False, compare=False)
    """The settings of the environment and the file, by name: the variable or the line of the file that sets each."""

    @property
    def evidence_max_bytes(self) -> int | None:
        return None if self.evidence_max_gb is None else int(self.evidence_max_gb * GIGABYTE)

    @property
    def desk_address(self) -> str:
        """The beginning of links to the desk, without a slash at the end."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return (self.desk_url or f"http://{host}:{self.port}").rstrip("/")


FILE_SETTINGS: Final[dict[str, Declaration]] = {
    one.name: one.metadata[_DECLARED] for one in fields(Settings) if one.name not in ("home", "given")
}
"""The settings that the file may contain, by name."""
DECLARATIONS: Final = {"home": _HOME, "config": _CONFIG, **FILE_SETTINGS}
"""All settings. `home` and `config` locate the file, so only the environment can set them."""


CHANGEABLE: Final[dict[str, Declaration]] = {
    name: declared for name, declared in FILE_SETTINGS.items() if declared.is_changeable
}
"""The settings that can be changed at the desk, by name."""


def variable(name: str) -> str:
    """The environment variable of a setting."""
    return "DATABASE_URL" if name == "database_url" else f"ZHIWEN_{name.upper()}"
