"""Words of strangers as a terminal may get them: names of files, ids of records and titles may hold commands to it."""

import re
from typing import Final

import click

_COMMANDS: Final = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
"""Controls of ASCII and Latin-1 but tabs and line ends, what turns the direction of writing, lone surrogates."""


def harmless(text: str) -> str:
    """The same to read; each character that would speak to the terminal is shown as U+FFFD."""
    return _COMMANDS.sub("\ufffd", text)


def escaped(json: str) -> str:
    """JSON that means the same, with these characters as escapes."""
    return _COMMANDS.sub(lambda found: f"\\u{ord(found[0]):04x}", json)


def show(text: str, *, nl: bool = True) -> None:
    """A result for people, on stdout."""
    click.echo(harmless(text), nl=nl)
