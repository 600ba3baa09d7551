"""The way of two texts to a match, step by step, each with its numbers. What concerns their pages: `page_steps`."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, TypeAlias

from fingerprint.compute import Analysis
from fingerprint.model import BAND_COUNT
from fingerprint.simhash import MIN_FEATURES, distance
from matcher.retrieval.candidates import SIMHASH_DISTANCE

if TYPE_CHECKING:
    from matcher.judgement.judge import Judgement

Figure: TypeAlias = int | float | str | None

SHOWN_DIGITS: Final = 4
"""Decimal places of a share or a weight."""


@dataclass(frozen=True, slots=True)
class Step:
    """`passed` None: it decides nothing, it is told because it explains the rest."""

    name: str
    passed: bool | None
    said: str
    figures: Mapping[str, Figure] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class SharedKeys:
    """What two fingerprints have in common by which a look-up of the left one could find the right one."""

    simhash_distance: int | None
    bands: int | None
    seeds: int
    slices: int

    @property
    def is_enough(self) -> bool:
        """Whether a look-up would name the right text, bounds aside."""
        near = self.simhash_distance is not None and self.simhash_distance <= SIMHASH_DISTANCE
        return near or self.seeds > 0 or self.slices > 0


def shared_keys(left: Analysis, right: Analysis) -> SharedKeys:
    one, other = left.fingerprint, right.fingerprint
    is_known = one.simhash is not None and other.simhash is not None
    return SharedKeys(
        simhash_distance=distance(one.simhash or 0, other.simhash or 0) if is_known else None,
        bands=sum(a == b for a, b in zip(one.bands or (), other.bands or (), strict=False)) if is_known else None,
        seeds=len(set(left.asked_seeds.hashes.tolist()) & set(other.seeds)),
        slices=len(set(left.slice_keys.tolist()) & set(other.slices)),
    )


def keys_step(keys: SharedKeys) -> Step:
    """Of two texts of which nothing else is known: would a look-up of the first find the second?"""
    said = f"{keys.seeds} shared seeds, {keys.slices} shared slices, {_simhash_said(keys.simhash_distance, keys.bands)}"
    figures: dict[str, Figure] = {
        "shared_seeds": keys.seeds,
        "shared_slices": keys.slices,
        "shared_bands": keys.bands,
        "simhash_distance": keys.simhash_distance,
        "farthest_simhash": SIMHASH_DISTANCE,
    }
    return Step("look-up", keys.is_enough, f"{said}; one of the three is needed", figures)


def _simhash_said(bits: int | None, bands: int | None) -> str:
    if bits is None:
        return f"no simhash of one or both (fewer than {MIN_FEATURES} different words)"
    return f"simhash {bits} bits apart (up to {SIMHASH_DISTANCE} are found), {bands} of {BAND_COUNT} bands equal"


def boilerplate_step(judgement: "Judgement", *, at_edges: bool = False) -> Step:
    """What of the shared units was taken out of the proof. Decides nothing by itself: the gates do.

    `at_edges`: whether some of it is not learned, but stands at the same edge of other pages of one of the two hosts.
    """
    taken, matched = judgement.boilerplate_units, judgement.matched_units
    said = f"{taken} of the {matched} units they share are boilerplate, which proves nothing" if taken else "none"
    if at_edges:
        said += "; other pages of one of the two hosts, unrelated otherwise, have some of it at the same edge"
    return Step("boilerplate", None, said, {"boilerplate_units": taken, "matched_units": matched, "at_edges": at_edges})


def alignment_step(judgement: "Judgement", left: Analysis, right: Analysis) -> Step:
    """What the alignment found, gates aside."""
    units = (len(left.initials), len(right.initials))
    figures: dict[str, Figure] = {
        "a_units": units[0],
        "b_units": units[1],
        "matched_units": judgement.matched_units,
        "proof": round(judgement.proof, 2),
        "passages": len(judgement.passages),
        "longest": judgement.longest,
        "a_share": round(judgement.left_share, SHOWN_DIGITS),
        "b_share": round(judgement.right_share, SHOWN_DIGITS),
    }
    said = (
        f"{judgement.matched_units} of {units[0]} and {units[1]} units matched, {judgement.proof:.1f} units of proof; "
        f"{judgement.left_share:.1%} of the first, {judgement.right_share:.1%} of the second"
    )
    return Step("alignment", judgement.matched_units > 0, said, figures)


def gates_step(judgement: "Judgement") -> Step:
    """One gate is enough; each stands in the list of gates with its numbers."""
    passed = [gate.name for gate in judgement.gates if gate.passed]
    figures: dict[str, Figure] = {"passed": len(passed), "gates": len(judgement.gates)}
    said = (
        f"passed: {'; '.join(passed)}"
        if passed
        else f"they share too little: none of the {len(judgement.gates)} gates is passed, and one is needed"
    )
    return Step("gates", judgement.is_match, said, figures)


def reasons_of(steps: Sequence[Step]) -> list[str]:
    """What stands against a match. Of the look-ups one is enough, whichever page is compared last."""
    look_ups = [step for step in steps if step.name == "look-up"]
    is_found = any(step.passed for step in look_ups)
    return [step.said for step in steps if step.passed is False and not (is_found and step.name == "look-up")]
