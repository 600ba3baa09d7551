"""Rights in a text. A wire story on many sites is not ours, even if our page omits the credit. Pure."""

from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta
from typing import Final

from fingerprint.normalize import canonicalize
from matcher.provenance.page_facts import SPREAD, PageFacts
from storage.sites.agencies import HEAD_CHARS, agency_of, rights_of
from storage.sites.credit_lines import LINE_CHARS
from storage.types import NOT_SEEN_WHEN_NEW, Precision, Rights

WITNESSES: Final = 3
"""Unrelated owners with an agency credit that make a wire story if no date shows who was first: a single one might lie.
"""

_SPREAD: Final = SPREAD | {Precision.SECOND: timedelta(0)}
"""Interval of a moment: of two pages of consecutive seconds the first is earlier."""


def rights_of_page(page: PageFacts) -> Rights:
    """Judge by the stored facts of the page: its site's rule, its credits, and the dateline of its text if known."""
    lines = [canonicalize(line[:LINE_CHARS]).text for line in page.credit_lines]
    return rights_of(
        page.rights,
        rule=page.site_rights,
        agency=agency_of(lines, canonicalize(page.text[:HEAD_CHARS]).text),
        own_names=[canonicalize(name).text for name in (page.site_name, page.owner_name)],
    )


def is_wire_story(ours: PageFacts, others: Iterable[PageFacts]) -> bool:
    """Return whether other pages of the same story attribute it to an agency: one that is older than ours, or several
    owners of whom none is known to be later.
    """
    witnesses = set()
    for page in _of_agency(ours, others):
        if _is_before(page, ours):
            return True
        if not _is_before(ours, page):
            witnesses.add(page.owner_key)
    return len(witnesses) >= WITNESSES


def may_be_wire_story(ours: PageFacts, theirs: PageFacts, others: Iterable[PageFacts]) -> bool:
    """Return whether a person should look before the story is claimed: an owner other than the copier attributes it to
    an agency and is not known to be later than ours. The copier's own statement alone is not believed.
    """
    return any(page.owner_key != theirs.owner_key and not _is_before(ours, page) for page in _of_agency(ours, others))


def _of_agency(ours: PageFacts, others: Iterable[PageFacts]) -> Iterator[PageFacts]:
    """Yield the pages of other owners that attribute the story to an agency."""
    for page in others:
        if page.owner_key != ours.owner_key and rights_of_page(page) is Rights.AGENCY:
            yield page


def _is_before(page: PageFacts, other: PageFacts) -> bool:
    """Return whether `page` is certainly earlier: by declared dates if both have one, else by first sightings."""
    spans = _span(page), _span(other)
    if spans[0] is not None and spans[1] is not None:
        return spans[0][1] < spans[1][0]
    if not NOT_SEEN_WHEN_NEW.isdisjoint((page.found_by, other.found_by)):
        return False
    return page.first_seen_at < other.first_seen_at


def _span(page: PageFacts) -> tuple[datetime, datetime] | None:
    """Return the first and last moment that the declared date may mean."""
    declared = page.declared
    if declared.at is None or declared.precision is Precision.NONE:
        return None
    return declared.at, declared.at + _SPREAD[declared.precision]
