"""Credit: whether a copy links to or names its source, by the lines and links that the crawler stored."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from typing import Final
from urllib.parse import SplitResult, unquote, urlsplit

from fingerprint.normalize import canonicalize
from matcher.provenance.page_facts import PageFacts
from storage.sites.credit_lines import LINE_CHARS, credits_name, is_name
from storage.types import Credit

LINES_READ: Final = 40
LINKS_READ: Final = 200
"""Characters of a page's statements about itself that are read."""
TOP_LINES: Final = 4
BOTTOM_LINES: Final = 8
"""Lines at either end of a text that may be credits which extraction took for text."""
EDGE_CHARS: Final = 1_500
"""Characters at either end in which those lines are searched: a text of one line is read at its ends only."""
KNOWN_NAMES: Final = 1_024
"""Names whose folded form is cached."""
KNOWN_PAGES: Final = 2_048
"""Pages whose lines are cached, some kilobytes each: those of a page are needed for each of its comparisons."""
SHORTEST_BASE: Final = 3
"""Least characters of a site's name after generic words are removed."""
MOST_AUTHORS: Final = 5
SHORTEST_TITLE: Final = 6
"""Least characters of a title to count without its author's name: a shorter one may be chance."""

_CALLED: Final = ("新闻网", "网站", "官网", "官方网站", "在线", "客户端", "网", ".com", ".cn", ".net", ".org")
"""Generic words removed from or added to a site's name in a credit; longest first where one ends in the other."""

SHARED_HOSTS: Final = frozenset(
    {
        *("mp.weixin.qq.com", "zhuanlan.zhihu.com", "zhihu.com", "blog.csdn.net", "jianshu.com", "weibo.com"),
        *("toutiao.com", "sohu.com", "baijiahao.baidu.com", "juejin.cn", "segmentfault.com", "cnblogs.com"),
        *("medium.com", "github.com", "facebook.com", "x.com", "twitter.com", "t.me", "reddit.com", "youtube.com"),
    }
)
"""Hosts of many authors: a link there counts only if it leads to the very page of the source."""


@dataclass(frozen=True, slots=True)
class CreditFound:
    credit: Credit
    evidence: str = ""


NO_CREDIT: Final = CreditFound(Credit.NONE)

_ADDRESS: Final = "http"
"""Beginning of an address that is written out."""
_WRITTEN_OUT: Final = re.compile(rf"{_ADDRESS}[!#-&(-;=?-~]*")
"""Up to a space, a quotation mark, an angle bracket, or what is not ASCII."""


def credit_given(copy: PageFacts, source: PageFacts) -> CreditFound:
    """Return whether `copy` links to or names `source`, with the link or line that does.

    A canonical link to another site counts as a link only: it never makes two pages one. An address written out in a
    credit is a link: a reader can follow it.
    """
    for link in _links(copy):
        if _leads_to(link, source):
            return CreditFound(Credit.LINKED, link)
    read = _lines_of(copy.credit_lines, copy.text[:EDGE_CHARS], copy.text[-EDGE_CHARS:])
    for line in read.lines:
        if _ADDRESS in line.text and any(_leads_to(word, source) for word in _addresses(line.text)):
            return CreditFound(Credit.LINKED, line.text.strip())
    title, authors = folded(source.title), _searchable(source.authors[:MOST_AUTHORS])
    names = (*_names_of(source.site_name, source.owner_name), *authors, *_host_names(source.host))
    # Most names are in none of the twenty lines; where one is found, spaces may stand between its characters.
    unspaced = [(name, characters) for name in names if (characters := _unspaced(name)) in read.characters]
    is_titled = len(title) >= SHORTEST_TITLE and title in read.folded
    if not unspaced and not is_titled:
        return NO_CREDIT
    for line in read.lines:
        near = (name for name, characters in unspaced if characters in line.characters)
        if any(credits_name(line.folded, name, is_credit_line=line.is_stated, is_first=line.is_first) for name in near):
            return CreditFound(Credit.NAMED, line.text.strip())
        if is_titled and title in line.folded and any(one in line.folded for one in authors):
            return CreditFound(Credit.NAMED, line.text.strip())
    return NO_CREDIT


@dataclass(frozen=True, slots=True)
class _Line:
    """`characters`: those of `folded`, without spaces. `is_stated`: whether it is one of the page's credits found by
    extraction.
    """

    text: str
    folded: str
    characters: str
    is_stated: bool = False
    is_first: bool = False


@dataclass(frozen=True, slots=True)
class _Lines:
    """`folded`, `characters`: those of all lines, one below the other."""

    lines: tuple[_Line, ...]
    folded: str
    characters: str

    @classmethod
    def of(cls, lines: tuple[_Line, ...]) -> "_Lines":
        return cls(lines, "\n".join(line.folded for line in lines), "\n".join(line.characters for line in lines))


@lru_cache(maxsize=KNOWN_PAGES)
def _lines_of(credit_lines: tuple[str, ...], beginning: str, end: str) -> _Lines:
    """Return the lines of a page that may be credits. `beginning`, `end`: of its text, EDGE_CHARS each."""
    top = [line for line in beginning.split("\n") if line.strip()][:TOP_LINES]
    bottom = [line for line in end.split("\n") if line.strip()][-BOTTOM_LINES:]
    lines = (
        *(_line(line[:LINE_CHARS], is_stated=True) for line in credit_lines[:LINES_READ]),
        *(_line(line[:LINE_CHARS], is_first=number == 0) for number, line in enumerate(top)),
        # A credit at the end of a long last paragraph: its last sentences.
        *(_line(line[-LINE_CHARS:]) for line in bottom),
    )
    return _Lines.of(lines)


def _line(text: str, *, is_stated: bool = False, is_first: bool = False) -> _Line:
    read = _folded(text)
    return _Line(text, read, _unspaced(read), is_stated, is_first)


def _unspaced(text: str) -> str:
    return text.replace(" ", "")


def _links(copy: PageFacts) -> Iterator[str]:
    # The exact page first, so that the strongest evidence is shown.
    yield from islice(copy.credit_links, LINKS_READ)
    if copy.canonical_link:
        yield copy.canonical_link


def _addresses(line: str) -> Iterator[str]:
    """Yield the addresses written out in a line, without trailing punctuation."""
    return (found[0].rstrip(".,;:!?)") for found in _WRITTEN_OUT.finditer(line))


def _leads_to(link: str, source: PageFacts) -> bool:
    parts = _split(link)
    if parts is None or _bare_host(parts.netloc) != _bare_host(source.host):
        return False
    if _bare_host(source.host) not in SHARED_HOSTS:
        return True
    page = _split(source.url)
    return page is not None and (parts.path.rstrip("/"), parts.query) == (page.path.rstrip("/"), page.query)


def _split(link: str) -> SplitResult | None:
    """Return None for a link that cannot be parsed: it must not prevent the judgement of its page."""
    try:
        parts = urlsplit(link)
    except ValueError:
        return None
    return parts if parts.netloc else None


def _bare_host(host: str) -> str:
    return unquote(host).lower().removeprefix("www.").removeprefix("m.")


@lru_cache(maxsize=KNOWN_NAMES)
def _names_of(*called: str) -> tuple[str, ...]:
    """Return the folded names of a site and its owner, with and without generic words."""
    found: list[str] = []
    for name in called:
        found.append(name)
        for generic in _CALLED:
            base = name.strip().removesuffix(generic)
            if base != name.strip() and len(base) >= SHORTEST_BASE:
                found.append(base)
                break
    return _searchable(found)


@lru_cache(maxsize=KNOWN_NAMES)
def _host_names(host: str) -> tuple[str, ...]:
    bare = _bare_host(host)
    return () if bare in SHARED_HOSTS else _searchable([bare])


def _searchable(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(name for name in map(folded, names) if is_name(name))


@lru_cache(maxsize=KNOWN_NAMES)
def folded(name: str) -> str:
    """Return the canonical form with single spaces."""
    return _folded(name)


def _folded(text: str) -> str:
    return " ".join(canonicalize(text).text.split())
