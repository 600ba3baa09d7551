"""Pages that a person saved: HTML as browsers write it, SingleFile, MHTML. Bytes in, page and address out. Pure."""

import email
import email.message
import html
import re
from dataclasses import dataclass
from typing import Final

from crawler.outcomes.refusals import Refusal

MAX_SAVED_BYTES: Final = 50_000_000
"""A saved page carries its pictures along."""

MAX_PARTS: Final = 5_000
_HEAD: Final = 20_000
_PAGES: Final = ("text/html", "application/xhtml+xml", "text/plain")
_SINGLE_FILE: Final = re.compile(rb"<!--\s*\n?\s*Page saved with SingleFile\s.{0,40}?url:\s*(\S+)", re.S)
_SAVED_FROM: Final = re.compile(rb"<!-- saved from url=\(\d{1,6}\)(\S+) -->")
_MIME_START: Final = re.compile(rb"^(?:[A-Za-z-]{1,60}:[^\n]{0,2000}\n(?:[ \t][^\n]{0,2000}\n)*)+\r?\n")
_HREF: Final = re.compile(r"^https?://", re.I)


@dataclass(frozen=True, slots=True)
class SavedPage:
    """`url`: the address that the file was saved from, if it states one."""

    body: bytes
    content_type: str
    url: str | None


def read_saved_page(data: bytes) -> SavedPage | Refusal:
    """The page in a saved file. Never raises for anything a file can hold."""
    if len(data) > MAX_SAVED_BYTES:
        return Refusal.TOO_LARGE
    if is_mhtml(data):
        return _of_mhtml(data)
    return SavedPage(data, "text/html", _stated_address(data[:_HEAD]))


def is_mhtml(data: bytes) -> bool:
    """Whether the file begins like a message of several parts."""
    found = _MIME_START.match(data[:_HEAD].lstrip())
    return found is not None and b"multipart/" in found[0].lower()


def _stated_address(head: bytes) -> str | None:
    found = _SINGLE_FILE.search(head) or _SAVED_FROM.search(head)
    return None if found is None else _address(html.unescape(found[1].decode("utf-8", "replace")))


def _of_mhtml(data: bytes) -> SavedPage | Refusal:
    try:
        message = email.message_from_bytes(data.lstrip())
        stated = _address(str(message.get("Snapshot-Content-Location") or ""))
        part = _main_part(message, stated)
        if part is None:
            return Refusal.WRONG_TYPE
        body = part.get_payload(decode=True)
        location = _address(str(part.get("Content-Location") or ""))
        charset = part.get_content_charset()
        kind = part.get_content_type()
    except MemoryError:
        raise
    # The library raises what it likes for broken headers, and parts may be nested beyond its reach.
    except Exception:
        return Refusal.BROKEN_MARKUP
    if not isinstance(body, bytes) or not body.strip():
        return Refusal.BROKEN_MARKUP
    return SavedPage(body, f"{kind}; charset={charset}" if charset else kind, stated or location)


def _main_part(
    message: "email.message.Message[str, str]", stated: str | None
) -> "email.message.Message[str, str] | None":
    """The part that is the page: the one whose address the file states, else the first page in it."""
    first = None
    for number, part in enumerate(message.walk()):
        if number > MAX_PARTS:
            break
        if part.is_multipart() or part.get_content_type() not in _PAGES:
            continue
        if stated is None or _address(str(part.get("Content-Location") or "")) == stated:
            return part
        first = first or part
    return first


def _address(written: str) -> str | None:
    cleaned = "".join(written.split())
    return cleaned if _HREF.match(cleaned) else None
