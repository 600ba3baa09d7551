"""Checks: form and result. Nothing is stored unless the user asks for it."""

from dataclasses import dataclass, replace
from typing import Final

from flask import Blueprint, Response, abort, render_template, request
from flask_babel import gettext as _

from admin.check.input import CheckInput, NoInput, submitted_input
from admin.check.labels import verdict_meaning, verdict_word
from admin.check.result_files import check_json, check_table
from admin.check.result_view import CheckView, view_of
from admin.exports.downloads import table_answer
from admin.hooks import upload_limits
from admin.identity.permissions import needs
from admin.web import form_fields, reading_slots
from admin.web.db_session import database
from admin.web.downloads import attachment
from admin.web.replica_reads import on_replica
from admin.web.services import current_services
from crawler.importers.documents import MAX_DOCUMENT_BYTES
from matcher.comparison import check
from matcher.comparison.submissions import SubmissionsBeside
from matcher.retellings.check_by_meaning import NOT_ASKED, MeaningResult, check_by_meaning
from storage.intake import submissions
from storage.intake.submissions import AUTHOR_CHARS, COLLECTION_CHARS
from storage.records.pages import NewArticle
from storage.types import AccountRole

LARGEST_UPLOAD: Final = MAX_DOCUMENT_BYTES + (1 << 20)
LARGEST_FIELDS: Final = 8_000_000
"""In bytes of UTF-8: as much pasted HTML as `submitted_input` reads."""
MOST_SOURCES: Final = 50
UPLOADING: Final = frozenset({"check.run", "submissions.keep"})

blueprint = Blueprint("check", __name__, url_prefix="/check")
blueprint.add_app_template_filter(verdict_word)
blueprint.add_app_template_filter(verdict_meaning)
upload_limits.allow(
    blueprint, UPLOADING, AccountRole.REVIEWER, most_bytes=LARGEST_UPLOAD, most_in_fields=LARGEST_FIELDS
)


@dataclass(frozen=True, slots=True)
class Asked:
    """What else the form says: the collection to compare with, the author of the text, and whether to compare by
    meaning, too.
    """

    collection: str
    author: str
    by_meaning: bool


@blueprint.get("")
@needs(AccountRole.REVIEWER)
def form() -> str:
    return _form()


@blueprint.post("")
@needs(AccountRole.REVIEWER)
def run() -> str | Response | tuple[str, int]:
    found = submitted_input()
    if isinstance(found, NoInput):
        return _form(problem=found.words), 422
    asked = Asked(
        form_fields.line("collection", COLLECTION_CHARS),
        form_fields.line("author", AUTHOR_CHARS),
        request.form.get("meaning") != "off",
    )
    try:
        result, unseen, meaning = on_replica(lambda: _checked(found, asked))
    except check.NothingToCompareWith:
        return _form(problem=_nothing_there()), 422
    view = view_of(found.text, result, meaning)
    kind = request.form.get("as", "")
    if kind:
        return _file(kind, found, view)
    return render_template("check/check_result.html", checked=found, view=view, asked=asked, unseen=unseen)


def _form(problem: str = "") -> str:
    known = submissions.collections(database())
    return render_template("check/check.html", problem=problem, collections=known, fields=request.form)


def _nothing_there() -> str:
    return str(_("There is nothing to compare with yet. Import your articles or crawl a site first, then check again."))


def _checked(found: CheckInput, asked: Asked) -> tuple[check.CheckResult, int, MeaningResult]:
    """The result, the number of similar submissions that a bound left out, and the result by meaning."""
    session = database()
    cut: list[int] = []
    beside = SubmissionsBeside(session, asked.collection, asked.author, cut.append) if asked.collection else None
    try:
        against = check.compared_with(session)
    except check.NothingToCompareWith:
        if beside is None:
            raise
        against = check.ComparedWith(0, 0, None)
    article = found.article
    reading_slots.take_for(article.text)
    result = check.check(session, article, against=against, bound=MOST_SOURCES, beside=beside)
    left_out = sum(cut)
    meaning = _by_meaning(article, result) if asked.by_meaning else NOT_ASKED
    return replace(result, cut=result.cut + left_out), left_out, meaning


def _by_meaning(article: NewArticle, result: check.CheckResult) -> MeaningResult:
    open_search = current_services().open_search
    if open_search is None:
        return NOT_ASKED
    return check_by_meaning(database(), article, result, open_search)


def _file(kind: str, found: CheckInput, view: CheckView) -> Response:
    if kind == "json":
        return attachment(check_json(found, view), "check.json", "application/json")
    if kind not in ("csv", "xlsx"):
        abort(400)
    return table_answer(check_table(found, view), kind, "check")
