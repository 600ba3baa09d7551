"""One text against the whole store: candidates, alignment, judgement."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from fingerprint.compute import Analysis, analyse
from matcher.alignment.align import Grams
from matcher.boilerplate.learning import boilerplate_grams, keep_verdicts, runs_around
from matcher.comparison.candidate_loop import follow, in_order
from matcher.comparison.compare_pair import Asking, Beside, Compared, compare
from matcher.comparison.former_versions import is_outdated
from matcher.comparison.publishers import OtherOwners
from matcher.comparison.siblings import Siblings
from matcher.discounts.index_pages import entries_of_index, is_entry
from matcher.judgement.mosaic import own_shares, parts_of_mosaic
from matcher.provenance.page_facts import PageFacts, facts_of_page
from matcher.retrieval.candidates import Found, LookUp, find_candidates
from storage.fingerprints.candidates import NO_TEXT
from storage.postgres.planner import indexes_forced
from storage.records.candidates import BoilerplateRun
from storage.types import MatchKind

if TYPE_CHECKING:
    from sqlalchemy.orm import Session


PAGES_PER_TEXT: Final = 12
"""Pages of one text that are looked at, first seen first: enough for its origin and the nearest others."""


COPY_SHARE: Final = 0.5
"""From this share on a text that is checked is called a copy, below it borrows."""


LOOKED_BACK: Final = 4
"""Pages of which it is seen whether they are an index: each costs a comparison of its own."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """`found`: the texts that share enough, surest first. `cut`: how many candidates bounds left out."""

    found: list[Compared]
    aligned: frozenset[int]
    """Texts that were aligned with the one asked about."""
    listed: frozenset[int]
    """Texts that share first lines with it as a list page does, on either side: enough is shared, nothing copied."""
    left_out: frozenset[int]
    """Candidates that were not judged: nothing is known of them, for or against."""
    cut: int
    looked_up: Found
    verdicts: tuple[BoilerplateRun, ...]
    """On repeated runs that were due; who explains a comparison needs both, and each is dear to find twice."""
    set_aside: Mapping[int, Grams]
    """By text: what counted nothing beside it because other pages of one host have it at the same edge."""
    told_by: frozenset[tuple[int, int]]
    """Other texts of the asked page's host that told so, each with the text it was told of."""


def compare_with_store(
    session: "Session",
    asked: Analysis,
    facts: PageFacts,
    text: str,
    *,
    self_id: int = NO_TEXT,
    not_owner: str | None = None,
    also: Collection[int] = (),
    site_ids: Collection[int] = (),
    beside: Sequence[Beside] = (),
    learning: bool = True,
    look_back: bool = True,
    look_up: LookUp = find_candidates,
) -> Comparison:
    """Compares `asked` with every stored text that may share something with it.

    `learning`: the verdicts on repeated runs met on the way are kept; without it they serve once, nothing is written.
    `not_owner`: texts that only this owner publishes are passed over. `also`: texts to judge whatever they share.
    `beside`: texts that the caller holds; they are judged like those of the store. `look_up` names the candidates.
    """
    others = OtherOwners(session, facts, not_owner=not_owner, per_text=PAGES_PER_TEXT)
    with indexes_forced(session, alone=True):
        found = look_up(session, asked, self_id=self_id)
        runs, verdicts = runs_around(session, asked.asked_seeds.hashes.tolist(), found.frequencies, site_ids=site_ids)
        if learning:
            keep_verdicts(session, verdicts)
        candidates = in_order(asked, found, self_id=self_id, also=also)
        if any(run.proves_nothing and run.site_id is not None for run in runs):  # where the candidates stand matters
            others.look_up(candidate.text_id for candidate in candidates)
        asking = Asking(asked, facts, boilerplate_grams(runs, others.sites() | set(site_ids)))
        siblings = Siblings(session, asking, candidates, others, self_id=self_id)
        aligned, compared = follow(session, asking, candidates, others, siblings)
    compared += [kin for item in beside if (kin := compare(asking, item.candidate, item.stored, [item.page]))]
    if others.former:
        compared = [item for item in compared if not is_outdated(item, compared, others.former)]
    entries = entries_of_index([item.judgement.passages for item in compared])
    listed = frozenset(compared[number].stored.id for number in entries)
    if look_back:
        listed |= _indexes(session, [item for item in compared if item.stored.id not in listed], look_up)
    compared = [item for item in compared if item.stored.id not in listed]
    compared.sort(key=lambda item: (-item.judgement.score, item.stored.id))
    left_out = frozenset(item.text_id for item in candidates if others.may_publish(item.text_id)) - aligned
    return Comparison(
        found=_with_mosaic(compared, len(text)),
        aligned=aligned | {item.stored.id for item in beside},
        listed=listed,
        left_out=left_out,
        cut=found.cut + len(left_out),
        looked_up=found,
        verdicts=tuple(verdicts),
        set_aside=siblings.set_aside,
        told_by=frozenset(siblings.told_by),
    )


def _indexes(session: "Session", kin: Sequence[Compared], look_up: LookUp) -> frozenset[int]:
    """Those that have no more than first lines of the text asked about, as they have of many others."""
    suspects = [
        item
        for item in kin
        if item.judgement.right_share < COPY_SHARE and is_entry([one.swapped() for one in item.judgement.passages])
    ]
    return frozenset(item.stored.id for item in suspects[:LOOKED_BACK] if _is_index(session, item, look_up))


def _is_index(session: "Session", item: Compared, look_up: LookUp) -> bool:
    page, text = item.pages[0], item.stored.body
    comparison = compare_with_store(
        session, analyse(text), facts_of_page(page, text), text,
        self_id=item.stored.id, not_owner=page.owner_key, learning=False, look_back=False,
        look_up=look_up,
    )  # fmt: skip
    return bool(comparison.listed)


def _with_mosaic(compared: list[Compared], length: int) -> list[Compared]:
    copied = [item for item in compared if not item.direction.left_is_source]
    sources = [item.judgement.passages for item in copied]
    mosaic = {copied[number].stored.id for number in parts_of_mosaic(sources, length)}
    own = {item.stored.id: share for item, share in zip(copied, own_shares(sources, length), strict=True)}
    return [
        replace(
            item,
            kind=MatchKind.MOSAIC if item.stored.id in mosaic else item.kind,
            own_share=own.get(item.stored.id, 0.0),
        )
        for item in compared
    ]
