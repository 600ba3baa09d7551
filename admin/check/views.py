"""Checks: the form, one text at once, several files by the worker."""

from datetime import UTC, datetime
from typing import Final

from flask import Blueprint, Response, redirect, render_template, request, url_for
from flask_babel import gettext as _
from werkzeug.datastructures import FileStorage
from werkzeug.wrappers import Response as AnyResponse

from admin.check.comparison import compare
from admin.check.input import CheckInput, NoInput, submitted_input
from admin.check.labels import verdict_meaning, verdict_word
from admin.check.result_answers import file_answer
from admin.check.result_view import view_of
from admin.check.retention import KEEP_TABLE, Keep, expiry, keep_of
from admin.hooks import upload_limits
from admin.identity.permissions import actor, needs
from admin.web import form_fields, labels, reading_slots
from admin.web.db_session import database
from admin.web.replica_reads import on_replica
from admin.web.services import current_services
from crawler.importers.documents import MAX_DOCUMENT_BYTES, Unread
from matcher.comparison.check import NothingToCompareWith
from storage.intake import check_files, submissions, text_checks
from storage.intake.check_files import MOST_WAITING, HandedIn
from storage.intake.check_records import CheckedText
from storage.intake.submissions import AUTHOR_CHARS, COLLECTION_CHARS
from storage.types import AccountRole

LARGEST_UPLOAD: Final = 4 * MAX_DOCUMENT_BYTES + (1 << 20)
"""In bytes: all files that are handed in together."""
LARGEST_FIELDS: Final = 8_000_000
"""In bytes of UTF-8: as much pasted HTML as `submitted_input` reads."""
MOST_FILES: Final = 50
UPLOADING: Final = frozenset({"check.run", "submissions.keep"})

blueprint = Blueprint("check", __name__, url_prefix="/check")
blueprint.add_app_template_filter(verdict_word)
blueprint.add_app_template_filter(verdict_meaning)
labels.register(blueprint, KEEP_TABLE)
upload_limits.allow(
    blueprint, UPLOADING, AccountRole.REVIEWER, most_bytes=LARGEST_UPLOAD, most_in_fields=LARGEST_FIELDS
)


@blueprint.get("")
@needs(AccountRole.REVIEWER)
def form() -> str:
    return form_page()


@blueprint.post("")
@needs(AccountRole.REVIEWER)
def run() -> str | AnyResponse | tuple[str, int]:
    files = [file for file in request.files.getlist("file") if file.filename]
    if len(files) > 1:
        return _run_files(files)
    found = submitted_input()
    if isinstance(found, NoInput):
        return form_page(problem=found.words), 422
    return _run_text(found)


def _run_text(found: CheckInput) -> Response | AnyResponse | tuple[str, int]:
    text, submitter = _asked(found), form_fields.line("author", AUTHOR_CHARS)
    reading_slots.take_for(text.body)
    try:
        result = on_replica(lambda: compare(database(), text, current_services().open_search, submitter=submitter))
    except NothingToCompareWith:
        return form_page(problem=nothing_there()), 422
    kind = request.form.get("as", "")
    if kind:
        return file_answer(kind, text, view_of(text.body, result), datetime.now(UTC))
    expires_at = expiry(keep_of(request.form.get("keep", "")))
    key = text_checks.keep_check(database(), text, result, account_id=actor().id, expires_at=expires_at)
    return redirect(url_for("check_results.detail", check_key=key), 303)


def _run_files(files: list[FileStorage]) -> AnyResponse | tuple[str, int]:
    """Queue the files; the worker checks them."""
    if len(files) > MOST_FILES:
        return form_page(problem=_("Too many files: up to %(most)s are checked together.", most=MOST_FILES)), 422
    who = actor()
    waiting = check_files.count_waiting(database(), account_id=who.id)
    if waiting + len(files) > MOST_WAITING:
        problem = _("Your files still waiting for a check: %(count)s. Submit more when they are done.", count=waiting)
        return form_page(problem=problem), 422
    expires_at = expiry(keep_of(request.form.get("keep", "")))
    handed_in = [_handed_in(file) for file in files]
    asked = _asked(CheckInput("", author=form_fields.line("author", AUTHOR_CHARS)))
    batch = check_files.queue_files(database(), handed_in, asked, account_id=who.id, expires_at=expires_at)
    return redirect(url_for("check_results.batch", batch=batch), 303)


def _handed_in(file: FileStorage) -> HandedIn:
    with file.stream as stream:
        data = stream.read(MAX_DOCUMENT_BYTES + 1)
    name = file.filename or ""
    if len(data) > MAX_DOCUMENT_BYTES:
        return HandedIn(name, b"", Unread.TOO_LARGE)
    return HandedIn(name, data, "" if data else Unread.EMPTY)


def _asked(found: CheckInput) -> CheckedText:
    """The text, with what else the form says."""
    return CheckedText(
        found.article.text if found.text else "",
        found.title,
        found.author,
        found.url,
        found.kind,
        collection=form_fields.line("collection", COLLECTION_CHARS),
        by_meaning=request.form.get("meaning") != "off",
    )


def form_page(problem: str = "") -> str:
    """The form, with what was typed and the reason why it was refused."""
    known = submissions.collections(database())
    return render_template(
        "check/check.html", problem=problem, collections=known, fields=request.form, most_files=MOST_FILES,
        keeps=list(Keep),
    )  # fmt: skip


def nothing_there() -> str:
    return str(
        _("There are no texts to compare with yet. Import your articles or crawl a site first, then check again.")
    )
