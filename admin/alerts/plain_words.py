"""Crawled text as messages hold it: nothing in it is interpreted by a mail or chat program. Pure."""

from typing import Final

from admin.web.rendering.invisible_characters import marked, shortened

TITLE_CHARS: Final = 60
_INERT: Final = str.maketrans({"<": "＜", ">": "＞", "@": "＠", "`": "ˋ", "[": "［", "]": "］", "*": "＊"})


def inert(text: str, limit: int = TITLE_CHARS) -> str:
    """Crawled text on one line, at most `limit` characters, without anything that mail or chat programs interpret."""
    plain = " ".join(marked(text).split())
    return shortened(plain, limit).replace("://", "：//").translate(_INERT)
