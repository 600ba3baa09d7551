"""Articles on several pages: the next part of one, the article that a page is a part of, the joined text. Pure."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Final
from urllib.parse import urlsplit

from crawler.extraction.html.text_blocks import Element
from crawler.urls.canonical import joined_url

MOST_PARTS: Final = 30
"""Of one article. Longer ones are books, and their chapters articles of their own."""

LINKS_SEARCHED: Final = 5_000
LABEL_LENGTH: Final = 12

_NEXT_PAGE: Final = re.compile(
    r"[\s\[【<>«»›→]*(?:下一?[页頁]|后一页|後一頁|next\s?page|继续阅读下一页)[\s\]】<>»›→]*", re.IGNORECASE
)
"""页 is a page, 篇 is another article."""
_PREVIOUS_PAGE: Final = re.compile(
    r"[\s\[【<>«»‹←]*(?:上一?[页頁]|前一页|前一頁|第一页|1|prev(?:ious)?\s?page)[\s\]】<>»‹←]*", re.IGNORECASE
)
_IN_QUERY: Final = re.compile(
    r"(?:^|(?<=&))(?:page|p|pn|pg|pageno|page_no|pagenum|currentpage)=(?P<number>\d{1,3})(?=&|$)", re.IGNORECASE
)
_IN_PATH: Final = re.compile(
    r"""^(?P<stem>.{2,}?) (?: [_-](?:p|page)?(?P<joined>\d{1,3}) | /(?:p|page/?)?(?P<folder>\d{1,3}) )
        (?P<ending> /? | \.(?:s?html?|php|aspx?|jsp) )$""",
    re.VERBOSE | re.IGNORECASE,
)
_ENDING: Final = re.compile(r"(?:/(?:index\.\w{3,5})?|\.(?:s?html?|php|aspx?|jsp))$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Part:
    """`stem` is what the addresses of all parts have in common; `number` is None in the first one's, as a rule."""

    stem: str
    number: int | None


def next_part(root: Element, *, base: str, url: str, first: str | None = None) -> str | None:
    """The address of the next part of the article at `url`, or None.

    `first`: the address of its first part, if this is a later one. Without it only a second part is found: a
    neighbouring article's address often differs by one, too.
    """
    here = part_of_address(url)
    for target, says_page in _candidates(root, base):
        if target == url:
            continue
        if first is not None:
            if _follows(here, part_of_address(target), first=part_of_address(first)):
                return target
        elif _is_second(url, target, says_page=says_page):
            return target
    return None


def first_part(root: Element, *, base: str, url: str) -> str | None:
    """The address of an earlier part of the article of which `url` is a later part; None if there is none.

    It is a later part if its address says so, and a link back leads to the address of the part before.
    """
    for here in parts_of_address(url):
        for target, says_page in _candidates(root, base, back=True) if here.number else ():
            for there in parts_of_address(target):
                if there.stem == here.stem and _is_before(there, here, says_page=says_page):
                    return target
    return None


def _is_before(there: Part, here: Part, *, says_page: bool) -> bool:
    if there.number is None:
        return here.number in (1, 2) or says_page
    # rel=prev leads from post-12 to post-11 as well.
    return says_page and there.number < (here.number or 0)


def joined_text(texts: Sequence[str]) -> str:
    """The parts' texts as one, without the lines with which each of them begins or ends alike."""
    lines = [text.split("\n") for text in texts]
    begin, end = _alike(lines), _alike([part[::-1] for part in lines])
    kept = [
        line
        for number, part in enumerate(lines)
        for line in (part[begin if number else 0 : len(part) - (end if number < len(lines) - 1 else 0)])
    ]
    return "\n".join(kept)


def part_of_address(url: str) -> Part:
    """The likeliest reading of an address as a part of an article."""
    return next(iter(parts_of_address(url)))


def parts_of_address(url: str) -> Iterator[Part]:
    """Readings of an address as a part: with its number, if it has one, and as a first part without."""
    parts = urlsplit(url)
    place = f"{parts.scheme}://{parts.netloc}"
    asked = _IN_QUERY.search(parts.query)
    if asked:
        rest = "&".join(filter(None, _IN_QUERY.sub("", parts.query).split("&")))
        yield Part(f"{place}{_bare(parts.path)}?{rest}", int(asked["number"]))
        return
    found = _IN_PATH.match(parts.path)
    if found:
        yield Part(f"{place}{_bare(found['stem'])}?{parts.query}", int(found["joined"] or found["folder"]))
    yield Part(f"{place}{_bare(parts.path)}?{parts.query}", None)


def _bare(path: str) -> str:
    return _ENDING.sub("", path)


def _is_second(url: str, target: str, *, says_page: bool) -> bool:
    """Whether `target` is the second part of the article at `url`."""
    for here in parts_of_address(url):
        for there in parts_of_address(target):
            if here.stem != there.stem or there.number is None:
                continue
            if here.number is None and there.number in (1, 2):
                return True
            # rel=next leads from post-1 to post-2 as well.
            if here.number == 1 and there.number == 2 and says_page:  # noqa: PLR2004  (two is the second)
                return True
    return False


def _follows(here: Part, there: Part, *, first: Part) -> bool:
    stems = {first.stem, *((here.stem,) if here.number is not None else ())}
    return there.stem in stems and there.number is not None and there.number == (here.number or 1) + 1


def _candidates(root: Element, base: str, *, back: bool = False) -> Iterator[tuple[str, bool]]:
    """Links to a next page, or with `back` to the one before, with whether their words speak of a page."""
    wanted, words = ("prev", _PREVIOUS_PAGE) if back else ("next", _NEXT_PAGE)
    for element in islice(root.iter("link", "a"), LINKS_SEARCHED):
        label = label_of(element) if element.tag == "a" else ""
        says_page = len(label) <= LABEL_LENGTH and words.fullmatch(label) is not None
        if says_page or wanted in (element.get("rel") or "").lower().split():
            target = joined_url(base, element.get("href") or "")
            if target:
                yield target, says_page


def label_of(link: Element) -> str:
    """The text of a link in one line."""
    text = "".join(map(str, link.itertext())) if len(link) else link.text or ""
    return " ".join(text.split())


def _alike(parts: Iterable[Sequence[str]]) -> int:
    """How many first lines all of them share; never all lines of one."""
    rows = list(parts)
    if len(rows) < 2:  # noqa: PLR2004  (one text has nothing to compare with)
        return 0
    count = 0
    for lines in zip(*(row[:-1] for row in rows), strict=False):
        if len(set(lines)) > 1:
            break
        count += 1
    return count
