"""Quotations that two texts of one language have word by word: a retelling leaves them as they were said."""

import re
from collections.abc import Iterable, Iterator
from typing import Final

from fingerprint.normalize import canonicalize

SHORTEST: Final = 6
"""Letters of a quotation; shorter ones are terms and titles."""
_QUOTED: Final = re.compile(
    r"“([^”“]{1,400})”"
    r"|「([^」「]{1,400})」"
    r"|『([^』『]{1,400})』"
    r'|"([^"]{1,400})"'
)


def shared_quotations(left: Iterable[str], right: Iterable[str]) -> tuple[str, ...]:
    """Return the quotations of the left sentences that the right ones have too, as they read on the left, in order.

    Punctuation, script, case and the kind of the quotation marks do not matter.
    """
    theirs = {letters for sentence in right for letters, _ in _quotations(sentence)}
    found = {letters: said for sentence in left for letters, said in _quotations(sentence) if letters in theirs}
    return tuple(found.values())


def _quotations(sentence: str) -> Iterator[tuple[str, str]]:
    for match in _QUOTED.finditer(sentence):
        said = next(part for part in match.groups() if part is not None)
        letters = "".join(char for char in canonicalize(said).text if char.isalnum())
        if len(letters) >= SHORTEST:
            yield letters, said
