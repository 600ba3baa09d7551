"""A line to Postgres that can be cut: what an outage of the database looks like from a program."""

import contextlib
import selectors
import socket
import threading
from collections.abc import Iterator
from pathlib import Path

from sqlalchemy import make_url

CHUNK = 65_536


class Line:
    """Passes on what comes in at a socket of its own to `server`, a socket or a host with its port; `cut`, it ends all
    connections and takes no more.
    """

    def __init__(self, folder: Path, server: str | tuple[str, int]) -> None:
        self._server = server
        self._socket_path = str(folder / ".s.PGSQL.5432")
        self._ends: set[socket.socket] = set()
        self._listener: socket.socket | None = None

    def mend(self) -> None:
        listener = socket.socket(socket.AF_UNIX)
        Path(self._socket_path).unlink(missing_ok=True)
        listener.bind(self._socket_path)
        listener.listen()
        self._listener = listener
        threading.Thread(target=self._accept, args=(listener,), daemon=True).start()

    def cut(self) -> None:
        Path(self._socket_path).unlink(missing_ok=True)
        listener, self._listener = self._listener, None
        if listener is not None:
            listener.shutdown(socket.SHUT_RDWR)
            listener.close()
        for end in tuple(self._ends):
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)

    def _accept(self, listener: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while True:
                near, _ = listener.accept()
                threading.Thread(target=self._pass_on, args=(near,), daemon=True).start()

    def _connected(self) -> socket.socket:
        if isinstance(self._server, tuple):
            return socket.create_connection(self._server)
        far = socket.socket(socket.AF_UNIX)
        far.connect(self._server)
        return far

    def _pass_on(self, near: socket.socket) -> None:
        with contextlib.suppress(OSError), near, self._connected() as far:
            self._ends |= {near, far}
            other = {near: far, far: near}
            with selectors.DefaultSelector() as waiting:
                for end in other:
                    waiting.register(end, selectors.EVENT_READ)
                while True:
                    for key, _ in waiting.select():
                        source = key.fileobj
                        assert isinstance(source, socket.socket)
                        data = source.recv(CHUNK)
                        if not data:
                            return
                        other[source].sendall(data)


@contextlib.contextmanager
def line_to(database_url: str, folder: Path) -> Iterator[tuple[str, Line]]:
    """The database's address over a line that can be cut, and the line. `folder` must have a short name."""
    url = make_url(database_url)
    host = url.query.get("host") or url.host or "localhost"
    assert isinstance(host, str)
    port = int(str(url.query.get("port") or url.port or 5432))
    line = Line(folder, f"{host}/.s.PGSQL.{port}" if host.startswith("/") else (host, port))
    line.mend()
    try:
        over = url.set(host="", port=None, query={"host": str(folder), "port": "5432"})
        yield over.render_as_string(hide_password=False), line
    finally:
        line.cut()
