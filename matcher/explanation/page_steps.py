"""The way of two stored pages to a match: owners, look-ups, what is stored, who was first, whose text it is. Pure."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from matcher.cases.rights import rights_of_page
from matcher.explanation.text_steps import SHOWN_DIGITS, Figure, Step
from matcher.retrieval.candidates import ALIGNED, LOOKED_UP
from matcher.retrieval.pruning import FOLLOWED
from storage.types import Credit, Standing

if TYPE_CHECKING:
    from matcher.cases.permissions import Permission
    from matcher.provenance.credit import CreditFound
    from matcher.provenance.direction import Direction
    from matcher.provenance.page_facts import PageFacts
    from matcher.retrieval.candidates import Candidate
    from storage.records.pages import PageRecord

REASONS_SHOWN: Final = 3


@dataclass(frozen=True, slots=True)
class LookUp:
    """Where the other text stood among the candidates of the one asked about.

    `rank` counts all candidates from 1; `place` only those of other owners, which are the ones to be aligned.
    None: it is not among them. `cut`: how many candidates a bound left out before they were ranked.
    """

    asked: str
    candidate: "Candidate | None"
    rank: int | None
    place: int | None
    candidates: int
    cut: int
    was_aligned: bool
    """Whether its turn came: so many are aligned, and of texts that share a key only ten if none of them is kin."""
    is_listed: bool
    """Whether one of the two is an index that lists the other: first lines of many articles, one below the other."""


def look_up_step(found: LookUp, *, other: str, is_same_text: bool) -> Step:
    """Whether asking for the one page names the other, and early enough to be aligned."""
    candidate = found.candidate
    figures: dict[str, Figure] = {
        "asked": found.asked,
        "rank": found.rank,
        "place": found.place,
        "candidates": found.candidates,
        "aligned": ALIGNED,
        "cut": found.cut,
        "bound_of_a_source": LOOKED_UP,
        "shared_seeds": candidate.shared_seeds if candidate else 0,
        "shared_slices": candidate.shared_slices if candidate else 0,
        "simhash_distance": candidate.simhash_distance if candidate else None,
        "weight": round(candidate.weight, SHOWN_DIGITS) if candidate else 0.0,
        "is_same_text": is_same_text,
        "was_aligned": found.was_aligned,
        "is_listed": found.is_listed,
    }
    is_met = is_same_text or (found.was_aligned and not found.is_listed)
    return Step("look-up", is_met, _look_up_said(found, other, is_same_text), figures)


def _look_up_said(found: LookUp, other: str, is_same_text: bool) -> str:
    if is_same_text:
        return f"asked for {found.asked}: the same text stands on both pages, and is always compared"
    left_out = f"; a bound left {found.cut} out unseen" if found.cut else ""
    candidate = found.candidate
    if candidate is None:
        return f"asked for {found.asked}: {other} is none of {found.candidates} candidates{left_out}"
    if found.place is None:
        place = "an owner's own pages are passed over"
    elif found.is_listed:
        place = "and one of the two lists the first lines of many articles: an index copies none of them"
    elif found.was_aligned:
        place = "and was aligned"
    else:
        place = f"and was not aligned: at most {ALIGNED} are, and for a place without kin in {FOLLOWED} texts no more"
    near = "" if candidate.simhash_distance is None else f", simhash {candidate.simhash_distance} bits apart"
    return (
        f"asked for {found.asked}: number {found.place or found.rank} of {found.candidates}, {place}; "
        f"{candidate.shared_seeds} shared seeds, {candidate.shared_slices} shared slices{near}, "
        f"weight {candidate.weight:.2f}{left_out}"
    )


def pages_step(left: "PageRecord", right: "PageRecord") -> Step:
    """Versions of one page, and pages of one owner, never accuse each other."""
    figures: dict[str, Figure] = {
        "a_owner": left.owner_key,
        "b_owner": right.owner_key,
        "is_same_page": left.id == right.id,
    }
    if left.id == right.id:
        return Step("owner", False, "they are the same page: its versions are never compared with each other", figures)
    if left.owner_key == right.owner_key:
        said = f"both pages belong to {_who(left)}, and an owner's pages never accuse each other"
        return Step("owner", False, said, figures)
    return Step("owner", True, f"{_who(left)} and {_who(right)}: different owners", figures)


def _who(page: "PageRecord") -> str:
    return f"{page.owner_key} ({page.site_name})" if page.site_name else page.owner_key


def kept_step(*, is_stored: bool, is_match: bool, waiting: int, nearest: int) -> Step:
    """Whether a match of the pair is in the store, and why not where it would be one."""
    figures: dict[str, Figure] = {"waiting": waiting, "nearest": nearest, "is_stored": is_stored, "is_match": is_match}
    if is_stored:
        return Step("stored", True, "a match of the two texts is stored", figures)
    if waiting:
        said = f"no match is stored; {waiting} pages wait to be compared, these two may be among them: zhiwen match"
        return Step("stored", None, said, figures)
    if is_match:
        said = f"no match is stored: of one story a text keeps its origin and its {nearest} nearest copies only"
        return Step("stored", None, said, figures)
    return Step("stored", None, "no match is stored", figures)


def direction_step(left: str, right: str, direction: "Direction") -> Step:
    """Who had the text first. Of two texts that are no match it is not asked."""
    source = left if direction.left_is_source else right
    figures: dict[str, Figure] = {"source": source, "confidence": round(direction.confidence, SHOWN_DIGITS)}
    reasons = "; ".join(direction.reasons[:REASONS_SHOWN]) or "nothing is known that tells"
    return Step("direction", None, f"{source} had it first, {direction.confidence:.0%} sure: {reasons}", figures)


def credit_step(credit: "CreditFound") -> Step:
    """Whether the copy says where it is from."""
    said = (
        "the copy does not say where it is from"
        if credit.credit is Credit.NONE
        else f"{credit.credit}: {credit.evidence}"
    )
    return Step("credit", None, said, {"credit": credit.credit, "evidence": credit.evidence})


def rights_step(left: "PageFacts", right: "PageFacts") -> Step:
    """Whose texts they are, as far as known. It decides about cases, never about matches."""
    rights = rights_of_page(left), rights_of_page(right)
    figures: dict[str, Figure] = {"a_rights": rights[0], "b_rights": rights[1]}
    return Step("rights", None, f"the first: {rights[0]}; the second: {rights[1]}", figures)


def licence_step(permission: "Permission") -> Step:
    """What the licences say of the copy. It decides about cases, never about matches."""
    broken = ", ".join(permission.broken)
    said = {
        Standing.UNLICENSED: "no licence is about this copy",
        Standing.LICENSED: f"licence {permission.licence_id} lets the copy stand",
        Standing.BREACH: f"licence {permission.licence_id} is broken: {broken}",
    }
    figures: dict[str, Figure] = {"standing": permission.standing, "licence": permission.licence_id, "broken": broken}
    return Step("licence", None, said[permission.standing], figures)
