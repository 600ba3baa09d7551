"""Joins the parts of an article on several pages. Pure.

Callers fetch `Page.next_part` of the first page, read it with `SiteKnowledge.first_part` set to the first address, and
so on while there is a next part, up to `MOST_PARTS`; then they join the parts.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from crawler.extraction.article import Article, storable
from crawler.extraction.article_pagination import MOST_PARTS, joined_text


def joined(parts: Sequence[Article]) -> Article:
    """One article: text, credits and links of all parts, everything else of the first. Raises ValueError for none."""
    if not parts:
        message = "There is no article in no parts."
        raise ValueError(message)
    kept = parts[:MOST_PARTS]
    return replace(
        kept[0],
        text=storable(joined_text([part.text for part in kept])),
        credit_lines=_each_once(line for part in kept for line in part.credit_lines),
        credit_links=_each_once(link for part in kept for link in part.credit_links),
    )


def _each_once(values: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(values))
