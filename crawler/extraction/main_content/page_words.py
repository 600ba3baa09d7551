"""What a page says of itself, beside its text: title, description, name of the site, the article in its data. Pure."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlsplit

from crawler.extraction.html.text_blocks import Element, letters_of
from crawler.extraction.metadata.json_ld import json_ld, types_of
from crawler.extraction.metadata.titles import meta_of

LONGEST_STATED: Final = 500_000
"""Characters of the page's data that are compared with its text."""
SHORTEST_SITE_NAME: Final = 4
"""Letters. Shorter names are words of any text."""

_TEXT_KEYS: Final = ("articleBody", "recipeIngredient", "ingredients", "recipeInstructions")
_STEP_TYPES: Final = frozenset({"howtostep", "howtosection", "question", "answer", "discussionforumposting"})
_DESCRIBED_TYPES: Final = frozenset({"product", "recipe"})
_TAG: Final = re.compile(r"<[^>]{0,1000}>|&\w{1,10};")
_COMMON_LABELS: Final = frozenset({"www", "blog", "blogs", "news", "shop", "forum", "docs", "wordpress", "blogspot"})


@dataclass(frozen=True, slots=True)
class PageWords:
    """`stated`: the letters of the text that the page's data (JSON-LD) hold. `site_names`: letters, in small."""

    title: str
    description: str
    url: str
    stated: str = ""
    site_names: tuple[str, ...] = ()


def words_of_page(root: Element, *, title: str, description: str, url: str) -> PageWords:
    return PageWords(title, description, url, _stated(root), tuple(_site_names(root, url)))


def _stated(root: Element) -> str:
    found: list[str] = []
    size = 0
    for value in json_ld(root):
        for text in _texts_of(value):
            found.append(letters_of(_TAG.sub(" ", text)))
            size += len(text)
            if size > LONGEST_STATED:
                return "|".join(found)
    return "|".join(found)


def _texts_of(value: dict[str, object]) -> Iterator[str]:
    types = frozenset(types_of(value.get("@type")))
    for key in _TEXT_KEYS:
        yield from _strings(value.get(key))
    if types & _STEP_TYPES:
        yield from _strings(value.get("text"))
        yield from _strings(value.get("name"))
    if types & _DESCRIBED_TYPES:
        yield from _strings(value.get("description"))


def _strings(value: object) -> Iterable[str]:
    values = value[:500] if isinstance(value, list) else [value]
    return (text[:LONGEST_STATED] for text in values if isinstance(text, str))


def _site_names(root: Element, url: str) -> Iterator[str]:
    """The name in the page's data, and the labels of its host but the last."""
    labels = [label for label in (urlsplit(url).hostname or "").split(".")[:-1] if label not in _COMMON_LABELS]
    for name in (meta_of(root).get("og:site_name", ""), *labels[-2:]):
        letters = letters_of(name[:60]).lower()
        if len(letters) >= SHORTEST_SITE_NAME:
            yield letters
