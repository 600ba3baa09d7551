"""The guard for a browser: a proxy on loopback that connects to no address the crawler may not enter.

A browser resolves names itself. Configured to use a proxy for everything, loopback included, it sends names instead;
they are resolved here, and the connection is made to an address of the same answer.
"""

import asyncio
import contextlib
import socket
import threading
from collections.abc import AsyncIterator, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final
from urllib.parse import urlsplit

from crawler.network.public_addresses import Network, is_allowed

MAX_HEAD: Final = 65_536
MAX_BYTES: Final = 50_000_000
"""Of one page with everything on it, both ways together."""

MAX_CONNECTIONS: Final = 600
"""Of one page. One for each request, twice over."""

WAIT_S: Final = 15.0
REFUSED_BY: Final = "x-zhiwen-guard"
"""Header of the proxy's own refusals."""
REFUSAL: Final = f"HTTP/1.1 403 Blocked\r\n{REFUSED_BY}: refused\r\n".encode()
_BLOCK: Final = 65_536


@dataclass(frozen=True, slots=True)
class Lookup:
    """The addresses that the system's resolver returned for a host; none if it knows none. `refused`: those that may
    not be entered.
    """

    host: str
    at: datetime
    addresses: tuple[str, ...]
    refused: tuple[str, ...]


class GuardedProxy:
    """Serves one browser, or one page of it. `blocked`: hosts to which it refused to connect.

    While `only` is set, it connects to no other host, open or not.
    """

    def __init__(self, allowed: Sequence[Network], *, max_bytes: int = MAX_BYTES) -> None:
        self._allowed = tuple(allowed)
        self._left = max_bytes
        self._connections = 0
        self.only: str | None = None
        self.blocked: list[str] = []
        self.peers: dict[str, str] = {}
        """By host the address that was last connected to."""
        self.lookups: dict[str, Lookup] = {}
        """By host the first lookup."""

    @property
    def is_spent(self) -> bool:
        """Whether the page has used up its bytes."""
        return self._left <= 0

    @property
    def bytes_left(self) -> int:
        return max(0, self._left)

    def refuse_all(self) -> None:
        """Connects to nothing any more, and ends what is connected with its next bytes."""
        self._left = 0

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Serves one connection of the browser."""
        self._connections += 1
        if self._connections > MAX_CONNECTIONS or self.is_spent:
            writer.close()
            return
        try:
            with contextlib.suppress(OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError, TimeoutError):
                head = await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), WAIT_S)
                await self._forward(head, reader, writer)
        finally:
            writer.close()

    async def _forward(self, head: bytes, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        target = _target(head)
        if target is None:
            writer.write(b"HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n")
            return
        host, port, onward = target
        address = await self._address(host, port)
        if address is None:
            self.blocked.append(host)
        if address is None or self.only not in (None, host):
            writer.write(REFUSAL + b"Connection: close\r\n\r\n")
            return
        self.peers[host] = address
        upstream, outward = await asyncio.wait_for(asyncio.open_connection(address, port), WAIT_S)
        if onward:
            outward.write(onward)
        else:
            writer.write(b"HTTP/1.1 200 Connected\r\n\r\n")
        try:
            await asyncio.gather(self._pipe(reader, outward), self._pipe(upstream, writer))
        finally:
            outward.close()

    async def _address(self, host: str, port: int) -> str | None:
        """The first address of the host that may be entered."""
        try:
            found = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
        except OSError:
            self._note(host, ())
            raise
        addresses = tuple(dict.fromkeys(str(one[4][0]) for one in found))
        self._note(host, addresses)
        return next((address for address in addresses if is_allowed(address, self._allowed)), None)

    def _note(self, host: str, addresses: tuple[str, ...]) -> None:
        refused = tuple(address for address in addresses if not is_allowed(address, self._allowed))
        self.lookups.setdefault(host, Lookup(host, datetime.now(UTC), addresses, refused))

    async def _pipe(self, source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
        while self._left > 0 and (data := await source.read(_BLOCK)):
            self._left -= len(data)
            sink.write(data)
            await sink.drain()
        sink.close()


def _target(head: bytes) -> tuple[str, int, bytes] | None:
    """Host, port, and what is to be sent on: nothing for a tunnel. None if the request is malformed."""
    first, _, rest = head.partition(b"\r\n")
    words = first.decode("latin-1").split(" ")
    try:
        method, asked, version = words
        parts = urlsplit(f"//{asked}" if method == "CONNECT" else asked)
        host, port = parts.hostname, parts.port or 80
    except ValueError:
        return None
    if not host or (method != "CONNECT" and parts.scheme != "http"):
        return None
    if method == "CONNECT":
        return host, port, b""
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    kept = [line for line in rest.split(b"\r\n") if line and not line.lower().startswith((b"proxy-", b"connection:"))]
    # One request a connection: the next may be for another host.
    lines = [f"{method} {path} {version}".encode("latin-1"), *kept, b"Connection: close", b"", b""]
    return host, port, b"\r\n".join(lines)


@contextlib.asynccontextmanager
async def proxy_of_a_page(
    allowed: Sequence[Network], *, max_bytes: int = MAX_BYTES
) -> AsyncIterator[tuple[str, GuardedProxy]]:
    """The address of a proxy, which runs in this loop while the block lasts: for one page of a browser."""
    proxy = GuardedProxy(allowed, max_bytes=max_bytes)
    tasks: set[asyncio.Task[None]] = set()

    def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.ensure_future(proxy.serve(reader, writer))
        tasks.add(task)
        task.add_done_callback(tasks.discard)

    server = await asyncio.start_server(serve, "127.0.0.1", 0, limit=MAX_HEAD)
    try:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}", proxy
    finally:
        server.close()
        for task in tuple(tasks):
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


@contextlib.contextmanager
def guarded_proxy(allowed: Sequence[Network]) -> Iterator[tuple[str, GuardedProxy]]:
    """The address of a proxy, which runs in a thread while the block lasts."""
    proxy = GuardedProxy(allowed)
    loop = asyncio.new_event_loop()
    server = loop.run_until_complete(asyncio.start_server(proxy.serve, "127.0.0.1", 0, limit=MAX_HEAD))
    port = server.sockets[0].getsockname()[1]
    thread = threading.Thread(target=loop.run_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{port}", proxy
    finally:
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        server.close()
        loop.run_until_complete(_end())
        loop.close()


async def _end() -> None:
    """Cancels open connections, and gives those that are closing the time to close."""
    tasks = asyncio.all_tasks() - {asyncio.current_task()}
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    for _ in range(3):
        await asyncio.sleep(0)
