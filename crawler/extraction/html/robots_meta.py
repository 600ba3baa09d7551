"""Robots directives of a page, in its head and its headers. Pure."""

import re
from typing import Final

HEAD_BYTES: Final = 65_536
"""Bytes searched for a head; only pages that are mostly scripts have longer ones."""

_META: Final = re.compile(rb"<meta\b[^<>]{0,500}>", re.I)
_NAME: Final = re.compile(rb"""\bname\s*=\s*["']?\s*(?:robots|zhiwen)\s*["'\s/>]""", re.I)
_CONTENT: Final = re.compile(rb"""\bcontent\s*=\s*(?:"([^"]{0,300})"|'([^']{0,300})'|([^\s"'>]{1,300}))""", re.I)
_WORD: Final = re.compile(r"[a-z]+")

NOINDEX: Final = "noindex"
NOARCHIVE: Final = "noarchive"


def directives(body: bytes, header: str | None) -> frozenset[str]:
    """The words of `<meta name="robots">` and of X-Robots-Tag, `none` being both `noindex` and `nofollow`."""
    contents = [found for tag in _META.findall(body[:HEAD_BYTES]) if _NAME.search(tag) and (found := _content(tag))]
    # A header may speak to one robot by name (“otherbot: noindex”); only what is said to all counts.
    said = ",".join([*contents, *([] if header is None or ":" in header else [header])])
    words = frozenset(_WORD.findall(said.lower()))
    return words | {NOINDEX} if "none" in words else words


def _content(tag: bytes) -> str:
    found = _CONTENT.search(tag)
    return next((part.decode("latin-1") for part in found.groups() if part), "") if found else ""
