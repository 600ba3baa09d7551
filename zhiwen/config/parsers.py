"""Parsers of settings, from text to value. Each raises ValueError with a description of valid texts."""

import ipaddress
import math
import re
from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from storage.database_address import DRIVER, secrets_in_query, with_password_in_place

Network: TypeAlias = ipaddress.IPv4Network | ipaddress.IPv6Network

LARGEST_NUMBER = 999_999_999
SECRET_KEY_MIN_CHARS = 32  # 128 bits in hexadecimal
TOKEN_MIN_CHARS = 16
USER_AGENT_MAX_CHARS = 256
VISIBLE_ASCII = re.compile(r"[ -~]+")
BUILT_IN_ENCODER = "built-in"
NO_ENCODER = "off"
KEY_MAX_CHARS = 4_096
ADDRESSES_AT_MOST = 4
KEY_ID = re.compile(r"[0-9a-f]{64}")
WORDS_FOR_YES = ("1", "on", "true", "yes")
WORDS_FOR_NO = ("0", "off", "false", "no")


class NotShown(ValueError):
    """The text holds a secret, so the message does not repeat it."""


def whole_number(expected: str, *, least: int = 0, most: int = LARGEST_NUMBER) -> Callable[[str], int]:
    """A parser of whole numbers between two bounds, both included; `expected` describes them in its error."""

    def parse(text: str) -> int:
        digits = text if text.isascii() and text.isdigit() else "-1"
        if not least <= int(digits) <= most:
            raise ValueError(f"it must be {expected}")
        return int(digits)

    return parse


def number(expected: str, *, most: float = math.inf, above_zero: bool = False) -> Callable[[str], float]:
    """A parser of finite numbers from 0 to `most`; `above_zero` excludes 0."""

    def parse(text: str) -> float:
        try:
            value = float(text)
        except ValueError:
            value = math.nan
        if not (math.isfinite(value) and 0 <= value <= most) or (above_zero and not value):
            raise ValueError(f"it must be {expected}")
        return value

    return parse


def one_of(*words: str) -> Callable[[str], str]:
    """A parser that accepts these words only."""

    def parse(text: str) -> str:
        if text not in words:
            raise ValueError(f"it must be one of {', '.join(words)}")
        return text

    return parse


def database_url(text: str) -> str:
    scheme, separator, rest = text.partition("://")
    if not separator or scheme not in {"postgres", "postgresql", DRIVER}:
        raise ValueError("it must look like postgresql://user:password@host:5432/database")
    try:
        parts = urlsplit(f"postgresql://{rest}")
        _ = parts.port
    except ValueError as error:
        # The parser's message may quote a part of the password.
        raise ValueError("its host or port is not valid; write special characters of the password as %XX") from error
    if not parts.path.strip("/"):
        raise ValueError("it names no database; it must end like …/database")
    if secrets_in_query(text):
        raise ValueError("it has sslpassword in its query, where programs show it; use a key without a pass phrase")
    return with_password_in_place(f"{DRIVER}://{rest}")


def networks(text: str) -> tuple[Network, ...]:
    return tuple(_network(part) for part in re.split(r"[,\s]+", text) if part)


def _network(text: str) -> Network:
    try:
        return ipaddress.ip_network(text)
    except ValueError as error:
        raise ValueError(f"{error}. It must be networks like 127.0.0.0/8, ::1/128, with commas between them") from error


def user_agent(text: str) -> str:
    if len(text) > USER_AGENT_MAX_CHARS or VISIBLE_ASCII.fullmatch(text) is None:
        raise ValueError(f"it must be at most {USER_AGENT_MAX_CHARS} ASCII characters on one line")
    return text


def host(text: str) -> str:
    if VISIBLE_ASCII.fullmatch(text) is None or any(mark in text for mark in " /@"):
        raise ValueError("it must be a host name or an address, like 127.0.0.1, without a scheme or a path")
    return text


def token(text: str) -> str:
    if len(text) < TOKEN_MIN_CHARS or VISIBLE_ASCII.fullmatch(text) is None or " " in text:
        raise ValueError(f"it must have {TOKEN_MIN_CHARS} ASCII characters or more, without spaces")
    return text


def time_zone(text: str) -> str:
    try:
        ZoneInfo(text)
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:
        raise ValueError("it must be a time zone's name, like Asia/Shanghai or UTC") from error
    return text


def rule(text: str) -> str:
    from storage.jobs.schedule_rules import Rule  # noqa: PLC0415  # loads its library

    Rule.parse(text)  # a BadRule is a ValueError and says what a rule looks like
    return text


def web_address(text: str) -> str:
    wrong = "it must be a web address, like https://stamps.example.org/"
    try:
        parts = urlsplit(text)
        is_address = parts.scheme in ("http", "https") and bool(parts.hostname) and VISIBLE_ASCII.fullmatch(text)
    except ValueError as error:
        raise ValueError(wrong) from error
    if not is_address:
        raise ValueError(wrong)
    return text


def web_addresses(text: str) -> tuple[str, ...]:
    """Web addresses with commas between them, each once, without a slash at the end."""
    found = tuple(dict.fromkeys(web_address(part).rstrip("/") for part in re.split(r"[,\s]+", text) if part))
    if len(found) > ADDRESSES_AT_MOST:
        raise ValueError(f"it must be at most {ADDRESSES_AT_MOST} web addresses")
    if any("?" in address or "#" in address or "@" in address for address in found):
        raise ValueError("an address in it has a query, a fragment or a user; none of these is sent")
    return found


def secure_address(text: str) -> str:
    """A web address to which a token may be sent: HTTPS, or this machine."""
    address = _endpoint(text)
    parts = urlsplit(address)
    if parts.scheme != "https" and parts.hostname not in ("localhost", "127.0.0.1", "::1"):
        raise ValueError("it must begin with https://, since a token is sent there")
    if parts.query:
        raise ValueError("it must be the address of a desk, without a query")
    return address.rstrip("/")


def key_id(text: str) -> str:
    if KEY_ID.fullmatch(text.lower()) is None:
        raise ValueError("it must be the 64 hexadecimal digits that `zhiwen evidence key` prints")
    return text.lower()


def key_ids(text: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(key_id(part) for part in re.split(r"[,\s]+", text) if part))


def is_web_address(text: str) -> bool:
    return text.startswith(("http://", "https://"))


def encoder(text: str) -> str:
    """The word of a built-in choice, a web address, or a full path."""
    if text in (BUILT_IN_ENCODER, NO_ENCODER):
        return text
    if is_web_address(text):
        return _endpoint(text)
    if "://" in text or not text.startswith(("/", "~", ".")):
        raise ValueError(
            f"it must be {BUILT_IN_ENCODER}, {NO_ENCODER}, the path of a folder like /srv/models/labse, or the address "
            "of an embeddings endpoint like http://10.0.0.5:8080/v1/embeddings"
        )
    return str(file(text))


def _endpoint(text: str) -> str:
    address = web_address(text)
    parts = urlsplit(address)
    if "@" in parts.netloc:
        raise NotShown("it has a user or a password, where programs show them; give the key in a setting of its own")
    if parts.fragment or " " in text:
        raise ValueError("it must be a web address without a fragment or spaces")
    try:
        _ = parts.port
    except ValueError as error:
        raise ValueError("its port must be a number up to 65535") from error
    return address


def key(text: str) -> str:
    if len(text) > KEY_MAX_CHARS or VISIBLE_ASCII.fullmatch(text) is None or " " in text:
        raise ValueError(f"it must have at most {KEY_MAX_CHARS} ASCII characters, without spaces")
    return text


def vector_size(text: str) -> int:
    found = whole_number("a multiple of 8 from 8 to 8192, like 1024", least=8, most=8_192)(text)
    if found % 8:
        raise ValueError("it must be a multiple of 8 from 8 to 8192, like 1024")
    return found


def words(text: str) -> str:
    if len(text) > USER_AGENT_MAX_CHARS or not text.isprintable():
        raise ValueError(f"it must be at most {USER_AGENT_MAX_CHARS} characters on one line")
    return text


def file(text: str) -> Path:
    if not text.isprintable():
        raise ValueError("it must be a path, without control characters")
    try:
        return Path(text).expanduser().absolute()
    except RuntimeError as error:
        raise ValueError("the home directory in it is unknown; write a full path") from error


def yes_or_no(text: str) -> bool:
    word = text.lower()
    if word not in WORDS_FOR_YES + WORDS_FOR_NO:
        raise ValueError("it must be on or off")
    return word in WORDS_FOR_YES


def secret_key(text: str) -> str:
    if len(text) < SECRET_KEY_MIN_CHARS:
        raise ValueError(
            f"it must have {SECRET_KEY_MIN_CHARS} characters or more, like the output of `openssl rand -hex 32`"
        )
    return text
