"""Captured pages as pictures, and captures asked for again."""

from typing import Final

from flask import Blueprint, Response, abort, flash, redirect
from flask_babel import gettext as _

from admin.cases.common import Answer, case_or_404, case_url
from admin.identity.permissions import actor, needs
from admin.web.answers import or_404
from admin.web.db_session import database
from admin.web.services import current_services
from crawler.evidence.pictures import picture_in
from crawler.evidence.record_files import EvidenceFolder
from storage.accounts import audit_log
from storage.cases import detail
from storage.evidence.screenshots import newest_screenshot
from storage.jobs import queue as job_queue
from storage.takedowns import recaptures
from storage.types import AccountRole

MOST_PICTURE_BYTES: Final = 3_000_000

blueprint = Blueprint("case_pictures", __name__, url_prefix="/cases/<key:case_id>")


def has_picture(url: str) -> bool:
    """Whether this machine holds a screenshot of the URL."""
    folder = _folder()
    if folder is None:
        return False
    entry = newest_screenshot(database(), url)
    return entry is not None and entry.record is not None and folder.file_of(entry.record).is_file()


@blueprint.get("/picture/<key:page_id>")
def picture(case_id: int, page_id: int) -> Response:
    """The newest screenshot of a page of theirs, as PNG."""
    page = or_404(detail.page_of_case(database(), case_or_404(case_id).id, page_id))
    entry, folder = newest_screenshot(database(), page.their_url), _folder()
    if entry is None or entry.record is None or folder is None:
        abort(404)
    data = or_404(picture_in(folder.read(entry.record) or b"", max_bytes=MOST_PICTURE_BYTES))
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
    flash(_("Captures queued again: %(count)s pages.", count=count), "success")
    return redirect(case_url(case_id))


def _folder() -> EvidenceFolder | None:
    home = current_services().home
    return None if home is None else EvidenceFolder(home)
