"""Questions to WHOIS servers (RFC 3912): one line over TCP, one answer until the server closes. Behind the guard."""

import re
import socket
from collections.abc import Sequence
from dataclasses import dataclass
from time import monotonic
from typing import Final

from crawler.network.public_addresses import Network, is_allowed

PORT: Final = 43
ANSWER_S: Final = 15.0
MOST_BYTES: Final = 200_000
"""Answers have some kilobytes; a large network's, with remarks, some tens."""
_PIECE: Final = 16_384
_QUERY: Final = re.compile(r"[A-Za-z0-9._:\-]{1,253}")
"""Names and addresses alone: a line break would be a second question, and other servers have options."""
_SERVER: Final = re.compile(r"(?P<host>[A-Za-z0-9](?:[A-Za-z0-9.\-]{0,251}[A-Za-z0-9])?)(?::(?P<port>\d{1,5}))?")


class WhoisFailed(Exception):
    """No whole answer; the message names the server and the cause."""


@dataclass(frozen=True, slots=True)
class WhoisClient:
    """Asks servers at public addresses, and at those in `allowed` networks."""

    allowed: Sequence[Network] = ()
    answer_s: float = ANSWER_S

    def ask(self, server: str, query: str) -> str:
        """Return the answer of `server`, a host with an optional port, about a name or an address.

        Raises WhoisFailed if the server is no public host, or no whole answer of up to `MOST_BYTES` came in time.
        """
        match = _SERVER.fullmatch(server)
        port = int(match["port"] or PORT) if match else 0
        if match is None or not 0 < port < 1 << 16 or _QUERY.fullmatch(query) is None:
            message = f"{server[:100]!r} cannot be asked about {query[:100]!r}"
            raise WhoisFailed(message)
        try:
            return self._answer(match["host"], port, query)
        except (OSError, UnicodeError) as error:
            message = f"{server}: {error or type(error).__name__}"
            raise WhoisFailed(message) from error

    def _answer(self, host: str, port: int, query: str) -> str:
        until = monotonic() + self.answer_s
        with socket.create_connection((self._address(host, port), port), timeout=self.answer_s) as connection:
            connection.sendall(f"{query}\r\n".encode("ascii"))
            received = bytearray()
            while (left_s := until - monotonic()) > 0:
                connection.settimeout(left_s)
                piece = connection.recv(_PIECE)
                if not piece:
                    return _text(bytes(received))
                received += piece
                if len(received) > MOST_BYTES:
                    message = f"{host}: more than {MOST_BYTES:,} bytes"
                    raise WhoisFailed(message)
        message = f"{host}: no whole answer within {self.answer_s:g} s"
        raise WhoisFailed(message)

    def _address(self, host: str, port: int) -> str:
        """An address of the host that may be entered. The connection goes to it, and not to the name again."""
        found = [str(one[4][0]) for one in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)]
        permitted = next((address for address in found if is_allowed(address, self.allowed)), None)
        if permitted is None:
            message = f"{host} is in a private network"
            raise WhoisFailed(message)
        return permitted


def _text(content: bytes) -> str:
    """Most servers send UTF-8; older ones Latin-1, which every byte is."""
    try:
        return content.decode()
    except UnicodeDecodeError:
        return content.decode("latin-1")
