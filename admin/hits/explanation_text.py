"""Why two pages were matched, or not, in the reader's language: the matcher's steps say it in English."""

from collections.abc import Callable, Mapping
from typing import Final

from flask_babel import gettext as _
from flask_babel import lazy_gettext as _l

from admin.hits.direction_text import reason_in_words
from admin.hooks.template_filters import number, percent
from admin.web.labels import label
from matcher.explanation.explain import Explanation
from matcher.explanation.text_steps import Figure, Step
from matcher.judgement.judge import Gate
from storage.types import Credit, Standing

STEPS: Final[Mapping[str, object]] = {
    "owner": _l("Whose pages"),
    "look-up": _l("Look-up"),
    "boilerplate": _l("Boilerplate"),
    "alignment": _l("Alignment"),
    "gates": _l("Gates"),
    "stored": _l("In the store"),
    "direction": _l("Direction"),
    "credit": _l("Credit"),
    "licence": _l("Licence"),
    "rights": _l("Rights"),
}

GATES: Final[Mapping[str, object]] = {
    "one dense passage": _l("one dense passage, in units of proof"),
    "one unchanged passage": _l("one passage with no character changed, in units of proof"),
    "several dense passages": _l("several dense passages together, in units of proof"),
    "one edited passage": _l("one edited passage, in units of proof"),
    "many passages": _l("many passages together, share of the shorter text"),
    "share of the shorter text": _l("all together, share of the shorter text"),
    "the same characters in another order": _l("the same characters in another order, in units"),
}
"""By how the matcher's names of the gates begin."""

FIGURES: Final[Mapping[str, object]] = {
    "a_owner": _l("owner of the first"),
    "b_owner": _l("owner of the second"),
    "is_same_page": _l("same page"),
    "asked": _l("asked for"),
    "rank": _l("rank among the candidates"),
    "place": _l("place among those of other owners"),
    "candidates": _l("candidates"),
    "aligned": _l("are aligned at most"),
    "cut": _l("left out by a bound"),
    "bound_of_a_source": _l("bound of each look-up"),
    "shared_seeds": _l("shared seeds"),
    "shared_slices": _l("shared slices"),
    "simhash_distance": _l("simhash distance, in bits"),
    "weight": _l("weight (rarity of what is shared)"),
    "is_same_text": _l("same text"),
    "was_aligned": _l("was aligned"),
    "is_listed": _l("an index lists it"),
    "boilerplate_units": _l("units of boilerplate"),
    "at_edges": _l("also at an edge of other pages of the host"),
    "matched_units": _l("units matched"),
    "a_units": _l("units of the first"),
    "b_units": _l("units of the second"),
    "proof": _l("units of proof"),
    "passages": _l("passages"),
    "longest": _l("longest passage, in characters"),
    "a_share": _l("share of the first"),
    "b_share": _l("share of the second"),
    "passed": _l("gates passed"),
    "gates": _l("gates"),
    "waiting": _l("waiting to be compared"),
    "nearest": _l("nearest copies kept of a story"),
    "is_stored": _l("match stored"),
    "is_match": _l("enough for a match"),
    "source": _l("source"),
    "confidence": _l("confidence"),
    "credit": _l("credit"),
    "evidence": _l("evidence"),
    "standing": _l("standing"),
    "licence": _l("licence"),
    "broken": _l("broken terms"),
    "a_rights": _l("rights of the first"),
    "b_rights": _l("rights of the second"),
}

Figures = Mapping[str, Figure]


def gate_in_words(gate: Gate) -> str:
    return next((str(words) for start, words in GATES.items() if gate.name.startswith(start)), gate.name)


def is_share(gate: Gate) -> bool:
    """Whether the gate measures a share, to be shown in percent."""
    return gate.needed <= 1


def figure_in_words(value: Figure) -> str:
    if value is None or value == "":
        return "—"
    if isinstance(value, bool):
        return str(_("yes") if value else _("no"))
    return number(value) if isinstance(value, int) else str(value)


def step_in_words(step: Step, explained: Explanation) -> str:
    """What the step came to; the two pages are the first and the second. An unknown step says what the matcher said."""
    words = _WORDS.get(step.name)
    return step.said if words is None else str(words(step, explained))


def _owner(step: Step, explained: Explanation) -> object:
    if step.figures["is_same_page"]:
        return _("It is the same page: its versions are never compared with each other.")
    if not step.passed:
        return _("Both pages belong to one owner, and an owner's pages never accuse each other.")
    return _("Different owners.")


def _look_up(step: Step, explained: Explanation) -> object:
    figures = step.figures
    found = _found(figures)
    if figures["asked"] == explained.left.url:
        return _("Asked for the first page: %(found)s", found=found)
    return _("Asked for the second page: %(found)s", found=found)


def _found(figures: Figures) -> object:
    if figures["is_same_text"]:
        return _("the same text stands on both, and is always compared.")
    if figures["rank"] is None:
        return _("the other is none of the %(count)s candidates: they share too few keys.", count=figures["candidates"])
    place = {"place": figures["place"] or figures["rank"], "count": figures["candidates"]}
    if figures["place"] is None:
        return _("number %(place)s of %(count)s candidates, passed over as one of the owner's own pages.", **place)
    if figures["is_listed"]:
        return _(
            "number %(place)s of %(count)s, but one of the two is an index of many articles' first lines.", **place
        )
    if figures["was_aligned"]:
        return _("number %(place)s of %(count)s candidates, and aligned.", **place)
    return _("number %(place)s of %(count)s candidates, and its turn to be aligned did not come.", **place)


def _boilerplate(step: Step, _explained: Explanation) -> object:
    if not step.figures["boilerplate_units"]:
        return _("None of what they share is boilerplate.")
    return _("%(boilerplate_units)s of the %(matched_units)s units they share prove nothing.", **step.figures)


def _alignment(step: Step, _explained: Explanation) -> object:
    if not step.passed:
        return _("No stretch stands in both.")
    shares = {name: percent(float(step.figures[name] or 0)) for name in ("a_share", "b_share")}
    return _(
        "%(matched_units)s units matched, %(proof)s of proof: %(a_share)s of the first, %(b_share)s of the second.",
        **(dict(step.figures) | shares),
    )


def _gates(step: Step, _explained: Explanation) -> object:
    if step.passed:
        return _("%(passed)s of %(gates)s gates passed; one is enough.", **step.figures)
    return _("They share too little: none of the %(gates)s gates is passed.", **step.figures)


def _stored(step: Step, _explained: Explanation) -> object:
    if step.figures["is_stored"]:
        return _("A match of the two texts is stored.")
    if step.figures["waiting"]:
        return _(
            "No match is stored; %(waiting)s pages wait to be compared, these two perhaps among them.", **step.figures
        )
    if step.figures["is_match"]:
        return _(
            "No match is stored: of one story a text keeps its origin and its %(nearest)s nearest copies.",
            **step.figures,
        )
    return _("No match is stored.")


def _direction(step: Step, explained: Explanation) -> object:
    source_is_first = step.figures["source"] == explained.left.url
    confidence = percent(float(step.figures["confidence"] or 0))
    said = (
        _("The first was earlier, %(sure)s sure.") if source_is_first else _("The second was earlier, %(sure)s sure.")
    )
    return said % {"sure": confidence}


def _credit(step: Step, _explained: Explanation) -> object:
    if step.figures["credit"] == Credit.NONE:
        return _("The copy does not say where it is from.")
    return f"{label(str(step.figures['credit']), 'credit')}: {step.figures['evidence']}"


def _licence(step: Step, _explained: Explanation) -> object:
    terms = filter(None, str(step.figures["broken"]).split(", "))
    broken = " · ".join(label(term, "term") for term in terms)
    said = {
        Standing.UNLICENSED: _("No licence is about this copy."),
        Standing.LICENSED: _("Licence %(licence)s lets the copy stand.", licence=step.figures["licence"]),
        Standing.BREACH: _(
            "Licence %(licence)s is broken: %(broken)s.", licence=step.figures["licence"], broken=broken
        ),
    }
    return said[Standing(str(step.figures["standing"]))]


def _rights(step: Step, _explained: Explanation) -> object:
    words = {name: label(str(step.figures[name]), "rights") for name in ("a_rights", "b_rights")}
    return _("The first: %(a_rights)s; the second: %(b_rights)s.", **words)


_WORDS: Final[Mapping[str, Callable[[Step, Explanation], object]]] = {
    "owner": _owner,
    "look-up": _look_up,
    "boilerplate": _boilerplate,
    "alignment": _alignment,
    "gates": _gates,
    "stored": _stored,
    "direction": _direction,
    "credit": _credit,
    "licence": _licence,
    "rights": _rights,
}


def direction_reasons(explained: Explanation) -> list[str]:
    """Why the one is held to be earlier; empty where the two are no match, since then it is not asked."""
    names = {explained.left.url: _("the first"), explained.right.url: _("the second")}
    reasons = () if explained.direction is None else explained.direction.reasons
    return [reason_in_words(reason, names) for reason in reasons]
