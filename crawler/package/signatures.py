"""Signatures of a package: one in it, as players of web archives check it, and one of the whole file, beside it.

The one inside is an anonymous signature of the WACZ specification (wacz-auth 0.1.0): ECDSA on P-384 over the hash of
the manifest. Its key is made for one package, signs once and is thrown away. The key of the installation (Ed25519)
signs its public half, and the hash of the finished file.
"""

import base64
import binascii
import hashlib
from typing import Final

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature, encode_dss_signature
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    PublicFormat,
    load_der_public_key,
    load_pem_public_key,
)

from crawler.evidence.signing_keys import SigningKey, public_pem, verify
from crawler.package.manifest import as_json
from crawler.package.members import DATAPACKAGE, Member

PACKAGE_KEY: Final = "keys/package.der"
INSTALLATION_KEY: Final = "keys/installation.pem"
CERTIFIED: Final = "keys/package.sig"
"""Signature of the installation's key over the bytes of PACKAGE_KEY."""
_NUMBER_BYTES: Final = 48
"""Of each of the two numbers of a signature on P-384."""


class BadSignature(Exception):
    """A signature or a key that does not hold; the message says which and why."""


class OneTimeKey:
    """A key for one package. Its private half is never written anywhere."""

    def __init__(self) -> None:
        self._key = ec.generate_private_key(ec.SECP384R1())
        self.public: Final = self._key.public_key().public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)

    def members(self, signer: SigningKey) -> list[Member]:
        """The public key, that of the installation, and its signature over the former."""
        return [
            Member(PACKAGE_KEY, self.public),
            Member(INSTALLATION_KEY, public_pem(signer.public).encode()),
            Member(CERTIFIED, signer.sign(self.public)),
        ]

    def digest_file(self, manifest: bytes, *, created: str, software: str) -> bytes:
        """datapackage-digest.json: the hash of the manifest with the signature over it."""
        digest = f"sha256:{hashlib.sha256(manifest).hexdigest()}"
        numbers = decode_dss_signature(self._key.sign(digest.encode(), ec.ECDSA(SHA256())))
        signature = b"".join(number.to_bytes(_NUMBER_BYTES, "big") for number in numbers)
        return digest_file(digest, created=created, software=software, signature=signature, public=self.public)


def digest_file(digest: str, *, created: str, software: str, signature: bytes, public: bytes) -> bytes:
    """datapackage-digest.json in the one form that it has. `digest`: sha256:HEX; `public`: DER."""
    program, _, version = software.partition(" ")
    signed = {
        "hash": digest,
        "created": created,
        "software": program,
        "version": version,
        "signature": base64.b64encode(signature).decode(),
        "publicKey": base64.b64encode(public).decode(),
    }
    return as_json({"path": DATAPACKAGE, "hash": digest, "signedData": signed})


def check_one_time(public: bytes, signature: bytes, digest: str) -> None:
    """Raises BadSignature unless the signature in the package is of this hash by this key (DER)."""
    try:
        key = load_der_public_key(public)
    except ValueError as error:
        raise BadSignature("its public key cannot be read") from error
    if not isinstance(key, ec.EllipticCurvePublicKey) or not isinstance(key.curve, ec.SECP384R1):
        raise BadSignature("its public key is not of P-384")
    if len(signature) != 2 * _NUMBER_BYTES:
        raise BadSignature("its signature does not have 96 bytes")
    numbers = (int.from_bytes(part, "big") for part in (signature[:_NUMBER_BYTES], signature[_NUMBER_BYTES:]))
    try:
        key.verify(encode_dss_signature(*numbers), digest.encode(), ec.ECDSA(SHA256()))
    except InvalidSignature as error:
        raise BadSignature("its signature is not over this manifest") from error


def check_installation(public: bytes, signature: bytes, signed: bytes) -> None:
    """Raises BadSignature unless the key of the installation (32 bytes) signed these bytes."""
    if not verify(public, signature, signed):
        raise BadSignature("the key of the installation did not sign it")


def from_pem(pem: bytes) -> bytes:
    """The 32 bytes of an installation's public key. Raises BadSignature unless it is that key in the usual PEM."""
    try:
        key = load_pem_public_key(pem)
    except ValueError as error:
        raise BadSignature("it is no public key") from error
    if not isinstance(key, Ed25519PublicKey):
        raise BadSignature("it is no key of Ed25519")
    public = key.public_bytes(Encoding.Raw, PublicFormat.Raw)
    if public_pem(public).encode() != pem:
        raise BadSignature("it is not written as PEM usually is")
    return public


def from_base64(text: object, what: str) -> bytes:
    """Raises BadSignature unless the text is Base64 in its one form."""
    try:
        data = base64.b64decode(str(text), validate=True)
    except (binascii.Error, ValueError) as error:
        raise BadSignature(f"{what} is not Base64") from error
    if base64.b64encode(data).decode() != text:
        raise BadSignature(f"{what} is not Base64 in its usual form")
    return data
