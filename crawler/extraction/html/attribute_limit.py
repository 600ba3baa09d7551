"""Tags with more attributes than any page needs: the parser's time grows with the square of their number. Pure."""

import re
from itertools import islice
from typing import Final

MOST_ATTRIBUTES: Final = 1_000
"""Of one tag. Pages of office programs have some forty; 3.9 MB of attributes in one tag take libxml2 more than 40 s."""

# Comments and scripts are passed over: a "<" in them begins no tag. All is possessive and each character is read once,
# whatever the page holds: what is not closed goes to the end of the page, as in the parser.
_PIECE: Final = re.compile(
    r"""
    <!-- (?: > | -> | (?:[^-]++ | -(?!->))*+ (?: --> | \Z ) )
    | <(?P<raw>script|style)\b (?:[^<]++ | <(?!/(?P=raw)))*+
    | (?P<tag> <[a-z] (?: [^>=]++ | =\s*+ (?: "[^"]*+"?+ | '[^']*+'?+ )?+ )*+ )
    """,
    re.VERBOSE | re.IGNORECASE,
)
# What is passed over at once: text, comments, scripts, ends of tags, and tags of few attributes.
_FEW: Final = re.compile(
    r"""
    (?: [^<]++
      | <!-- (?: > | -> | (?:[^-]++ | -(?!->))*+ (?: --> | \Z ) )
      | <script\b (?:[^<]++ | <(?!/script))*+
      | <style\b (?:[^<]++ | <(?!/style))*+
      | <(?!script\b|style\b)[a-z] [^>=]{0,60}+ (?: =\s*+ (?: "[^"]*+" | '[^']*+' )?+ [^>=]{0,60}+ ){0,12}+ >
      | <(?!!--|[a-z])
    )*+""",
    re.VERBOSE | re.IGNORECASE,
)
"""At most 13 stretches of 60 characters outside of values: far fewer than MOST_ATTRIBUTES."""
_ATTRIBUTE: Final = re.compile(
    r"""[^\s/>=]++ (?: \s*+ = \s*+ (?: "[^"]*+"?+ | '[^']*+'?+ | [^\s>]*+ ) )?+""", re.VERBOSE
)


def has_crowded_tag(markup: str) -> bool:
    """Whether one of its tags has more than MOST_ATTRIBUTES. Linear in the length of the page."""
    place = 0
    while (place := _end_of_few(markup, place)) < len(markup):
        found = _PIECE.match(markup, place)
        if found is None:
            place += 1
        else:
            if found.end("tag") - found.start("tag") > 2 * MOST_ATTRIBUTES and _is_crowded(markup, *found.span("tag")):
                return True
            place = found.end()
    return False


def _end_of_few(markup: str, place: int) -> int:
    found = _FEW.match(markup, place)
    return place if found is None else found.end()


def _is_crowded(markup: str, start: int, end: int) -> bool:
    # The name of the tag counts as the first.
    return next(islice(_ATTRIBUTE.finditer(markup, start, end), MOST_ATTRIBUTES + 1, None), None) is not None
