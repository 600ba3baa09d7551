"""Every service of the web at once: an HTTPS server on loopback that takes any name, records and answers."""

import ssl
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

NAME = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "Zhiwen tests")])


@dataclass(frozen=True)
class Seen:
    method: str
    host: str
    path: str
    body: bytes


@dataclass
class World:
    """`answer`: what each request is answered with, with status 200."""

    folder: Path
    port: int = 0
    answer: bytes = b"{}"
    seen: list[Seen] = field(default_factory=list)

    @property
    def authority(self) -> Path:
        return self.folder / "authority.pem"


class _Any(BaseHTTPRequestHandler):
    world: World

    def _take(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        self.world.seen.append(Seen(self.command, self.headers["Host"], self.path, body))
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(self.world.answer)))
        self.end_headers()
        self.wfile.write(self.world.answer)

    do_GET = do_POST = do_PUT = _take

    def log_message(self, *_: Any) -> None:
        """Silent."""


@contextmanager
def world_of(folder: Path) -> Iterator[World]:
    world = World(folder)
    contexts = _Contexts(folder)
    handler = type("Any", (_Any,), {"world": world})
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        world.port = server.server_address[1]
        server.socket = contexts.for_name("localhost").wrap_socket(server.socket, server_side=True)
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield world
        server.shutdown()
        thread.join()


class _Contexts:
    """A certificate for each name that is asked for, under one authority."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._key = ec.generate_private_key(ec.SECP256R1())
        self._authority = self._signed(NAME, self._key.public_key(), is_authority=True)
        (folder / "authority.pem").write_bytes(self._authority.public_bytes(serialization.Encoding.PEM))
        self._made: dict[str, ssl.SSLContext] = {}

    def for_name(self, name: str) -> ssl.SSLContext:
        if name not in self._made:
            key = ec.generate_private_key(ec.SECP256R1())
            certificate = self._signed(x509.Name([]), key.public_key(), name=name)
            path = self._folder / f"{len(self._made)}.pem"
            path.write_bytes(
                key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8,
                                  serialization.NoEncryption())
                + certificate.public_bytes(serialization.Encoding.PEM)
            )  # fmt: skip
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(path)
            context.sni_callback = self._choose
            self._made[name] = context
        return self._made[name]

    def _choose(self, connection: ssl.SSLObject | ssl.SSLSocket, name: str | None, _context: ssl.SSLContext) -> None:
        connection.context = self.for_name(name or "localhost")

    def _signed(
        self, subject: x509.Name, key: ec.EllipticCurvePublicKey, *, name: str = "", is_authority: bool = False
    ) -> x509.Certificate:
        now = datetime.now(UTC)
        builder = (
            x509.CertificateBuilder(NAME, subject, key, x509.random_serial_number(), now - timedelta(days=1),
                                    now + timedelta(days=1))
            .add_extension(x509.BasicConstraints(ca=is_authority, path_length=None), critical=True)
        )  # fmt: skip
        if name:
            builder = builder.add_extension(x509.SubjectAlternativeName([x509.DNSName(name)]), critical=True)
        return builder.sign(self._key, hashes.SHA256())
