"""Sites and the runs of their crawls."""

from typing import Any

from marshmallow import Schema, fields

from admin.api.asking import Caller
from admin.api.fields import PieceQuery, one_of, piece, pieces_of, shape, words
from admin.api.problems import refuse
from admin.api.routes import READS, Routes
from admin.sites.run_views import with_lost_closed
from admin.web.db_session import database
from storage.crawl import runs
from storage.records.crawl_runs import RunRecord
from storage.records.sites import SiteRecord
from storage.sites import sites
from storage.types import Rights, SiteRole

site_routes = Routes("sites", "Sites: ours, and those where copies are looked for.")
run_routes = Routes("runs", "Crawls, and what each turned away and why.")


class SitesQuery(PieceQuery):
    role = one_of(SiteRole)
    name = words(200, about="The site of exactly this name.")


class SiteItem(Schema):
    """A publisher's site."""

    id = fields.Integer(required=True)
    name = fields.String(required=True)
    owner_id = fields.Integer(required=True)
    owner = fields.String(required=True)
    role = fields.String(required=True, metadata={"enum": list(SiteRole)})
    rights = fields.String(required=True, metadata={"enum": list(Rights)})
    hosts = fields.List(fields.String(), required=True)
    start_urls = fields.List(fields.String(), required=True)
    sitemaps = fields.List(fields.String(), required=True)
    feeds = fields.List(fields.String(), required=True)
    time_zone = fields.String(required=True)
    enabled = fields.Boolean(required=True)


class RunsQuery(PieceQuery):
    site = words(200, about="The site's name.")


class RunItem(Schema):
    """One crawl of one site."""

    id = fields.Integer(required=True)
    site = fields.String(required=True)
    trigger = fields.String(required=True)
    started_at = fields.DateTime(required=True)
    ended_at = fields.DateTime(required=True, allow_none=True)
    exit_reason = fields.String(required=True, allow_none=True)
    counters = fields.Dict(
        keys=fields.String(),
        values=fields.Integer(),
        required=True,
        metadata={"description": "What was done, and under `refused/…` what was turned away."},
    )


class RunAnswer(RunItem):
    """The same with some of the addresses that were turned away, by reason."""

    refusal_samples = fields.Dict(keys=fields.String(), values=fields.List(fields.String()), required=True)


SitesAnswer = pieces_of(SiteItem, "SitesAnswer")
RunsAnswer = pieces_of(RunItem, "RunsAnswer")


@site_routes.get("", READS, query=SitesQuery, answer=SitesAnswer)
def list_sites(_caller: Caller, asked: dict[str, Any]) -> object:
    """Sites, the last added first."""
    role, name, below = asked.get("role"), asked.get("name"), asked["cursor"]
    found = [
        site
        for site in sites.list_sites(database())
        if role in (None, site.settings.role) and name in (None, site.name) and (below is None or site.id < below)
    ]
    found.sort(key=lambda site: -site.id)
    return piece(found[: asked["limit"] + 1], asked["limit"], lambda site: site.id, _site)


@site_routes.get("/<key:site_id>", READS, answer=SiteItem)
def get_site(_caller: Caller, _asked: dict[str, Any], site_id: int) -> object:
    """One site."""
    found = sites.site_by_id(database(), site_id)
    if found is None:
        refuse(404, f"There is no site {site_id}.")
    return _site(found)


@run_routes.get("", READS, query=RunsQuery, answer=RunsAnswer)
def list_runs(_caller: Caller, asked: dict[str, Any]) -> object:
    """Crawls, the last begun first."""
    limit = asked["limit"]
    found = runs.list_runs(with_lost_closed(), site=asked.get("site"), below=asked["cursor"], limit=limit + 1)
    return piece(found, limit, lambda run: run.id, _run)


@run_routes.get("/<key:run_id>", READS, answer=RunAnswer)
def get_run(_caller: Caller, _asked: dict[str, Any], run_id: int) -> object:
    """One crawl."""
    found = runs.get_run(with_lost_closed(), run_id)
    if found is None:
        refuse(404, f"There is no run {run_id}.")
    return _run(found) | {"refusal_samples": found.refusal_samples}


def _site(site: SiteRecord) -> dict[str, Any]:
    settings = ("role", "rights", "hosts", "start_urls", "sitemaps", "feeds", "time_zone", "enabled")
    said = {name: f"settings.{name}" for name in settings}
    return shape(site, "id", "name", "owner_id", owner="owner_name", **said)


def _run(run: RunRecord) -> dict[str, Any]:
    return shape(run, "id", "trigger", "started_at", "ended_at", "exit_reason", "counters", site="site_name")
