"""One check: the text compared with the store, by wording and by meaning, for the desk, the API and the worker."""

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from admin.check.input import CheckInput
from matcher.comparison import check
from matcher.comparison.submissions import SubmissionsBeside
from matcher.explanation.checked_sources import checked_result
from matcher.retellings.check_by_meaning import NOT_ASKED, OpenSearch, check_by_meaning
from storage.intake.check_records import CheckedResult, CheckedText

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

MOST_SOURCES: Final = 50


def compare(
    session: "Session", text: CheckedText, open_search: "OpenSearch | None", *, submitter: str = ""
) -> CheckedResult:
    """The result for `text`; nothing is stored. `open_search` None: this installation compares the wording only.
    `submitter`: submissions of this author are left out.

    Raises NothingToCompareWith if the store is empty and no collection is named.
    """
    cut: list[int] = []
    beside = SubmissionsBeside(session, text.collection, submitter, cut.append) if text.collection else None
    try:
        against = check.compared_with(session)
    except check.NothingToCompareWith:
        if beside is None:
            raise
        against = check.ComparedWith(0, 0, None)
    article = CheckInput(text.body, text.kind, text.title, text.author, text.url).article
    found = check.check(session, article, against=against, bound=MOST_SOURCES, beside=beside)
    meaning = NOT_ASKED
    if text.by_meaning and open_search is not None:
        meaning = check_by_meaning(session, article, found, open_search)
    return checked_result(replace(found, cut=found.cut + sum(cut)), meaning, unseen=sum(cut))
