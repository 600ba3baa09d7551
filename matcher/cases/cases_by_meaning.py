"""Cases of retellings. A person opens one, or a setting lets the program do it from a score on.

Nothing but meaning proves such a page: it opens no letter and no alert about a new case.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from matcher.cases.case_rule import DEFAULT_RULE, Because, CaseDecision, CaseRule, would_open_case
from matcher.cases.permissions import permission_for
from matcher.cases.rights import is_wire_story
from matcher.judgement.overlap import Overlap
from matcher.provenance.credit import credit_given
from matcher.provenance.direction import Direction
from matcher.provenance.page_facts import facts_of_page
from storage.cases import findings, licences, listing
from storage.matches import story_pages
from storage.meaning import retelling_alerts, retelling_list
from storage.pages import pages
from storage.records.cases import Actor, CaseFinding
from storage.records.pages import PageRecord
from storage.records.retellings import RetellingRecord
from storage.types import BY_MEANING, CaseKind, CaseState, Credit, Relation, RetellingState, Standing

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

REOPENED: Final = "the retelling was taken back"
NO_CASE: Final = frozenset({Because.NOT_OURS, Because.SAME_OWNER, Because.LICENSED})
"""Why not even a person opens a case: there is nobody to hold it against."""


@dataclass(frozen=True, slots=True)
class _Judged:
    """The decision about a retelling as a case, with the credit that its copy gives and its overlap."""

    decision: CaseDecision
    ours: PageRecord
    theirs: PageRecord
    credit: Credit
    overlap: Overlap


def open_case_by_meaning(session: "Session", retelling: RetellingRecord, *, actor: Actor) -> int | Because:
    """Open a case of an open retelling, or extend the one of its two owners. Returns the id of the case; or why there
    is none: neither page is ours, both are of one owner, or a licence covers it.

    Raises ValueError if somebody decided about the retelling meanwhile.
    """
    judged = _judged(session, retelling, DEFAULT_RULE)
    if judged is None:
        return Because.NOT_OURS
    decision = judged.decision
    if decision.because in NO_CASE:
        return decision.because
    if decision.permission.standing is Standing.LICENSED:
        return Because.LICENSED
    (case_id,) = findings.keep_findings(session, [_finding(retelling, judged)], actor=actor)
    if not retelling_list.mark_case(session, retelling.id, case_id, actor=actor):
        message = f"Somebody else has decided about retelling {retelling.id} meanwhile. Reload it."
        raise ValueError(message)
    return case_id


def open_cases_by_score(
    session: "Session", retelling_ids: Iterable[int], *, least_score: float, rule: CaseRule = DEFAULT_RULE
) -> set[int]:
    """Open a case of each open retelling with this score or a higher one that the case rule admits, and of which
    nothing says that both pages have it from elsewhere. Returns the ids of the cases. Repeating it changes nothing.
    """
    opened = set()
    for retelling in retelling_list.retellings_by_id(session, sorted(set(retelling_ids))):
        is_open = retelling.state is RetellingState.OPEN and retelling.relation is Relation.COPY
        if not is_open or retelling.score < least_score:
            continue
        judged = _judged(session, retelling, rule)
        if judged is None or not judged.decision.opens:
            continue
        (case_id,) = findings.keep_findings(session, [_finding(retelling, judged)])
        if retelling_list.mark_case(session, retelling.id, case_id, actor=None):
            opened.add(case_id)
    return opened


def follow_up_retellings(
    session: "Session", text_id: int, *, least_score: float | None = None, rule: CaseRule = DEFAULT_RULE
) -> None:
    """Raise the alert events of the retellings of a text, which was just compared by meaning, and open cases from
    `least_score` on (None: only people open them). Repeating it changes nothing.
    """
    found = retelling_alerts.ids_of_text(session, text_id)
    retelling_alerts.raise_retelling_events(session, found)
    if least_score is not None:
        open_cases_by_score(session, found, least_score=least_score, rule=rule)


def take_case_back(session: "Session", retelling: RetellingRecord) -> bool:
    """Undo the case of a retelling: its page leaves the case, and a case without other pages is withdrawn. Returns
    False, and changes nothing, if a person has decided about the case, or the retelling has none any more.
    """
    case = None if retelling.case_id is None else listing.get_case(session, retelling.case_id)
    if case is None or case.state is not CaseState.NEW or case.touched:
        return False
    if not retelling_list.reopen_retelling(session, retelling.id, expected=RetellingState.CASE):
        return False
    theirs = ({retelling.copy.page_id, retelling.source.page_id} - {case.our_page_id}).pop()
    findings.take_back(session, case.our_page_id, theirs, why=REOPENED, kinds=BY_MEANING)
    return True


def _judged(session: "Session", retelling: RetellingRecord, rule: CaseRule) -> _Judged | None:
    """None if a page is gone, or neither is ours."""
    known = pages.pages_by_id(session, {retelling.copy.page_id, retelling.source.page_id})
    if len(known) < len({retelling.copy.page_id, retelling.source.page_id}):
        return None
    bodies = pages.text_bodies(session, {retelling.copy.text_id, retelling.source.text_id})
    copy, source = (
        facts_of_page(known[side.page_id], bodies.get(side.text_id, "")) for side in (retelling.copy, retelling.source)
    )
    credit = credit_given(copy, source).credit
    permission = permission_for(copy, source, credit, licences.list_licences(session))
    direction = Direction(left_is_source=False, confidence=retelling.confidence, reasons=())
    sides = would_open_case(copy, source, direction, Overlap(0, 0.0, 0.0), rule=rule)
    if sides.ours is None:
        return None
    is_ours_source = sides.ours is source
    ours, theirs = (retelling.source, retelling.copy) if is_ours_source else (retelling.copy, retelling.source)
    overlap = _overlap(retelling, is_ours_source=is_ours_source)
    told = story_pages.agency_pages_of_stories(session, [ours.text_id])
    witnesses = list(map(facts_of_page, told.get(ours.text_id, ())))
    decision = would_open_case(
        copy,
        source,
        direction,
        overlap,
        permission=permission,
        is_wire=is_wire_story(sides.ours, [*witnesses, copy if is_ours_source else source]),
        rule=rule,
    )
    return _Judged(decision, known[ours.page_id], known[theirs.page_id], credit, overlap)


def _overlap(retelling: RetellingRecord, *, is_ours_source: bool) -> Overlap:
    """The characters of our sentences that the other page says too."""
    sides = (retelling.source, retelling.copy) if is_ours_source else (retelling.copy, retelling.source)
    lengths = [
        one.right_end - one.right_start if is_ours_source else one.left_end - one.left_start
        for one in retelling.sentences
    ]
    chars = min(sum(lengths), sides[0].chars)
    return Overlap(chars, chars / sides[0].chars if sides[0].chars else 0.0, sides[1].share)


def _finding(retelling: RetellingRecord, judged: _Judged) -> CaseFinding:
    decision, theirs = judged.decision, judged.theirs
    is_ours_source = judged.ours.id == retelling.source.page_id
    ours, other = (retelling.source, retelling.copy) if is_ours_source else (retelling.copy, retelling.source)
    return CaseFinding(
        queue=decision.queue,
        our_page_id=ours.page_id,
        our_text_id=ours.text_id,
        their_page_id=other.page_id,
        their_text_id=other.text_id,
        other_key=theirs.owner_key,
        other_owner_id=theirs.owner_id,
        other_host=theirs.host,
        kind=CaseKind(retelling.kind.value),
        chars=judged.overlap.chars,
        our_share=judged.overlap.our_share,
        their_share=judged.overlap.their_share,
        credit=judged.credit,
        standing=decision.permission.standing,
        broken_terms=decision.permission.broken,
        licence_id=decision.permission.licence_id,
    )
