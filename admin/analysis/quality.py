"""Precision as reviewers' decisions show it, and the cases that were dismissed as wrong."""

from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from flask import Blueprint, render_template

from admin.analysis.confidence_interval import Share, share_of
from admin.web.db_session import database
from storage.analytics import reviewer_agreement
from storage.analytics.reviewer_agreement import DECISIONS_COUNTED, SCORE_BANDS, Tally
from storage.cases import listing
from storage.cases.lists.filters import CaseFilter
from storage.types import CaseQueue, Verdict

SHOWN_FALSE: Final = 20

blueprint = Blueprint("quality", __name__, url_prefix="/quality")


@dataclass(frozen=True, slots=True)
class Row:
    """`lawful`: of the cases that were copies, those that the law permits."""

    key: str
    share: Share
    lawful: int


@blueprint.get("")
def index() -> str:
    wrong = CaseFilter(queue=CaseQueue.COPIED, verdict=Verdict.WRONG)
    found = reviewer_agreement.decisions(database())
    return render_template(
        "analysis/quality.html",
        total=share_of(found.in_all.right, found.in_all.decided),
        lawful=found.in_all.lawful,
        counted=DECISIONS_COUNTED,
        kinds=_rows(found.by_kind),
        credits=_rows(found.by_credit),
        bands=_rows(found.by_score),
        sites=_rows(found.by_site),
        dismissals=found.dismissals,
        band_bounds=[(low, min(high, 1.0)) for low, high in pairwise(SCORE_BANDS)],
        wrong_cases=listing.list_cases(database(), wrong, limit=SHOWN_FALSE),
    )


def _rows(tallies: list[Tally]) -> list[Row]:
    return [
        Row(tally.key, share_of(tally.right, tally.decided), tally.lawful) for tally in tallies if tally.key is not None
    ]
