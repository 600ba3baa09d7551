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
from crawler.importers.documents import MAX_DOCUMENT_BYTES
from matcher.comparison import check
from matcher.comparison.submissions import SubmissionsBeside
from storage.intake import submissions
from storage.intake.submissions import AUTHOR_CHARS, COLLECTION_CHARS
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
    """What else the form says: the collection to compare with, and the author of the text."""

    collection: str
    author: str


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
    asked = Asked(form_fields.line("collection", COLLECTION_CHARS), form_fields.line("author", AUTHOR_CHARS))
    try:
        result, unseen = on_replica(lambda: _checked(found, asked))
    except check.NothingToCompareWith:
        return _form(problem=_nothing_there()), 422
    view = view_of(found.text, result)
    kind = request.form.get("as", "")
    if kind:
        return _file(kind, found, view)
    return render_template("check/check_result.html", checked=found, view=view, asked=asked, unseen=unseen)


def _form(problem: str = "") -> str:
    known = submissions.collections(database())
    return render_template("check/check.html", problem=problem, collections=known, fields=request.form)


def _nothing_there() -> str:
    return str(_("There is nothing to compare with yet. Import your articles or crawl a site first, then check again."))


def _checked(found: CheckInput, asked: Asked) -> tuple[check.CheckResult, int]:
    """The result, and the number of similar submissions that a bound left out."""
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
    return replace(result, cut=result.cut + left_out), left_out


def _file(kind: str, found: CheckInput, view: CheckView) -> Response:
    if kind == "json":
        return attachment(check_json(found, view), "check.json", "application/json")
    if kind not in ("csv", "xlsx"):
        abort(400)
    return table_answer(check_table(found, view), kind, "check")
