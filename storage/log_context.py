"""Log lines as text or JSON, each with its context and without secrets.

The context (run, page, job) is set once, around the work; every line written meanwhile, by any module, carries it.
Another thread has to set it again, or be given the context.
"""

import logging
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, Final
from urllib.parse import unquote, urlsplit

from pythonjsonlogger.json import JsonFormatter

HIDDEN: Final = "***"
SHORTEST_SECRET: Final = 4
"""A shorter secret would occur everywhere, and hides nothing."""

_TEXT: Final = "%(asctime)s %(levelname)s %(name)s: %(message)s"
_JSON: Final = "%(levelname)s %(name)s %(message)s"
_NAMES: Final = {"levelname": "level", "name": "logger", "exc_info": "exception"}

_IN_ADDRESS: Final = re.compile(
    r"(?P<before>[a-z][a-z0-9+.-]{0,30}://[^\s/:@]{0,200}:)[^\s/@]{1,500}(?=@)", re.IGNORECASE
)
_NAMED: Final = re.compile(
    r"""(?P<before>\b(?:\w{0,40}_)?(?:password|passwd|secret|secret_key|token|access_token|sign|signature|authorization)
        ["']?\s{0,3}[=:]\s{0,3}["']?(?:bearer\s+)?)[^\s"'&,;]{1,500}""",
    re.VERBOSE | re.IGNORECASE,
)

_about: ContextVar[Mapping[str, object]] = ContextVar("log_lines_about", default={})  # noqa: B039  # never changed in place
_of_process: dict[str, object] = {}


@contextmanager
def about(**facts: object) -> Iterator[None]:
    """Add these facts to the lines written in this block, by this thread; None adds nothing."""
    token = _about.set({**_about.get(), **_said(facts)})
    try:
        yield
    finally:
        _about.reset(token)


def all_about(**facts: object) -> None:
    """Add these facts to all further lines of this process."""
    _of_process.update(_said(facts))


def facts_of(record: logging.LogRecord) -> dict[str, object]:
    """Return the context of a line: its process, the work around it, and the address of the request in its message."""
    found = {**_of_process, **_about.get()}
    if isinstance(record.args, Mapping) and "url" not in found:
        # Scrapy's notation of a request.
        url = getattr(record.args.get("request"), "url", None)
        if isinstance(url, str):
            found["url"] = url
    return found


def secrets_of_address(address: str | None) -> set[str]:
    """Return the password of a database address, in its quoted and unquoted form."""
    try:
        password = urlsplit(address or "").password or ""
    except ValueError:
        return set()
    return {password, unquote(password)} - {""}


class Redaction:
    """Hides known secrets, and text that looks like one, in log lines."""

    def __init__(self, secrets: Iterable[str] = ()) -> None:
        known = sorted((one for one in secrets if len(one) >= SHORTEST_SECRET), key=len, reverse=True)
        self._known = re.compile("|".join(map(re.escape, known))) if known else None

    def text(self, text: str) -> str:
        if self._known is not None:
            text = self._known.sub(HIDDEN, text)
        text = _IN_ADDRESS.sub(rf"\g<before>{HIDDEN}", text)
        return _NAMED.sub(rf"\g<before>{HIDDEN}", text)

    def value(self, value: Any) -> Any:
        """Hide them in a value and everything it contains."""
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, Mapping):
            return {str(name): self.value(part) for name, part in value.items()}
        if isinstance(value, list | tuple | set | frozenset):
            return [self.value(part) for part in value]
        return value if value is None or isinstance(value, bool | int | float) else self.text(str(value))


class TextLines(logging.Formatter):
    """Formats lines for people: the context follows in brackets."""

    def __init__(self, redaction: Redaction) -> None:
        super().__init__(_TEXT)
        self._redaction = redaction

    def formatMessage(self, record: logging.LogRecord) -> str:  # the library's name
        line = super().formatMessage(record)
        facts = " ".join(f"{name}={_on_one_line(value)}" for name, value in facts_of(record).items())
        return f"{line} [{facts}]" if facts else line

    def format(self, record: logging.LogRecord) -> str:
        return self._redaction.text(super().format(record))


class JsonLines(JsonFormatter):
    """Formats lines for programs: one object per line, with `time` (UTC), `level`, `logger`, `message` and context."""

    def __init__(self, redaction: Redaction) -> None:
        super().__init__(_JSON, rename_fields=_NAMES, timestamp="time", json_ensure_ascii=True)
        self._redaction = redaction

    def add_fields(
        self, log_data: dict[str, Any], record: logging.LogRecord, message_dict: dict[str, Any]
    ) -> None:  # what the library hands in
        super().add_fields(log_data, record, message_dict)
        for name, value in facts_of(record).items():
            log_data.setdefault(name, value)

    def process_log_record(self, log_data: dict[str, Any]) -> dict[str, Any]:
        kept = {name: value for name, value in log_data.items() if name not in ("spider", "taskName")}
        time = kept.pop("time")
        hidden: dict[str, Any] = self._redaction.value(kept)
        return {"time": time.isoformat(), **hidden}


def formatter(kind: str, secrets: Iterable[str] = ()) -> logging.Formatter:
    """Return a formatter. `kind`: `json`, or anything else for text."""
    redaction = Redaction(secrets)
    return JsonLines(redaction) if kind == "json" else TextLines(redaction)


def install_formatter(kind: str, secrets: Iterable[str] = ()) -> None:
    """Set the formatter of all handlers of this process's log."""
    chosen = formatter(kind, secrets)
    for handler in logging.getLogger().handlers:
        handler.setFormatter(chosen)


def _on_one_line(value: object) -> str:
    """Replace line breaks: no text of a site may begin a line of the log."""
    return "".join(char if char.isprintable() else "\ufffd" for char in str(value))


def _said(facts: Mapping[str, object]) -> dict[str, object]:
    return {name: value for name, value in facts.items() if value is not None}
