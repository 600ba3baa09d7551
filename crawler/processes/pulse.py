"""Heartbeats of a crawl: its process sends them, and its parent notes when the last one came.

A process that hangs inside a call, or waits forever, sends none and is ended. Heartbeats are bytes on the
connection through which the crawl knows that its parent lives.
"""

import contextlib
import os
import socket
from dataclasses import dataclass, field
from time import monotonic
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

AT_MOST_EVERY_S: Final = 1.0
_BEAT: Final = b"."
_READ: Final = 65_536


@dataclass(slots=True)
class Pulse:
    """The watching side."""

    connection: "Connection"
    _last: float = field(default_factory=monotonic)

    def silent_s(self) -> float:
        """Seconds since the last heartbeat, or since the watch began."""
        if not self.connection.closed and self.connection.poll(0):
            with contextlib.suppress(OSError):
                if os.read(self.connection.fileno(), _READ):
                    self._last = monotonic()
        return monotonic() - self._last


class Progress:
    """The watched side. Does nothing without a connection."""

    def __init__(self, connection: socket.socket | None = None) -> None:
        self._connection = connection
        self._at = 0.0

    def note(self) -> None:
        """Sends a heartbeat, at most one a second. Never blocks."""
        now = monotonic()
        if self._connection is None or now - self._at < AT_MOST_EVERY_S:
            return
        self._at = now
        with contextlib.suppress(OSError):
            self._connection.send(_BEAT, socket.MSG_DONTWAIT)
