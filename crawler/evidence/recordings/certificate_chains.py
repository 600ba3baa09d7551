"""Whether the certificates that a server showed lead to a root that this machine trusts. Pure but for the roots.

Asked of the chain as the browser got it, not of the server once more.
"""

import ssl
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from ipaddress import ip_address
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.x509 import (
    Certificate,
    DNSName,
    IPAddress,
    load_der_x509_certificate,
    load_pem_x509_certificates,
)
from cryptography.x509.verification import PolicyBuilder, Store, VerificationError

BUNDLE: Final = "ca-certificates.crt"
"""The file in the folder of roots that holds all of them, as Debian, Alpine and Arch name it."""
MOST_CERTIFICATES: Final = 20
MOST_BYTES: Final = 5_000_000


@dataclass(frozen=True, slots=True)
class Validation:
    """`is_valid` None: not examined. `why`: the reason if it is not valid. `roots`: the file that holds them."""

    is_valid: bool | None
    why: str | None
    roots: str | None


@dataclass(frozen=True, slots=True)
class Roots:
    """Certificates that a machine trusts, and their file."""

    certificates: tuple[Certificate, ...]
    file: str | None


def validated(origin: str, chain: Sequence[bytes], at: datetime, *, roots: Roots | None = None) -> Validation:
    """Whether `chain` (DER, the server's own first) was valid for the host of `origin` at that time. `roots`: those of
    this machine if not given.
    """
    trusted = trusted_roots() if roots is None else roots
    file = trusted.file
    if not trusted.certificates:
        return Validation(None, "no root certificates were found on this machine", None)
    host = urlsplit(origin).hostname or ""
    try:
        certificates = [load_der_x509_certificate(one) for one in chain[:MOST_CERTIFICATES]]
        builder = PolicyBuilder().store(Store(list(trusted.certificates))).time(at.replace(tzinfo=None))
        builder.build_server_verifier(_subject(host)).verify(certificates[0], certificates[1:])
    except IndexError:
        return Validation(None, "the browser handed out no certificate", file)
    except (VerificationError, ValueError) as error:
        return Validation(False, f"{error}"[:300], file)
    return Validation(True, None, file)


def fingerprint(certificate: bytes) -> str | None:
    """SHA-256 of a certificate (DER), as browsers show it; None for bytes that are none."""
    try:
        return load_der_x509_certificate(certificate).fingerprint(SHA256()).hex()
    except ValueError:
        return None


@lru_cache(maxsize=1)
def trusted_roots() -> Roots:
    """The roots of this machine, as OpenSSL finds them."""
    paths = ssl.get_default_verify_paths()
    folder = None if paths.capath is None else str(Path(paths.capath, BUNDLE))
    for file in filter(None, (paths.cafile, folder)):
        try:
            written = Path(file).read_bytes()
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # of roots that break the rules and are trusted all the same
                roots = load_pem_x509_certificates(written) if len(written) <= MOST_BYTES else []
        except (OSError, ValueError):
            continue
        if roots:
            return Roots(tuple(roots), file)
    return Roots((), None)


def _subject(host: str) -> DNSName | IPAddress:
    try:
        return IPAddress(ip_address(host))
    except ValueError:
        return DNSName(host.encode("idna").decode("ascii"))
