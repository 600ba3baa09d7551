"""A setting's text to its value; a ValueError says what the text must look like."""

import ipaddress
import re
from pathlib import Path
from typing import TypeAlias
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from storage.database_address import DRIVER, secrets_in_query, with_password_in_place

Network: TypeAlias = ipaddress.IPv4Network | ipaddress.IPv6Network

LANGUAGES = ("zh", "en")
LOG_FORMATS = ("text", "json")
CHARACTERS_MAX_DIGITS = 9
LEAST_CRAWL_MB, MOST_CRAWL_MB = 300, 1_000_000  # a crawl begins with about 200
MAX_PORT = 65535
MOST_CRAWL_HOURS = 8_760
SECRET_KEY_MIN_CHARS = 32  # 128 bits in hexadecimal
TOKEN_MIN_CHARS = 16
USER_AGENT_MAX_CHARS = 256
VISIBLE_ASCII = re.compile(r"[ -~]+")
WORDS_FOR_YES = ("1", "on", "true", "yes")
WORDS_FOR_NO = ("0", "off", "false", "no")


def database_url(text: str) -> str:
    scheme, separator, rest = text.partition("://")
    if not separator or scheme not in {"postgres", "postgresql", DRIVER}:
        raise ValueError("it must look like postgresql://user:password@host:5432/database")
    try:
        parts = urlsplit(f"postgresql://{rest}")
        _ = parts.port
    except ValueError as error:
        # The parser's own words may quote a piece of the password.
        raise ValueError("its host or port cannot be read; write special characters of the password as %XX") from error
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


def port(text: str) -> int:
    if not (text.isascii() and text.isdigit()) or int(text) > MAX_PORT:
        raise ValueError(f"it must be a number from 0 (any free port) to {MAX_PORT}")
    return int(text)


def language(text: str) -> str:
    if text not in LANGUAGES:
        raise ValueError(f"it must be one of {', '.join(LANGUAGES)}")
    return text


def log_format(text: str) -> str:
    if text not in LOG_FORMATS:
        raise ValueError(f"it must be one of {', '.join(LOG_FORMATS)}")
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


def seconds(text: str) -> float:
    return _number(text, "it must be a number of seconds, like 20")


def _number(text: str, wrong: str) -> float:
    """From 0 on, and an end."""
    try:
        number = float(text)
    except ValueError as error:
        raise ValueError(wrong) from error
    if not 0 <= number < float("inf"):
        raise ValueError(wrong)
    return number


def characters(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= CHARACTERS_MAX_DIGITS):
        raise ValueError("it must be a number of characters, like 150")
    return int(text)


def count(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= CHARACTERS_MAX_DIGITS):
        raise ValueError("it must be a whole number, like 7")
    return int(text)


def gigabytes(text: str) -> float:
    wrong = "it must be a number of gigabytes above 0, like 50"
    gigabytes = _number(text, wrong)
    if not gigabytes:
        raise ValueError(wrong)
    return gigabytes


def rule(text: str) -> str:
    from storage.jobs.schedule_rules import Rule  # noqa: PLC0415  # its library is loaded only where a rule is set

    Rule.parse(text)  # a BadRule is a ValueError and says what a rule looks like
    return text


def share(text: str) -> float:
    wrong = "it must be a share from 0 to 1, like 0.3"
    try:
        share = float(text)
    except ValueError as error:
        raise ValueError(wrong) from error
    if not 0 <= share <= 1:
        raise ValueError(wrong)
    return share


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


def file(text: str) -> Path:
    if not text.isprintable():
        raise ValueError("it must be the path of a file")
    try:
        return Path(text).expanduser().absolute()
    except RuntimeError as error:
        raise ValueError("whose home that is cannot be told; it must be a full path") from error


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


def crawl_memory(text: str) -> int:
    if not (text.isascii() and text.isdigit()) or not LEAST_CRAWL_MB <= int(text) <= MOST_CRAWL_MB:
        raise ValueError(f"it must be a number of megabytes from {LEAST_CRAWL_MB} to {MOST_CRAWL_MB}")
    return int(text)


def crawl_hours(text: str) -> float:
    try:
        hours = float(text)
    except ValueError:
        hours = 0.0
    if not 0 < hours <= MOST_CRAWL_HOURS:
        raise ValueError(f"it must be a number of hours above 0 and up to {MOST_CRAWL_HOURS}, like 12 or 0.5")
    return hours
