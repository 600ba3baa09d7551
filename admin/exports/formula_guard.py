"""Guard against formula injection: crawled text that a spreadsheet would run as a formula."""

import unicodedata
from itertools import dropwhile
from typing import Final

_SIGNS: Final = frozenset("=+-@\N{MINUS SIGN}\t\r\n")
"""First characters of formulas (OWASP, “CSV Injection”), and control characters that end a cell."""
_INVISIBLE: Final = frozenset({"Cc", "Cf", "Mn", "Zl", "Zp", "Zs"})
"""Unicode categories of blanks and invisible characters: some spreadsheets skip them."""
_FILLERS: Final = frozenset("\u115f\u1160\u2800\u3164\uffa0")
"""Letters and symbols without visible shape."""


def defused(text: str) -> str:
    """`text` with an apostrophe in front where a spreadsheet would run it: by that it is taken for text.

    Full-width, small and superscript signs count as the plain ones (NFKC), wherever blanks or invisible characters
    stand before them.

    >>> defused("  ＝HYPERLINK(1)")
    "'  ＝HYPERLINK(1)"
    """
    first = next(dropwhile(_is_invisible, text), "")
    is_formula = text[:1] in _SIGNS or unicodedata.normalize("NFKC", first)[:1] in _SIGNS
    return f"'{text}" if text and is_formula else text


def _is_invisible(character: str) -> bool:
    return character in _FILLERS or unicodedata.category(character) in _INVISIBLE
