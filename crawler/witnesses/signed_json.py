"""Signed statements as JSON, in requests and answers of the API."""

from collections.abc import Mapping
from typing import Any

from crawler.evidence.signing_keys import PUBLIC_BYTES
from crawler.witnesses.head_statements import MOST_CHARS, SIGNATURE_BYTES, BadStatement
from storage.records.witnesses import SignedStatement


def signed_as_json(signed: SignedStatement) -> dict[str, str]:
    return {
        "statement": signed.text,
        "signature": signed.signature.hex(),
        "public_key": signed.public_key.hex(),
    }


def signed_of_json(said: object) -> SignedStatement:
    """Raises BadStatement for anything but an object with a statement, a signature and a public key.

    Nothing is verified: `head_statements` does that.
    """
    if not isinstance(said, Mapping):
        raise BadStatement("it is no object with statement, signature and public_key")
    text = said.get("statement")
    if not isinstance(text, str) or not text.isascii() or len(text) > MOST_CHARS:
        raise BadStatement(f"its statement is no text of at most {MOST_CHARS} ASCII characters")
    return SignedStatement(text, _bytes(said, "signature", SIGNATURE_BYTES), _bytes(said, "public_key", PUBLIC_BYTES))


def _bytes(said: Mapping[Any, Any], name: str, size: int) -> bytes:
    text = said.get(name)
    if not isinstance(text, str) or len(text) != 2 * size:
        raise BadStatement(f"its {name} is no text of {2 * size} hexadecimal digits")
    try:
        return bytes.fromhex(text)
    except ValueError as error:
        raise BadStatement(f"its {name} is no text of {2 * size} hexadecimal digits") from error
