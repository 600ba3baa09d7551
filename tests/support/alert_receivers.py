"""Receivers of alerts in tests: a mail server and a web server on ports of their own, with configurable answers."""

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, cast

from aiosmtpd.smtp import SMTP, Envelope


@dataclass
class Mailbox:
    """A mail server. `answers`: to each mail in turn, the last one to all others."""

    port: int = 0
    answers: list[str] = field(default_factory=lambda: ["250 OK"])
    mails: list[EmailMessage] = field(default_factory=list)
    """Accepted mails."""
    refused: int = 0
    sources: list[bytes] = field(default_factory=list)
    """Accepted mails as they came."""
    recipients: list[list[str]] = field(default_factory=list)
    """Whom each was for."""
    hangs_up: bool = False
    """Takes each mail, and breaks off the connection instead of an answer."""
    is_taking: threading.Event = field(default_factory=threading.Event)
    answers_after_s: float = 0.0

    @property
    def address(self) -> str:
        return f"mailto://127.0.0.1:{self.port}?from=alerts@ours.example&to=editor@ours.example"

    async def handle_DATA(self, server: SMTP, _session: object, envelope: Envelope) -> str:
        answer = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        if answer.startswith("250"):
            mail = message_from_bytes(cast("bytes", envelope.content), policy=default)
            self.mails.append(mail)
            self.sources.append(cast("bytes", envelope.content))
            self.recipients.append(list(envelope.rcpt_tos))
        else:
            self.refused += 1
        self.is_taking.set()
        await asyncio.sleep(self.answers_after_s)
        if self.hangs_up:
            cast("asyncio.WriteTransport", server.transport).abort()
        return answer


@contextmanager
def mail_server() -> Iterator[Mailbox]:
    mailbox, is_ready = Mailbox(), threading.Event()
    told: list[tuple[asyncio.AbstractEventLoop, asyncio.Event]] = []

    async def serve() -> None:
        loop, stop = asyncio.get_running_loop(), asyncio.Event()
        told.append((loop, stop))
        async with await loop.create_server(lambda: SMTP(mailbox, loop=loop), "127.0.0.1", 0) as server:
            mailbox.port = server.sockets[0].getsockname()[1]
            is_ready.set()
            await stop.wait()

    thread = threading.Thread(target=asyncio.run, args=(serve(),), daemon=True)
    thread.start()
    is_ready.wait()
    try:
        yield mailbox
    finally:
        ((loop, stop),) = told
        loop.call_soon_threadsafe(stop.set)
        thread.join()


@dataclass(frozen=True)
class Posted:
    path: str
    headers: dict[str, str]
    body: bytes


@dataclass
class Hook:
    """A web server that is posted to. `answers`: status codes in turn, the last one to all others."""

    port: int = 0
    answers: list[int] = field(default_factory=lambda: [200])
    posted: list[Posted] = field(default_factory=list)
    """Everything that came, whatever was answered."""

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}/alerts?token=s3cr3t-of-the-receiver"


class _Posts(BaseHTTPRequestHandler):
    hook: Hook

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.hook.posted.append(Posted(self.path, dict(self.headers), body))
        status = self.hook.answers.pop(0) if len(self.hook.answers) > 1 else self.hook.answers[0]
        self.send_response(status)
        self.send_header("Content-Length", "0")
        if status in (301, 302, 307):
            self.send_header("Location", f"http://127.0.0.1:{self.hook.port}/elsewhere")
        self.end_headers()

    def log_message(self, *_: Any) -> None:
        """Silent."""


@contextmanager
def web_server() -> Iterator[Hook]:
    hook = Hook()
    handler = type("Posts", (_Posts,), {"hook": hook})
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        hook.port = server.server_address[1]
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield hook
        server.shutdown()
        thread.join()
