"""Two pages to read side by side: their texts with all sources of the copy, and what the reader leaves out."""

from dataclasses import dataclass, replace
from typing import Final

from flask import request

from admin.passages.changes import Changes, changes_of
from admin.passages.exclusions import SHORT_CHARS, Exclusions, Shares, Spans, counted, shares_of
from admin.passages.side_by_side import Pair, present
from admin.passages.sources import Sources, sources_of, tinted
from admin.web.db_session import database
from admin.web.url_converters import as_key
from matcher.discounts.quotations import quoted_spans
from storage.matches import hits as match_hits
from storage.pages import pages
from storage.records.matches import HitRecord, Passage
from storage.records.pages import PageRecord

SHOWN_SOURCES: Final = 40
"""Sources of one page in one picture; more cannot be distinguished."""
UNFOLDED_SOURCES: Final = 3


@dataclass(frozen=True, slots=True)
class Reading:
    """`copy`, `source`: whole texts. `shares`: of both as counted now; `everything`: with nothing left out."""

    hit: HitRecord
    copy_page: PageRecord
    source_page: PageRecord
    pair: Pair
    copy: str
    source: str
    sources: Sources[HitRecord]
    changes: Changes
    exclusions: Exclusions
    shares: Shares
    everything: Shares

    @property
    def bounds(self) -> tuple[int, ...]:
        """Of passages, in characters: below which they may be left out."""
        return SHORT_CHARS

    @property
    def unfolded(self) -> int:
        """How many rows of sources stand open: the first ones, up to the one that is shown or left out."""
        wanted = [row.number for row in self.sources.rows if row.is_left_out or row.hit.id == self.hit.id]
        return max(UNFOLDED_SOURCES, *wanted) if len(wanted) > 1 else UNFOLDED_SOURCES


def requested_exclusions(most: int = SHOWN_SOURCES) -> Exclusions:
    """What the query string, or the form, leaves out: up to `most` sources. Values that mean nothing are ignored."""
    numbers = (as_key(value) for value in request.values.getlist("without")[:most])
    short = request.values.get("short", "")
    return Exclusions(
        sources=frozenset(number for number in numbers if number is not None),
        quotations=request.values.get("quotes") == "off",
        shorter_than=int(short) if short in {str(bound) for bound in SHORT_CHARS} else 0,
    )


def reading_of(hit_id: int, exclusions: Exclusions) -> Reading | None:
    """A hit with its texts; None if it, or a page of it, was removed meanwhile."""
    hit = match_hits.get_hit(database(), hit_id)
    if hit is None:
        return None
    found = pages.pages_by_id(database(), [hit.copy.page_id, hit.source.page_id])
    copy_page, source_page = (found.get(side.page_id) for side in (hit.copy, hit.source))
    bodies = pages.text_bodies(database(), [hit.copy.text_id, hit.source.text_id])
    copy, source = (bodies.get(side.text_id) for side in (hit.copy, hit.source))
    if copy_page is None or source_page is None or copy is None or source is None:
        return None
    hits = match_hits.hits_of_copy(database(), hit.copy.page_id, text_id=hit.copy.text_id, limit=SHOWN_SOURCES)
    quoted = quoted_spans(copy)
    sources = sources_of(hits, len(copy), exclusions, quoted)
    pair = present(copy, source, hit.passages)
    lengths = {"copy_chars": len(copy), "source_chars": len(source)}
    return Reading(
        hit=hit,
        copy_page=copy_page,
        source_page=source_page,
        pair=replace(pair, copy=tinted(pair.copy, sources.rows, but=hit.id)),
        copy=copy,
        source=source,
        sources=sources,
        changes=changes_of(copy, source, hit.passages),
        exclusions=exclusions,
        shares=shares_of(_kept(hit, exclusions, quoted), **lengths),
        everything=shares_of(hit.passages, **lengths),
    )


def _kept(hit: HitRecord, exclusions: Exclusions, quoted: Spans) -> tuple[Passage, ...]:
    return () if hit.id in exclusions.sources else counted(hit.passages, exclusions, quoted)


def texts_without_hit(our_text_id: int, their_text_id: int) -> Pair | None:
    """Both texts of a pair whose match is no longer stored, theirs left; None if one was removed meanwhile."""
    bodies = pages.text_bodies(database(), [our_text_id, their_text_id])
    if our_text_id not in bodies or their_text_id not in bodies:
        return None
    return present(bodies[their_text_id], bodies[our_text_id], ())
