"""Time stamps (RFC 3161): an authority signs that a head of the chain existed at a time. Checked without any network.

What is stamped is the head as `zhiwen evidence verify` prints it, number:hash, in ASCII and without a line feed.
"""

import urllib.error
import urllib.request
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from http.client import HTTPException
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding
from cryptography.x509 import Certificate, load_pem_x509_certificates
from rfc3161_client import (
    HashAlgorithm,
    PKIStatus,
    TimestampRequestBuilder,
    TimeStampResponse,
    VerificationError,
    VerifierBuilder,
    decode_timestamp_response,
)

from storage.records.evidence import Head

TIMEOUT_S: Final = 30.0
MAX_BYTES: Final = 1_000_000
"""Of an answer, certificates included; they have some kilobytes."""


class StampFailed(Exception):
    """There is no time stamp, or it proves nothing; the message says why, with the remedy if there is one."""


@dataclass(frozen=True, slots=True)
class Authority:
    """A time stamp authority, and the certificates that verify its answers: a root at least."""

    url: str
    certificates: tuple[Certificate, ...]

    @property
    def pem(self) -> str:
        return "".join(one.public_bytes(Encoding.PEM).decode("ascii") for one in self.certificates)


@dataclass(frozen=True, slots=True)
class Stamped:
    """What was asked and answered, and the time that the authority signed."""

    request: bytes
    response: bytes
    at: datetime


def authority(url: str, certificates: Path) -> Authority:
    """Reads its certificates. Raises StampFailed if the file holds no root certificate."""
    try:
        found = load_pem_x509_certificates(certificates.read_bytes())
    except (OSError, ValueError) as error:
        raise StampFailed(
            f"The certificates of the time stamp authority in {certificates} cannot be read ({error}). "
            "Save its root certificate there, as PEM."
        ) from error
    if not any(map(is_root, found)):
        raise StampFailed(f"{certificates} holds no root certificate. Add the authority's, as PEM.")
    return Authority(url, tuple(found))


def stamp(head: Head, by: Authority, *, timeout_s: float = TIMEOUT_S) -> Stamped:
    """Asks the authority and checks what it answers. Blocks; only the hash of the head leaves this machine.

    Raises StampFailed.
    """
    return stamp_data(message(head), by, timeout_s=timeout_s)


def stamp_data(data: bytes, by: Authority, *, timeout_s: float = TIMEOUT_S) -> Stamped:
    """The same for any bytes, of which only the hash leaves this machine."""
    request = TimestampRequestBuilder().data(data).hash_algorithm(HashAlgorithm.SHA256).build()
    response = _ask(by.url, request.as_bytes(), timeout_s)
    decoded = _decoded(response)
    if decoded.tst_info.nonce != request.nonce:
        raise StampFailed(f"{by.url} answered another question: its nonce is not ours.")
    return Stamped(request.as_bytes(), response, checked_data(data, response, by.pem))


def checked(head: Head, response: bytes, certificates: str) -> datetime:
    """The time that the response proves for this head, by these certificates (PEM). Raises StampFailed."""
    return checked_data(message(head), response, certificates)


def checked_data(data: bytes, response: bytes, certificates: str) -> datetime:
    """The same for any bytes."""
    decoded = _decoded(response)
    try:
        found = load_pem_x509_certificates(certificates.encode())
        builder = VerifierBuilder()
        for one in found:
            builder = builder.add_root_certificate(one) if is_root(one) else builder.add_intermediate_certificate(one)
        builder.build().verify_message(decoded, data)
    except (VerificationError, ValueError) as error:
        # The rest of the library's message lists internals of OpenSSL.
        raise StampFailed(f"The time stamp does not hold: {str(error).partition(': ErrorStack')[0]}.") from error
    return decoded.tst_info.gen_time.astimezone(UTC)


def message(head: Head) -> bytes:
    return str(head).encode("ascii")


def is_root(certificate: Certificate) -> bool:
    return certificate.subject == certificate.issuer


def root_fingerprints(certificates: str) -> Sequence[str]:
    """SHA-256 of each root among these certificates (PEM): to be compared with what the authority publishes."""
    found = load_pem_x509_certificates(certificates.encode())
    return [one.fingerprint(SHA256()).hex() for one in found if is_root(one)]


def _decoded(response: bytes) -> TimeStampResponse:
    try:
        decoded = decode_timestamp_response(response)
        status, words = decoded.status, "; ".join(decoded.status_string)
    except ValueError as error:
        raise StampFailed(f"The answer is no time stamp: {error}.") from error
    if status != PKIStatus.GRANTED:
        raise StampFailed(f"The authority refused the time stamp (status {status}{': ' if words else ''}{words}).")
    return decoded


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """Follows no redirects: only the authority in the settings is asked."""

    def redirect_request(self, *_: object) -> None:
        return None


def _ask(url: str, query: bytes, timeout_s: float) -> bytes:
    if urlsplit(url).scheme not in ("http", "https"):
        raise StampFailed(f"{url} is no address of a time stamp authority: it must begin with http:// or https://.")
    asked = urllib.request.Request(  # noqa: S310  # its scheme is checked above
        url, data=query, headers={"Content-Type": "application/timestamp-query", "User-Agent": "Zhiwen"}
    )
    try:
        with urllib.request.build_opener(_NoRedirects).open(asked, timeout=timeout_s) as answer:
            body: bytes = answer.read(MAX_BYTES + 1)
    except (OSError, HTTPException, urllib.error.URLError) as error:
        raise StampFailed(f"{url} gives no time stamp: {error}.") from error
    if len(body) > MAX_BYTES:
        raise StampFailed(f"{url} answers with more than {MAX_BYTES:,} bytes, which no time stamp has.")
    return body
