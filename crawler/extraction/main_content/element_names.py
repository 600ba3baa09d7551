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

_WORDS_TEXT: Final = {
    TEXT: """article content post entry text body story main artikel inhalt detail details paragraph markdown richtext
        prose intro lead summary abstract excerpt standfirst dek subtitle description""",
    PICTURE: """caption captions credit credits image img photo picture media gallery foto bild legend figure video
        thumb thumbnail""",
    ASKING: """abo login signup donate reward qrcode popup gdpr notice disclaimer legal copyright license licence
        cta""",
    BOX: "widget rail column teaser teasers grid feed list",
    MENU: "toc catalog crumb crumbs pager masthead",
    RELATED: """more similar also latest popular trending carousel slider link links next prev previous
        correlative""",
    COMMENTS: """comment comments kommentar kommentare commentaire commentaires reply replies respond discussion""",
    SHARING: """share sharing social bdshare addthis follow like print tool tools toolbar toolbox action actions button
        buttons btn icon icons""",
    ADVERT: """advert adverts advertisement advertisements advertising ad ads sponsor sponsored promo promotion anzeige
        affiliate shop product banner""",
}
"""Whole words of a name."""
_PARTS_TEXT: Final = {
    BODY: "full-text fulltext body-text bodytext rich-text richtext markdown",
    ASKING: """newsletter syndication cookie consent permission modal overlay premium paywall subscri""",
    AUTHOR: "author byline autor",
    BOX: "box aside callout highlight card sidebar",
    FOOTER: "footer bottom",
    MENU: "nav menu bread-crumb breadcrumb sidebar pagin",
    RELATED: """elated next- -stories most-popular more-on teaser recommend suggest read-more readmore cross-link
        crosslink""",
    COMMENTS: "comment-list commentlist disqus valine gitalk",
    CAPTION_TAG: "bildunterschrift",
}
"""Parts of one."""
_PATTERNS: Final = (
    (
        ("content", "body", "text", "copy", "inner", "entry", "main", "inhalt"),
        r"""(?:entry|article|art|post|story|page|text|news|single|content|theme|blog|section|field|main|detail|artikel
            |beitrag)[-_]*(?:content|body|text|copy|inner|entry|main|inhalt)""",
        BODY,
    ),
    (("rich-text",), r"\brich-text\b", TEXT),
    (("qr-code",), r"\bqr-code\b", ASKING),
    (("bar",), r"(?<![a-z])bar", MENU),
    (("caption",), r"(?<!no-)caption", CAPTION_TAG),
)
"""What is neither. A pattern is tried on names that hold one of the parts before it."""
_HIDDEN_TEXT: Final = """
    hidden hide invisible sr-only visually-hidden visuallyhidden screen-reader screenreader screen-reader-text
    screenreader-text d-none no-print noprint hidden-print
"""
_HIDDEN: Final = frozenset(prefix + name for prefix in ("", "is-", "u-", "js-") for name in _HIDDEN_TEXT.split())
_OF_WORD: Final = {
    word: sum(flag for flag, words in _WORDS_TEXT.items() if word in words.split())
    for word in " ".join(_WORDS_TEXT.values()).split()
}
_OF_PART: Final = tuple((part, flag) for flag, parts in _PARTS_TEXT.items() for part in parts.split())
_OTHERS: Final = tuple(
    (part, re.compile(pattern, re.VERBOSE), flag) for parts, pattern, flag in _PATTERNS for part in parts
)
_SPLIT: Final = re.compile(r"\W+")
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
    found = 0
    for part in _SPLIT.split(name):
        found |= _OF_WORD.get(part, 0)
    for part, flag in _OF_PART:
        if part in name:
            found |= flag
    for part, pattern, flag in _OTHERS:
        if part in name and pattern.search(name):
            found |= flag
    return found | HIDDEN if name in _HIDDEN else found
