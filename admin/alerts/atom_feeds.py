"""Saved lists of cases as Atom feeds, at secret addresses that give access to nothing else."""

from datetime import UTC, datetime
from typing import Final
from zoneinfo import ZoneInfo

from flask import Blueprint, abort, flash, make_response, redirect, render_template, request, url_for
from flask_babel import force_locale, get_locale
from flask_babel import gettext as _
from werkzeug.wrappers import Response as AnyResponse

from admin.cases.query import Asker, query_of_view
from admin.identity.permissions import actor, needs
from admin.web import form_fields
from admin.web.db_session import database
from admin.web.desk_address import outside_url
from admin.web.rate_limits import limiter
from admin.web.services import current_services
from admin.web.url_converters import as_key
from storage.accounts import audit_log
from storage.alerts import feeds as alert_feeds
from storage.alerts.feeds import TooManyFeeds
from storage.cases import listing
from storage.desk import saved_views
from storage.errors import NotKnown
from storage.types import AccountRole

NEWEST: Final = 50
ASKED_BY_ADDRESS: Final = "60 per minute"
LONGEST_TOKEN: Final = 100


blueprint = Blueprint("feeds", __name__)


@blueprint.get("/alerts/feeds")
def index() -> str:
    return _page()


@blueprint.post("/alerts/feeds")
@needs(AccountRole.VIEWER)
def add() -> str | tuple[str, int]:
    view_id = as_key(form_fields.line("view"))
    try:
        token = alert_feeds.make_feed(database(), actor().id, view_id or 0, language=str(get_locale()))
    except NotKnown:
        abort(404)
    except TooManyFeeds:
        return _page(_("You already have %(most)s addresses. Revoke one first.", most=alert_feeds.MOST_FEEDS)), 400
    audit_log.record(database(), actor=actor(), act="feed.add", subject=str(view_id))
    return _page(address=outside_url("feeds.atom", secret=token))


@blueprint.post("/alerts/feeds/<key:feed_id>/remove")
@needs(AccountRole.VIEWER)
def remove(feed_id: int) -> AnyResponse:
    if not alert_feeds.remove_feed(database(), actor().id, feed_id):
        abort(404)
    audit_log.record(database(), actor=actor(), act="feed.remove", subject=str(feed_id))
    flash(_("Feed address revoked; it no longer returns anything."))
    return redirect(url_for("feeds.index"))


@blueprint.get("/feeds/<secret>.atom")
@limiter.limit(ASKED_BY_ADDRESS)
def atom(secret: str) -> AnyResponse:
    """The feed, without a login: the cases that the person who made the address would see in the list."""
    now = datetime.now(UTC)
    feed = None if len(secret) > LONGEST_TOKEN else alert_feeds.feed_of_token(database(), secret, at=now)
    if feed is None:
        abort(404)
    query = query_of_view(feed.query, Asker(feed.account_id, now, ZoneInfo(current_services().time_zone)))
    cases = listing.list_cases(database(), query.where, limit=NEWEST)
    updated = max((case.changed_at for case in cases), default=feed.created_at)
    with force_locale(feed.language):
        text = render_template("alerts/feed.xml", feed=feed, cases=cases, updated=updated)
    response = make_response(text)
    response.content_type = "application/atom+xml; charset=utf-8"
    response.add_etag()
    return response.make_conditional(request)


def _page(problem: str = "", *, address: str = "") -> str:
    return render_template(
        "alerts/alert_feeds.html",
        feeds=alert_feeds.list_feeds(database(), actor().id),
        views=saved_views.views_for(database(), actor().id),
        problem=problem,
        address=address,
    )
