"""The matches of a page version that are stored: the nearest of each family."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from fingerprint.model import ALGORITHM_VERSION
from matcher.boilerplate.set_aside import seeds_within
from matcher.comparison.compare_pair import Compared
from matcher.provenance.origin import likely_origin
from storage.records.matches import Evidence, NewMatch, NewPageMatch
from storage.records.pages import PageRecord
from storage.types import SiteRole

if TYPE_CHECKING:
    from matcher.comparison.store_reader import StoreReader
    from storage.matches.families import Families
    from storage.matches.pending_matches import PendingMatches


NEAREST: Final = 10
"""Matches stored per family beside the one with its origin: a text with 50,000 copies has eleven matches."""


PAGES_SHOWN: Final = 3
"""Pages of one matching text that a page is paired with: its origin and the next."""


FAMILY_SHARE: Final = 0.5
"""Least share of both texts for one story."""


MANY_ARTICLES: Final = 5
"""Stories of ours in which one passage stands from which it is likely to be a set phrase of ours."""


YOUNG_SITE: Final = 50
"""Least pages of a site for its boilerplate to be known."""


def keep_matches(
    reader: "StoreReader",
    pending: "PendingMatches",
    page: PageRecord,
    compared: Sequence[Compared],
    of_cases: Mapping[int, Sequence[PageRecord]],
) -> list[Compared]:
    """Keep the nearest matches of `page`, with the pages that may be in cases by text; return them."""
    kept = _nearest(compared, of_cases, reader.families)
    for found in kept:
        others = {other.id: other for other in (*found.pages[:PAGES_SHOWN], *of_cases.get(found.stored.id, ()))}
        pending.keep(
            _new_match(reader, page, found),
            [_new_page_match(page, other, found) for other in others.values()],
            of=page.text_id,
            from_copy=not found.direction.left_is_source,
        )
    return kept


def story_of(text_id: int, compared: Sequence[Compared]) -> set[int]:
    """Return the text with the texts of the same story; empty if there are none."""
    story = {
        found.stored.id
        for found in compared
        if min(found.judgement.left_share, found.judgement.right_share) >= FAMILY_SHARE and found.stored.id != text_id
    }
    return {text_id, *story} if story else set()


def _nearest(compared: Sequence[Compared], of_cases: Collection[int], families: "Families") -> list[Compared]:
    """Return of each family its likely origin and the nearest; texts without a family are kept.

    `of_cases`: texts that are kept however many there are, since each of their owners may have a case.
    """
    by_family: defaultdict[int, list[Compared]] = defaultdict(list)
    for found in compared:
        by_family[families.of(found.stored.id) or found.stored.id].append(found)
    kept: list[Compared] = []
    for members in by_family.values():
        origin = members[likely_origin([found.first.right for found in members])]
        others = [found for found in members if found is not origin]
        kept += [origin, *others[:NEAREST], *(found for found in others[NEAREST:] if found.stored.id in of_cases)]
    return kept


def _new_match(reader: "StoreReader", page: PageRecord, found: Compared) -> NewMatch:
    judgement, candidate = found.judgement, found.candidate
    many = _in_many_of_ours(reader, page, found)
    is_low = page.text_id <= found.stored.id
    shares = (judgement.left_share, judgement.right_share)
    return NewMatch(
        low_text_id=min(page.text_id, found.stored.id),
        high_text_id=max(page.text_id, found.stored.id),
        algorithm_version=ALGORITHM_VERSION,
        kind=found.kind,
        score=judgement.score,
        low_share=shares[0] if is_low else shares[1],
        high_share=shares[1] if is_low else shares[0],
        longest=judgement.longest,
        passages=tuple(item if is_low else item.swapped() for item in judgement.passages),
        evidence=Evidence(
            simhash_distance=candidate.simhash_distance,
            shared_slices=candidate.shared_slices,
            shared_seeds=candidate.shared_seeds,
            matched_units=judgement.matched_units,
            boilerplate_units=judgement.boilerplate_units,
            provisional=bool(many) or _rests_on_little(reader, page, found),
            in_our_articles=many,
        ),
    )


def _rests_on_little(reader: "StoreReader", page: PageRecord, found: Compared) -> bool:
    """Return whether the match is one short passage between pages of sites whose boilerplate is not known yet, or
    beside a run that only a few pages show to be boilerplate.
    """
    if not _is_one_short_passage(found):
        return False
    if found.edges_set_aside:
        return True
    sites = [site for site in (page.site_id, found.pages[0].site_id) if site is not None]
    return any(reader.pages_of_site(site, bound=YOUNG_SITE) < YOUNG_SITE for site in sites)


def _is_one_short_passage(found: Compared) -> bool:
    proving = [passage for passage in found.judgement.passages if not passage.is_boilerplate]
    return len(proving) <= 1 and max(found.judgement.left_share, found.judgement.right_share) < FAMILY_SHARE


def _in_many_of_ours(reader: "StoreReader", page: PageRecord, found: Compared) -> int:
    """Return in how many stories of ours the one passage of a match of an article of ours stands, if in many; else 0.

    A seed of the passage counts for it, so that a copy of two articles that share a sentence is not one of many.
    """
    is_ours = (page.role is SiteRole.ORIGINAL, found.pages[0].role is SiteRole.ORIGINAL)
    if is_ours[0] is is_ours[1] or not _is_one_short_passage(found):
        return 0
    passage = next((one for one in found.judgement.passages if not one.is_boilerplate), None)
    if passage is None:
        return 0
    left, right = slice(passage.left_start, passage.left_end), slice(passage.right_start, passage.right_end)
    stories = reader.our_stories(seeds_within(found.first.left.text[left] if is_ours[0] else found.stored.body[right]))
    return stories if stories >= MANY_ARTICLES else 0


def _new_page_match(page: PageRecord, other: PageRecord, found: Compared) -> NewPageMatch:
    pair = found.pairs.of(other)
    direction, credit, relation = pair.direction, pair.credit, found.relation_with(other)
    return NewPageMatch(
        page_ids=(page.id, other.id),
        source_page_id=page.id if direction.left_is_source else other.id,
        confidence=round(direction.confidence, 4),
        reasons=(*direction.reasons, *relation.reasons),
        credit=credit.credit,
        credit_evidence=credit.evidence,
        relation=relation.relation,
        third_page_id=relation.third_page_id,
    )
