"""Recognises lists of articles: one with thirty first lines would look like a copy of all thirty. Pure."""

import re
from collections.abc import Sequence
from typing import Final
from urllib.parse import unquote, urlsplit

from crawler.extraction.html.text_blocks import Block
from crawler.extraction.main_content.article_element import is_prose
from crawler.extraction.main_content.trimming import HEADINGS, is_title, leads_into_the_site
from crawler.urls.canonical import host_of, joined_url

LINKED_SHARE: Final = 0.65
"""Of the words of an article in links into the site. Collections that people wrote reach .55, archives begin at .7."""

TEASERS: Final = 3
"""Links into the same site that are each followed by a little text: a list of articles."""

TEASERS_UNDER_LIST_ADDRESS: Final = 1
"""/page/2, /tag/news: the address says the same."""

TEASER_LINKED_SHARE: Final = 0.8
"""Of what is no figure: “title 04-23 09:45” is a title with its date."""
TEASER_LEAST_LINKED: Final = 0.4
LONGEST_TEASER_TITLE: Final = 60
SHORTEST_TEASER_TEXT: Final = 15
TEASER_LENGTH: Final = 700
"""Most word characters per such link. With more, each is a section of an article."""

TEASED_SHARE: Final = 0.5
"""Of the words of a list that are below such links, a little below each. An article may have a list at its end."""

STRICT_LENGTH: Final = 150
"""The same where the page has a headline of its own, or calls itself an article."""

BARE_SHARE: Final = 0.4
"""Of the words in teasers, where no paragraph of running text was found: titles and their dates."""

LONG_NAME: Final = 12
"""Characters of an address's last part that are those of one page of a site, whatever precedes them."""
_INDEX: Final = re.compile(r"(?:index|default)\.\w{2,5}")

_NAME: Final = re.compile(
    r"""\W{0,3}(?: (?:文章|所有|全部)?(?:分类|分類|标签|標籤|归档|歸檔)(?:云|雲|列表)?
      | (?:all\ )?(?:categories|tags|archives?|topics) )\W{0,3}""",
    re.VERBOSE | re.IGNORECASE,
)
"""The whole title of a list of lists. Under a list's address it is one, however few links its words are in."""

_ADDRESS: Final = re.compile(
    r"/(?:page|tags?|categor(?:y|ies)|archives?|topics?|author|label|search|list)(?:[/_-]|\.html?$|$)", re.I
)


def is_list(
    area: Sequence[Block], inside: Sequence[Block], *, title: str, base: str, url: str, says_article: bool
) -> bool:
    """`inside` are the blocks of the supposed article, `area` these and some before and after.

    `says_article`: the page calls itself an article, which makes it harder, not impossible, to be a list.
    """
    if is_list_address(url) and _NAME.fullmatch(title):
        return True
    if _is_mostly_links(inside, base=base, url=url) or _is_bare(inside, base=base, url=url):
        return True
    if not says_article and _headline_leads_away(area, inside, title=title, base=base, url=url):
        return True
    says_article = says_article or _has_headline(area, inside, title=title)
    return _takes_turns(area, inside, base=base, url=url, length=STRICT_LENGTH if says_article else TEASER_LENGTH)


def is_list_address(url: str) -> bool:
    path = urlsplit(url).path
    return path in ("", "/", "/index.html", "/index.htm", "/index.php") or _ADDRESS.search(path) is not None


def _is_mostly_links(inside: Sequence[Block], *, base: str, url: str) -> bool:
    """Links into the site only: collections that people make lead elsewhere."""
    linked = sum(block.linked for block in inside if leads_into_the_site(block, base=base, url=url))
    return linked > LINKED_SHARE * sum(block.words for block in inside)


def _is_bare(inside: Sequence[Block], *, base: str, url: str) -> bool:
    if any(map(is_prose, inside)):
        return False
    teasers = [block for block in inside if _is_teaser(block, base=base, url=url)]
    words = sum(block.words for block in teasers)
    return len(teasers) >= _least_teasers(url) and words >= BARE_SHARE * sum(block.words for block in inside)


def _headline_leads_away(area: Sequence[Block], inside: Sequence[Block], *, title: str, base: str, url: str) -> bool:
    """Whether the heading over the text is not the page's own, and links to another page."""
    headline = None
    is_listed = is_list_address(url)
    for block in area:
        is_first = block is inside[0]
        if is_listed and block.element.tag in HEADINGS and _is_linked_title(block, base=base, url=url):
            return True
        if block.element.tag in HEADINGS or is_title(block, title):
            # The first block is a heading of the text, unless it leads away.
            headline = block if not is_first or block.linked else headline
        if is_first:
            break
    if headline is None or _is_within(headline.text, title) or is_title(headline, title):
        return False
    return _is_teaser(headline, base=base, url=url) and not _leads_home(headline, base=base)


def _is_within(headline: str, title: str) -> bool:
    """Whether a page's title says a headline: its own, and often linked to itself under another spelling."""
    own = "".join(filter(str.isalnum, headline))
    return bool(own) and own in "".join(filter(str.isalnum, title))


def _leads_home(block: Block, *, base: str) -> bool:
    """A logo is often a heading, too."""
    return any(is_list_address(target) for target in (joined_url(base, link) for link in block.links) if target)


def _has_headline(area: Sequence[Block], inside: Sequence[Block], *, title: str) -> bool:
    for block in area:
        if block is inside[0]:
            return False
        if block.element.tag in HEADINGS and not block.linked and is_title(block, title):
            return True
    return False


def _takes_turns(area: Sequence[Block], inside: Sequence[Block], *, base: str, url: str, length: int) -> bool:
    """Whether titles that are links take turns with a little text: most of the text, unless the address is a list's."""
    runs = _runs_between_teasers(area, inside, base=base, url=url)
    words = sum(block.words for block in inside)
    if len(runs) < _least_teasers(url) or words >= length * len(runs):
        return False
    return is_list_address(url) or sum(run for run in runs if run <= length) >= TEASED_SHARE * words


def _runs_between_teasers(area: Sequence[Block], inside: Sequence[Block], *, base: str, url: str) -> list[int]:
    """Word characters of text below each teaser that has some, up to the next one."""
    chosen = {id(block) for block in inside}
    runs = [-1]
    for block in area:
        if _is_teaser(block, base=base, url=url):
            runs.append(0)
        elif runs[-1] >= 0 and id(block) in chosen and (runs[-1] or block.words >= SHORTEST_TEASER_TEXT):
            runs[-1] += block.words
    return [run for run in runs if run > 0]


def _least_teasers(url: str) -> int:
    return TEASERS_UNDER_LIST_ADDRESS if is_list_address(url) else TEASERS


def _is_teaser(block: Block, *, base: str, url: str) -> bool:
    """A short line that is nothing but a link to another page of the site, and perhaps a date or a count beside it."""
    return block.linked_share >= TEASER_LEAST_LINKED and _is_linked(block, base=base, url=url)


def _is_linked_title(block: Block, *, base: str, url: str) -> bool:
    """A heading that leads to another page of the site, and not home: on a list, that of the article below."""
    return block.linked > 0 and _is_linked(block, base=base, url=url) and not _leads_home(block, base=base)


def _is_linked(block: Block, *, base: str, url: str) -> bool:
    figures = sum(map(str.isdigit, block.text))
    if block.words > LONGEST_TEASER_TITLE or block.linked < TEASER_LINKED_SHARE * (block.words - figures):
        return False
    targets = {joined_url(base, link) for link in block.links}
    return any(target and host_of(target) == host_of(url) and not is_same_page(target, url) for target in targets)


def is_same_page(target: str, url: str) -> bool:
    """Whether two addresses of a site name one page, perhaps spelled differently, in another folder or an archive."""
    ends = [unquote(urlsplit(address).path).rstrip("/").rpartition("/")[2].lower() for address in (target, url)]
    return target == url or (ends[0] == ends[1] and len(ends[0]) >= LONG_NAME and not _INDEX.fullmatch(ends[0]))
