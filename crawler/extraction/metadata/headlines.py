"""The headline of an article as its page shows it: the heading over its text. Pure.

Pages state titles for search engines, which differ from the headline or name the site alone. Headings above the text
are scored by level, name, nearness and likeness to the stated titles.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Final

from crawler.extraction.html.text_blocks import Block, Element, letters_of
from crawler.extraction.metadata.json_ld import json_ld, types_of
from crawler.extraction.metadata.titles import TITLE_LENGTH, meta_of, names_of_site, one_line, text_inside
from crawler.urls.canonical import host_of

_LEVELS: Final[Mapping[str, float]] = {"h1": 1.75, "h2": 0.8, "h3": 0.4, "h4": 0.2}
_NAMED: Final = 0.8
"""For an element that is named as the headline of an article."""
_TITLED: Final = 0.3
"""For one that is named as some title."""
_LIKENESS: Final = 2.0
_PER_BLOCK: Final = 0.04
"""Lost for each block between a heading and the text; `_FARTHEST` at most."""
_FARTHEST: Final = 0.8
_BESIDE: Final = 2.0
"""Lost in a menu, a sidebar or a list of other articles."""
_OF_SITE: Final = 3.0
"""Lost by the name of the site."""
_INSIDE: Final = 0.8
"""Lost in the text where other headings of its level follow: the heading of a section."""
_LEADS_AWAY: Final = 0.6
_LINKED: Final = 0.5
"""Share of links from which a line is one."""
_ENOUGH: Final = 1.2
"""Of a heading that is the headline, whatever the page states."""
_RATHER: Final = 0.3
"""The same where the stated title is the site's name."""
_STATED: Final = 0.1
"""For any line that the page also states as its title."""
_ALIKE: Final = 0.6
"""Likeness of a heading that is the headline, wherever it is."""
_PART: Final = 12
"""Letters of a part of a stated title."""
_MOSTLY: Final = 0.4
"""Of the letters of a title that is the site's name."""
_SHORT_LABEL: Final = 4
"""Letters of a part of a host's name that may be a word."""
_AFTER: Final = 3
"""Blocks of the text among which the headline may still be."""
_LONGEST: Final = 250
_SHORTEST: Final = 2

_HEADLINE: Final = re.compile(
    r"(?:^|[\s_-])(?:headline|(?:entry|post|article|news|story|page|item|content|artikel|beitrag|topic)[_-]?title)"
    r"(?:$|[\s_-])",
    re.IGNORECASE,
)
_TITLE: Final = re.compile(r"title|heading|titel|titre|titulo|headline", re.IGNORECASE)
_OTHERS: Final = re.compile(
    r"(?:^|[\s_-])(?:teasers?|related|widget|sidebar|recommend\w*|comments?|breadcrumbs?|menu|newsletter|cookies?)"
    r"(?:$|[\s_-])",
    re.IGNORECASE,
)
_ARTICLES: Final = ("article", "posting", "recipe", "howto", "webpage", "review", "product")
_ABOVE: Final = 4
"""Elements above a heading that tell where it is."""


def headline_of(root: Element, blocks: Sequence[Block], first: int, *, title: str, url: str) -> str:
    """The heading over the article that begins with block `first`; `title` if none is surely it."""
    stated = list(filter(None, map(one_line, (title, *_stated_titles(root)))))
    likeness = _Likeness(stated)
    names = {_letters(name) for name in names_of_site(root) if name}
    own = _letters(title)
    best, most = title, _RATHER if own in names or _is_of_host(own, url) else _ENOUGH
    for place, block in enumerate(blocks[: first + _AFTER]):
        if not _SHORTEST <= block.words <= _LONGEST:
            continue
        text = one_line(block.text)
        if len(text) > _LONGEST or _is_date(text, words=block.words):
            continue
        letters = block.letters.casefold()
        is_stated = block.linked_share < _LINKED and (letters == own or likeness.holds(letters))
        level = _level(block.element, is_stated=is_stated)
        if level is None:
            continue
        alike = likeness.of(letters)
        score = level + _LIKENESS * alike - min(_FARTHEST, _PER_BLOCK * max(0, first - place))
        score -= _OF_SITE if letters in names else 0.0
        if alike < _ALIKE:
            score -= (_BESIDE if _is_beside(block.element) else 0.0) + (
                _INSIDE if place >= first and _recurs(block, blocks[place + 1 :]) else 0.0
            )
        score -= _LEADS_AWAY if _leads_away(block, url) else 0.0
        if score > most:
            best, most = text, score
    if best == title and _is_of_host(own, url, least=_MOSTLY):
        best = _beside_site_name(root, title, url) or title
    return best.lstrip(" :|")[:TITLE_LENGTH]


class _Likeness:
    """How much of a text is in the titles that a page states, by pairs of letters."""

    def __init__(self, stated: Iterable[str]) -> None:
        self._stated = {letters: _pairs(letters) for letters in map(_letters, stated) if len(letters) > 1}

    def of(self, letters: str) -> float:
        """0 to 1: twice the shared pairs over all, of the title most alike."""
        own = _pairs(letters)
        total = own.total()
        return max(
            (2 * (own & other).total() / (total + other.total()) for other in self._stated.values()), default=0.0
        )

    def holds(self, letters: str) -> bool:
        """Whether a stated title holds a text of some length: beside it there is the site's name."""
        return len(letters) >= _PART and any(letters in stated for stated in self._stated)


def _letters(text: str) -> str:
    return letters_of(text).casefold()


def _pairs(letters: str) -> Counter[str]:
    return Counter(letters[place : place + 2] for place in range(len(letters) - 1))


def _is_of_host(letters: str, url: str, *, least: float = 0.0) -> bool:
    """Whether a title names the host of the page; with `least` of its letters."""
    label = _letters(max(host_of(url).split("."), key=len, default=""))
    return len(label) > _SHORT_LABEL and label in letters and len(label) >= least * len(letters)


def _beside_site_name(root: Element, name: str, url: str) -> str:
    """The part of the page's title behind the name of the site, if that comes first and it is long enough."""
    parts = re.split(r"\s+[-–—|·•»]\s+", next(map(one_line, _stated_titles(root)), ""))
    following = parts[1] if len(parts) > 1 and parts[0] == name else ""
    letters = _letters(following)
    return following if len(letters) >= _PART and not _is_of_host(letters, url, least=_MOSTLY) else ""


def _stated_titles(root: Element) -> Iterator[str]:
    yield from (text_inside(title) for title in islice(root.iter("title"), 1))
    stated = meta_of(root)
    yield from (stated.get(name, "") for name in ("og:title", "twitter:title"))
    for value in json_ld(root):
        headline = value.get("headline")
        if isinstance(headline, str) and any(name.endswith(_ARTICLES) for name in types_of(value.get("@type"))):
            yield headline


def _level(element: Element, *, is_stated: bool) -> float | None:
    """What an element's tag and names say for it as a heading; None for what is none. `is_stated`: its text is what
    the page states as title.
    """
    heading = next((one for one in (element, *islice(element.iterancestors(), 2)) if one.tag in _LEVELS), element)
    level = _LEVELS.get(str(heading.tag))
    own = f"{heading.get('class') or ''} {heading.get('id') or ''}"
    if heading.get("itemprop") == "headline" or _HEADLINE.search(own):
        return (level or 0.0) + _NAMED
    if level is None:
        return _STATED if is_stated else None
    return max(level + (_TITLED if _TITLE.search(own) else 0.0), _STATED if is_stated else 0.0)


def _is_beside(element: Element) -> bool:
    above = (element, *islice(element.iterancestors(), _ABOVE))
    return any(
        one.tag in ("aside", "footer", "nav")
        or (one.tag not in ("body", "html") and _OTHERS.search(f"{one.get('class') or ''} {one.get('id') or ''}"))
        for one in above
    )


def _recurs(heading: Block, following: Sequence[Block]) -> bool:
    return any(block.element.tag == heading.element.tag for block in following)


def _leads_away(block: Block, url: str) -> bool:
    """Whether a heading is a link to another page: those of other articles are."""
    if block.linked_share < _LINKED or not block.links:
        return False
    end = url.rstrip("/").rpartition("/")[2]
    return not any(end in link or link.startswith("#") for link in block.links)


def _is_date(text: str, *, words: int) -> bool:
    return 2 * sum(map(str.isdigit, text)) >= words
