"""Stored pages: the search, one page with all that is known of it, its versions and its story."""

from dataclasses import dataclass
from typing import Final

from flask import Blueprint, abort, redirect, render_template, request, url_for
from flask_babel import gettext as _
from werkzeug.wrappers import Response as AnyResponse

from admin.identity.audit import note
from admin.identity.permissions import needs
from admin.pages.fingerprint_picture import PICTURED_CHARS, TextPicture, bands, picture
from admin.pages.labels import PAGE_TABLES
from admin.pages.query import parse_page_query
from admin.pages.story_picture import LANE_HEIGHT, WIDTH, story_picture
from admin.passages.side_by_side import Pair, present
from admin.web import labels
from admin.web.answers import done, or_404
from admin.web.db_session import database
from admin.web.replica_reads import reads_replica
from admin.web.services import current_services
from admin.web.url_converters import as_key
from fingerprint.model import ALGORITHM_VERSION
from matcher.explanation.explain import compare_texts
from storage.errors import HeldByCase
from storage.evidence import chain_store
from storage.jobs import queue
from storage.matches import hits
from storage.matches.story_pages import story_of_page
from storage.pages import history, pages, saving, search, text_index
from storage.pages.history import VersionRecord
from storage.records.pages import PageRecord
from storage.sites import sites
from storage.takedowns import page_presence
from storage.types import AccountRole

SHOWN_PAGES: Final = 50
SHOWN_HITS: Final = 20
SHOWN_CAPTURES: Final = 50
COMPARED_CHARS: Final = 100_000
"""Longest text of which changes are shown: to align longer ones would keep the reader waiting."""

blueprint = Blueprint("pages", __name__, url_prefix="/pages")
labels.register(blueprint, PAGE_TABLES)


@blueprint.get("")
@reads_replica
def index() -> str:
    index_of_texts = text_index.state(database())
    can_ask_texts = index_of_texts is not None and index_of_texts.is_ready
    query = parse_page_query(request.args, bodies=can_ask_texts)
    return render_template(
        "pages/pages.html",
        found=search.search_pages(database(), query.where, limit=SHOWN_PAGES, below=query.below),
        query=query,
        can_ask_texts=can_ask_texts,
        sites=[site.name for site in sites.list_sites(database())],
    )


@blueprint.get("/<key:page_id>")
def detail(page_id: int) -> str:
    return _detail(page_or_404(page_id))


@blueprint.post("/<key:page_id>/remove")
@needs(AccountRole.MANAGER)
def remove(page_id: int) -> AnyResponse | tuple[str, int]:
    page = page_or_404(page_id)
    if request.form.get("confirm") != "yes":
        return _detail(page, problem=_("Tick the box first: removal cannot be undone.")), 400
    try:
        saving.remove_page(database(), page.url)
    except HeldByCase:
        return _detail(page, problem=_("A case refers to this page. It is evidence and cannot be removed.")), 409
    note("page.remove", page.url, {"title": page.title})
    return redirect(url_for("pages.index"))


@blueprint.post("/<key:page_id>/capture")
@needs(AccountRole.REVIEWER)
def capture(page_id: int) -> AnyResponse:
    """Have the page captured as it is now."""
    page, enqueue = page_or_404(page_id), current_services().enqueue
    if enqueue is None:
        abort(501)
    enqueue(queue.CAPTURE_PAGE, page_id=page.id)
    note("page.capture", page.url)
    return done(_("Capture queued; it starts as soon as a worker is free."), "pages.detail", page_id=page_id)


@dataclass(frozen=True, slots=True)
class Drawn:
    """A fingerprint as stored, and drawn along the text."""

    keys: history.StoredKeys
    picture: TextPicture
    is_beginning: bool
    """Whether only the beginning of the text is drawn."""

    @property
    def is_older(self) -> bool:
        return self.keys.algorithm_version != ALGORITHM_VERSION


def page_or_404(page_id: int) -> PageRecord:
    return or_404(pages.page_by_id(database(), page_id))


def _detail(page: PageRecord, *, problem: str = "") -> str:
    sightings = history.sightings(database(), page.id)
    if sightings is None:
        # The page was removed between two queries of this request.
        abort(404)
    captures = chain_store.entries_of_url(database(), page.url)
    return render_template(
        "pages/page.html",
        page=page,
        sightings=sightings,
        versions=history.versions_of_pages(database(), [page.id]).get(page.id, []),
        hits=hits.hits_of_page(database(), page.id, limit=SHOWN_HITS),
        shown_hits=SHOWN_HITS,
        events=page_presence.events_of_page(database(), page.url),
        captures=captures[::-1][:SHOWN_CAPTURES],
        posts=pages.posts_of(database(), page.version_id),
        drawn=_drawn(page),
        bands=bands,
        problem=problem,
        can_capture=current_services().enqueue is not None and page.url.startswith(("http://", "https://")),
    )


def _drawn(page: PageRecord) -> Drawn | None:
    keys = history.keys_of_text(database(), page.text_id)
    body = pages.text_body(database(), page.text_id)
    if keys is None or body is None:
        return None
    return Drawn(keys, picture(body), len(body) > PICTURED_CHARS)


@blueprint.get("/<key:page_id>/story")
@reads_replica
def story(page_id: int) -> str:
    """The story of a page: who published it when, and who copied it from whom."""
    page = page_or_404(page_id)
    found = story_of_page(database(), page)
    drawn = story_picture(found)
    return render_template(
        "pages/story.html",
        page=page,
        story=found,
        drawn=drawn,
        by_id={teller.page.id: teller for teller in drawn.tellers},
        lane_height=LANE_HEIGHT,
        width=WIDTH,
    )


@blueprint.get("/<key:page_id>/versions/<key:version_id>")
def version(page_id: int, version_id: int) -> str:
    """A version with what changed since the one before, or since the one asked for by `with`."""
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
    """The version that `with` names, else the previous one."""
    wanted = as_key(request.args.get("with", ""))
    asked = next((version for version in versions if version.id == wanted and version.id != shown.id), None)
    older = versions[versions.index(shown) + 1 :]
    return asked or (older[0] if older else None)


def _body(version: VersionRecord) -> str:
    return or_404(pages.text_body(database(), version.text_id))


def _pair(shown: str, other: str) -> Pair:
    """The shown version takes the place of a copy: what only it has counts as added."""
    if not other or max(len(shown), len(other)) > COMPARED_CHARS:
        return present(shown, other, ())
    return present(shown, other, compare_texts(shown, other).judgement.passages)
