"""The detached signature of a whole package: NAME.wacz.sig.json, beside the file.

What is signed is the output of `sha256sum < FILE`: 64 hexadecimal digits, two spaces, a hyphen and a line feed. So
anybody with openssl can check it, under whatever name the file was saved.
"""

import base64
from dataclasses import dataclass
from typing import Final

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat, load_der_public_key

from crawler.evidence.signing_keys import SigningKey, key_id
from crawler.package.manifest import BadManifest, as_json, read_json
from crawler.package.signatures import BadSignature, check_installation, from_base64
from crawler.package.writer import Written

SUFFIX: Final = ".sig.json"
MOST_BYTES: Final = 10_000
_FORMAT: Final = "zhiwen-package-signature-1"
_SIGNED: Final = "the output of: sha256sum < FILE"
_ALGORITHM: Final = "Ed25519"


@dataclass(frozen=True, slots=True)
class Detached:
    """A signature that holds: the file it is of, and the key of the installation (32 bytes)."""

    of: Written
    public: bytes


def detached_signature(written: Written, signer: SigningKey) -> bytes:
    """The signature of a finished package as a file of JSON, a field a line."""
    return _file(written, signer.public, signer.sign(statement(written.sha256)))


def read_detached(data: bytes) -> Detached:
    """Raises BadSignature unless the file is whole and the signature in it holds."""
    if len(data) > MOST_BYTES:
        raise BadSignature(f"it has more than {MOST_BYTES:,} bytes, and is no signature of a package")
    try:
        shape = read_json(data)
    except BadManifest as error:
        raise BadSignature(str(error)) from error
    name, size, digest = (shape.get(key) for key in ("file", "bytes", "sha256"))
    if not isinstance(name, str) or not isinstance(size, int) or not isinstance(digest, str):
        raise BadSignature("it lacks the name, the size or the hash of the file")
    try:
        of = Written(name, bytes.fromhex(digest), size)
    except ValueError as error:
        raise BadSignature("its hash is not hexadecimal") from error
    public = _public(from_base64(shape.get("public_key"), "its public key"))
    signature = from_base64(shape.get("signature"), "its signature")
    if _file(of, public, signature) != data:
        raise BadSignature("it is not written as Zhiwen writes signatures: a field was changed, added or left out")
    check_installation(public, signature, statement(of.sha256))
    return Detached(of, public)


def statement(sha256: bytes) -> bytes:
    """The bytes that are signed for a file with this hash."""
    return f"{sha256.hex()}  -\n".encode()


def _file(of: Written, public: bytes, signature: bytes) -> bytes:
    key = Ed25519PublicKey.from_public_bytes(public).public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
    return as_json(
        {
            "format": _FORMAT,
            "file": of.name,
            "bytes": of.size,
            "sha256": of.sha256.hex(),
            "signed": _SIGNED,
            "algorithm": _ALGORITHM,
            "key_id": key_id(public),
            "public_key": base64.b64encode(key).decode(),
            "signature": base64.b64encode(signature).decode(),
        }
    )


def _public(der: bytes) -> bytes:
    try:
        key = load_der_public_key(der)
    except ValueError as error:
        raise BadSignature("its public key cannot be read") from error
    if not isinstance(key, Ed25519PublicKey):
        raise BadSignature("its public key is not of Ed25519")
    return key.public_bytes(Encoding.Raw, PublicFormat.Raw)
