"""Objects of a page's JSON-LD, where sites say what a page is, when it appeared and who wrote it."""

import json
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import islice
from typing import Final

from crawler.extraction.html.text_blocks import Element

JSON_LD_LIMIT: Final = 200_000
"""Characters of a block that is read."""


def json_ld(root: Element) -> Sequence[dict[str, object]]:
    """Every object in the page's JSON-LD blocks, nested ones included; broken blocks are passed over. Callers only read
    them: those of the last page are kept, since several readers of metadata ask for them.
    """
    return _json_ld_of(root)


@lru_cache(maxsize=1)
def _json_ld_of(root: Element) -> tuple[dict[str, object], ...]:
    return tuple(_parsed_json_ld(root))


def _parsed_json_ld(root: Element) -> Iterator[dict[str, object]]:
    for script in islice(root.iter("script"), 200):
        if "ld+json" not in (script.get("type") or "") or not script.text or len(script.text) > JSON_LD_LIMIT:
            continue
        try:
            yield from _objects(json.loads(script.text, strict=False))
        except (ValueError, RecursionError):
            continue


def types_of(stated: object) -> Iterable[str]:
    """The names in `@type` of JSON-LD, which is one or a list of them, in small letters."""
    values = stated if isinstance(stated, list) else [stated]
    return (value.lower() for value in values[:20] if isinstance(value, str))


def _objects(value: object) -> Iterator[dict[str, object]]:
    waiting = [value]
    for _ in range(1_000):
        if not waiting:
            return
        current = waiting.pop(0)
        if isinstance(current, dict):
            yield current
            waiting.extend(current.values())
        elif isinstance(current, list):
            waiting.extend(current)
