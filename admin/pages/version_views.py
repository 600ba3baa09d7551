"""A version of a page: its text, and what changed against another version."""

from typing import Final

from flask import Blueprint, render_template, request

from admin.pages.views import page_or_404
from admin.passages.side_by_side import Pair, present
from admin.web.answers import or_404
from admin.web.db_session import database
from admin.web.url_converters import as_key
from matcher.explanation.explain import compare_texts
from storage.pages import history, pages
from storage.pages.history import VersionRecord

COMPARED_CHARS: Final = 100_000
"""Of either text; longer versions are shown without what changed: to align them would keep the reader waiting."""

blueprint = Blueprint("page_versions", __name__, url_prefix="/pages/<key:page_id>/versions")


@blueprint.get("/<key:version_id>")
def detail(page_id: int, version_id: int) -> str:
    page = page_or_404(page_id)
    versions = history.versions_of_pages(database(), [page.id]).get(page.id, [])
    shown = or_404(next((version for version in versions if version.id == version_id), None))
    other = _other(versions, shown)
    body = _body(shown)
    return render_template(
        "pages/page_version.html",
        page=page,
        versions=versions,
        shown=shown,
        other=other,
        pair=_pair(body, "" if other is None else _body(other)),
        is_compared=other is not None and max(shown.chars, other.chars) <= COMPARED_CHARS,
    )


def _other(versions: list[VersionRecord], shown: VersionRecord) -> VersionRecord | None:
    """The version asked for by `with`, else the one before."""
    wanted = as_key(request.args.get("with", ""))
    asked = next((version for version in versions if version.id == wanted and version.id != shown.id), None)
    older = versions[versions.index(shown) + 1 :]
    return asked or (older[0] if older else None)


def _body(version: VersionRecord) -> str:
    return or_404(pages.text_body(database(), version.text_id))


def _pair(shown: str, other: str) -> Pair:
    """The version that is shown stands where a copy would: what only it has counts as added."""
    if not other or max(len(shown), len(other)) > COMPARED_CHARS:
        return present(shown, other, ())
    return present(shown, other, compare_texts(shown, other).judgement.passages)
