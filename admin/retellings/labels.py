"""Labels of retellings: states, relations, and acts in the audit log."""

from collections.abc import Mapping
from typing import Final

from flask_babel import lazy_gettext as _l

from matcher.cases.case_rule import Because
from storage.types import Relation, RetellingState

STATES: Final[Mapping[str, object]] = {
    RetellingState.OPEN: _l("To review"),
    RetellingState.CASE: _l("Case opened"),
    RetellingState.DISMISSED: _l("Dismissed"),
}

RELATIONS: Final[Mapping[str, object]] = {
    Relation.COPY: _l("one may come from the other"),
    Relation.BOTH_FROM_THIRD: _l("possibly both from elsewhere"),
}

NO_CASES: Final[Mapping[str, object]] = {
    Because.NOT_OURS: _l("Neither page is on one of our sites, so no case can be opened."),
    Because.SAME_OWNER: _l("Both pages belong to the same owner, so no case can be opened."),
    Because.LICENSED: _l("A licence covers it, so no case can be opened."),
}
"""Why a person cannot open a case."""

RETELLING_ACTS: Final[Mapping[str, object]] = {
    "retelling.case": _l("case of a retelling opened"),
    "retelling.dismiss": _l("retelling dismissed"),
    "retelling.reopen": _l("decision on a retelling undone"),
}

RETELLING_TABLES: Final[Mapping[str, Mapping[str, object]]] = {
    "retelling_state": STATES,
    "relation": RELATIONS,
    "no_case": NO_CASES,
}
