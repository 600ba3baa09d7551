"""Imports of files, uploaded or from the import folder, and their progress."""

import hashlib
import os
import secrets
from enum import StrEnum
from pathlib import Path
from typing import Final

from flask import Blueprint, abort, render_template, request
from flask_babel import gettext as _
from werkzeug.datastructures import FileStorage
from werkzeug.wrappers import Response as AnyResponse

from admin.hooks import upload_limits
from admin.identity.audit import note
from admin.identity.permissions import actor, needs
from admin.imports.labels import IMPORT_TABLES
from admin.web import form_fields, labels
from admin.web.answers import done, or_404
from admin.web.db_session import database
from admin.web.labels import joined, label
from admin.web.services import current_services
from crawler.importers.files import is_importable
from storage.intake import uploads as intake_uploads
from storage.intake.uploads import PASSED, REFUSED, UPLOADS, FileImport
from storage.jobs import queue
from storage.sites import sites
from storage.types import AccountRole, FilePlace, Rights

MOST_FILES: Final = 50
MOST_OFFERED: Final = 500
"""Listed entries of the import folder."""
SITE_CHARS: Final = 200
NAME_CHARS: Final = 80
"""In characters, counted from the end of a name, which holds the extension. File systems allow 255 bytes."""

blueprint = Blueprint("imports", __name__, url_prefix="/imports")
labels.register(blueprint, IMPORT_TABLES)
upload_limits.allow(blueprint, {"imports.upload"}, AccountRole.MANAGER, most_bytes=upload_limits.LARGEST_UPLOAD)


class Whose(StrEnum):
    OURS = "ours"
    OTHERS = "others"


@blueprint.app_template_global()
def can_import() -> bool:
    """Whether files can be imported here: there is a folder to keep them, and a worker."""
    return current_services().home is not None and current_services().enqueue is not None


@blueprint.app_template_filter()
def turned_away(record: FileImport) -> list[tuple[str, int]]:
    """Records that were refused or were no articles, by reason, most frequent first."""
    counted = sorted(record.counters.items(), key=lambda item: (-item[1], item[0]))
    found = [(name, count) for prefix in (REFUSED, PASSED) for name, count in counted if name.startswith(prefix)]
    return [(label(name.partition("/")[2], "refusal"), count) for name, count in found]


@blueprint.get("")
def index() -> str:
    return _page()


def _page(problem: str = "") -> str:
    return render_template(
        "imports/imports.html",
        imports=intake_uploads.newest(database()),
        problem=problem,
        offered=_offered(),
        folder=current_services().import_folder,
        sites=[site.name for site in sites.list_sites(database())],
        whose=request.values.get("whose", ""),
        is_worked_off=queue.has_workers(database()),
    )


@blueprint.get("/progress")
def progress() -> str:
    """The part of the page that shows progress: polled while an import is running."""
    found = intake_uploads.newest(database())
    return render_template("imports/imports_progress.html", imports=found, is_worked_off=queue.has_workers(database()))


@blueprint.get("/<key:import_id>")
def detail(import_id: int) -> str:
    record = or_404(intake_uploads.get(database(), import_id))
    return render_template("imports/import.html", record=record)


@blueprint.post("")
@needs(AccountRole.MANAGER)
def upload() -> AnyResponse | tuple[str, int]:
    """Keep the files and queue their import. One file of an unknown kind refuses all."""
    home = current_services().home
    if home is None or not can_import():
        abort(501)
    whose, site_name = form_fields.choice("whose", Whose), form_fields.line("site", SITE_CHARS)
    files = [file for file in request.files.getlist("file") if file.filename]
    problem = _problem(whose, site_name, [_plain_name(file.filename or "") for file in files])
    if problem:
        return _page(problem), 422
    for file in files:
        path = _kept(home / UPLOADS, site_name, file)
        _queue_import(FilePlace.UPLOADED, path, whose, site_name)
    return _asked_for(len(files))


@blueprint.post("/folder")
@needs(AccountRole.MANAGER)
def take_from_folder() -> AnyResponse | tuple[str, int]:
    """Import one entry of the import folder."""
    if not can_import():
        abort(501)
    whose, site_name = form_fields.choice("whose", Whose), form_fields.line("site", SITE_CHARS)
    entry = request.form.get("entry", "")
    if entry not in _offered():
        return _page(_("The file is no longer in the folder.")), 422
    problem = _problem(whose, site_name)
    if problem:
        return _page(problem), 422
    _queue_import(FilePlace.FOLDER, entry, whose, site_name)
    return _asked_for(1)


def _problem(whose: Whose, site_name: str, names: list[str] | None = None) -> str:
    """What is wrong with the form, in the viewer's language; empty where nothing is."""
    unread = [name for name in names or [] if not is_importable(name)]
    if names is not None and not names:
        return str(_("Choose a file first."))
    if names is not None and len(names) > MOST_FILES:
        return str(_("Up to %(most)s files at once.", most=MOST_FILES))
    if unread:
        return str(_("File type not supported: %(names)s.", names=joined(unread[:5])))
    if whose is Whose.OURS and not site_name:
        return str(
            _("Enter the site of yours that the articles belong to. If there is none with that name, it is created.")
        )
    return ""


def _queue_import(place: FilePlace, path: str, whose: Whose, site_name: str) -> None:
    rights = Rights.OWN if whose is Whose.OURS else Rights.UNKNOWN
    person = actor()
    intake_uploads.request_import(
        database(), place=place, path=path, site_name=site_name, rights=rights, brought_by=person.name
    )
    said = {"site": site_name, "rights": rights.value}
    note("import.ask", path.rpartition("/")[2], said)


def _asked_for(count: int) -> AnyResponse:
    return done(_("Imports queued: %(count)s. Progress is shown below.", count=count), "imports.index")


def _kept(base: Path, site_name: str, file: FileStorage) -> str:
    """Save the file atomically; return its path in the upload folder.

    A file of the same name and site gets the same path: a text without a URL is identified by it, and becomes its next
    version.
    """
    name = _plain_name(file.filename or "")
    folder = base / hashlib.sha256(f"{site_name}\n{name}".encode()).hexdigest()[:16]
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    aside = folder / f".{secrets.token_hex(8)}"
    try:
        file.save(aside)
        aside.replace(folder / name)
    finally:
        aside.unlink(missing_ok=True)
    return f"{folder.name}/{name}"


def _plain_name(sent: str) -> str:
    """The file name that a browser sent, made safe: no folders, nothing hidden, nothing unprintable."""
    name = sent.rpartition("/")[2].encode(errors="replace").decode()
    return "".join(letter for letter in name if letter.isprintable()).strip()[-NAME_CHARS:].lstrip(".")


def _offered() -> list[str]:
    """Entries of the import folder: files of known kinds and folders. Links are left out."""
    folder = current_services().import_folder
    if folder is None or not folder.is_dir():
        return []
    with os.scandir(folder) as entries:
        found = [
            f"{entry.name}/" if entry.is_dir(follow_symlinks=False) else entry.name
            for entry in entries
            if not entry.name.startswith(".")
            and (
                entry.is_dir(follow_symlinks=False)
                or (entry.is_file(follow_symlinks=False) and is_importable(entry.name))
            )
        ]
    return sorted(found)[:MOST_OFFERED]
