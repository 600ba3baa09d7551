"""The headline of a page, without the name of its site. Pure."""

import re
from collections.abc import Collection, Iterator, Mapping
from functools import lru_cache
from itertools import islice
from typing import Final

from crawler.extraction.html.text_blocks import Element, word_count

TITLE_LENGTH: Final = 300
SHORTEST_TITLE: Final = 2
LONG_TITLE: Final = 20
"""Characters. A heading of this length that begins the page's title is its headline, whatever follows."""

_WIDTHLESS: Final = "\u200b\u200c\u200d\u2060\ufeff "

MASTHEAD_REACH: Final = 2_000
"""Elements among which a page names its site: the masthead comes first."""
_TITLE_SEPARATOR: Final = re.compile(r"\s+[-–—|·•]\s+|_{1,2}|\s*[|｜]\s*")
_AFTER_SITE: Final = re.compile(r"\s*[»›>:|·•–—-]\s*\S")
_FRONT_PAGE: Final = re.compile(
    r"(?:https?://web\.archive\.org/web/\d{14}/)?https?://[^/?#]{1,255}/?(?:index\.\w{2,5})?|/|\./|(?:\./)?index\.html?"
)
_SITE_FIRST: Final = re.compile(r"\s*[»›]\s*")
_SITE_SUFFIX: Final = re.compile(
    r"""(?P<title>.{4,}) [-–—－]                                                   # the last hyphen, spaces or not
        (?P<site> [^-–—－]{1,10} (?: 网 | 网站 | 在线 | 博客 | 论坛 | 报 | 周刊 | 频道 | 社区 | 之家 ))""",
    re.DOTALL | re.VERBOSE,
)
_HOME: Final = re.compile(r"(?:https?://[^/?#]{1,255})?/(?:index\.html?)?|(?:\./)?index\.html?|\./")


def title_of(root: Element) -> str:
    """The headline, without the site's name if that is recognised."""
    page_title = one_line(next((text_inside(title) for title in root.iter("title")), ""))
    main_headings = list(islice(root.iter("h1"), 10))
    headings = [one_line(text_inside(heading)) for heading in main_headings]
    names = {heading for heading, element in zip(headings, main_headings, strict=True) if _leads_home(element)}
    for heading in headings:
        if heading in names and _AFTER_SITE.match(page_title.removeprefix(heading)):
            continue  # “Site » Headline”
        # A site's logo is often an <h1> too: it is at the end of the page's title, or not in it.
        if word_count(heading) >= SHORTEST_TITLE and _begins_with(page_title, heading[:60]):
            return heading[:TITLE_LENGTH]
    stated = one_line(meta_of(root).get("og:title", "")) or page_title
    before = _before_site_name(stated, root)
    if before:
        return before[:TITLE_LENGTH]
    after = _after_site_name(stated, names)
    if after:
        return after[:TITLE_LENGTH]
    parts = _TITLE_SEPARATOR.split(stated)
    longest = max(parts, key=word_count)
    best = parts[0] if word_count(parts[0]) * 2 >= word_count(longest) else longest
    best = _without_site_name(best.strip(), root)
    return (best or next(filter(None, headings), ""))[:TITLE_LENGTH]


def _begins_with(page_title: str, heading: str) -> bool:
    """“2020” is not the headline of “2020 reading list | my blog”; a site's name comes after a mark."""
    rest = page_title.removeprefix(heading)
    return rest != page_title and (len(heading) >= LONG_TITLE or not rest.strip()[:1].isalnum())


def _before_site_name(title: str, root: Element) -> str:
    """The part before the name by which the page links home, if a line of the page says it: “Git | Somebody's blog”
    is of Git, and “A_B | Somebody's blog” of both; empty if that is unclear.
    """
    names = frozenset(names_of_site(root))
    for separator in _TITLE_SEPARATOR.finditer(title):
        before, name = title[: separator.start()].strip(), title[separator.end() :].strip()
        if before and name in names and any(one_line(line) == before for line in _own_texts(root)):
            return before
    return ""


def _leads_home(heading: Element) -> bool:
    """Whether a heading is a link to the front page of a site: its name."""
    links = islice(heading.iter("a"), 2)
    return any(
        _FRONT_PAGE.fullmatch(link.get("href") or "") for link in (*links, *islice(heading.iterancestors("a"), 1))
    )


def _after_site_name(title: str, names: Collection[str]) -> str:
    """The last part behind the site's name: “Four Years » Archive » Headline”; empty if the title begins otherwise."""
    parts = _SITE_FIRST.split(title)
    return parts[-1].strip() if len(parts) > 1 and parts[0].strip() in names else ""


@lru_cache(maxsize=1)
def names_of_site(root: Element) -> tuple[str, ...]:
    """Names by which a page calls its site: in its metadata, and in links to the home page."""
    return tuple(_names_of_site(root))


def _names_of_site(root: Element) -> Iterator[str]:
    yield one_line(meta_of(root).get("og:site_name", ""))
    for link in islice(root.iter("a"), MASTHEAD_REACH):
        if _HOME.fullmatch(link.get("href") or ""):
            yield one_line(text_inside(link))


def _own_texts(root: Element) -> Iterator[str]:
    for element in islice(root.iter(), MASTHEAD_REACH):
        if isinstance(element.tag, str) and element.tag not in ("title", "script", "style"):
            yield element.text or ""


def _without_site_name(title: str, root: Element) -> str:
    """“标题-某某网” without its last part, if that sounds like a site and the page says it again."""
    found = _SITE_SUFFIX.fullmatch(title)
    if found is None:
        return title
    elsewhere = (element for element in islice(root.iter(), MASTHEAD_REACH) if element.tag != "title")
    named = any(found["site"] in (element.text or "") for element in elsewhere)
    return found["title"] if named else title


def text_inside(element: Element) -> str:
    return "".join(map(str, element.itertext()))


def one_line(text: str) -> str:
    # Themes put marks without width before and after what can be linked to.
    return " ".join(text.split()).strip(_WIDTHLESS)[: 2 * TITLE_LENGTH]


@lru_cache(maxsize=1)
def meta_of(root: Element) -> Mapping[str, str]:
    """What the page states by name in its metadata. That of the last page is kept: many ask for it."""
    stated: dict[str, str] = {}
    for meta in islice(root.iter("meta"), 500):
        name = (meta.get("property") or meta.get("name") or "").strip().lower()
        stated.setdefault(name, meta.get("content") or "")
    return stated
