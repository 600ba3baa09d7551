"""The desk as a server that stops gracefully."""

import errno
import signal
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Final, NoReturn

from flask import Flask
from waitress import create_server, wasyncore

from admin.hooks.upload_limits import LARGEST_UPLOAD

THREADS: Final = 4
"""One less than the engine's pool of five, so that no request waits for a connection."""

LARGEST_PORT: Final = 65_535

_STOPPING: Final = (signal.SIGTERM, signal.SIGINT)


class CannotListen(Exception):
    """The server cannot listen on the address; the message names cause and remedy."""


def serve(
    app: Flask,
    host: str,
    port: int,
    *,
    on_ready: Callable[[str], None] | None = None,
) -> None:
    """Serve until SIGTERM or SIGINT, then let running requests finish. Port 0 takes a free one.

    Proxy headers reach the app, which decides which to trust: a request through a proxy must not look local. Bodies
    larger than the largest upload are refused before they are written to disk. `on_ready` is called with the address
    once connections are accepted. Raises CannotListen.
    """
    listening = _listen(host, port)
    connections: dict[int, object] = {}
    server = create_server(
        app,
        map=connections,
        sockets=[listening],
        threads=THREADS,
        ident=None,
        clear_untrusted_proxy_headers=False,
        max_request_body_size=LARGEST_UPLOAD,
    )
    try:
        with _stop_on_signals():
            if on_ready is not None:
                on_ready(_address(listening))
            server.run()
    except SystemExit:
        # The signal came just before the loop that handles it began.
        server.task_dispatcher.shutdown()
    finally:
        wasyncore.close_all(connections)


def _listen(host: str, port: int) -> socket.socket:
    """A bound socket. Only one: a name with several addresses would get a free port for each."""
    if not 0 <= port <= LARGEST_PORT:
        # The resolver would take the lower sixteen bits and listen on another port.
        raise CannotListen(f"There is no port {port}. Choose one up to {LARGEST_PORT} (0 takes a free one).")
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        listening = socket.socket(family, kind, protocol)
    except (OSError, UnicodeError) as error:
        message = f"Cannot serve on {host}:{port}: {error}. Give an address of this machine, such as 127.0.0.1."
        raise CannotListen(message) from error
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind(address)
    except OSError as error:
        listening.close()
        raise CannotListen(_why_not(error, host, port)) from error
    return listening


def _why_not(error: OSError, host: str, port: int) -> str:
    if error.errno == errno.EADDRINUSE:
        return (
            f"Port {port} on {host} is in use by another program. Stop it, or choose another port (0 takes a free one)."
        )
    if error.errno == errno.EACCES:
        return f"Port {port} on {host} needs rights that this user lacks. Choose a port above 1023."
    return f"Cannot serve on {host}:{port}: {error.strerror}. Give an address of this machine, such as 127.0.0.1."


def _address(listening: socket.socket) -> str:
    host, port = listening.getsockname()[:2]
    return f"http://[{host}]:{port}/" if ":" in host else f"http://{host}:{port}/"


@contextmanager
def _stop_on_signals() -> Iterator[None]:
    """Stop the server on both signals, then restore the handlers. Off the main thread the caller handles them."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {number: signal.signal(number, _stop) for number in _STOPPING}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _stop(_number: int, _frame: FrameType | None) -> NoReturn:
    raise SystemExit(0)
