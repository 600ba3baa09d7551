"""Supervision of a process: its output within bounds, its memory, and its end with the block that started it."""

import contextlib
import os
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import IO, TYPE_CHECKING, Final

if TYPE_CHECKING:
    import subprocess
    from multiprocessing.connection import Connection

    from crawler.processes.pulse import Pulse

HEAD_BYTES: Final = 32_000
TAIL_BYTES: Final = 96_000
"""The beginning and the end of a process's output are kept: its start, and the error that ended it."""

_CHUNK: Final = 16_384
_LAST_WORDS_S: Final = 2.0
_PROC: Final = Path("/proc")


@contextlib.contextmanager
def ending_with_block(process: "subprocess.Popen[bytes]") -> Iterator["subprocess.Popen[bytes]"]:
    """The process, killed at the end of the block if it still runs."""
    try:
        yield process
    finally:
        if process.poll() is None:
            process.kill()
        process.wait()
        if process.stdin is not None:
            with contextlib.suppress(OSError):
                process.stdin.close()


class ProcessOutput:
    """The output of a process, read from a pipe by a thread of its own, so that writing never blocks."""

    def __init__(self, pipe: "IO[bytes] | Connection", *, pulse: "Pulse | None" = None) -> None:
        """`pulse`: the heartbeats of the same process."""
        self._pipe = pipe
        self.pulse = pulse
        self._head, self._tail = bytearray(), bytearray()
        self._left_out = 0
        self._lock = threading.Lock()
        self._thread = threading.Thread(target=self._listen, daemon=True)
        self._thread.start()

    @property
    def bytes_so_far(self) -> int:
        with self._lock:
            return len(self._head) + self._left_out + len(self._tail)

    def text(self) -> tuple[str, int]:
        """What is kept, whole lines where something is missing between them; and how many bytes are missing."""
        with self._lock:
            head, tail, left_out = bytes(self._head), bytes(self._tail), self._left_out
        if not left_out:
            return (head + tail).decode("utf-8", "replace"), 0
        begun = tail.find(b"\n") + 1
        kept = head[: head.rfind(b"\n") + 1] + b"[\xe2\x80\xa6]\n" + tail[begun:]
        return kept.decode("utf-8", "replace"), left_out + begun + len(head) - head.rfind(b"\n") - 1

    def last_words(self, most: int) -> str:
        return self.text()[0][-most:].strip()

    def close(self) -> None:
        """Waits a moment for the rest; children of the process may keep the pipe open for longer."""
        self._thread.join(_LAST_WORDS_S)

    def _listen(self) -> None:
        with self._pipe:
            while data := os.read(self._pipe.fileno(), _CHUNK):
                self._keep(data)

    def _keep(self, data: bytes) -> None:
        with self._lock:
            room = HEAD_BYTES - len(self._head) if not self._left_out and not self._tail else 0
            self._head += data[:room]
            self._tail += data[room:]
            too_much = len(self._tail) - TAIL_BYTES
            if too_much > 0:
                del self._tail[:too_much]
                self._left_out += too_much


def resident_bytes(pid: int) -> int:
    """The memory that a process holds, without its children; 0 if it is gone, or the system does not report it."""
    try:
        pages = int((_PROC / str(pid) / "statm").read_text().split()[1])
    except (OSError, IndexError, ValueError):
        return 0
    return pages * os.sysconf("SC_PAGE_SIZE")
