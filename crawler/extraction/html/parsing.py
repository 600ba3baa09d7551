"""Parses a page's text, and refuses trees that are too deep or too large. Pure."""

import re
from typing import Final

from lxml import etree

from crawler.extraction.html.attribute_limit import has_crowded_tag
from crawler.extraction.html.text_blocks import Element
from crawler.outcomes.refusals import Refusal

MAX_DEPTH: Final = 250
"""Nested elements. The parser stops at 255 and forgets the rest: half a page must not pass for a page."""

MAX_ELEMENTS: Final = 100_000
"""The largest of 3,100 real pages has 30,000; the readers take seconds for ten times as many."""

_COUNT: Final = etree.XPath("count(//*)")
_IS_DEEP: Final = etree.XPath(f"boolean({'/*' * MAX_DEPTH})")
_XML_DECLARATION: Final = re.compile(r"^\s*<\?xml[^>]{0,300}\?>")
_FIRST_ELEMENT: Final = re.compile(
    r"""\ufeff?\s{0,100} <\?xml[^>]{0,300}\?>
        (?: \s{0,1000} (?: <!--.{0,2000}?--> | <\?[^>]{0,500}\?> | <!DOCTYPE[^>\[]{0,500}> ) ){0,10}
        \s{0,1000} < (?P<name>[A-Za-z_][\w:.-]{0,60})""",
    re.VERBOSE | re.DOTALL | re.IGNORECASE,
)
_NOT_TEXT: Final = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
"""What neither XML nor Postgres can hold: controls, lone surrogates, non-characters."""

_CONTROLS: Final = bytes(code for code in range(32) if code not in b"\t\n\r")
_NON_CHARACTERS: Final = ("\ufffe".encode(), "\uffff".encode())
_SURROGATE_REFERENCE: Final = re.compile(r"&#(?:x0{0,8}d[89a-f][0-9a-f]{2}|0{0,8}5(?:5[2-9]|6\d|7[0-3])\d\d);?", re.I)
"""&#xD800; to &#xDFFF;, and a few private neighbours in the decimal form: they mean nothing either way."""


def valid_text(text: str) -> str:
    """`text` without characters that neither XML nor Postgres can hold."""
    try:
        encoded = text.encode()
    except UnicodeEncodeError:
        return _NOT_TEXT.sub("", text)
    # Looking at bytes takes a tenth of the time, and most texts hold nothing of the kind.
    is_valid = len(encoded.translate(None, _CONTROLS)) == len(encoded) and not any(
        map(encoded.__contains__, _NON_CHARACTERS)
    )
    return text if is_valid else _NOT_TEXT.sub("", text)


def is_other_xml(text: str) -> bool:
    """Whether a document says that it is XML, and begins with an element that is none of HTML's: a feed, a playlist."""
    found = _FIRST_ELEMENT.match(text)
    return found is not None and found["name"].rpartition(":")[2].lower() != "html"


def written(root: Element) -> str:
    return str(etree.tostring(root, encoding="unicode", method="html"))


def parse(text: str) -> Element | None:
    """The tree of an HTML text, or None if there is none. Entities of a DTD are never expanded."""
    root, _markup = parsed(text)
    return None if isinstance(root, Refusal) else root


def parsed(text: str) -> tuple[Element | Refusal, str]:
    markup = _SURROGATE_REFERENCE.sub("\ufffd", valid_text(_XML_DECLARATION.sub("", text, count=1)))
    if has_crowded_tag(markup):
        return Refusal.TOO_MANY_ATTRIBUTES, markup
    # Not lxml.html's parser: that one looks up a class for each element, which takes longer than to parse it.
    parser = etree.HTMLParser(encoding="utf-8", no_network=True, huge_tree=False)
    try:
        root = etree.fromstring(markup.encode(), parser=parser)
    except (etree.LxmlError, ValueError, AssertionError):
        return Refusal.BROKEN_MARKUP, markup
    return (Refusal.BROKEN_MARKUP if root is None else root), markup


def refusal_of_shape(root: Element) -> Refusal | None:
    """Why a tree is not read: it is too deep, or has too many elements. None for nearly all."""
    if _IS_DEEP(root):
        return Refusal.NESTED_TOO_DEEP
    return Refusal.TOO_LARGE if _COUNT(root) > MAX_ELEMENTS else None
