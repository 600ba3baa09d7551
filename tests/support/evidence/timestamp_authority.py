"""A time stamp authority (RFC 3161) on loopback: a real HTTP server with a key and certificates of its own."""

import hashlib
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Final

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import padding, rsa
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

SEQUENCE, SET, INTEGER, OID, OCTETS, TIME = 0x30, 0x31, 0x02, 0x06, 0x04, 0x18
EXPLICIT_0 = 0xA0
NULL: Final = b"\x05\x00"
NOW: Final = datetime.now(UTC).replace(microsecond=0)


def der(tag: int, *parts: bytes) -> bytes:
    content = b"".join(parts)
    size = len(content)
    if size < 0x80:
        return bytes([tag, size]) + content
    digits = size.to_bytes((size.bit_length() + 7) // 8, "big")
    return bytes([tag, 0x80 | len(digits)]) + digits + content


def oid(dotted: str) -> bytes:
    first, second, *rest = map(int, dotted.split("."))
    out = bytearray([first * 40 + second])
    for number in rest:
        groups = [number & 0x7F]
        while number := number >> 7:
            groups.append(0x80 | (number & 0x7F))
        out += bytes(reversed(groups))
    return der(OID, bytes(out))


def integer(value: int) -> bytes:
    return der(INTEGER, value.to_bytes(value.bit_length() // 8 + 1, "big"))


def children(data: bytes) -> list[tuple[int, bytes, bytes]]:
    """Tag, content and the whole of each element in the content of a DER sequence."""
    found, place = [], 0
    while place < len(data):
        tag, size, begin = data[place], data[place + 1], place + 2
        if size & 0x80:
            digits = size & 0x7F
            size, begin = int.from_bytes(data[begin : begin + digits], "big"), begin + digits
        found.append((tag, data[begin : begin + size], data[place : begin + size]))
        place = begin + size
    return found


SHA256: Final = der(SEQUENCE, oid("2.16.840.1.101.3.4.2.1"), NULL)
RSA_SHA256: Final = der(SEQUENCE, oid("1.2.840.113549.1.1.11"), NULL)
SIGNED_DATA: Final = oid("1.2.840.113549.1.7.2")
TST_INFO: Final = oid("1.2.840.113549.1.9.16.1.4")
CONTENT_TYPE: Final = oid("1.2.840.113549.1.9.3")
MESSAGE_DIGEST: Final = oid("1.2.840.113549.1.9.4")
SIGNING_CERTIFICATE: Final = oid("1.2.840.113549.1.9.16.2.47")


class Authority:
    """A root, and a certificate for time stamps under it. `refuses`: the status it answers with instead of 0."""

    def __init__(self, *, name: str = "Test", at: datetime = NOW) -> None:
        self._root_key, self._key = (rsa.generate_private_key(public_exponent=65537, key_size=2048) for _ in range(2))
        self.root = _certificate(f"{name} Root", self._root_key, issued_by=None)
        self.certificate = _certificate(f"{name} Stamps", self._key, issued_by=(self.root, self._root_key))
        self.at = at
        self.refuses = 0
        self.answers_another = False
        self.url = ""

    @property
    def root_pem(self) -> bytes:
        return self.root.public_bytes(serialization.Encoding.PEM)

    def answer(self, query: bytes) -> bytes:
        if self.refuses:
            return der(SEQUENCE, der(SEQUENCE, integer(self.refuses)))
        ((_, request, _),) = children(query)
        _, (_, _, imprint), *rest = children(request)
        nonces = [whole for tag, _, whole in rest if tag == INTEGER]
        if self.answers_another:
            nonces = [integer(4711)]
        told = der(
            SEQUENCE,
            *(integer(1), oid("1.2.3.4.5"), imprint, integer(7), der(TIME, f"{self.at:%Y%m%d%H%M%S}Z".encode())),
            *nonces,
        )
        return der(SEQUENCE, der(SEQUENCE, integer(0)), self._signed(told))

    def _signed(self, told: bytes) -> bytes:
        own = self.certificate.public_bytes(serialization.Encoding.DER)
        named = der(SEQUENCE, der(SEQUENCE, der(SEQUENCE, der(OCTETS, hashlib.sha256(own).digest()))))
        attributes = sorted(
            (
                der(SEQUENCE, CONTENT_TYPE, der(SET, TST_INFO)),
                der(SEQUENCE, MESSAGE_DIGEST, der(SET, der(OCTETS, hashlib.sha256(told).digest()))),
                der(SEQUENCE, SIGNING_CERTIFICATE, der(SET, named)),
            )
        )
        signature = self._key.sign(der(SET, *attributes), padding.PKCS1v15(), hashes.SHA256())
        signer = der(
            SEQUENCE,
            integer(1),
            der(SEQUENCE, self.certificate.issuer.public_bytes(), integer(self.certificate.serial_number)),
            SHA256,
            der(EXPLICIT_0, *attributes),
            RSA_SHA256,
            der(OCTETS, signature),
        )
        data = der(
            SEQUENCE,
            integer(3),
            der(SET, SHA256),
            der(SEQUENCE, TST_INFO, der(EXPLICIT_0, der(OCTETS, told))),
            der(EXPLICIT_0, own),
            der(SET, signer),
        )
        return der(SEQUENCE, SIGNED_DATA, der(EXPLICIT_0, data))


def _certificate(
    name: str, key: rsa.RSAPrivateKey, *, issued_by: tuple[x509.Certificate, rsa.RSAPrivateKey] | None
) -> x509.Certificate:
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    builder = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issued_by[0].subject if issued_by else subject)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(NOW - timedelta(days=30))
        .not_valid_after(NOW + timedelta(days=30))
        .add_extension(x509.BasicConstraints(ca=issued_by is None, path_length=None), critical=True)
    )
    if issued_by is not None:
        stamps = x509.ExtendedKeyUsage([ExtendedKeyUsageOID.TIME_STAMPING])
        builder = builder.add_extension(stamps, critical=True)
    return builder.sign(issued_by[1] if issued_by else key, hashes.SHA256())


class _Answers(BaseHTTPRequestHandler):
    authority: Authority

    def do_POST(self) -> None:
        query = self.rfile.read(int(self.headers["Content-Length"]))
        body = self.authority.answer(query)
        self.send_response(200)
        self.send_header("Content-Type", "application/timestamp-reply")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Silent."""


@contextmanager
def served(authority: Authority) -> Iterator[Authority]:
    """The authority at an address of its own."""
    handler = type("Answers", (_Answers,), {"authority": authority})
    with HTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        authority.url = f"http://127.0.0.1:{server.server_address[1]}/"
        yield authority
        server.shutdown()
