"""A real SearXNG server on loopback, before a full-text index: each a process of another Python."""

import http.client
import json
import os
import secrets
import socket
import subprocess
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from benchmarks.discovery import full_text

STARTS_WITHIN_S: Final = 120.0
LOOK_EVERY_S: Final = 0.2
HOST: Final = "127.0.0.1"
SCRIPT: Final = Path(full_text.__file__)
_SETTINGS: Final = """\
use_default_settings:
  engines:
    keep_only: []
general:
  instance_name: benchmark
search:
  formats: [html, json]
  ban_time_on_fail: 0
  max_ban_time_on_fail: 0
  suspended_times:
    SearxEngineAccessDenied: 0
    SearxEngineCaptcha: 0
    SearxEngineTooManyRequests: 0
    cf_SearxEngineCaptcha: 0
    cf_SearxEngineAccessDenied: 0
    recaptcha_SearxEngineCaptcha: 0
server:
  bind_address: {host}
  port: {port}
  secret_key: {secret}
  limiter: false
  public_instance: false
outgoing:
  request_timeout: 30.0
plugins: {{}}
engines:
"""
_ENGINE: Final = """\
  - name: {name}
    engine: json_engine
    shortcut: {name}
    enable_http: true
    categories: [general]
    search_url: {address}/search?q={{query}}
    results_query: results
    url_query: url
    title_query: title
    content_query: content
    timeout: {timeout}
    disabled: {disabled}
"""
PAGES: Final = "pages"
PAGES_TIMEOUT_S: Final = 30.0


class NotStarted(RuntimeError):
    """A server of the search service did not answer in time. The message holds the end of its output."""


@dataclass(frozen=True, slots=True)
class Document:
    """A page as the index holds it."""

    url: str
    title: str
    text: str


@dataclass(frozen=True, slots=True)
class Query:
    """What the index was asked for, and the addresses that it returned."""

    query: str
    urls: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SearchService:
    """`url`: of the SearXNG server. `log`: of the index behind it."""

    url: str
    log: Path

    def queries(self) -> list[Query]:
        """Return all queries so far, oldest first."""
        rows = map(json.loads, self.log.read_text("utf-8").splitlines())
        return [Query(row["query"], tuple(row["urls"])) for row in rows]


@contextmanager
def searching(
    python: Path, documents: Sequence[Document], folder: Path, *, others: Mapping[str, tuple[str, float]] = {}
) -> Iterator[SearchService]:
    """Serves documents for searching while the block lasts. `python`: with searx and tantivy. Raises NotStarted.

    `others`: further engines, by name the address of their server and their time for an answer in seconds; a query that
    begins with `!name` asks them.
    """
    folder.mkdir(parents=True, exist_ok=True)
    rows = ({"url": one.url, "title": one.title, "text": one.text} for one in documents)
    listed, log = folder / "documents.jsonl", folder / "queries.jsonl"
    listed.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    log.unlink(missing_ok=True)
    with ExitStack() as stack:
        index = stack.enter_context(_index(python, listed, log, folder))
        url = stack.enter_context(_searxng(python, index, others, folder))
        yield SearchService(url, log)


@contextmanager
def _index(python: Path, listed: Path, log: Path, folder: Path) -> Iterator[str]:
    errors = folder / "index.log"
    with errors.open("wb") as said:
        process = subprocess.Popen(  # noqa: S603  # our own script
            [python, "-I", SCRIPT, listed, log],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=said,
            text=True,
        )
    try:
        line = process.stdout.readline() if process.stdout else ""
        if not line:
            raise NotStarted(f"the index ended at once: {_end_of(errors)}")
        yield str(json.loads(line)["address"])
    finally:
        _ended(process)


@contextmanager
def _searxng(python: Path, index: str, others: Mapping[str, tuple[str, float]], folder: Path) -> Iterator[str]:
    port, output, settings = _free_port(), folder / "searxng.log", folder / "settings.yml"
    written = _SETTINGS.format(host=HOST, port=port, secret=secrets.token_hex(16))
    written += _ENGINE.format(name=PAGES, address=index, timeout=PAGES_TIMEOUT_S, disabled="false")
    for name, (address, timeout_s) in others.items():
        written += _ENGINE.format(name=name, address=address, timeout=timeout_s, disabled="true")
    settings.write_text(written, "utf-8")
    kept = {name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ}
    with output.open("wb") as said:
        process = subprocess.Popen(  # noqa: S603  # a program of that environment
            [python, "-m", "searx.webapp"],
            stdin=subprocess.DEVNULL,
            stdout=said,
            stderr=said,
            cwd=folder,
            env=kept | {"SEARXNG_SETTINGS_PATH": str(settings)},
        )
    try:
        url = f"http://{HOST}:{port}/"
        _wait_for(url, process, output)
        yield url
    finally:
        _ended(process)


def _free_port() -> int:
    with socket.create_server((HOST, 0)) as bound:
        return int(bound.getsockname()[1])


def _wait_for(url: str, process: "subprocess.Popen[bytes]", output: Path) -> None:
    until = time.monotonic() + STARTS_WITHIN_S
    while time.monotonic() < until:
        if process.poll() is not None:
            break
        if _answers(url):
            return
        time.sleep(LOOK_EVERY_S)
    raise NotStarted(f"SearXNG does not answer at {url}: {_end_of(output)}")


def _answers(url: str) -> bool:
    connection = http.client.HTTPConnection(urlsplit(url).netloc, timeout=5)
    try:
        connection.request("GET", "/healthz")
        return connection.getresponse().status == 200
    except OSError:
        return False
    finally:
        connection.close()


def _ended(process: "subprocess.Popen[str] | subprocess.Popen[bytes]") -> None:
    for pipe in (process.stdin, process.stdout):
        if pipe:
            pipe.close()
    process.terminate()
    try:
        process.wait(5)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def _end_of(output: Path) -> str:
    return output.read_text("utf-8", "replace")[-2_000:]
