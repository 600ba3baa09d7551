"""Authors named in lines beside an article: bylines, links to their pages, signatures. Pure."""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice, pairwise
from typing import Final

from crawler.extraction.html.text_blocks import Block, Element, word_count
from crawler.extraction.main_content.trimming_phrases import SENTENCE_END
from crawler.extraction.metadata.author_names import cleaned_name, is_name
from crawler.extraction.metadata.titles import one_line, text_inside

CREDIT_LINE_LENGTH: Final = 200

_LINE: Final = re.compile(
    r"""(?: (?:作者|撰文|记者|記者)\s?[:：] | (?<![\u4e00-\u9fff])文\s?[/|丨]
      | (?: ^\W{0,4} | [|·•/—]\s? | \b(?i:written|posted|published|reported)\s )
        [Bb]y\s?:? (?=\s["“'@]?[A-Z\u4e00-\u9fff])
      ) \s?                                                                    # who is named next
        (?P<name> [^\s,，。;；|/()（）:：]{2,20} (?:[ ][A-Z][\w.]{1,20}){0,3} )  # 张三, Jane van Dyke
    """,
    re.VERBOSE,
)
"""“By” names an author if it begins a line, or follows “written” or “posted”: “sorted by the date” does not."""
_WORD: Final = r"(?:[A-ZÀ-ÖØ-ÞŁŚŻŹĆŠČŽ][\w.’'-]{0,24})"
_PERSON: Final = rf"{_WORD}(?:\s(?:(?:van|von|de|der|den|del|della|da|di|du|la|le|dos|ter|zu)\s){{0,2}}{_WORD}){{1,3}}"
_BYLINE: Final = re.compile(
    rf"""^\W{{0,9}} (?i: (?:(?:ein\s)?(?:text|beitrag|artikel|kommentar|bericht|interview|gastbeitrag|article|story)\s)?
          (?:von|by|par|por|di|door|av|af|przez)
        | (?:autor(?:in|es|a)?|authors?|auteurs?|autore|texte?|texto|verfasser(?:in)?|автор|執筆)\s?[:：]
        | herausgeber(?:in)?\s?: | (?:autor(?:in)?|author|auteur) (?=\s[^:]{{3,60}}:\s*$)
      ) \s (?P<name> {_PERSON} (?:\s?(?:,|&|und|and|et|e|y|i|en)\s{_PERSON}){{0,3}} )
      (?= \s?:?\s*$ | \s?[,|•·–—/-] | \s?\((?![^)]{{1,12}}\)\s[a-zäöü]) | \smit\s{_WORD}
        | \s(?:am|on|le|el|il|Illustration|Fotos?|Bild(?:er)?|Photos?)\b )""",
    re.VERBOSE,
)
_ALONE: Final = re.compile(rf"\W{{0,3}}(?P<name>{_PERSON})\W{{0,3}}")
_DATED: Final = re.compile(
    r"""\d{1,4}[-./]\s?\d{1,2}[-./]\s?\d{1,4} | \d{1,2}[:.]\d\d(?::\d\d)?(?:\s?(?:Uhr|h|[ap]\.?m\.?))?
      | \d{1,2}(?:\.|st|nd|rd|th)?\s(?:de\s)?[^\W\d]{3,10}\.?,?\s(?:de\s)?\d{4} | [^\W\d]{3,10}\s\d{1,2},?\s\d{4}""",
    re.VERBOSE,
)
_POSTED: Final = re.compile(
    r"""\b(?: (?i:posted|published|written|submitted)\b.{0,60}?\bby
             | (?i:verfasst|geschrieben|gepostet|veröffentlicht|erstellt|eingestellt)\svon
             | (?i:publicado|escrito|publié|écrit|pubblicato|scritto)\sp[ao]r ) \s?:?\s
        (?P<name> [\w.-]{2,30} (?:\s[A-Z][\w.-]{1,30}){0,3} )
        (?= $ | \s(?:on|at|in|am|el|le)\b | \s?[,|•·»] )""",
    re.VERBOSE,
)
_LABEL: Final = re.compile(r"\W{0,3}(?:von|by|par|por|autor(?:in)?|author|auteur|text|interview|作者)\s?[:：]?", re.I)
"""A line that says that the next one names the author."""
_WORDS_OF_DATE: Final = re.compile(
    r"""(?: \s(?:on|am|le|el|il|erstellt|veröffentlicht|aktualisiert|published|posted|updated|created|last|zuletzt|stand
      |jan|feb|mar|mär|mrz|apr|may|mai|jun|jul|aug|sep|sept|oct|okt|nov|dec|dez
      |january|february|march|april|june|july|august|september|october|november|december
      |januar|februar|märz|juni|juli|oktober|dezember)\.? ){1,3} $""",
    re.VERBOSE | re.IGNORECASE,
)
"""Behind a name at the beginning of a line that goes on with a date."""
_SHORT_LINE: Final = 80
_LAST: Final = 3
"""Blocks at the end of an article, of which one may be a name alone."""
_DIRECTLY: Final = 2
"""Blocks below an article, of which one may be its signature: a reader takes it for a note."""
_EMPHASIS: Final = ("em", "i", "strong", "b", "small")
_CLOSING_MARKS: Final = ("”", "“", "»", "«", '"', "」", "’")
"""Below a quotation stands who said it."""
_HEADINGS: Final = ("h1", "h2", "h3", "h4", "h5", "h6")
_SIGNED: Final = ("p", "div", "td", "em", "i", "b", "strong", "address")
_PROFILE: Final = re.compile(
    r"""/(?:authors?|autor(?:en|in|es|as)?|auteurs?|autore|autori|users?|benutzer|profiles?|profil|members?|mitglied(?:er)?
        |newsteam|contributors?|writers?|journalists?|reporters?|redakteure?|columnists?|kolumnisten?|staff
        )/(?!(?:sign|log|regist|settings|edit|password|new|create|account|join)[\w-]*(?:$|[/?.]))[^/]
      | [?&](?:u|uid|user|user_?id|author|author_?id|author_?name|member)=(?!https?\b)[\w-]
      | [?&]mode=viewprofile\b | ^https?://[^/]+/@[\w.-]+/?$""",
    re.VERBOSE | re.IGNORECASE,
)
"""Addresses of pages about an author."""
_ELSEWHERE: Final = re.compile(
    r"^https?://(?:[\w-]+\.)?(?:youtube|twitter|x|facebook|instagram|linkedin|xing|pinterest|flickr|tiktok)\.com/",
    re.IGNORECASE,
)
"""Where the site has a profile of its own."""
_LINKS_LOOKED_AT: Final = 20
_MOST_WITH_PAGES: Final = 5
_MOST_WORDS_SIGNED: Final = 3


def in_lines(nearby: Sequence[Block]) -> Iterator[tuple[Block, str]]:
    """Names behind “by”, “Autor:” and the like, or below such a word."""
    for place, block in enumerate(nearby):
        if len(block.text) > CREDIT_LINE_LENGTH:
            continue
        found = _LINE.search(block.text) or _BYLINE.search(block.text) or _POSTED.search(block.text)
        name = _WORDS_OF_DATE.sub("", found["name"]).strip() if found else ""
        if is_name(name):
            yield block, name
        elif _LABEL.fullmatch(block.text) and place + 1 < len(nearby):
            following = _ALONE.fullmatch(nearby[place + 1].text)
            if following:
                yield block, following["name"]


def beside_dates(nearby: Iterable[Block]) -> Iterator[str]:
    """People named in a line with a date and nothing else: “11.12.2019 - Jane Doe”."""
    for block in nearby:
        if _is_dated(block):
            found = _ALONE.fullmatch(" ".join(_DATED.sub("", block.text).split()).strip(" |,-–—•·:"))
            if found:
                yield found["name"]


def above_dates(over: Sequence[Block]) -> Iterator[str]:
    """People named alone between the last heading and the article, with a date in the line before or the next two."""
    headings = [place for place, block in enumerate(over) if block.element.tag in _HEADINGS]
    for place, block in enumerate(over):
        if not headings or place <= headings[-1]:
            continue
        beside = (*over[max(0, place - 1) : place], *over[place + 1 : place + 1 + _DIRECTLY])
        if _ALONE.fullmatch(block.text) and any(_is_dated(line) for line in beside):
            yield cleaned_name(block.text)


def _is_dated(block: Block) -> bool:
    return len(block.text) <= _SHORT_LINE and _DATED.search(block.text) is not None


def with_pages(nearby: Sequence[Block], inside: Sequence[Block]) -> Iterator[tuple[Block, str]]:
    """Short lines that link to pages about people, as “/author/jane-doe”, with the names: from the text upwards, then
    below.
    """
    begin = next((place for place, block in enumerate(nearby) if inside and block is inside[0]), 0)
    for block in (*reversed(nearby[:begin]), *nearby[begin:]):
        if len(block.text) > CREDIT_LINE_LENGTH or not any(map(is_profile, block.links[:_LINKS_LOOKED_AT])):
            continue
        links = [
            link for link in islice(block.element.iter("a"), _LINKS_LOOKED_AT) if is_profile(link.get("href") or "")
        ]
        names = dict.fromkeys(name for name in map(cleaned_name, map(text_inside, links)) if is_name(name))
        if names and not any(name[-1] in "?!:" for name in names):
            yield block, "、".join(islice(names, _MOST_WITH_PAGES))


def is_profile(link: str) -> bool:
    """Whether an address is that of a page about somebody on the site."""
    return _PROFILE.search(link) is not None and _ELSEWHERE.match(link) is None


def signatures(inside: Sequence[Block], below: Sequence[Block] = ()) -> Iterator[tuple[Block, str]]:
    """Names alone in one of the last lines, or directly below them in the same box, in other letters than the text."""
    box = inside[-1].element.getparent() if inside else None
    lines = [
        *inside[-_LAST:],
        *(block for block in below[:_DIRECTLY] if not block.links and block.element.getparent() is box),
    ]
    for block in lines:
        name = block.text.strip(" —–-")
        if _is_signature(block) and is_name(name):
            yield block, name


def plain_signatures(inside: Sequence[Block], below: Sequence[Block]) -> Iterator[tuple[Block, str]]:
    """Lines with a name alone, behind the last sentence, in the letters of the text."""
    lines = [*inside[-_LAST - 1 :], *below[:1]]
    for before, block in pairwise(lines):
        found = _ALONE.fullmatch(block.text)
        if (
            found is not None
            and not block.links
            and block.element.tag in _SIGNED
            and len(found["name"].split()) <= _MOST_WORDS_SIGNED
            and is_name(found["name"])
            and block.text[-1].isalpha()
            and SENTENCE_END.search(before.text) is not None
        ):
            yield block, found["name"]


def signatures_below_parts(inside: Sequence[Block]) -> Iterator[tuple[Block, str]]:
    """A name alone below a sentence, in other letters or on the other side, if it is the only one of the article: notes
    or other parts may follow it.
    """
    found: dict[str, Block] = {}
    for block in inside:
        below = block.element.getnext()
        if below is None or below.tag not in _SIGNED or SENTENCE_END.search(block.text) is None:
            continue
        name = _ALONE.fullmatch(one_line(text_inside(below)))
        is_quoted = block.text.endswith(_CLOSING_MARKS)
        if name and not is_quoted and is_name(name["name"]) and (_is_to_the_right(below) or _is_italic(below)):
            found.setdefault(name["name"], block)
    if len(found) == 1:
        yield from ((block, name) for name, block in found.items())


def _is_to_the_right(element: Element) -> bool:
    style = "".join((element.get("style") or "").lower().split())
    return (element.get("align") or "").lower() == "right" or "text-align:right" in style


def _is_italic(element: Element) -> bool:
    """Headings of parts are in bold letters, names below a text in italic ones."""
    inner = next(element.iter("i", "em"), None)
    return inner is not None and word_count(text_inside(inner)) == word_count(text_inside(element))


def _emphasised(element: Element) -> bool:
    """Whether all of an element's text is in other letters."""
    inner = next((one for one in element if one.tag in _EMPHASIS), None)
    return inner is not None and word_count(text_inside(inner)) == word_count(text_inside(element))


def _is_signature(block: Block) -> bool:
    """Whether a block is a name alone, in other letters than the text."""
    return (
        _ALONE.fullmatch(block.text) is not None
        and _emphasised(block.element)
        and str(block.element.tag) not in _HEADINGS
        and not block.text.endswith(":")
    )
