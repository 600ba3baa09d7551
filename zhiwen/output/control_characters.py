"""Text from outside without control characters: file names, ids and titles may contain terminal commands."""

import re
from typing import Final

import click

_COMMANDS: Final = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
"""Controls of ASCII and Latin-1 except tabs and newlines, bidirectional controls, lone surrogates."""


def harmless(text: str) -> str:
    """The text with each control character replaced by U+FFFD."""
    return _COMMANDS.sub("\ufffd", text)


def escaped(json: str) -> str:
    """Equivalent JSON with these characters escaped."""
    return _COMMANDS.sub(lambda found: f"\\u{ord(found[0]):04x}", json)


def show(text: str, *, nl: bool = True) -> None:
    """Prints a result for people on stdout."""
    click.echo(harmless(text), nl=nl)
