"""Analysis: what became of letters, by addressee and kind."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final

from flask import Blueprint, render_template, request

from admin.analysis.confidence_interval import Share, share_of
from admin.analysis.export_lists import PERIODS
from admin.web.db_session import database
from admin.web.replica_reads import reads_replica
from storage.analytics.letter_outcomes import LETTERS_COUNTED, LetterOutcome, letter_outcomes

FEW: Final = 10
"""Below so many letters, a share is said to rest on few: its 95 % interval is wider than .5."""

blueprint = Blueprint("analysis_letters", __name__, url_prefix="/analysis/letters")


@dataclass(frozen=True, slots=True)
class Outcome:
    """Shares of the letters sent, with their intervals."""

    found: LetterOutcome
    answered: Share
    removed: Share

    @property
    def is_few(self) -> bool:
        return self.found.sent < FEW


@blueprint.get("")
@reads_replica
def index() -> str:
    days = request.args.get("days", "")
    since = datetime.now(UTC) - timedelta(days=int(days)) if days in map(str, PERIODS) else None
    found = letter_outcomes(database(), since=since)
    return render_template(
        "analysis/analysis_letters.html",
        outcomes=[outcome_of(one) for one in found],
        days=days,
        periods=PERIODS,
        few=FEW,
        bound=LETTERS_COUNTED,
        sent=sum(one.sent for one in found),
    )


def outcome_of(found: LetterOutcome) -> Outcome:
    return Outcome(found, share_of(found.answered, found.sent), share_of(found.removed, found.sent))
