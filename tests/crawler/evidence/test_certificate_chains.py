"""Certificate chains as a browser hands them out: valid or not, with the reason."""

import ipaddress
from datetime import UTC, datetime, timedelta

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from crawler.evidence.recordings.certificate_chains import Roots, fingerprint, trusted_roots, validated

NOW = datetime(2026, 5, 4, 8, 0, tzinfo=UTC)
AUTHORITY_KEY, SERVER_KEY = (ec.generate_private_key(ec.SECP256R1()) for _ in range(2))
SIGNS = x509.KeyUsage(
    digital_signature=True,
    content_commitment=False,
    key_encipherment=False,
    data_encipherment=False,
    key_agreement=False,
    key_cert_sign=True,
    crl_sign=True,
    encipher_only=False,
    decipher_only=False,
)


def made(subject: str, *, is_authority: bool) -> x509.Certificate:
    names = (x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)]) for name in (subject, "authority"))
    own, key = next(names), AUTHORITY_KEY if is_authority else SERVER_KEY
    issuer = next(names)
    identifier = x509.SubjectKeyIdentifier.from_public_key
    by = x509.AuthorityKeyIdentifier.from_issuer_public_key(AUTHORITY_KEY.public_key())
    builder = (
        x509.CertificateBuilder()
        .subject_name(own)
        .issuer_name(issuer)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(NOW - timedelta(days=1))
        .not_valid_after(NOW + timedelta(days=9))
        .add_extension(x509.BasicConstraints(ca=is_authority, path_length=None), critical=True)
        .add_extension(identifier(key.public_key()), critical=False)
    )
    if is_authority:
        builder = builder.add_extension(SIGNS, critical=True)
    else:
        hosts = [x509.DNSName("copier.example"), x509.IPAddress(ipaddress.ip_address("192.0.2.7"))]
        builder = (
            builder.add_extension(x509.SubjectAlternativeName(hosts), critical=False)
            .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
            .add_extension(by, critical=False)
        )
    return builder.sign(AUTHORITY_KEY, hashes.SHA256())


AUTHORITY, SERVER = made("authority", is_authority=True), made("copier.example", is_authority=False)
ROOTS = Roots((AUTHORITY,), "roots.pem")
DER = SERVER.public_bytes(Encoding.DER)


@pytest.mark.parametrize("origin", ["https://copier.example", "https://copier.example:8443", "https://192.0.2.7"])
def test_a_chain_to_a_trusted_root_is_valid_for_its_hosts(origin: str) -> None:
    found = validated(origin, [DER], NOW, roots=ROOTS)

    assert (found.is_valid, found.why, found.roots) == (True, None, "roots.pem")


@pytest.mark.parametrize(
    ("origin", "chain", "at"),
    [
        ("https://another.example", [DER], NOW),
        ("https://copier.example", [DER], NOW + timedelta(days=10)),
        ("https://copier.example", [DER[:-9]], NOW),
        ("https://copier.example", [b"junk" * 99], NOW),
        ("https://copier.example", [AUTHORITY.public_bytes(Encoding.DER)], NOW),
        (f"https://{'ü' * 99}.example", [DER], NOW),
        ("https://", [DER], NOW),
    ],
)
def test_what_does_not_hold_has_a_reason(origin: str, chain: list[bytes], at: datetime) -> None:
    found = validated(origin, chain, at, roots=ROOTS)

    assert found.is_valid is False
    assert found.why


def test_what_was_not_examined_is_neither_valid_nor_invalid() -> None:
    nothing = validated("https://copier.example", [], NOW, roots=ROOTS)
    no_roots = validated("https://copier.example", [DER], NOW, roots=Roots((), None))

    assert (nothing.is_valid, nothing.why) == (None, "the browser handed out no certificate")
    assert (no_roots.is_valid, no_roots.why) == (None, "no root certificates were found on this machine")


def test_a_fingerprint_is_that_of_browsers() -> None:
    assert fingerprint(DER) == SERVER.fingerprint(hashes.SHA256()).hex()
    assert fingerprint(b"junk") is None
    assert trusted_roots() is trusted_roots()
