"""Elements of a page that are marked as its date: by itemprop, microformats, classes. Pure."""

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import islice
from typing import Final

from crawler.extraction.html.page_index import page_index
from crawler.extraction.html.text_blocks import Element

ELEMENTS_SEARCHED: Final = 20_000
LINE_LENGTH: Final = 120
TIMES_SEARCHED: Final = 20

_TAGS: Final = frozenset(
    {
        "span",
        "div",
        "p",
        "abbr",
        "time",
        "small",
        "li",
        "td",
        "em",
        "i",
        "b",
        "strong",
        "a",
        "meta",
        "dd",
        "nobr",
    }
)
_PUBLISHED: Final = re.compile(
    r"""(?:^|[\s_-])(?: published | dt-published | pubdate | publish-?date | date-?published | publication-?date
      | (?:post|entry|article|news|story|item|blog|content)[_-]?(?:post[_-]?)?date | byline[_-]?date
      | date-?time | posted-?on | timestamp | datum | fecha | documentPublished | itemPostDate | dateline
    )(?:$|[\s_-])""",
    re.VERBOSE | re.IGNORECASE,
)
_DATE: Final = re.compile(r"(?:^|[\s_-])(?:date|datum|data|fecha|time|updated)\d?(?:$|[\s_-])", re.IGNORECASE)
_OTHERS: Final = re.compile(
    r"comment|reply|replies|related|recommend|teaser|sidebar|widget|most-?read|trending|newsitem|calendar"
    r"|(?:^|[\s_-])(?:nav|menu)",
    re.I,
)
NOW: Final = re.compile(
    r"\W{0,3}(?:aktuelle\szeit|(?:the\s)?(?:current\s)?time\s(?:is|now)|it\sis\scurrently|heute\sist|today\sis|当前时间|现在是|今天是)",
    re.IGNORECASE,
)
"""A line with the time of the visit."""
SCRIPTS_SEARCHED: Final = 100
SCRIPT_LENGTH: Final = 1_000_000
_IN_SCRIPT: Final = re.compile(
    r"""\\?["'](?:datePublished|date_published|publishedAt|published_at|publishDate|publish_date|publishedDate
          |publicationDate|publishTime|publish_time|pubDate|firstPublished)\\?["']\s{0,3}:\s{0,3}\\?["']
        (?P<date>(?:19|20)\d\d-\d\d-\d\d(?:[T\ ][\d:.+Z-]{4,24})?)""",
    re.VERBOSE,
)
LINES_WITH_DATE: Final = 3
"""Of a text, of which one may begin with its date."""
_DATELINE: Final = re.compile(
    r"""(?: [^\d.!?:;]{2,45} [,(|–—/-] \s?\(? (?:den\s|le\s)? )? [(\[]?
        (?P<date> \d{1,2}\.\s?\d{1,2}\.\s?(?:19|20)\d\d | \d{1,2}\.?\s(?:de\s)?[^\W\d]{3,10}\.?\s(?:de\s)?(?:19|20)\d\d
          | [A-Z][a-z]{2,9}\.?\s\d{1,2},?\s(?:19|20)\d\d | (?:19|20)\d\d-\d\d-\d\d )
        (?= \s{0,3} (?: [–—|)\]„“"/:•·] | -\s | $ ) )""",
    re.VERBOSE,
)
_DATE_AND_SENTENCE: Final = re.compile(
    r"(?P<date>\d{1,2}\.\s?(?:\d{1,2}\.|[^\W\d]{3,10})\s?(?:19|20)\d\d)\.\s(?=[A-ZÄÖÜ„“])"
)
"""“31. Oktober 2023. Der Text …”"""
SAID_LENGTH: Final = 300
_SAID: Final = re.compile(
    r"""\b(?:erschienen|veröffentlicht|gepostet|verfasst|published|posted|publié|publicad[oa]|pubblicato|opublikowano)
          (?:\s(?:am|on|le|el|il|em))?\s?:?\s (?P<after> [^\W\d]{0,10},?\s? [\w./-]{1,12} (?:\s[\w.,]{1,12}){0,4} )
      | \b(?:wurde|was|war)\sam\s (?P<before> \d{1,2}\.\s?[^\W\d]{3,10}\s(?:19|20)\d\d ) .{0,30}
          \b(?:gepostet|veröffentlicht|geschrieben|verfasst)\b""",
    re.VERBOSE | re.IGNORECASE,
)
_BESIDE: Final = ("aside", "footer", "nav")


def marked_dates(root: Element, above: frozenset[Element] = frozenset()) -> Iterator[str]:
    """Texts of elements that are surely the date of publishing."""
    for element, tag, names in islice(page_index(root).named, ELEMENTS_SEARCHED):
        if tag not in _TAGS:
            continue
        is_stated = element.get("itemprop") == "datePublished" or element.get("property") == "schema:datePublished"
        if is_stated or (tag != "time" and _is_called_published(names)):
            text = _text(element)
            if text and any(map(str.isdigit, text)) and not is_of_others(element, above):
                yield text


@lru_cache(maxsize=4096)
def _is_called_published(names: str) -> bool:
    """`names`: classes and ids. Templates share most of theirs, so most are remembered."""
    return _PUBLISHED.search(names) is not None


def time_elements(root: Element, above: frozenset[Element] = frozenset()) -> Iterator[str]:
    """Texts of `<time>` outside comments, columns and other articles."""
    for time in islice(root.iter("time"), TIMES_SEARCHED):
        if not is_of_others(time, above):
            yield _text(time)


def called_dates(root: Element, above: frozenset[Element] = frozenset()) -> Iterator[str]:
    """Texts of elements whose class is that of some date."""
    for element, tag, _names_of_it in islice(page_index(root).named, ELEMENTS_SEARCHED):
        if tag in _TAGS and tag != "time" and _DATE.search(element.get("class") or ""):
            text = _text(element)
            is_date = len(text) <= LINE_LENGTH and any(map(str.isdigit, text)) and NOW.match(text) is None
            if is_date and not is_of_others(element, above):
                yield text


def datelines(lines: Iterable[str]) -> Iterator[str]:
    """Dates at the beginning of a text, maybe behind a place: “Berlin, 11. November 2021 –”, “(3 May 2020)”."""
    for line in islice(lines, LINES_WITH_DATE):
        found = _DATELINE.match(line[:LINE_LENGTH]) or _DATE_AND_SENTENCE.match(line[:LINE_LENGTH])
        if found:
            yield found["date"]


def bare_datelines(lines: Iterable[str]) -> Iterator[str]:
    """Dates of lines that are a place and a date: “Berlin, 11. November 2021”."""
    for line in lines:
        found = _DATELINE.fullmatch(line.strip())
        if found and found.start("date") > 1:
            yield found["date"]


def said_dates(lines: Iterable[str]) -> Iterator[str]:
    """What follows a word for publishing: “Erschienen am: 1.11.2023”, “… wurde am 19. Mai 2010 gepostet”."""
    for line in lines:
        found = _SAID.search(line[:SAID_LENGTH])
        if found:
            yield found["after"] or found["before"]


def script_dates(root: Element) -> Iterator[str]:
    """Dates of publishing in the data of a page that is built by script; the first of each script."""
    for script in islice(root.iter("script"), SCRIPTS_SEARCHED):
        found = _IN_SCRIPT.search((script.text or "")[:SCRIPT_LENGTH])
        if found:
            yield found["date"]


def is_of_others(element: Element, above: frozenset[Element]) -> bool:
    """Whether an element is in a column, in the comments, or among other articles. `above`: what holds the article."""
    for one in (element, *element.iterancestors()):
        if one in above:
            return False
        if one.tag in _BESIDE and (one.tag != "footer" or not _is_in_article(one)):
            return True
        if _OTHERS.search(_names(one)):
            return True
    return False


def _is_in_article(element: Element) -> bool:
    return any(above.tag == "article" for above in element.iterancestors())


def _names(element: Element) -> str:
    return f"{element.get('class') or ''} {element.get('id') or ''}"


def _text(element: Element) -> str:
    stated = element.get("datetime") or element.get("content")
    names = element.get("class") or ""
    if element.tag == "abbr" or (stated is None and ("published" in names or "updated" in names)):
        stated = stated or element.get("title")
    return (stated or " ".join("".join(map(str, element.itertext())).split()))[:LINE_LENGTH]
