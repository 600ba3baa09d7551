"""Decides what a comparison means for cases, pair by pair, and stores it in the transaction of the matches."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from matcher.alignment.align import Mask
from matcher.cases.case_rule import Because, CaseDecision, CaseRule, would_open_case
from matcher.cases.permissions import permission_for
from matcher.cases.rights import is_wire_story, may_be_wire_story, rights_of_page
from matcher.cases.shared_passage import shares_a_passage_only
from matcher.comparison.compare_pair import Compared
from matcher.comparison.store_reader import StoreReader
from matcher.judgement.overlap import Overlap, overlap_of, passage_mask
from matcher.provenance.page_facts import PageFacts, facts_of_page
from matcher.provenance.third_source import COPY, RelationFound
from storage.cases import findings as case_findings
from storage.cases import licences, page_pairs
from storage.fingerprints.candidates import NO_TEXT
from storage.matches import story_pages
from storage.pages import backlog_entry
from storage.records.cases import CaseFinding, LicenceRecord
from storage.records.matches import Passage
from storage.records.pages import PageRecord
from storage.types import CaseKind, CaseQueue, Credit, Rights, SiteRole, Standing

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

CASE_PAGES: Final = 200
"""Pages of one text that are read for cases: each copying owner has one."""
WIRE_COVER: Final = 0.8
"""Share of what two pages have in common from which an agency's page that has it too makes it the agency's story."""
NOT_FOUND: Final = "not found again"


@dataclass(frozen=True, slots=True)
class JudgedPair:
    """The query page (left) and a matching page, with the decision about a case."""

    found: Compared
    page: PageRecord
    credit: Credit
    decision: CaseDecision
    overlap: Overlap
    relation: RelationFound = COPY


def decide(
    facts: PageFacts,
    found: Sequence[Compared],
    pages_of: Mapping[int, Sequence[PageRecord]],
    *,
    rule: CaseRule,
    granted: Sequence[LicenceRecord] = (),
    witnesses: Mapping[int, Sequence[PageFacts]] | None = None,
) -> Iterator[JudgedPair]:
    """Judge each pair of the query page and a matching page of which one is ours. Pure.

    `pages_of`: the pages of each matching text. `witnesses`: pages of the same story that name an agency, by text.
    """
    witnessed = witnesses or {}
    shared = [passage_mask(item.judgement.passages, len(facts.text)) for item in found]
    for number, item in enumerate(found):
        if item.stored.id not in pages_of:
            continue
        covering = (other for other, mask in zip(found, shared, strict=True) if _covers(mask, shared[number]))
        near = [other.pairs.of(page).right for other in covering for page in other.pages]
        near += [facts, *witnessed.get(item.stored.id, ()), *witnessed.get(NO_TEXT, ())]
        for page in pages_of[item.stored.id]:
            pair = item.pairs.of(page)
            credit = pair.credit.credit
            ours = pair.source if pair.source.role is SiteRole.ORIGINAL else pair.copy
            overlap, passages = _overlap(item, len(ours.text), is_asked_ours=ours is pair.left)
            relation = item.relation_with(page)
            decision = would_open_case(
                pair.left,
                pair.right,
                pair.direction,
                overlap,
                permission=permission_for(pair.copy, pair.source, credit, granted),
                is_wire=is_wire_story(ours, [*near, pair.right]),
                from_third=relation.third is not None,
                rule=rule,
            )
            if decision.ours is not None:
                decision = _doubted(decision, near, passages)
                yield JudgedPair(item, page, credit, decision, overlap, relation)


def _doubted(decision: CaseDecision, others: Sequence[PageFacts], passages: Sequence[Passage]) -> CaseDecision:
    """Return the decision with the list in which a person should look at it first, if there is one. `passages`: ours on
    the left side.
    """
    if not decision.opens or not (decision.ours and decision.theirs):
        return decision
    if shares_a_passage_only(decision.ours, decision.theirs, passages):
        return replace(decision, queue=CaseQueue.SHARED_PASSAGE)
    is_copied = decision.queue is CaseQueue.COPIED
    is_doubtful = is_copied and may_be_wire_story(decision.ours, decision.theirs, others)
    return replace(decision, queue=CaseQueue.AGENCY) if is_doubtful else decision


def _overlap(found: Compared, length: int, *, is_asked_ours: bool) -> tuple[Overlap, Sequence[Passage]]:
    """Return the overlap, and the passages with ours on the left side. `length`: characters of ours, which is the query
    text or the matching one.
    """
    judgement = found.judgement
    passages = judgement.passages if is_asked_ours else [item.swapped() for item in judgement.passages]
    their_share = judgement.right_share if is_asked_ours else judgement.left_share
    return overlap_of(passages, length, their_share=their_share), passages


def keep_cases(
    session: "Session",
    page: PageRecord,
    body: str,
    found: Sequence[Compared],
    pages_of: Mapping[int, Sequence[PageRecord]],
    *,
    known: Mapping[tuple[int, int], int],
    left_out: Iterable[int],
    rule: CaseRule,
) -> set[int]:
    """Open, extend and withdraw cases by the matches of `page`. Repeating it changes nothing.

    `pages_of`: see `pages_for_cases`. `known`: the pairs of pages in cases with this text of `page`, each with the
    other text. `left_out`: texts that were not judged. Returns the pages whose cases may have changed.
    """
    if not known and not pages_of:
        return set()
    facts = facts_of_page(page, body)
    judged = decide(
        facts,
        found,
        pages_of,
        rule=rule,
        granted=licences.list_licences(session),
        witnesses=_witnesses(session, page, pages_of),
    )
    findings: dict[tuple[int, int], CaseFinding] = {}
    reasons: dict[tuple[int, int], str] = {}
    for pair in judged:
        finding = _finding(page, pair)
        key = (finding.our_page_id, finding.their_page_id)
        reasons[key] = pair.decision.because.value
        is_licensed = pair.decision.permission.standing is Standing.LICENSED
        is_kept = pair.decision.opens or is_licensed or pair.decision.because is Because.BOTH_FROM_THIRD
        if is_kept and (key not in findings or findings[key].chars < finding.chars):
            findings[key] = finding
    unknown = set(left_out)
    for (ours, theirs), other_text in known.items():
        if (ours, theirs) not in findings and other_text not in unknown:
            case_findings.take_back(session, ours, theirs, why=reasons.get((ours, theirs), NOT_FOUND))
    case_findings.keep_findings(session, findings.values())
    _requeue_cases(session, facts, pages_of)
    return {page_id for pair in (*findings, *known) for page_id in pair}


def pages_for_cases(
    reader: StoreReader, page: PageRecord, found: Sequence[Compared]
) -> dict[int, Sequence[PageRecord]]:
    """Return by matching text the pages that may be in a case with `page`: all others' if it is ours, else ours."""
    texts = [item.stored.id for item in found]
    if not texts:
        return {}
    originals = reader.originals({*texts, page.text_id})
    if page.role is not SiteRole.ORIGINAL:
        # Ours may be among the pages that once held the text.
        return {item.stored.id: ours for item in found if (ours := _ours(item, originals, page))}
    own = originals.get(page.text_id, ())
    if own and all(other.id != page.id for other in own if other.owner_key == page.owner_key):
        return {}  # another page of the same owner has held the text longer, and has the cases of the text
    held_by = reader.present_pages(texts, per_text=CASE_PAGES)
    return {text: others for text, held in held_by.items() if (others := _others(held, page))}


def _ours(item: Compared, originals: Mapping[int, Sequence[PageRecord]], page: PageRecord) -> list[PageRecord]:
    former = [other for other in item.pages if other.role is SiteRole.ORIGINAL]
    longest = originals.get(item.stored.id) or former[:1]
    return _others(longest, page)


def _others(held: Sequence[PageRecord], page: PageRecord) -> list[PageRecord]:
    return [other for other in held if other.owner_key != page.owner_key]


def _witnesses(
    session: "Session", page: PageRecord, pages_of: Mapping[int, Sequence[PageRecord]]
) -> dict[int, list[PageFacts]]:
    """Return pages of the stories of ours that name an agency; under NO_TEXT if ours is the query page."""
    is_ours = page.role is SiteRole.ORIGINAL
    told = story_pages.agency_pages_of_stories(session, [page.text_id] if is_ours else pages_of)
    return {NO_TEXT if is_ours else text: list(map(facts_of_page, others)) for text, others in told.items()}


def _covers(given: Mask, wanted: Mask) -> bool:
    """Return whether `given` covers nearly all of `wanted`: passages that two texts share with the query text."""
    return bool(wanted.any()) and float((wanted & given).sum()) >= WIRE_COVER * float(wanted.sum())


def _finding(page: PageRecord, pair: JudgedPair) -> CaseFinding:
    decision, overlap = pair.decision, pair.overlap
    assert decision.ours is not None  # noqa: S101  # pairs without a page of ours are not judged
    is_asked_ours = decision.ours.url == page.url
    ours, theirs = (page, pair.page) if is_asked_ours else (pair.page, page)
    return CaseFinding(
        queue=decision.queue,
        our_page_id=ours.id,
        our_text_id=ours.text_id,
        their_page_id=theirs.id,
        their_text_id=theirs.text_id,
        other_key=theirs.owner_key,
        other_owner_id=theirs.owner_id,
        other_host=theirs.host,
        other_account=theirs.account,
        kind=CaseKind(pair.found.kind),
        chars=overlap.chars,
        our_share=overlap.our_share,
        their_share=overlap.their_share,
        credit=pair.credit,
        standing=decision.permission.standing,
        broken_terms=decision.permission.broken,
        licence_id=decision.permission.licence_id,
        third_page_id=pair.relation.third_page_id,
    )


def _requeue_cases(session: "Session", facts: PageFacts, pages_of: Mapping[int, Sequence[PageRecord]]) -> None:
    """Queue cases again: an agency's page that appears late may show that a story in a case is not ours."""
    if facts.role is SiteRole.ORIGINAL or rights_of_page(facts) is not Rights.AGENCY:
        return
    ours = {page.id: page.version_id for held in pages_of.values() for page in held}
    backlog_entry.enqueue(session, [ours[page_id] for page_id in page_pairs.pages_with_undecided_cases(session, ours)])
