"""The explanation of a comparison in the viewer's language: the matcher's steps with their numbers."""

from collections.abc import Callable, Mapping
from typing import Final

from flask_babel import gettext as _
from flask_babel import lazy_gettext as _l

from admin.hits.direction_text import reason_in_words
from admin.hooks.template_filters import number, percent
from admin.web.labels import label
from matcher.explanation.explain import Explanation
from matcher.explanation.sentences import GATES, StepKind
from matcher.explanation.text_steps import Figure, Step
from matcher.judgement.gates import Gate

STEPS: Final[Mapping[StepKind, object]] = {
    StepKind.OWNER: _l("Whose pages"),
    StepKind.LOOK_UP: _l("Look-up"),
    StepKind.BOILERPLATE: _l("Boilerplate"),
    StepKind.ALIGNMENT: _l("Alignment"),
    StepKind.GATES: _l("Gates"),
    StepKind.STORED: _l("In the store"),
    StepKind.MEANING_LOOK_UP: _l("Look-up by meaning"),
    StepKind.MEANING: _l("Meaning"),
    StepKind.DIRECTION: _l("Who was first"),
    StepKind.RELATION: _l("Relation"),
    StepKind.CREDIT: _l("Credit"),
    StepKind.LICENCE: _l("Licence"),
    StepKind.RIGHTS: _l("Rights"),
}

FIGURES: Final[Mapping[str, object]] = {
    "a_owner": _l("owner of the first"),
    "b_owner": _l("owner of the second"),
    "is_same_page": _l("same page"),
    "asked": _l("query page"),
    "rank": _l("rank among the candidates"),
    "place": _l("place among those of other owners"),
    "candidates": _l("candidates"),
    "aligned": _l("aligned at most"),
    "cut": _l("left out because of a limit"),
    "bound_of_a_source": _l("limit of each look-up"),
    "shared_seeds": _l("shared seeds"),
    "shared_slices": _l("shared slices"),
    "simhash_distance": _l("simhash distance, in bits"),
    "weight": _l("weight (rarity of what is shared)"),
    "is_same_text": _l("same text"),
    "was_aligned": _l("was aligned"),
    "is_listed": _l("listed by an index page"),
    "boilerplate_units": _l("units of boilerplate"),
    "at_edges": _l("also at the edge of other pages of the host"),
    "set_aside": _l("in texts set aside by people"),
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
    "nearest": _l("nearest copies kept per story"),
    "is_stored": _l("match stored"),
    "is_match": _l("enough for a match"),
    "encoder": _l("encoder"),
    "score": _l("score"),
    "needed": _l("minimum score"),
    "sentences": _l("sentences with a counterpart"),
    "in_order": _l("of these in the same order"),
    "figures_shared": _l("figures that agree"),
    "figures_most": _l("figures that could agree"),
    "particulars": _l("rare names and terms in both"),
    "source": _l("source"),
    "confidence": _l("confidence"),
    "relation": _l("relation"),
    "third": _l("third page"),
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
    return str(_(GATES[gate.kind].desk))


def figure_in_words(value: Figure) -> str:
    if value is None or value == "":
        return "—"
    if isinstance(value, bool):
        return str(_("yes") if value else _("no"))
    return number(value) if isinstance(value, int) else str(value)


def step_in_words(step: Step, explained: Explanation) -> str:
    """The result of a step; the two pages are called the first and the second."""
    said = str(_(step.sentence.desk, **_shown(step.figures)))
    if step.kind is not StepKind.LOOK_UP:
        return said
    if step.figures["asked"] == explained.left.url:
        return str(_("Query for the first page: %(found)s", found=said))
    return str(_("Query for the second page: %(found)s", found=said))


def _shown(figures: Figures) -> dict[str, Figure]:
    """The figures, formatted and named as in the desk's sentences."""
    shown = {name: _WRITTEN[name](value) if name in _WRITTEN else value for name, value in figures.items()}
    return shown | {
        "place": figures.get("place") or figures.get("rank"),
        "count": figures.get("candidates"),
        "sure": percent(float(figures.get("confidence") or 0)),
    }


def _share(value: Figure) -> str:
    return percent(float(value or 0))


def _label(table: str) -> Callable[[Figure], str]:
    return lambda value: label(str(value), table)


def _terms(value: Figure) -> str:
    return " · ".join(label(term, "term") for term in filter(None, str(value).split(", ")))


_WRITTEN: Final[Mapping[str, Callable[[Figure], str]]] = {
    "a_share": _share,
    "b_share": _share,
    "credit": _label("credit"),
    "broken": _terms,
    "a_rights": _label("rights"),
    "b_rights": _label("rights"),
}


def direction_reasons(explained: Explanation) -> list[str]:
    """Reasons for the direction; empty if the two are no match, since no direction is computed then."""
    names = {explained.left.url: _("the first"), explained.right.url: _("the second")}
    reasons = () if explained.direction is None else explained.direction.reasons
    return [reason_in_words(reason, names) for reason in reasons]
