"""An endpoint behind https: its certificate is checked, and the bounds hold there, too."""

import ssl
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from crawler.network.loopback_server import LoopbackServer
from matcher.meaning.encoders.encoder import EncoderUnavailable
from tests.support.meaning.embeddings_endpoint import Endpoint
from zhiwen.encoders.embeddings_client import EmbeddingsClient

ASKED = b'{"model": "labse", "input": ["x"]}'


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A certificate for 127.0.0.1 with its key, signed by itself."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "endpoint")])
    now = datetime.now(UTC)
    made = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ip_address("127.0.0.1"))]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    file = tmp_path_factory.mktemp("tls") / "certificate.pem"
    plain = serialization.NoEncryption()
    private = key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, plain)
    file.write_bytes(private + made.public_bytes(serialization.Encoding.PEM))
    return file


@pytest.fixture(scope="module")
def address(certificate: Path) -> Iterator[str]:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)
    server = LoopbackServer(handler=Endpoint)
    server.socket = context.wrap_socket(server.socket, server_side=True)
    with server.running():
        yield server.address.replace("http://", "https://")


def test_a_known_certificate_is_accepted(address: str, certificate: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    assert b'"embedding"' in EmbeddingsClient(f"{address}/good").post(ASKED)


def test_an_answer_over_tls_is_bounded_in_time(
    address: str, certificate: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    with pytest.raises(EncoderUnavailable, match="cannot be reached"):
        EmbeddingsClient(f"{address}/drips", answer_s=0.5, tries=1).post(ASKED)


def test_an_unknown_certificate_is_refused(address: str) -> None:
    with pytest.raises(EncoderUnavailable, match=r"cannot be reached \(.*certificate verify failed"):
        EmbeddingsClient(f"{address}/good", tries=1).post(ASKED)


def test_a_certificate_for_another_host_is_refused(
    address: str, certificate: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    other = address.replace("127.0.0.1", "localhost")
    with pytest.raises(EncoderUnavailable, match=r"cannot be reached \("):
        EmbeddingsClient(f"{other}/good", tries=1).post(ASKED)
