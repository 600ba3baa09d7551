"""Captured pages as pictures, and captures asked for again."""

from typing import Final

from flask import Blueprint, Response, abort, flash, redirect, request
from flask_babel import gettext as _

from admin.cases.common import Answer, case_or_404, case_url
from admin.identity.permissions import actor, needs
from admin.web.answers import or_404
from admin.web.db_session import database
from admin.web.services import current_services
from crawler.evidence.pictures import picture_in
from crawler.evidence.record_files import EvidenceFolder
from crawler.evidence.recordings.capture_file import pictures_named
from storage.accounts import audit_log
from storage.cases import detail
from storage.evidence.screenshots import newest_screenshot
from storage.jobs import queue as job_queue
from storage.records.evidence import EvidenceKind
from storage.takedowns import recaptures
from storage.types import AccountRole

MOST_PICTURE_BYTES: Final = 12_000_000
HEAD_BYTES: Final = 4_000_000
"""Of a file, in which its record has to be whole."""

blueprint = Blueprint("case_pictures", __name__, url_prefix="/cases/<key:case_id>")


def picture_count(url: str) -> int:
    """The pictures of the URL that this machine holds: one of its upper part, or those of a record, top to bottom."""
    entry, folder = newest_screenshot(database(), url), _folder()
    if folder is None or entry is None or entry.record is None:
        return 0
    try:
        with folder.file_of(entry.record).open("rb") as file:
            return pictures_named(file.read(HEAD_BYTES)) if entry.kind is EvidenceKind.RECORDED else 1
    except OSError:
        return 0


@blueprint.get("/picture/<key:page_id>")
def picture(case_id: int, page_id: int) -> Response:
    """The newest screenshot of a page of theirs, as PNG; with `part`, that part of a long page, counted from 1."""
    page = or_404(detail.page_of_case(database(), case_or_404(case_id).id, page_id))
    entry, folder = newest_screenshot(database(), page.their_url), _folder()
    if entry is None or entry.record is None or folder is None:
        abort(404)
    part = max(1, request.args.get("part", 1, int))
    data = or_404(picture_in(folder.read(entry.record) or b"", max_bytes=MOST_PICTURE_BYTES, number=part))
    return Response(data, content_type="image/png")


@blueprint.post("/capture-again")
@needs(AccountRole.REVIEWER)
def capture_again(case_id: int) -> Answer:
    """Queue the failed captures of the case again."""
    case_or_404(case_id)
    count = recaptures.ask_again(database(), [case_id])
    if count:
        job_queue.defer_once(database(), job_queue.CAPTURE)
        said = {"pages": str(count)}
        audit_log.record(database(), actor=actor(), act="evidence.capture", subject=f"#{case_id}", detail=said)
    flash(_("Pages queued for capture again: %(count)s.", count=count), "success")
    return redirect(case_url(case_id))


def _folder() -> EvidenceFolder | None:
    home = current_services().home
    return None if home is None else EvidenceFolder(home)
