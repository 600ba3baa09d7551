"""Checks datapackage-digest.json: the hash of the manifest, and the signature over it. Pure."""

import hashlib
from typing import Any, Final

from crawler.package.manifest import BadManifest, Manifest, read_json
from crawler.package.members import DATAPACKAGE, DIGEST
from crawler.package.problems import Problem
from crawler.package.signatures import (
    BadSignature,
    check_one_time,
    digest_file,
    from_base64,
)

_KEY_BYTES: Final = 120
"""Of a public key of P-384 as DER."""
_SIGNATURE_BYTES: Final = 96


def digest_size(manifest: Manifest) -> int:
    """Bytes of datapackage-digest.json of a manifest: all its parts have a fixed length."""
    digest = f"sha256:{'0' * 64}"
    blank = (bytes(_SIGNATURE_BYTES), bytes(_KEY_BYTES))
    return len(
        digest_file(digest, created=manifest.written, software=manifest.software, signature=blank[0], public=blank[1])
    )


def check_digest(data: bytes, raw: bytes, manifest: Manifest) -> bytes | Problem:
    """The key (DER) whose signature over the manifest holds, or what is wrong with the one or the other file.

    `raw`: the bytes of the manifest.
    """
    actual = f"sha256:{hashlib.sha256(raw).hexdigest()}"
    try:
        shape = read_json(data)
        public = _signed_by(data, shape, manifest)
    except (BadManifest, BadSignature) as error:
        return Problem(DIGEST, str(error))
    if shape["hash"] != actual:
        # The signature holds for the hash in this file, so it is the manifest that was changed.
        return Problem(DATAPACKAGE, "it was changed: its hash is not the one that was signed")
    return public


def _signed_by(data: bytes, shape: dict[str, Any], manifest: Manifest) -> bytes:
    """The key whose signature in the file holds. Raises BadSignature."""
    signed = shape.get("signedData")
    signed = signed if isinstance(signed, dict) else {}
    public = from_base64(signed.get("publicKey"), "its public key")
    signature = from_base64(signed.get("signature"), "its signature")
    digest = str(shape.get("hash"))
    written = digest_file(
        digest, created=manifest.written, software=manifest.software, signature=signature, public=public
    )
    if written != data:
        raise BadSignature("it is not written as Zhiwen writes it: a field was changed, added or left out")
    check_one_time(public, signature, digest)
    return public
