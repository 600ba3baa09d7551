"""Authors that the data of a page state: its JSON-LD and its meta elements."""

import re
from collections.abc import Iterator
from itertools import islice
from typing import Final

from crawler.extraction.html.text_blocks import Element
from crawler.extraction.metadata.author_names import MOST_NAMES, cleaned_name, is_name
from crawler.extraction.metadata.json_ld import json_ld, types_of

_OTHER_TYPES: Final = ("imageobject", "videoobject", "audioobject", "comment", "review", "website", "organization")
_META: Final = (
    "author",
    "article:author",
    "og:article:author",
    "og:author",
    "byl",
    "dc.creator",
    "dcterms.creator",
    "dc:creator",
    "citation_author",
    "parsely-author",
    "sailthru.author",
    "cxenseparse:author",
    "cse_author",
    "twitter:data1",
    "twitter:creator",
)
_DATA: Final = "twitter:data1"
_DATA_LABEL: Final = "twitter:label1"
_WRITTEN_BY: Final = re.compile(
    r"\s*(?:written|author|by\b|verfasst|geschrieben|von\b|aut[oe]u?r|[ée]crit|escrito|scritto|geschreven|skrevet|作者)",
    re.I,
)
"""What the first of the labelled data for previews is, where it is the author."""


def json_ld_authors(root: Element) -> tuple[list[str], list[str]]:
    """Authors of what is no picture, comment or site: people, and organisations."""
    values = list(json_ld(root))
    by_id = {str(value["@id"]): value for value in values if "@id" in value and "name" in value}
    people: list[str] = []
    others: list[str] = []
    for value in values:
        if any(name in _OTHER_TYPES for name in types_of(value.get("@type"))):
            continue
        named = list(_named(value.get("author") or value.get("creator"), by_id))
        for kind, found in ((True, people), (False, others)):
            some = list(dict.fromkeys(name for is_person, name in named if is_person is kind))
            if some:
                found.append("、".join(some[:MOST_NAMES]))
    return people, others


def _named(value: object, by_id: dict[str, dict[str, object]], depth: int = 0) -> Iterator[tuple[bool, str]]:
    """Names, and whether each is a person's. `by_id`: objects of the graph that others refer to."""
    if isinstance(value, list):
        for one in value[:MOST_NAMES]:
            yield from _named(one, by_id, depth + 1) if depth < MOST_NAMES else ()
    elif isinstance(value, dict):
        name = value.get("name") or by_id.get(str(value.get("@id")), {}).get("name")
        is_person = "organization" not in list(types_of(value.get("@type")))
        for one in name[:MOST_NAMES] if isinstance(name, list) else [name]:
            if isinstance(one, str) and is_name(cleaned_name(one)):
                yield is_person, cleaned_name(one)
    elif isinstance(value, str):
        text = cleaned_name(str(by_id.get(value, {}).get("name") or value))
        if is_name(text):
            yield True, text


def meta_authors(root: Element) -> Iterator[str]:
    stated: dict[str, str] = {}
    for meta in islice(root.iter("meta"), 500):
        name = (meta.get("property") or meta.get("name") or meta.get("itemprop") or "").strip().lower()
        if name in _META or name == _DATA_LABEL:
            stated.setdefault(name, meta.get("content") or "")
    if _WRITTEN_BY.match(stated.pop(_DATA_LABEL, "")) is None:
        stated.pop(_DATA, None)
    yield from filter(is_name, (cleaned_name(stated[name]) for name in _META if name in stated))
