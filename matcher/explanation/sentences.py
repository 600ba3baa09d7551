"""The sentences of explanations: one table, in English for the command line and JSON, and as msgids for the desk."""

from collections.abc import Mapping
from enum import Enum, StrEnum
from typing import Final, NamedTuple

from matcher.judgement.gates import Gate, GateKind

N_: Final = str
"""Marks a text of the desk for translation."""


class StepKind(StrEnum):
    """The steps of a comparison, in order; the values are those of the JSON."""

    OWNER = "owner"
    LOOK_UP = "look-up"
    BOILERPLATE = "boilerplate"
    ALIGNMENT = "alignment"
    GATES = "gates"
    STORED = "stored"
    MEANING_LOOK_UP = "meaning-look-up"
    MEANING = "meaning"
    DIRECTION = "direction"
    RELATION = "relation"
    CREDIT = "credit"
    LICENCE = "licence"
    RIGHTS = "rights"


class Words(NamedTuple):
    """A sentence in English, for `str.format`, and as the desk's msgid, for `%`."""

    english: str
    desk: str


class Sentence(Words, Enum):
    """The result of a step."""

    SAME_PAGE = (
        "they are the same page: its versions are never compared with each other",
        N_("It is the same page: its versions are never compared with each other."),
    )
    SAME_OWNER = (
        "both pages belong to {a_named}, and an owner's pages never accuse each other",
        N_("Both pages belong to one owner, and an owner's pages never accuse each other."),
    )
    OTHER_OWNER = ("{a_named} and {b_named}: different owners", N_("Different owners."))

    KEYS = ("{shared_seeds} shared seeds, {shared_slices} shared slices, {near}; one of the three is needed", "")
    SAME_TEXT = (
        "asked for {asked}: the same text stands on both pages, and is always compared",
        N_("the same text is on both pages, and is always compared."),
    )
    NO_CANDIDATE = (
        "asked for {asked}: {other} is none of {candidates} candidates{left_out}",
        N_("the other is none of the %(count)s candidates: they share too few keys."),
    )
    OWN_CANDIDATE = (
        "asked for {asked}: number {number} of {candidates}, an owner's own pages are passed over; {shared}",
        N_("number %(place)s of %(count)s candidates, passed over as one of the owner's own pages."),
    )
    LISTED = (
        "asked for {asked}: number {number} of {candidates}, and one of the two lists the first lines of many "
        "articles: an index copies none of them; {shared}",
        N_("number %(place)s of %(count)s, but one of the two is an index of many articles' first lines."),
    )
    ALIGNED = (
        "asked for {asked}: number {number} of {candidates}, and was aligned; {shared}",
        N_("number %(place)s of %(count)s candidates, and aligned."),
    )
    NOT_ALIGNED = (
        "asked for {asked}: number {number} of {candidates}, and was not aligned: at most {aligned} are, and for a "
        "place without near-duplicates in {followed} texts no more; {shared}",
        N_("number %(place)s of %(count)s candidates, but the limit of alignments was reached first."),
    )

    NO_BOILERPLATE = ("none{edges}", N_("None of what they share is boilerplate."))
    SOME_BOILERPLATE = (
        "{boilerplate_units} of the {matched_units} units they share are boilerplate, which proves nothing{edges}",
        N_("%(boilerplate_units)s of the %(matched_units)s units they share prove nothing."),
    )

    UNITS_MATCHED = (
        "{matched_units} of {a_units} and {b_units} units matched, {proof:.1f} units of proof; {a_share:.1%} of the "
        "first, {b_share:.1%} of the second",
        N_("%(matched_units)s units matched, %(proof)s of proof: %(a_share)s of the first, %(b_share)s of the second."),
    )
    NOTHING_MATCHED = (UNITS_MATCHED[0], N_("The texts have no passage in common."))

    GATES_PASSED = ("passed: {names}", N_("%(passed)s of %(gates)s gates passed; one is enough."))
    NO_GATE_PASSED = (
        "they share too little: none of the {gates} gates is passed, and one is needed",
        N_("They share too little: none of the %(gates)s gates is passed."),
    )

    MATCH_STORED = ("a match of the two texts is stored", N_("A match of the two texts is stored."))
    MAY_BE_WAITING = (
        "no match is stored; {waiting} pages wait to be compared, these two may be among them: zhiwen match",
        N_("No match is stored; %(waiting)s pages wait to be compared, these two perhaps among them."),
    )
    NOT_NEAREST = (
        "no match is stored: of one story a text keeps its origin and its {nearest} nearest copies only",
        N_("No match is stored: of one story a text keeps its origin and its %(nearest)s nearest copies."),
    )
    NO_MATCH_STORED = ("no match is stored", N_("No match is stored."))

    NO_MEANING = ("not compared by meaning: {why}", N_("Not compared by meaning."))
    NO_MEANING_CANDIDATE = (
        "by meaning, neither page is a candidate of the other",
        N_("By meaning, neither is a candidate of the other."),
    )
    MEANING_CANDIDATE = (
        "by meaning, one page is candidate number {rank} of the other",
        N_("By meaning, one is candidate number %(rank)s of the other."),
    )
    NOT_ALIKE = (
        "no sentence of one says what a sentence of the other says, apart from the same wording",
        N_("Apart from identical wording, no sentence of one text has a counterpart in the other."),
    )
    RETOLD = (
        "one retells the other: score {score:.2f}, from {needed:.2f} on; sentences with a counterpart {sentences} "
        "({a_share:.0%} of the first, {b_share:.0%} of the second), in the same order {in_order}, figures that agree "
        "{figures_shared} of {figures_most}, rare names and terms in both {particulars}",
        N_(
            "One retells the other: score %(score)s, from %(needed)s on. Sentences with a counterpart: %(sentences)s "
            "(%(a_share)s of the first, %(b_share)s of the second), in the same order: %(in_order)s, figures that "
            "agree: %(figures_shared)s of %(figures_most)s, rare names and terms in both: %(particulars)s."
        ),
    )
    TRANSLATED = (
        RETOLD[0].replace("one retells", "one translates", 1),
        N_(
            "One translates the other: score %(score)s, from %(needed)s on. Sentences with a counterpart: "
            "%(sentences)s (%(a_share)s of the first, %(b_share)s of the second), in the same order: %(in_order)s, "
            "figures that agree: %(figures_shared)s of %(figures_most)s, rare names and terms in both: %(particulars)s."
        ),
    )
    NOT_RETOLD = (
        RETOLD[0].replace("one retells the other", "no retelling is shown", 1),
        N_(
            "No retelling is shown: score %(score)s, from %(needed)s on. Sentences with a counterpart: %(sentences)s "
            "(%(a_share)s of the first, %(b_share)s of the second), in the same order: %(in_order)s, figures that "
            "agree: %(figures_shared)s of %(figures_most)s, rare names and terms in both: %(particulars)s."
        ),
    )

    OTHER_FIGURES = (
        "no retelling is shown, whatever the score ({score:.2f}): of {figures_most} figures that could agree only "
        "{figures_shared} do, as in two issues of one report",
        N_(
            "No retelling is shown, whatever the score (%(score)s): of %(figures_most)s figures that could agree only "
            "%(figures_shared)s do, as in two issues of one report."
        ),
    )
    ONE_SENTENCE = (
        "no retelling is shown, whatever the score ({score:.2f}): one sentence is all that is alike, less than half "
        "of either text",
        N_(
            "No retelling is shown, whatever the score (%(score)s): one sentence is all that is alike, less than half "
            "of either text."
        ),
    )

    FIRST_IS_SOURCE = (
        "{source} had it first, {confidence:.0%} sure: {reasons}",
        N_("The first was earlier, confidence %(sure)s."),
    )
    SECOND_IS_SOURCE = (FIRST_IS_SOURCE[0], N_("The second was earlier, confidence %(sure)s."))

    NO_THIRD = (
        "no third page explains what both share{reasons}",
        N_("No third page explains what both share."),
    )
    FROM_THIRD = (
        "both may have it from {third}, and neither from the other: {reasons}",
        N_("Both may have it from a third page, and neither from the other: %(third)s."),
    )
    FROM_ELSEWHERE = (
        "both may have it from elsewhere, and neither from the other: {reasons}",
        N_("Both may have it from elsewhere, such as two translations of one original."),
    )

    NO_CREDIT = ("the copy does not say where it is from", N_("The copy does not credit its source."))
    CREDIT = ("{credit}: {evidence}", "%(credit)s: %(evidence)s")

    UNLICENSED = ("no licence is about this copy", N_("No licence applies to this copy."))
    LICENSED = ("licence {licence} lets the copy stand", N_("Licence %(licence)s covers the copy."))
    LICENCE_BROKEN = ("licence {licence} is broken: {broken}", N_("Licence %(licence)s is broken: %(broken)s."))

    RIGHTS = ("the first: {a_rights}; the second: {b_rights}", N_("The first: %(a_rights)s; the second: %(b_rights)s."))


GATES: Final[Mapping[GateKind, Words]] = {
    GateKind.DENSE: Words("one dense passage, in units of proof", N_("one dense passage, in units of proof")),
    GateKind.VERBATIM: Words(
        "one unchanged passage, in units of proof", N_("one passage with no character changed, in units of proof")
    ),
    GateKind.SEVERAL: Words(
        "several dense passages, in units of proof (from {least} each)",
        N_("several dense passages together, in units of proof"),
    ),
    GateKind.EDITED: Words("one edited passage, in units of proof", N_("one edited passage, in units of proof")),
    GateKind.SCATTERED: Words(
        "many passages, share of the shorter text (from {least} units of proof)",
        N_("many passages together, share of the shorter text"),
    ),
    GateKind.WHOLE: Words(
        "share of the shorter text (from {least} units of proof)", N_("all together, share of the shorter text")
    ),
    GateKind.REORDERED: Words(
        "the same characters in another order, in units", N_("the same characters in another order, in units")
    ),
}


def gate_name(gate: Gate) -> str:
    """Return the English name of the gate, as used by the command line, the JSON and the benchmarks."""
    return GATES[gate.kind].english.format(least=gate.least)
