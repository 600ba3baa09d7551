"""The steps from two texts to a match, each with its numbers. Steps about pages: `page_steps`. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, TypeAlias

from fingerprint.compute import Analysis
from fingerprint.model import BAND_COUNT
from fingerprint.simhash import MIN_FEATURES, distance
from matcher.explanation.sentences import Sentence, StepKind, gate_name
from matcher.retrieval.candidates import SIMHASH_DISTANCE

if TYPE_CHECKING:
    from matcher.judgement.judge import Judgement

Figure: TypeAlias = int | float | str | None

SHOWN_DIGITS: Final = 4
"""Decimal places of a share or a weight."""


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a comparison. `passed` None: it decides nothing and explains the others."""

    kind: StepKind
    passed: bool | None
    sentence: Sentence
    said: str
    """The sentence in English, with its numbers."""
    figures: Mapping[str, Figure]

    @classmethod
    def of(
        cls,
        kind: StepKind,
        passed: bool | None,  # three answers, and always given
        sentence: Sentence,
        figures: Mapping[str, Figure],
        **more: Figure,
    ) -> "Step":
        """Make a step. `more`: further or more exact values for the English sentence."""
        return cls(kind, passed, sentence, sentence.english.format(**{**figures, **more}), figures)


@dataclass(frozen=True, slots=True)
class SharedKeys:
    """What two fingerprints have in common, by which a look-up of the left one may find the right one."""

    simhash_distance: int | None
    bands: int | None
    seeds: int
    slices: int

    @property
    def is_enough(self) -> bool:
        """Whether a look-up would find the right text, bounds aside."""
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
    """Say whether a look-up of the first text would find the second, for two texts outside the store."""
    bits = keys.simhash_distance
    near = f"simhash {bits} bits apart (up to {SIMHASH_DISTANCE} are found), {keys.bands} of {BAND_COUNT} bands equal"
    if bits is None:
        near = f"no simhash of one or both (fewer than {MIN_FEATURES} different words)"
    figures = {
        "shared_seeds": keys.seeds,
        "shared_slices": keys.slices,
        "shared_bands": keys.bands,
        "simhash_distance": bits,
        "farthest_simhash": SIMHASH_DISTANCE,
    }
    return Step.of(StepKind.LOOK_UP, keys.is_enough, Sentence.KEYS, figures, near=near)


def boilerplate_step(judgement: "Judgement", *, at_edges: bool = False, set_aside: Sequence[int] = ()) -> Step:
    """Say which of the shared units were removed from the proof. Decides nothing by itself: the gates do.

    `at_edges`: whether some of it is not learned but repeated at the same edge of other pages of one of the hosts.
    `set_aside`: numbers of the texts in it that people have set aside.
    """
    taken = judgement.boilerplate_units
    edges = "; other pages of one of the two hosts, unrelated otherwise, have some of it at the same edge"
    figures: dict[str, Figure] = {
        "boilerplate_units": taken,
        "matched_units": judgement.matched_units,
        "at_edges": at_edges,
    }
    by_people = ""
    if taken and set_aside:
        figures["set_aside"] = ", ".join(f"#{number}" for number in set_aside)
        by_people = f"; people have set some of it aside ({figures['set_aside']})"
    return Step.of(
        StepKind.BOILERPLATE,
        None,
        Sentence.SOME_BOILERPLATE if taken else Sentence.NO_BOILERPLATE,
        figures,
        edges=(edges if at_edges else "") + by_people,
    )


def alignment_step(judgement: "Judgement", left: Analysis, right: Analysis) -> Step:
    """Say what the alignment found, gates aside."""
    exact = {"proof": judgement.proof, "a_share": judgement.left_share, "b_share": judgement.right_share}
    figures: dict[str, Figure] = {
        "a_units": len(left.initials),
        "b_units": len(right.initials),
        "matched_units": judgement.matched_units,
        "proof": round(judgement.proof, 2),
        "passages": len(judgement.passages),
        "longest": judgement.longest,
        "a_share": round(judgement.left_share, SHOWN_DIGITS),
        "b_share": round(judgement.right_share, SHOWN_DIGITS),
    }
    is_any = judgement.matched_units > 0
    sentence = Sentence.UNITS_MATCHED if is_any else Sentence.NOTHING_MATCHED
    return Step.of(StepKind.ALIGNMENT, is_any, sentence, figures, **exact)


def gates_step(judgement: "Judgement") -> Step:
    """Say which gates passed; one is enough. The list of gates has the numbers of each."""
    passed = [gate_name(gate) for gate in judgement.gates if gate.passed]
    figures = {"passed": len(passed), "gates": len(judgement.gates)}
    sentence = Sentence.GATES_PASSED if passed else Sentence.NO_GATE_PASSED
    return Step.of(StepKind.GATES, judgement.is_match, sentence, figures, names="; ".join(passed))


def reasons_of(steps: Sequence[Step]) -> tuple[str, ...]:
    """Return the reasons against a match. One successful look-up is enough, whichever page is compared last."""
    is_found = any(step.passed for step in steps if step.kind is StepKind.LOOK_UP)
    against = (step for step in steps if step.passed is False)
    return tuple(step.said for step in against if not (is_found and step.kind is StepKind.LOOK_UP))
