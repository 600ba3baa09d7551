"""Sites and the runs of their crawls."""

from typing import Any

from marshmallow import Schema, fields

from admin.api.asking import Caller
from admin.api.fields import PieceQuery, one_of, piece, pieces_of, words
from admin.api.problems import known
from admin.api.routes import READS, Routes
from admin.sites.run_views import with_lost_closed
from admin.web.db_session import database
from storage.crawl import runs
from storage.sites import sites
from storage.types import Rights, SiteRole

site_routes = Routes("sites", "Sites, ours and watched ones.")
run_routes = Routes("runs", "Crawl runs, with what each refused and why.")


class SitesQuery(PieceQuery):
    role = one_of(SiteRole)
    name = words(200, about="The site of exactly this name.")


class SiteItem(Schema):
    """A publisher's site."""

    id = fields.Integer(required=True)
    name = fields.String(required=True)
    owner_id = fields.Integer(required=True)
    owner = fields.String(required=True, attribute="owner_name")
    role = fields.String(required=True, attribute="settings.role", metadata={"enum": list(SiteRole)})
    rights = fields.String(required=True, attribute="settings.rights", metadata={"enum": list(Rights)})
    hosts = fields.List(fields.String(), required=True, attribute="settings.hosts")
    start_urls = fields.List(fields.String(), required=True, attribute="settings.start_urls")
    sitemaps = fields.List(fields.String(), required=True, attribute="settings.sitemaps")
    feeds = fields.List(fields.String(), required=True, attribute="settings.feeds")
    time_zone = fields.String(required=True, attribute="settings.time_zone")
    enabled = fields.Boolean(required=True, attribute="settings.enabled")


class RunsQuery(PieceQuery):
    site = words(200, about="The site's name.")


class RunItem(Schema):
    """One crawl of one site."""

    id = fields.Integer(required=True)
    site = fields.String(required=True, attribute="site_name")
    trigger = fields.String(required=True)
    started_at = fields.DateTime(required=True)
    ended_at = fields.DateTime(required=True, allow_none=True)
    exit_reason = fields.String(required=True, allow_none=True)
    counters = fields.Dict(
        keys=fields.String(),
        values=fields.Integer(),
        required=True,
        metadata={"description": "Counts of what was done; refusals are under `refused/…`."},
    )


class RunAnswer(RunItem):
    """The same with sample URLs of refused pages, by reason."""

    refusal_samples = fields.Dict(keys=fields.String(), values=fields.List(fields.String()), required=True)


SitesAnswer = pieces_of(SiteItem, "SitesAnswer")
RunsAnswer = pieces_of(RunItem, "RunsAnswer")


@site_routes.get("", READS, query=SitesQuery, answer=SitesAnswer)
def list_sites(_caller: Caller, params: dict[str, Any]) -> object:
    """Sites, newest first."""
    role, name, below = params.get("role"), params.get("name"), params["cursor"]
    found = [
        site
        for site in sites.list_sites(database())
        if role in (None, site.settings.role) and name in (None, site.name) and (below is None or site.id < below)
    ]
    found.sort(key=lambda site: -site.id)
    return piece(found[: params["limit"] + 1], params["limit"])


@site_routes.get("/<key:site_id>", READS, answer=SiteItem)
def get_site(_caller: Caller, _asked: dict[str, Any], site_id: int) -> object:
    """One site."""
    return known(sites.site_by_id(database(), site_id), f"There is no site {site_id}.")


@run_routes.get("", READS, query=RunsQuery, answer=RunsAnswer)
def list_runs(_caller: Caller, params: dict[str, Any]) -> object:
    """Runs, newest first."""
    limit = params["limit"]
    found = runs.list_runs(with_lost_closed(), site=params.get("site"), below=params["cursor"], limit=limit + 1)
    return piece(found, limit)


@run_routes.get("/<key:run_id>", READS, answer=RunAnswer)
def get_run(_caller: Caller, _asked: dict[str, Any], run_id: int) -> object:
    """One run."""
    return known(runs.get_run(with_lost_closed(), run_id), f"There is no run {run_id}.")
