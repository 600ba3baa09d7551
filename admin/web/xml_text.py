"""Crawled text in XML files: Word, Excel and GraphML."""

import re
from typing import Final

_NOT_XML: Final = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
"""The complement of the production `Char` of XML 1.0."""


def xml_text(text: str, *, replacement: str = "\N{REPLACEMENT CHARACTER}") -> str:
    """`text` with `replacement` for each character that XML 1.0 does not allow."""
    return _NOT_XML.sub(replacement, text)
