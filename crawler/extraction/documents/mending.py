"""Paragraphs from the lines of printed pages: without running heads and page numbers, with words and sentences joined
across lines and pages. Pure.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

EDGE: Final = 3
"""Lines at the top and at the bottom of a page among which running heads are looked for."""
LEAST_PAGES: Final = 3
LEAST_SHARE: Final = 0.4
"""Of the pages, that have a line at the same edge: heads of left and right pages take turns."""
FULL: Final = 0.8
"""Share of the usual length from which a line is full: the next one continues it."""
USUAL: Final = 0.75
"""Share of the lines that are no longer than the usual length."""
LONGEST_HEADING: Final = 80

_PAGE_NUMBER: Final = re.compile(
    r"""\W{0,3} (?: (?:page|seite|p\.|s\.|página|pagina|strona|第)\s? )? (?: \d{1,4} | [ivxlc]{1,6} )
        (?: \s?(?:/|of|von|de|di|共)\s?\d{1,4} )? \s?(?:页|頁)? \W{0,3}""",
    re.VERBOSE | re.IGNORECASE,
)
_DIGITS: Final = re.compile(r"\d+")
_ENDS: Final = re.compile(r"[.!?:;。！？：；…][\"'”’»）)\]]*$")
_HYPHEN: Final = re.compile(r"(?<=[^\W\d_])[-\u2010\u00ad]$")
_STARTS_ITEM: Final = re.compile(
    r"[•▪◦‣*·–—-]\s|\(?\d{1,2}[.)、]\s?|[一二三四五六七八九十]{1,3}、|（[一二三四五六七八九十]{1,3}）"
)
_HAN: Final = re.compile(r"[\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef\u3000-\u303f]")


def mended(pages: Sequence[Sequence[str]]) -> list[str]:
    """The paragraphs of a document, of the lines of its pages."""
    stripped = [[" ".join(line.split()) for line in page] for page in pages]
    cleaned = _without_running_heads(stripped)
    usual = _usual_length(line for page in cleaned for line in page)
    paragraphs: list[str] = []
    last = ""
    is_open = False
    for page in cleaned:
        for line in page:
            if not line:
                is_open = is_open and not _ENDS.search(last)
                continue
            if is_open and not _STARTS_ITEM.match(line):
                paragraphs[-1] = _joined(paragraphs[-1], line)
            else:
                paragraphs.append(line)
            last, is_open = line, _continues(line, usual)
    return [paragraph.replace("\u00ad", "") for paragraph in paragraphs]


def _without_running_heads(pages: Sequence[Sequence[str]]) -> list[list[str]]:
    """The pages without page numbers, and without lines that recur at the same edge of other pages."""
    tops, bottoms = Counter[str](), Counter[str]()
    for page in pages:
        lines = [line for line in page if line]
        edge = _edge(lines)
        tops.update({_shape(line) for line in lines[:edge]})
        bottoms.update({_shape(line) for line in lines[-edge:]})
    least = max(LEAST_PAGES, LEAST_SHARE * len(pages))
    return [_body(page, tops, bottoms, least) for page in pages]


def _body(page: Sequence[str], tops: Counter[str], bottoms: Counter[str], least: float) -> list[str]:
    filled = [place for place, line in enumerate(page) if line]
    dropped: set[int] = set()
    edge = _edge(filled)
    for places, counts in ((filled[:edge], tops), (filled[-edge:], bottoms)):
        dropped.update(place for place in places if counts[_shape(page[place])] >= least)
    for places in (filled, filled[::-1]):
        first = next((place for place in places if place not in dropped), None)
        if first is not None and _PAGE_NUMBER.fullmatch(page[first]):
            dropped.add(first)
    return [line for place, line in enumerate(page) if place not in dropped]


def _edge(lines: Sequence[object]) -> int:
    """Lines at either edge of a page: of a short page no more than a quarter."""
    return min(EDGE, max(1, len(lines) // 4))


def _shape(line: str) -> str:
    """The line without figures: heads differ in the number of the page."""
    return _DIGITS.sub("0", line)


def _usual_length(lines: Iterable[str]) -> float:
    lengths = sorted(_width(line) for line in lines if line)
    return lengths[int(USUAL * (len(lengths) - 1))] if lengths else 0.0


def _continues(line: str, usual: float) -> bool:
    """Whether the next line belongs to the same paragraph: this one is full, or stops inside a sentence."""
    if _HYPHEN.search(line):
        return True
    if _ENDS.search(line):
        return _width(line) >= FULL * usual
    return _width(line) >= FULL * usual or len(line) > LONGEST_HEADING


def _width(line: str) -> float:
    """A Han character is as wide as two letters."""
    return len(line) + len(_HAN.findall(line))


def _joined(before: str, line: str) -> str:
    if _HYPHEN.search(before):
        # A hyphen before a capital or a figure belongs to the word: “Berlin-Mitte”, “COVID-19”.
        return before[:-1] + line if line[:1].islower() else before + line
    is_han = _HAN.match(before[-1:]) is not None or _HAN.match(line[:1]) is not None
    return before + line if is_han else f"{before} {line}"


def without_soft_hyphens(lines: Iterable[str]) -> Iterator[str]:
    yield from (line.replace("\u00ad", "") for line in lines)
