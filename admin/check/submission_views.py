"""Kept submissions: list, detail, deletion."""

from datetime import UTC, datetime, timedelta
from typing import Final

from flask import Blueprint, abort, flash, redirect, render_template, request, url_for
from flask_babel import gettext as _
from werkzeug.wrappers import Response as AnyResponse

from admin.check.input import LONGEST_TITLE
from admin.identity.audit import note
from admin.identity.permissions import actor, needs
from admin.web import form_fields
from admin.web.answers import done
from admin.web.db_session import database
from admin.web.url_converters import as_key
from crawler.importers.documents import MAX_TEXT_CHARS
from fingerprint.compute import fingerprint_text
from storage.intake import submissions, text_checks
from storage.intake.submissions import AUTHOR_CHARS, COLLECTION_CHARS
from storage.records.submissions import NewSubmission, SubmissionRecord
from storage.types import AccountRole

PAGE: Final = 50
DEFAULT_DAYS: Final = 90
MOST_DAYS: Final = 1_095
"""Three years, the length of a course of study; longer storage needs a new submission."""

blueprint = Blueprint("submissions", __name__, url_prefix="/submissions")


@blueprint.get("")
@needs(AccountRole.REVIEWER)
def index() -> str:
    collection = request.args.get("collection", "").replace("\0", "")[:COLLECTION_CHARS] or None
    before = as_key(request.args.get("before", ""))
    found = submissions.list_submissions(database(), collection=collection, before_id=before, limit=PAGE + 1)
    return render_template(
        "check/submissions.html",
        submissions=found[:PAGE],
        has_more=len(found) > PAGE,
        collections=submissions.collections(database()),
        collection=collection,
        before=before,
    )


@blueprint.post("")
@needs(AccountRole.REVIEWER)
def keep() -> AnyResponse:
    text, title = _text_to_keep()
    collection, author = form_fields.line("collection", COLLECTION_CHARS), form_fields.line("author", AUTHOR_CHARS)
    days = as_key(form_fields.line("days", 9))
    if not text or not collection or not author or days is None or not 1 <= days <= MOST_DAYS:
        abort(400)
    who = actor()
    new = NewSubmission(
        collection=collection,
        author=author,
        title=title,
        body=text,
        fingerprint=fingerprint_text(text),
        expires_at=datetime.now(UTC) + timedelta(days=days),
        added_by_id=who.id,
        added_by=who.name,
    )
    submissions.drop_expired(database())
    kept = submissions.add_submission(database(), new)
    note("submission.keep", _named(kept))
    flash(_("Submission saved. It is compared with what is submitted to this collection from now on."))
    return redirect(url_for("submissions.detail", submission_id=kept.id))


def _text_to_keep() -> tuple[str, str]:
    """Text and title: those of a kept check, or of the form. Raises NotKnown if the check is not kept any more."""
    key = request.form.get("check", "")
    if not key:
        return form_fields.text("text", MAX_TEXT_CHARS), form_fields.line("title", LONGEST_TITLE)
    kept = text_checks.get_check(database(), key, account_id=actor().id)
    return kept.body, kept.record.title


@blueprint.get("/<key:submission_id>")
@needs(AccountRole.REVIEWER)
def detail(submission_id: int) -> str:
    found, body = submissions.get_submission(database(), submission_id)
    return render_template("check/submission.html", submission=found, body=body)


@blueprint.post("/<key:submission_id>/delete")
@needs(AccountRole.REVIEWER)
def delete(submission_id: int) -> AnyResponse:
    found, _body = submissions.get_submission(database(), submission_id)
    submissions.delete_submission(database(), found.id)
    note("submission.delete", _named(found))
    return done(_("Text deleted."), "submissions.index", collection=found.collection)


def _named(found: SubmissionRecord) -> str:
    return f"{found.collection} / {found.author} / {found.id}"
