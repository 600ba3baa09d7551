"""Text as Postgres can store it."""

import re

_UNSTORABLE = re.compile(r"[\x00\ud800-\udfff]")


def storable(text: str) -> str:
    """Replaces characters that Postgres cannot store (NUL, lone surrogates) one for one, so that offsets stay."""
    return _UNSTORABLE.sub("\ufffd", text)
