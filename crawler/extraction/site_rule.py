"""A site's own rule for reading its pages: where to find text, title, author and date, and what to leave out. Pure.

    {"content": "div.article", "remove": ["div.ad", "//p[@class='tail']"], "published": "//meta[@name='pd']/@content"}

A selector is CSS, or XPath if it begins with `/`, `./` or `(`. Of several, the first that finds something is used; of
`remove`, all.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from functools import lru_cache
from typing import Final

from lxml import etree, html
from lxml.cssselect import CSSSelector

from crawler.extraction.html.text_blocks import Element
from crawler.outcomes.errors import BadRule

LONGEST_SELECTOR: Final = 500
MOST_SELECTORS: Final = 20
"""Of one kind. Each is asked of every page of the site."""

_XPATH_STARTS: Final = ("/", "./", "(")
_LITERAL: Final = re.compile(r"'[^']*'|\"[^\"]*\"")
_PREFIXED: Final = re.compile(r"\$\w+|(?<![\w:-])[A-Za-z_][\w.-]*:(?!:)[\w.*-]*")
_CALLED: Final = re.compile(r"([A-Za-z][\w.-]*)\s*\(")
_FUNCTIONS_TEXT: Final = """
    and or mod div not boolean true false lang last position count id name local-name namespace-uri string concat
    starts-with contains substring-before substring-after substring string-length normalize-space translate number sum
    floor ceiling round comment text node processing-instruction
"""
_FUNCTIONS: Final = frozenset(_FUNCTIONS_TEXT.split())
_COMPILED: Final = 256
_EMPTY: Final = html.document_fromstring("<html><body></body></html>")


@dataclass(frozen=True, slots=True)
class Stated:
    """Values that a rule found on a page besides its text; empty if it found nothing."""

    title: str = ""
    author: str = ""
    published: str = ""


@dataclass(frozen=True, slots=True)
class ExtractionRule:
    """Selectors by what they find. `content` and `remove` find elements, the others also attributes and text."""

    content: tuple[str, ...] = ()
    title: tuple[str, ...] = ()
    author: tuple[str, ...] = ()
    published: tuple[str, ...] = ()
    remove: tuple[str, ...] = ()

    @classmethod
    def of(cls, stated: object) -> "ExtractionRule":
        """The rule that a JSON object states. Raises BadRule, which names the field and what is wrong with it."""
        if not isinstance(stated, Mapping):
            raise BadRule("", "it is not a JSON object")
        known = [field.name for field in fields(cls)]
        for name in stated:
            if name not in known:
                raise BadRule(str(name), f"there is no such field; there are {', '.join(known)}")
        return cls(**{name: _selectors(name, stated[name]) for name in known if name in stated})

    def elements(self, kind: str, root: Element) -> list[Element]:
        """The elements that the first `content` selector that finds any finds, or all that `remove` ones find."""
        found: dict[Element, None] = {}
        for selector in getattr(self, kind):
            found.update((element, None) for element in _found(selector, root) if isinstance(element, etree._Element))
            if found and kind == "content":
                break
        return list(found)

    def stated(self, root: Element) -> Stated:
        """Values from the page. Call it before anything is removed: a date may be in an element that is no text."""
        return Stated(_first(self.title, root), _first(self.author, root), _first(self.published, root))


def _first(selectors: tuple[str, ...], root: Element) -> str:
    """The first result, on one line, of the first selector that finds anything."""
    for selector in selectors:
        for found in _found(selector, root):
            line = " ".join(_text(found).split())
            if line:
                return line
    return ""


def _selectors(name: str, stated: object) -> tuple[str, ...]:
    listed = [stated] if isinstance(stated, str) else stated
    if not isinstance(listed, list) or not all(isinstance(selector, str) for selector in listed):
        raise BadRule(name, "it is neither a selector nor a list of selectors")
    if len(listed) > MOST_SELECTORS:
        raise BadRule(name, f"it has more than {MOST_SELECTORS} selectors")
    for selector in listed:
        _check(name, selector)
    return tuple(listed)


def _check(name: str, selector: str) -> None:
    if not selector.strip() or len(selector) > LONGEST_SELECTOR:
        raise BadRule(name, f"a selector has between 1 and {LONGEST_SELECTOR} characters")
    unknown = _unknown_word(selector) if selector.strip().startswith(_XPATH_STARTS) else None
    if unknown:
        raise BadRule(name, f"{selector!r} has {unknown}, which is not known here")
    try:
        answer = _compiled(selector)(_EMPTY)
    # A RuntimeError: of a pseudo-class that CSS has not here, or of one whose bracket is never closed.
    except (etree.XPathError, RuntimeError, SyntaxError, ValueError) as error:
        raise BadRule(name, f"{selector!r} cannot be understood ({error})") from error
    if not isinstance(answer, list):
        raise BadRule(name, f"{selector!r} gives a {type(answer).__name__}, not a part of the page")


def _unknown_word(selector: str) -> str | None:
    """A function, prefix or variable that XPath 1.0 has not: it would show only on a page where it is reached."""
    bare = _LITERAL.sub("''", selector)
    found = _PREFIXED.search(bare)
    if found:
        return found[0]
    return next((word for word in _CALLED.findall(bare) if word not in _FUNCTIONS), None)


@lru_cache(maxsize=_COMPILED)
def _compiled(selector: str) -> etree.XPath:
    stripped = selector.strip()
    if stripped.startswith(_XPATH_STARTS):
        # Regular expressions in XPath would let a rule run for ever.
        return etree.XPath(stripped, regexp=False)
    return CSSSelector(stripped, translator="html")


def _found(selector: str, root: Element) -> Iterator[object]:
    try:
        yield from _compiled(selector)(root)
    except etree.XPathError:
        return


def _text(found: object) -> str:
    if isinstance(found, etree._Element):
        return found.get("content") or "".join(map(str, found.itertext()))
    return str(found)
