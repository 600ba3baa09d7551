"""Sends alerts through a sandboxed child process with a deadline. The child gets the message and nothing else."""

import contextlib
import json
import os
import select
import subprocess
import sys
import time
from typing import TYPE_CHECKING, Final

from admin.alerts.orders import Order, Outcome

if TYPE_CHECKING:
    from types import TracebackType

    from zhiwen.config.settings import Settings

DEADLINE_S: Final = 90.0
"""For one message, including the child's start. Shorter than a claim on it (`storage.alerts.outbox.CLAIM`)."""
ANSWER_BYTES: Final = 65_536

_PASSED_ON: Final = ("PATH", "LANG", "LC_ALL", "TZ", "SSL_CERT_FILE", "SSL_CERT_DIR", "REQUESTS_CA_BUNDLE")
"""No proxy: behind one, the guard could not check addresses. No settings: some are secrets."""


class Sender:
    """Starts the child with the first message and kills it at the end of the block."""

    def __init__(self, settings: "Settings", *, deadline_s: float = DEADLINE_S) -> None:
        self._settings = settings
        self._deadline_s = deadline_s
        self._child: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> "Sender":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: "TracebackType | None"
    ) -> None:
        self._end()

    @property
    def child_pid(self) -> int | None:
        """Process id of the sender; None before the first message."""
        return None if self._child is None else self._child.pid

    def send(self, order: Order) -> Outcome:
        """Sends a message. A child that does not answer in time is killed; the next message starts another."""
        child = self._child = self._child or self._start()
        assert child.stdin is not None  # noqa: S101  # it was asked for
        try:
            child.stdin.write(order.to_line())
            child.stdin.flush()
            line = self._answer(child)
        except OSError:
            line = b""
        if not line.endswith(b"\n"):
            is_late = child.poll() is None
            self._end()
            problem = "There was no answer in time." if is_late else "The sender process died."
            return Outcome(is_sent=False, problem=problem, is_uncertain=True)
        return Outcome(**json.loads(line))

    def _start(self) -> "subprocess.Popen[bytes]":
        child = subprocess.Popen(
            [sys.executable, "-P", "-m", "zhiwen.alerts.sender_process"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={name: os.environ[name] for name in _PASSED_ON if name in os.environ},
            # Ctrl-C is for this process; the child ends when its input does.
            start_new_session=True,
        )
        allowed = [str(network) for network in self._settings.allowed_networks]
        assert child.stdin is not None  # noqa: S101  # it was asked for
        child.stdin.write(json.dumps({"networks": allowed, "user_agent": self._settings.user_agent}).encode() + b"\n")
        return child

    def _answer(self, child: "subprocess.Popen[bytes]") -> bytes:
        assert child.stdout is not None  # noqa: S101  # it was asked for
        line, end = b"", time.monotonic() + self._deadline_s
        while not line.endswith(b"\n"):
            left = end - time.monotonic()
            if left <= 0 or not select.select([child.stdout], [], [], left)[0]:
                break
            piece = os.read(child.stdout.fileno(), ANSWER_BYTES)
            if not piece:
                child.wait()
                break
            line += piece
        return line

    def _end(self) -> None:
        child, self._child = self._child, None
        if child is None:
            return
        child.kill()
        # Input that it had not read yet is lost with it.
        with contextlib.suppress(BrokenPipeError), child:
            pass
