"""Tokens of each parser's language, from files in the dictionary format of AFL and libFuzzer.

A line is a token in quotation marks. Escapes are those of the format: a backslash before a backslash or a quotation
mark, and bytes in hexadecimal. We add a factor behind it: `"["*2000` is two thousand brackets.
"""

import re
from functools import cache
from pathlib import Path
from typing import Final

DATA: Final = Path(__file__).with_name("data")
_ENTRY: Final = re.compile(rb'"(?P<token>.*)"(?:\*(?P<times>\d+))?$')
_ESCAPE: Final = re.compile(rb'\\(?:x(?P<code>[0-9a-f]{2})|(?P<sign>[\\"]))')


@cache
def tokens(name: str) -> tuple[bytes, ...]:
    """The tokens of `data/NAME.dict`, in order."""
    entries = map(_ENTRY.match, (DATA / f"{name}.dict").read_bytes().splitlines())
    return tuple(_ESCAPE.sub(_plain, entry["token"]) * int(entry["times"] or 1) for entry in entries if entry)


def _plain(escape: re.Match[bytes]) -> bytes:
    return bytes.fromhex(escape["code"].decode()) if escape["code"] else escape["sign"]
