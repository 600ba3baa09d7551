"""Text as Postgres can store it."""

import re

_UNSTORABLE = re.compile(r"[\x00\ud800-\udfff]")


def storable(text: str) -> str:
    """`text` with the characters Postgres cannot hold (NUL, lone surrogates) replaced one for one: offsets stay."""
    return _UNSTORABLE.sub("\ufffd", text)
