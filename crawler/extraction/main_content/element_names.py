"""What an element says of itself by its tag, role, class and id, as bit flags. Pure.

The words are those of templates everywhere, mostly English whatever the language of the site.
"""

import re
from functools import lru_cache
from typing import Final

from crawler.extraction.html.text_blocks import Element

BODY: Final = 1 << 0
"""Named for an article's text by two words: `entry-content`, `articleBody`."""
TEXT: Final = 1 << 1
"""Named for text by one word, as half the page may be: `content`, `post`, `main`."""
PICTURE: Final = 1 << 2
ASKING: Final = 1 << 3
"""Newsletter, subscription, consent, log-in."""
AUTHOR: Final = 1 << 4
BOX: Final = 1 << 5
FOOTER: Final = 1 << 6
MENU: Final = 1 << 7
RELATED: Final = 1 << 8
COMMENTS: Final = 1 << 9
SHARING: Final = 1 << 10
ADVERT: Final = 1 << 11
HIDDEN: Final = 1 << 12
ARTICLE_TAG: Final = 1 << 13
ASIDE_TAG: Final = 1 << 14
FOOTER_TAG: Final = 1 << 15
NAV_TAG: Final = 1 << 16
TABLE_TAG: Final = 1 << 17
FORM_TAG: Final = 1 << 18
CAPTION_TAG: Final = 1 << 19
"""By tag, or by a class such as `wp-caption`."""
TEASER: Final = 1 << 20
"""Not by name: one of several alike that each hold a linked title. See `crawler.extraction.main_content.teasers`."""

FURNITURE: Final = TEASER | COMMENTS | SHARING | ADVERT | ASKING | MENU | HIDDEN | NAV_TAG | FOOTER_TAG | FORM_TAG
"""What holds no text of an article, unless it holds most of the page's."""
LASTING: Final = BODY | TEXT | ARTICLE_TAG | TABLE_TAG
"""What is believed even of an element that holds most of the page's text."""

_WORDS: Final = {
    BODY: r"""(?:entry|article|art|post|story|page|text|news|single|content|theme|blog|section|field|main|detail|artikel
        |beitrag)[-_]*(?:content|body|text|copy|inner|entry|main|inhalt) | full-?text | body-?text | rich-?text
        | markdown""",
    TEXT: r"""\b(?:article|content|post|entry|text|body|story|main|artikel|inhalt|details?|paragraph|markdown|rich-?text
        |prose|intro|lead|summary|abstract|excerpt|standfirst|dek|subtitle|description)\b""",
    PICTURE: r"""\b(?:captions?|credits?|image|img|photo|picture|media|gallery|foto|bild|legend|figure|video
        |thumb(?:nail)?)\b""",
    ASKING: r"""newsletter | syndication | cookie | consent | permission | modal | overlay | premium | paywall | subscri
        | \b(?:abo|login|signup|donate|reward|qr-?code|popup|gdpr|notice|disclaimer|legal|copyright|licen[cs]e
        |cta)\b""",
    AUTHOR: r"author | byline | autor",
    BOX: r"box | aside | callout | highlight | card | sidebar | \b(?:widget|rail|column|teasers?|grid|feed|list)\b",
    FOOTER: r"footer | bottom",
    MENU: r"nav | menu | bread-?crumb | (?<![a-z])bar | sidebar | pagin | \b(?:toc|catalog|crumbs?|pager|masthead)\b",
    RELATED: r"""elated | next- | -stories | most-popular | more-on | teaser | recommend | suggest | read-?more
        | cross-?link
        | \b(?:more|similar|also|latest|popular|trending|carousel|slider|links?|next|prev(?:ious)?|correlative)\b""",
    COMMENTS: r"""comment-?list | \b(?:comments?|kommentare?|commentaires?|reply|replies|respond|discussion)\b
        | disqus | valine | gitalk""",
    SHARING: r"""\b(?:share|sharing|social|bdshare|addthis|follow|like|print|tools?|toolbar|toolbox|actions?|buttons?
        |btn|icons?)\b""",
    ADVERT: r"""\b(?:adverts?|advertisements?|advertising|ads?|sponsor(?:ed)?|promo(?:tion)?|anzeige|affiliate|shop
        |product|banner)\b""",
    CAPTION_TAG: r"(?<!no-)caption | bildunterschrift",
    HIDDEN: r"""^(?:is-|u-|js-)?(?:hidden|hide|invisible|sr-only|visually-?hidden|screen-?reader(?:-text)?|d-none
        |no-?print|hidden-print)$""",
}
_PATTERNS: Final = {flag: re.compile(words, re.VERBOSE) for flag, words in _WORDS.items()}
_ANY: Final = re.compile("|".join(f"(?:{words})" for words in _WORDS.values()), re.VERBOSE)
_TAGS: Final = {
    "article": ARTICLE_TAG,
    "main": ARTICLE_TAG,
    "aside": ASIDE_TAG,
    "footer": FOOTER_TAG,
    "nav": NAV_TAG,
    "table": TABLE_TAG,
    "form": FORM_TAG,
    "button": FORM_TAG,
    "figcaption": CAPTION_TAG,
}
_ROLES: Final = {
    "navigation": NAV_TAG,
    "menu": NAV_TAG,
    "complementary": ASIDE_TAG,
    "contentinfo": FOOTER_TAG,
    "search": FORM_TAG,
    "dialog": ASKING,
    "alert": ASKING,
}
_NAMELESS: Final = frozenset({"html", "body"})
_HEADINGS: Final = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
_CAMEL: Final = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_UNSEEN: Final = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)
LONGEST_NAME: Final = 300


def flags_of(element: Element) -> int:
    """The flags of an element itself, without those of what it is in."""
    tag = element.tag
    if tag in _NAMELESS:
        return 0
    found = _TAGS.get(tag, 0)
    attributes = element.attrib
    if not attributes:
        return found
    # The id of a heading is made of its words: “Login” is a section, not a box to log in.
    own_id = "" if tag in _HEADINGS else attributes.get("id", "")
    found |= _named(attributes.get("class", "")[:LONGEST_NAME]) | _named(own_id[:LONGEST_NAME])
    if "role" in attributes:
        found |= _ROLES.get(attributes["role"], 0)
    if "hidden" in attributes or ("style" in attributes and _UNSEEN.search(attributes["style"])):
        found |= HIDDEN
    return found | BODY if attributes.get("itemprop") == "articleBody" else found


def _named(name: str) -> int:
    found = 0
    for word in name.split():
        found |= _of_word(word)
    return found


@lru_cache(maxsize=8192)
def _of_word(word: str) -> int:
    """The flags of one class or id. Templates share most of theirs, so most are remembered."""
    name = _CAMEL.sub("-", word).lower().replace("_", "-")
    if _ANY.search(name) is None:  # as with most names
        return 0
    return sum(flag for flag, pattern in _PATTERNS.items() if pattern.search(name))
