"""Finds where an article begins and ends in its element: below title and credits, above notices and links. Pure."""

from collections.abc import Collection, Sequence
from functools import lru_cache
from itertools import islice
from typing import Final

from crawler.extraction.html.text_blocks import Block, letters_of
from crawler.extraction.main_content.trimming_phrases import ADDRESS, LINK, META, NOTICE, RELATED, SENTENCE
from crawler.urls.canonical import host_of, joined_url

LEADS: Final = 1
"""Paragraphs that may stand before the title: further down it is a heading of the same words. If the title is
above the element already, or above the paragraph, the next one is such a heading, too.
"""

SAME_TITLE_SHARE: Final = 0.6
"""Of the longer of two titles, if one holds the other: sites add their names, and truncate."""

LONGEST_TITLE: Final = 2_000
"""Characters of a block that are compared with the title."""

META_WORDS: Final = 80
"""Word characters of a line of dates and names."""

TAIL_LINKED_SHARE: Final = 0.5
TAIL_WORDS: Final = 300
"""Word characters of one paragraph of a notice."""
TAIL_REACH: Final = 20
"""Blocks from the end that are searched for notices."""
TAIL_SHARE: Final = 0.2
"""Share of an article's words that may follow its first notice."""
RELATED_AFTER: Final = 0.3
"""Share of the core's blocks that must precede a heading of related links."""
RELATED_REACH: Final = 6
"""Blocks below such a heading, of which half must be such links: titles take turns with dates."""

LINKS_LOOKED_AT: Final = 200
"""Of one block: real ones have fewer, and resolving the 90,000 of a trap takes seconds."""

LEFT_OUT_WITHIN: Final = 8
"""Blocks below these, in which lines that the text leaves out may name its author."""
ENDS_WITHIN: Final = 3
"""Blocks at the beginning and end of the text that may name its author. Names further in belong to the story."""

HEADINGS: Final = frozenset({"h1", "h2", "h3"})


def trimmed(
    places: Sequence[int], page: Sequence[Block], *, core: Collection[int], title: str, base: str, url: str
) -> list[int]:
    """`places` without what precedes the article's first words and follows its last."""
    begin = _begin(places, page, core, title)
    kept = list(places[begin:])
    end = _related(kept, page, core=core, base=base, url=url)
    return kept[: _tail(kept[:end], page, core=core, base=base, url=url)] or list(places)


def ends_of(places: Sequence[int], page: Sequence[Block], *, before: int, after: int) -> list[Block]:
    """Up to `before` blocks above an article and `after` below it, with its own first and last ones."""
    if not places:
        return []
    first, end = places[0], places[-1] + 1
    begun = min(first + ENDS_WITHIN, end)
    close, inside = max(begun, end - ENDS_WITHIN), set(places)
    left_out = (page[place] for place in range(begun, min(begun + LEFT_OUT_WITHIN, close)) if place not in inside)
    return [*page[max(0, first - before) : begun], *left_out, *page[close : end + after]]


def _tail(places: Sequence[int], page: Sequence[Block], *, core: Collection[int], base: str, url: str) -> int:
    """Index at which the notices and links at the end begin. What is between two of them belongs to them."""
    end = len(places)
    total, passed = sum(page[place].words for place in places), 0
    for number in range(len(places) - 1, max(-1, len(places) - 1 - TAIL_REACH), -1):
        block = page[places[number]]
        if _is_notice(block, base=base, url=url) or _is_after(places, number, page, base=base, url=url):
            end = number
        elif places[number] in core or block.element.tag in ("pre", "code"):
            break
        passed += block.words
        if passed > TAIL_SHARE * total and end != number:
            break
    return end


def _begin(places: Sequence[int], page: Sequence[Block], core: Collection[int], title: str) -> int:
    """The first place after the title and the lines of dates and names below it."""
    begin = passed = 0
    leads = 0 if _has_title(page[: places[0]] if places else (), title) else LEADS
    for number, place in enumerate(places):
        if place in core:
            passed += 1
        if passed > leads:
            break
        if is_title(page[place], title):
            begin, leads = number + 1, passed
    while begin < len(places) - 1 and _is_meta(page[places[begin]]):
        begin += 1
    return begin


def is_title(block: Block, title: str, *, exact: bool = False, is_heading: bool = False) -> bool:
    """Whether a block says the page's title, or, unless `exact`, a heading nearly does. `is_heading`: it is one, by an
    element around it.
    """
    stated = _letters_of_title(title)
    if exact and len(block.text) < len(stated):
        return False
    own = block.letters if len(block.text) <= LONGEST_TITLE else letters_of(block.text[: LONGEST_TITLE + 1])
    if not own or not stated:
        return False
    shorter, longer = sorted((own, stated), key=len)
    return own == stated or (
        not exact
        and (is_heading or block.element.tag in HEADINGS)
        and shorter in longer
        and len(shorter) >= SAME_TITLE_SHARE * len(longer)
    )


def _has_title(above: Sequence[Block], title: str) -> bool:
    """Whether one of these blocks is the page's headline. A menu and a trail of links say the title, too."""
    return any(block.element.tag in HEADINGS and not block.linked and is_title(block, title) for block in above)


def _is_meta(block: Block) -> bool:
    if block.words > META_WORDS or block.element.tag in ("pre", "code"):
        return False
    said = ADDRESS.sub(" ", block.text)  # many hold a date
    return META.search(said) is not None and SENTENCE.search(said) is None


def _related(places: Sequence[int], page: Sequence[Block], *, core: Collection[int], base: str, url: str) -> int:
    """Index of a heading over links to other articles, after most of the text; the end if there is none."""
    core_size = sum(place in core for place in places)
    passed = 0
    for number, place in enumerate(places):
        passed += place in core
        if passed < RELATED_AFTER * core_size or not RELATED.fullmatch(page[place].text):
            continue
        following = [page[other] for other in places[number + 1 : number + 1 + RELATED_REACH]]
        if sum(leads_into_the_site(block, base=base, url=url) for block in following) * 2 >= len(following):
            return number
    return len(places)


def _is_notice(block: Block, *, base: str, url: str) -> bool:
    if block.words > TAIL_WORDS or block.element.tag in ("pre", "code") or NOTICE.match(block.text) is None:
        return False
    return LINK.match(block.text) is None or not _leads_elsewhere(block, base=base, url=url)


def _is_after(places: Sequence[int], number: int, page: Sequence[Block], *, base: str, url: str) -> bool:
    """Whether the block at `number` is a link to a neighbour. A reference may lead into the site as well, but is in
    one list with others that do not.
    """
    block = page[places[number]]
    if block.words > TAIL_WORDS or not leads_into_the_site(block, base=base, url=url):
        return False
    beside = (page[places[other]] for other in (number - 1, number + 1) if 0 <= other < len(places))
    return not any(
        _are_of_one_list(block, other)
        and other.linked_share >= TAIL_LINKED_SHARE
        and _leads_elsewhere(other, base=base, url=url)
        for other in beside
    )


def _are_of_one_list(block: Block, other: Block) -> bool:
    return block.element.tag == other.element.tag and block.element.getparent() is other.element.getparent()


def _leads_elsewhere(block: Block, *, base: str, url: str) -> bool:
    targets = [joined_url(base, link) for link in islice(block.links, LINKS_LOOKED_AT)] or ADDRESS.findall(block.text)
    return bool(targets) and all(target is not None and host_of(target) != host_of(url) for target in targets)


def leads_into_the_site(block: Block, *, base: str, url: str) -> bool:
    """Nothing but links to other pages of the site: tags, neighbours, related articles. References lead elsewhere."""
    if block.linked_share < TAIL_LINKED_SHARE:
        return False
    targets = {joined_url(base, link) for link in islice(block.links, LINKS_LOOKED_AT)} - {None, url}
    return bool(targets) and all(target is not None and host_of(target) == host_of(url) for target in targets)


@lru_cache(maxsize=16)
def _letters_of_title(title: str) -> str:
    """Each block of a page is compared with it."""
    return letters_of(title)
