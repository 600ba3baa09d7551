"""The steps about two stored pages: owners, look-ups, stored matches, direction, rights. Pure."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from matcher.cases.rights import rights_of_page
from matcher.explanation.sentences import Sentence, StepKind
from matcher.explanation.text_steps import SHOWN_DIGITS, Figure, Step
from matcher.retrieval.candidates import ALIGNED, LOOKED_UP
from matcher.retrieval.pruning import FOLLOWED
from storage.types import Credit, Relation, Standing

if TYPE_CHECKING:
    from matcher.cases.permissions import Permission
    from matcher.comparison.page_pairs import PagePair
    from matcher.provenance.credit import CreditFound
    from matcher.provenance.page_facts import PageFacts
    from matcher.provenance.third_source import RelationFound
    from matcher.retrieval.candidates import Candidate
    from storage.records.pages import PageRecord

REASONS_SHOWN: Final = 3


@dataclass(frozen=True, slots=True)
class Retrieval:
    """The position of the other text among the candidates of the query text.

    `rank` counts all candidates from 1; `place` only those of other owners, which are aligned. None: not among them.
    `cut`: number of candidates that a bound left out before the ranking.
    """

    asked: str
    candidate: "Candidate | None"
    rank: int | None
    place: int | None
    candidates: int
    cut: int
    was_aligned: bool
    is_listed: bool
    """Whether one of the two is an index that lists the other: first lines of many articles, one below the other."""


def look_up_step(found: Retrieval, *, other: str, is_same_text: bool) -> Step:
    """Say whether a look-up of one page finds the other, early enough to be aligned."""
    candidate = found.candidate
    shared_seeds, shared_slices = (candidate.shared_seeds, candidate.shared_slices) if candidate else (0, 0)
    bits, weight = (candidate.simhash_distance, candidate.weight) if candidate else (None, 0.0)
    figures: dict[str, Figure] = {
        "asked": found.asked,
        "rank": found.rank,
        "place": found.place,
        "candidates": found.candidates,
        "aligned": ALIGNED,
        "cut": found.cut,
        "bound_of_a_source": LOOKED_UP,
        "shared_seeds": shared_seeds,
        "shared_slices": shared_slices,
        "simhash_distance": bits,
        "weight": round(weight, SHOWN_DIGITS),
        "is_same_text": is_same_text,
        "was_aligned": found.was_aligned,
        "is_listed": found.is_listed,
    }
    is_met = is_same_text or (found.was_aligned and not found.is_listed)
    near = "" if bits is None else f", simhash {bits} bits apart"
    left_out = f"; a bound left {found.cut} out unseen" if found.cut else ""
    return Step.of(
        StepKind.LOOK_UP,
        is_met,
        _look_up_sentence(found, is_same_text=is_same_text),
        figures,
        other=other,
        number=found.place or found.rank,
        followed=FOLLOWED,
        left_out=left_out,
        shared=f"{shared_seeds} shared seeds, {shared_slices} shared slices{near}, weight {weight:.2f}{left_out}",
    )


def _look_up_sentence(found: Retrieval, *, is_same_text: bool) -> Sentence:
    if is_same_text:
        return Sentence.SAME_TEXT
    if found.candidate is None:
        return Sentence.NO_CANDIDATE
    if found.place is None:
        return Sentence.OWN_CANDIDATE
    if found.is_listed:
        return Sentence.LISTED
    return Sentence.ALIGNED if found.was_aligned else Sentence.NOT_ALIGNED


def pages_step(left: "PageRecord", right: "PageRecord") -> Step:
    """Say whether the pages may match: versions of one page, and pages of one owner, never do."""
    sentence = Sentence.OTHER_OWNER
    if left.id == right.id:
        sentence = Sentence.SAME_PAGE
    elif left.owner_key == right.owner_key:
        sentence = Sentence.SAME_OWNER
    return Step.of(
        StepKind.OWNER,
        sentence is Sentence.OTHER_OWNER,
        sentence,
        {"a_owner": left.owner_key, "b_owner": right.owner_key, "is_same_page": left.id == right.id},
        a_named=_named(left),
        b_named=_named(right),
    )


def _named(page: "PageRecord") -> str:
    return f"{page.owner_key} ({page.site_name})" if page.site_name else page.owner_key


def kept_step(*, is_stored: bool, is_match: bool, waiting: int, nearest: int) -> Step:
    """Say whether a match of the pair is stored, and why not if it would be one."""
    figures = {"waiting": waiting, "nearest": nearest, "is_stored": is_stored, "is_match": is_match}
    if is_stored:
        return Step.of(StepKind.STORED, True, Sentence.MATCH_STORED, figures)
    sentence = Sentence.NO_MATCH_STORED
    if waiting:
        sentence = Sentence.MAY_BE_WAITING
    elif is_match:
        sentence = Sentence.NOT_NEAREST
    return Step.of(StepKind.STORED, None, sentence, figures)


def direction_step(pair: "PagePair") -> Step:
    """Say which page had the text first. Only for texts that match."""
    direction = pair.direction
    return Step.of(
        StepKind.DIRECTION,
        None,
        Sentence.FIRST_IS_SOURCE if direction.left_is_source else Sentence.SECOND_IS_SOURCE,
        {"source": pair.source.url, "confidence": round(direction.confidence, SHOWN_DIGITS)},
        confidence=direction.confidence,
        reasons="; ".join(direction.reasons[:REASONS_SHOWN]) or "nothing is known that tells",
    )


def relation_step(relation: "RelationFound") -> Step:
    """Say whether a third page explains what both share. This decides about cases, never about matches."""
    reasons = "; ".join(relation.reasons)
    figures: dict[str, Figure] = {"relation": relation.relation, "third": relation.third_url}
    if relation.relation is Relation.COPY:
        return Step.of(StepKind.RELATION, None, Sentence.NO_THIRD, figures, reasons=f": {reasons}" if reasons else "")
    sentence = Sentence.FROM_ELSEWHERE if relation.third is None else Sentence.FROM_THIRD
    return Step.of(StepKind.RELATION, None, sentence, figures, reasons=reasons)


def credit_step(credit: "CreditFound") -> Step:
    """Say whether the copy names its source."""
    sentence = Sentence.NO_CREDIT if credit.credit is Credit.NONE else Sentence.CREDIT
    return Step.of(StepKind.CREDIT, None, sentence, {"credit": credit.credit, "evidence": credit.evidence})


def licence_step(permission: "Permission") -> Step:
    """Say what the licences permit. This decides about cases, never about matches."""
    sentence = {
        Standing.UNLICENSED: Sentence.UNLICENSED,
        Standing.LICENSED: Sentence.LICENSED,
        Standing.BREACH: Sentence.LICENCE_BROKEN,
    }[permission.standing]
    figures: dict[str, Figure] = {
        "standing": permission.standing,
        "licence": permission.licence_id,
        "broken": ", ".join(permission.broken),
    }
    return Step.of(StepKind.LICENCE, None, sentence, figures)


def rights_step(left: "PageFacts", right: "PageFacts") -> Step:
    """Say whose texts they are, as far as known. This decides about cases, never about matches."""
    figures = {"a_rights": rights_of_page(left), "b_rights": rights_of_page(right)}
    return Step.of(StepKind.RIGHTS, None, Sentence.RIGHTS, figures)
