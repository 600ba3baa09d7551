"""Kept results: one result at its own address, the history of a person, and the files that were handed in together."""

from dataclasses import dataclass
from typing import Final

from flask import Blueprint, Response, abort, flash, redirect, render_template, request, url_for
from flask_babel import gettext as _
from werkzeug.wrappers import Response as AnyResponse

from admin.check.exclusions import LeftOut, left_out_of, parties_of
from admin.check.labels import CHECK_TABLES
from admin.check.result_answers import file_answer
from admin.check.result_view import CheckView, view_of
from admin.check.retention import LONGER, expiry, keep_of
from admin.check.views import form_page
from admin.identity.audit import note
from admin.identity.permissions import actor, needs
from admin.passages.exclusions import SHORT_CHARS
from admin.web import form_fields, labels
from admin.web.answers import done
from admin.web.db_session import database
from admin.web.url_converters import as_key
from storage.errors import NotKnown
from storage.intake import submissions, text_checks
from storage.intake.check_records import CheckedResult, CheckedText, KeptCheck
from storage.jobs import queue
from storage.pages import pages
from storage.types import AccountRole, CheckState

PAGE: Final = 50
MOST_OF_BATCH: Final = 200

blueprint = Blueprint("check_results", __name__, url_prefix="/check")
labels.register(blueprint, CHECK_TABLES)


@dataclass(frozen=True, slots=True)
class Reading:
    """A kept check as its owner reads it: with what is left out now."""

    kept: KeptCheck
    text: CheckedText
    left_out: LeftOut
    view: CheckView


def reading_of(key: str) -> Reading | None:
    """A kept check that the current user may read; None if there is none, or its time is over."""
    try:
        kept = text_checks.get_check(database(), key, account_id=actor().id)
    except NotKnown:
        return None
    record, left_out = kept.record, left_out_of(kept.result)
    text = CheckedText(
        kept.body, record.title, record.author, record.url, record.kind, record.collection, by_meaning=record.by_meaning
    )
    return Reading(kept, text, left_out, view_of(kept.body, kept.result, _bodies(kept.result), left_out.exclusions))


def _bodies(result: CheckedResult) -> dict[int, str]:
    """The stored texts of a result by id, those of submissions by their negative ids; removed ones are missing."""
    numbers = {one.text_id for one in result.sources} | {one.text_id for one in result.retold}
    found = pages.text_bodies(database(), [number for number in numbers if number > 0])
    return found | submissions.bodies(database(), [-number for number in numbers if number < 0])


@blueprint.get("/results/<check_key>")
@needs(AccountRole.REVIEWER)
def detail(check_key: str) -> str | tuple[str, int]:
    reading = reading_of(check_key)
    if reading is None:
        return form_page(problem=gone()), 404
    return render_template(
        "check/check_result.html",
        reading=reading,
        view=reading.view,
        checked=reading.text,
        record=reading.kept.record,
        left_out=reading.left_out,
        parties=parties_of(reading.kept.result.sources),
        bounds=SHORT_CHARS,
        longer=LONGER,
        is_mine=reading.kept.record.account_id == actor().id,
        menu_entry="check",
    )


def gone() -> str:
    return str(_("This result is no longer kept, or belongs to someone else. Check the text again."))


@blueprint.get("/results/<check_key>/file")
@needs(AccountRole.REVIEWER)
def file(check_key: str) -> Response:
    reading = reading_of(check_key)
    if reading is None:
        abort(404)
    checked_at = reading.kept.record.checked_at or reading.kept.record.created_at
    return file_answer(request.args.get("as", ""), reading.text, reading.view, checked_at)


@blueprint.post("/results/<check_key>/keep")
@needs(AccountRole.REVIEWER)
def keep(check_key: str) -> AnyResponse:
    chosen = keep_of(form_fields.line("keep", 9))
    text_checks.extend_check(database(), check_key, account_id=actor().id, expires_at=expiry(chosen))
    return done(_("Result saved. Only you can read it."), "check_results.detail", check_key=check_key)


@blueprint.post("/results/<check_key>/delete")
@needs(AccountRole.REVIEWER)
def delete(check_key: str) -> AnyResponse:
    record = text_checks.delete_check(database(), check_key, account_id=actor().id)
    note("check.delete", str(record.id))
    if record.batch is not None and request.form.get("from") == "batch":
        return done(_("Text and result deleted."), "check_results.batch", batch=record.batch)
    return done(_("Text and result deleted."), "check_results.history")


@blueprint.get("/history")
@needs(AccountRole.REVIEWER)
def history() -> str:
    before = as_key(request.args.get("before", ""))
    found = text_checks.list_checks(database(), account_id=actor().id, before_id=before, limit=PAGE + 1)
    return render_template(
        "check/history.html", checks=found[:PAGE], has_more=len(found) > PAGE, before=before, menu_entry="check"
    )


@blueprint.post("/history/delete")
@needs(AccountRole.REVIEWER)
def clear() -> AnyResponse:
    count = text_checks.delete_all_checks(database(), account_id=actor().id)
    note("check.clear", str(count))
    flash(_("All your results deleted."))
    return redirect(url_for("check_results.history"))


@blueprint.get("/batches/<batch>")
@needs(AccountRole.REVIEWER)
def batch(batch: str) -> str:
    return _batch_page("check/batch.html", batch)


@blueprint.get("/batches/<batch>/progress")
@needs(AccountRole.REVIEWER)
def progress(batch: str) -> str:
    return _batch_page("check/batch_progress.html", batch)


def _batch_page(template: str, key: str) -> str:
    found = text_checks.list_checks(database(), account_id=actor().id, batch=key, limit=MOST_OF_BATCH)
    if not found:
        abort(404)
    waiting = [one for one in found if one.state in (CheckState.QUEUED, CheckState.RUNNING)]
    return render_template(
        template,
        checks=found,
        batch=key,
        done=len(found) - len(waiting),
        is_open=bool(waiting),
        is_worked_off=not waiting or queue.has_workers(database()),
        menu_entry="check",
    )
