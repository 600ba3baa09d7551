"""A calendar of OpenTimestamps on loopback: a real HTTP server, whose proofs its own library makes.

It promises to commit to each digest, and, when a test lets it, puts them into a Bitcoin block of its own.
"""

import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer

from opentimestamps.core.notary import BitcoinBlockHeaderAttestation, PendingAttestation
from opentimestamps.core.op import OpAppend, OpPrepend, OpSHA256
from opentimestamps.core.serialize import BytesDeserializationContext, BytesSerializationContext
from opentimestamps.core.timestamp import DetachedTimestampFile, Timestamp


class CalendarServer:
    """`answers`: by path, a status and a body to send instead. `block`: the height of the block once it was mined."""

    def __init__(self) -> None:
        self.url = ""
        self.promised_as: str | None = None
        """The address in its promises; None: its own."""
        self.block: int | None = None
        self.answers: dict[str, tuple[int, bytes]] = {}
        self.asked: list[str] = []
        self._commitments: set[bytes] = set()

    def submitted(self, digest: bytes) -> bytes:
        stamp = Timestamp(digest)
        committed = stamp.ops.add(OpPrepend(os.urandom(4))).ops.add(OpAppend(os.urandom(8))).ops.add(OpSHA256())
        committed.attestations.add(PendingAttestation(self.promised_as or self.url))
        self._commitments.add(committed.msg)
        return serialized(stamp)

    def completed(self, commitment: bytes) -> bytes | None:
        """From the commitment to the Merkle root, as through a transaction: two rounds of SHA-256."""
        if self.block is None or commitment not in self._commitments:
            return None
        stamp = Timestamp(commitment)
        transaction = stamp.ops.add(OpPrepend(b"\x01\x00tx")).ops.add(OpAppend(b"\x00lock"))
        root = transaction.ops.add(OpSHA256()).ops.add(OpSHA256())
        root.attestations.add(BitcoinBlockHeaderAttestation(self.block))
        return serialized(stamp)


def serialized(stamp: Timestamp) -> bytes:
    context = BytesSerializationContext()
    stamp.serialize(context)
    return bytes(context.getbytes())


def read_by_the_library(file: bytes) -> Timestamp:
    """The proof in an `.ots` file, read by the library of OpenTimestamps."""
    return DetachedTimestampFile.deserialize(BytesDeserializationContext(file)).timestamp


def blocks_in(file: bytes) -> dict[int, bytes]:
    """The Bitcoin blocks in an `.ots` file with their Merkle roots, as the library reads it."""
    found = read_by_the_library(file).all_attestations()
    return {one.height: message for message, one in found if isinstance(one, BitcoinBlockHeaderAttestation)}


@contextmanager
def served_calendar() -> Iterator[CalendarServer]:
    calendar = CalendarServer()
    handler = type("Answers", (_Answers,), {"calendar": calendar})
    with HTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        calendar.url = f"http://127.0.0.1:{server.server_address[1]}"
        yield calendar
        server.shutdown()


class _Answers(BaseHTTPRequestHandler):
    calendar: CalendarServer

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self._answer("/digest", lambda: self.calendar.submitted(body))

    def do_GET(self) -> None:
        hexadecimal = self.path.removeprefix("/timestamp/")
        self._answer("/timestamp", lambda: self.calendar.completed(bytes.fromhex(hexadecimal)))

    def _answer(self, what: str, make: Callable[[], bytes | None]) -> None:
        self.calendar.asked.append(what)
        status, body = self.calendar.answers.get(what, (200, b""))
        if what not in self.calendar.answers:
            made = make()
            status, body = (404, b"Pending confirmation in Bitcoin blockchain") if made is None else (200, made)
        self.send_response(status)
        if 300 <= status < 400:
            self.send_header("Location", "http://127.0.0.1:1/")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Silent."""
