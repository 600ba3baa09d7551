"""Hosts on which copies were found, proposed as sites: watch one, ignore it for good, take that back."""

from dataclasses import replace
from typing import Final

from flask import Blueprint, flash, redirect, render_template, url_for
from flask_babel import gettext as _
from werkzeug.wrappers import Response as AnyResponse

from admin.identity.audit import note
from admin.identity.permissions import actor, needs
from admin.sites.jobs import crawl_now
from admin.sites.views import preview_slot
from admin.web import form_fields
from admin.web.answers import done
from admin.web.db_session import database, let_go
from admin.web.labels import label
from admin.web.services import current_services
from admin.web_search.common import declared_or_none
from crawler.discovery.site_preview import SitePreview
from crawler.discovery.sitemap_size import Listed, listed_addresses
from crawler.outcomes.refusals import Refusal
from storage.errors import NameTaken
from storage.records.web_search import ProposedHost
from storage.sites import sites
from storage.types import AccountRole, HostDecision, Rights, SiteRole
from storage.web_search import finds, lists

MOST_HOSTS: Final = 200
LONGEST_HOST: Final = 300
"""In characters: 253 and a port."""
_NOT_FOUND, _BUSY, _NOT_WIRED, _BAD, _CONFLICT = 404, 429, 501, 400, 409

blueprint = Blueprint("discovery_hosts", __name__, url_prefix="/discovery/hosts")


@blueprint.get("")
def index() -> str:
    return _page()


@blueprint.post("/look")
@needs(AccountRole.MANAGER)
def look() -> str | tuple[str, int]:
    """Preview the site of a proposed host; nothing is stored."""
    host = form_fields.line("host", LONGEST_HOST)
    seen = _looked_at(host)
    if not isinstance(seen, SitePreview):
        return seen
    return _page(seen={host: seen}, listed=_listed(seen))


@blueprint.post("/watch")
@needs(AccountRole.MANAGER)
def watch() -> AnyResponse | tuple[str, int]:
    """Add the host as a watched site, with the settings that a preview of it proposes."""
    host = form_fields.line("host", LONGEST_HOST)
    seen = _looked_at(host)
    if not isinstance(seen, SitePreview):
        return seen
    name = seen.settings.name or host
    settings = replace(seen.settings, name=name, role=SiteRole.WATCHED, rights=Rights.UNKNOWN)
    if host not in settings.hosts:
        settings = replace(settings, hosts=(*settings.hosts, host))
    try:
        site = sites.add_site(database(), settings)
    except NameTaken:
        return _page(_("A site with this name already exists.")), _CONFLICT
    finds.decide_host(database(), host, HostDecision.WATCHED, by=actor().name)
    note("host.watch", host, {"site": site.name, "start": " ".join(settings.start_urls)})
    flash(_("%(name)s is now watched. These are the proposed settings; change what does not fit.", name=site.name))
    if current_services().enqueue is not None:
        crawl_now(site)
    return redirect(url_for("sites.detail", site_id=site.id))


@blueprint.post("/ignore")
@needs(AccountRole.MANAGER)
def ignore() -> AnyResponse | tuple[str, int]:
    host = form_fields.line("host", LONGEST_HOST)
    if _proposed(host) is None:
        return _page(_gone(host)), _NOT_FOUND
    finds.decide_host(database(), host, HostDecision.IGNORED, by=actor().name)
    note("host.ignore", host)
    return done(_("%(host)s is now ignored.", host=host), "discovery_hosts.index")


@blueprint.post("/take-back")
@needs(AccountRole.MANAGER)
def take_back() -> AnyResponse | tuple[str, int]:
    """Propose an ignored host again."""
    host = form_fields.line("host", LONGEST_HOST)
    ignored = {one.host for one in lists.decided_hosts(database(), HostDecision.IGNORED, limit=MOST_HOSTS)}
    if host not in ignored or not lists.forget_decision(database(), host):
        return _page(_gone(host)), _NOT_FOUND
    note("host.propose", host)
    return done(_("%(host)s is proposed again.", host=host), "discovery_hosts.index")


def _proposed(host: str) -> ProposedHost | None:
    return next((one for one in finds.proposed_hosts(database(), limit=MOST_HOSTS) if one.host == host), None)


def _gone(host: str) -> str:
    return str(_("%(host)s is no longer in this list.", host=host[:100] or "—"))


def _looked_at(host: str) -> SitePreview | tuple[str, int]:
    """The preview of a proposed host, or the answer that says why there is none."""
    if _proposed(host) is None:
        return _page(_gone(host)), _NOT_FOUND
    seen = _seen(host)
    return seen if isinstance(seen, SitePreview) else (_page(seen[0]), seen[1])


def _seen(host: str) -> SitePreview | tuple[str, int]:
    """The preview of a host's front page, or the problem and its status."""
    see = current_services().preview_site
    if see is None:
        return str(_("This desk cannot preview sites. Fill in the fields by hand.")), _NOT_WIRED
    if not preview_slot.acquire(blocking=False):
        return str(_("Someone else is previewing a site. Try again in a minute.")), _BUSY
    # A preview takes long; the connection is returned to the pool meanwhile.
    let_go()
    try:
        seen = see(_front_page(host))
    finally:
        preview_slot.release()
    if isinstance(seen, Refusal):
        return str(_("Could not preview %(url)s: %(why)s.", url=host, why=label(seen, "refusal"))), _BAD
    return seen


def _listed(seen: SitePreview) -> Listed | None:
    """How many addresses the sitemaps of a previewed site list; None where that is not known."""
    fetch = current_services().fetch
    if fetch is None or not seen.settings.sitemaps:
        return None
    let_go()
    return listed_addresses(seen.settings.sitemaps, fetch)


def _front_page(host: str) -> str:
    """The front page under the scheme of the copy that was found there: some hosts have no TLS."""
    proposed = _proposed(host)
    let_go()
    scheme = "http" if proposed is not None and proposed.example.startswith("http://") else "https"
    return f"{scheme}://{host}/"


def _page(problem: str = "", *, seen: dict[str, SitePreview] | None = None, listed: Listed | None = None) -> str:
    return render_template(
        "web_search/hosts.html",
        hosts=finds.proposed_hosts(database(), limit=MOST_HOSTS),
        ignored=lists.decided_hosts(database(), HostDecision.IGNORED, limit=MOST_HOSTS),
        can_preview=current_services().preview_site is not None,
        problem=problem,
        seen=seen or {},
        listed=listed,
        declared=declared_or_none(),
    )
