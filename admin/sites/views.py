"""Sites: list, detail, adding by a preview of a URL, editing."""

import threading
from dataclasses import replace
from datetime import UTC, datetime
from typing import Final

from flask import Blueprint, flash, render_template, request
from flask_babel import gettext as _
from werkzeug.wrappers import Response as AnyResponse

from admin.identity.audit import note
from admin.identity.permissions import may, needs
from admin.identity.time_zone import viewer_zone, zone_names
from admin.sites import form
from admin.sites.form import SiteForm
from admin.sites.jobs import crawl_now
from admin.sites.labels import SITE_TABLES
from admin.sites.list_figures import figures_of, strips
from admin.sites.run_views import with_lost_closed
from admin.sites.schedule_choice import CHOICES, chosen, set_rule
from admin.sites.typed_address import NO_ANSWER_BY_HTTPS, meant_addresses, name_of_site
from admin.web import form_fields, labels
from admin.web.answers import done, onward, or_404
from admin.web.db_session import database, let_go
from admin.web.labels import label
from admin.web.pagination import Paging
from admin.web.query_fields import QueryFields
from admin.web.search_desk import NotSaved
from admin.web.services import current_services
from crawler.discovery.site_preview import SitePreview
from crawler.outcomes.refusals import Refusal
from storage.cases import licences
from storage.crawl import politeness, runs
from storage.errors import NameTaken
from storage.jobs import queue, schedules
from storage.records.cases import LicenceRecord
from storage.records.crawl import Politeness, RunRecord
from storage.records.sites import SiteRecord, SiteSettings
from storage.sites import owners as site_owners
from storage.sites import sites
from storage.types import AccountRole, Rights, SiteRole

SHOWN_RUNS: Final = 8
COUNTED_PAGES: Final = 10_000
"""Larger numbers of pages are shown as “more than”."""
COUNTED_IN_LIST: Final = 1_000
"""The same in the list, which counts the pages of fifty sites at once."""

preview_slot = threading.BoundedSemaphore(1)
"""A preview takes seconds and a core: one at a time, so that the desk's few threads stay free."""

blueprint = Blueprint("sites", __name__, url_prefix="/sites")
labels.register(blueprint, SITE_TABLES)


@blueprint.get("")
def index() -> str:
    fields = QueryFields(request.args, ("q", "role"))
    text, role = (fields.text("q") or "").casefold(), fields.text("role")
    found = [site for site in sites.list_sites(database()) if _fits(site, text, role)]
    paging = Paging(fields.page, len(found))
    shown = found[paging.offset : paging.offset + paging.size]
    return render_template(
        "sites/sites.html",
        sites=shown,
        last_runs=runs.last_runs(with_lost_closed(), [site.id for site in shown]),
        counted=COUNTED_IN_LIST,
        rules=CHOICES,
        **figures_of(shown, most_pages=COUNTED_IN_LIST + 1),
        paging=paging,
        asked=fields.asked,
        roles=SiteRole,
    )


@blueprint.get("/<key:site_id>")
def detail(site_id: int) -> str:
    site, schedule = site_or_404(site_id), schedules.get_schedule(database(), site_id)
    recent = runs.list_runs(with_lost_closed(), site=site.name, limit=SHOWN_RUNS)
    return render_template(
        "sites/site.html",
        site=site,
        manners=politeness.get_politeness(database(), site_id),
        schedule=schedule,
        strip=strips([site])[site_id],
        chosen=chosen(schedule.rule if schedule else None),
        choices=CHOICES.items(),
        has_workers=queue.has_workers(database()),
        runs=recent,
        current=_current(recent),
        pages=sites.count_pages(database(), site_id, most=COUNTED_PAGES + 1),
        counted=COUNTED_PAGES,
        licences=_licences_of(site),
        can_crawl=current_services().enqueue is not None,
    )


@blueprint.get("/add")
@needs(AccountRole.MANAGER)
def add_form() -> str:
    """The form for a new site; onboarding links to it with `url` and `role`."""
    role = request.args.get("role", "")
    return _add_page(
        request.args.get("url", "")[: form_fields.LONGEST_LINE], role=role if role in set(SiteRole) else ""
    )


@blueprint.post("/look")
@needs(AccountRole.MANAGER)
def preview() -> str | tuple[str, int]:
    """Preview the site and show proposed settings; nothing is stored."""
    url, role = form_fields.line("url", 2_000), form_fields.choice("role", SiteRole)
    see = current_services().preview_site
    if see is None:
        return _add_page(url, _("This desk cannot preview sites. Fill in the fields by hand."), role=role), 501
    addresses = meant_addresses(url)
    if not addresses:
        return _add_page(url, _("“%(url)s” is not a web address.", url=url[:100]), role=role), 400
    if not preview_slot.acquire(blocking=False):
        return _add_page(url, _("Someone else is previewing a site. Try again in a minute."), role=role), 429
    # A preview takes long; the connection is returned to the pool meanwhile.
    let_go()
    try:
        seen = see(addresses[0])
        if isinstance(seen, Refusal) and seen in NO_ANSWER_BY_HTTPS and len(addresses) > 1:
            seen = see(addresses[1])
    finally:
        preview_slot.release()
    if isinstance(seen, Refusal):
        problem = _("Could not preview %(url)s: %(why)s.", url=url[:200], why=label(seen, "refusal"))
        return _add_page(url, problem, role=role), 400
    rights = Rights.OWN if role is SiteRole.ORIGINAL else Rights.UNKNOWN
    taken = {site.name for site in sites.list_sites(database())}
    name = name_of_site(seen.title, seen.settings.name, taken=taken)
    proposed = replace(seen.settings, name=name, role=role, rights=rights)
    fields = form.fields_of(proposed, "", Politeness())
    return _add_page(url, role=role, seen=seen, fields=fields)


@blueprint.post("")
@needs(AccountRole.MANAGER)
def add() -> AnyResponse | tuple[str, int]:
    sent = form.submitted(_blank())
    if sent.settings is None:
        return _add_page("", fields=sent.fields, problems=sent.problems), 400
    try:
        site = sites.add_site(database(), sent.settings, owner=sent.owner or None)
    except NameTaken:
        return _add_page("", _("A site with this name already exists."), fields=sent.fields), 409
    politeness.set_politeness(database(), site.id, sent.politeness)
    if sent.rule:
        set_rule(site.id, sent.rule)
    note("site.add", site.name, _said(site) | ({"rule": sent.rule} if sent.rule else {}))
    flash(_("%(name)s added.", name=site.name))
    if form_fields.is_ticked("crawl"):
        crawl_now(site)
    return onward("sites.detail", site_id=site.id)


@blueprint.get("/<key:site_id>/edit")
@needs(AccountRole.MANAGER)
def edit_form(site_id: int) -> str:
    site = site_or_404(site_id)
    schedule = schedules.get_schedule(database(), site_id)
    manners = politeness.get_politeness(database(), site_id)
    shown = form.fields_of(site.settings, site.owner_name, manners, schedule.rule if schedule else None)
    return _edit_page(site, shown)


@blueprint.post("/<key:site_id>/edit")
@needs(AccountRole.MANAGER)
def edit(site_id: int) -> AnyResponse | tuple[str, int]:
    site = site_or_404(site_id)
    sent = form.submitted(site.settings)
    if sent.settings is None:
        return _edit_page(site, sent.fields, sent.problems), 400
    try:
        changed = sites.edit_site(database(), site.name, sent.settings, owner=sent.owner or None)
    except NameTaken:
        return _edit_page(site, sent.fields, (_("A site with this name already exists."),)), 409
    try:
        _rename_rule(site.name, changed.name)
    except NotSaved as error:
        return _edit_page(site, sent.fields, (str(error),)), 409
    politeness.set_politeness(database(), site_id, sent.politeness)
    _reschedule(site_id, changed.name, sent.rule)
    note("site.edit", changed.name, _changes(site, changed, sent))
    return done(_("Saved."), "sites.detail", site_id=site_id)


def _rename_rule(name: str, new_name: str) -> None:
    """Have the rule of discovery follow a new name. Raises NotSaved."""
    search = current_services().search
    if search is not None and name != new_name:
        search.rename_rule(name, new_name)


def _reschedule(site_id: int, name: str, rule: str | None) -> None:
    """Set the rule that the form chose, if it is another one: setting the same would start it over."""
    present = schedules.get_schedule(database(), site_id)
    if rule is None or rule == (present.rule if present else ""):
        return
    set_rule(site_id, rule, jitter_s=present.jitter_s if present else 0)
    note("site.schedule", name, {"rule": rule or "—"})


def _fits(site: SiteRecord, text: str, role: str | None) -> bool:
    words = (site.name, site.owner_name, *site.settings.hosts)
    return (not role or site.settings.role == role) and (not text or any(text in word.casefold() for word in words))


def site_or_404(site_id: int) -> SiteRecord:
    return or_404(sites.site_by_id(database(), site_id))


def _current(recent: list[RunRecord]) -> RunRecord | None:
    """The newest run, if it is still going on."""
    return recent[0] if recent and recent[0].ended_at is None else None


def _licences_of(site: SiteRecord) -> list[LicenceRecord]:
    """Current licences that the site's owner gives or has."""
    names = {site.owner_name}
    now = datetime.now(UTC)
    found = licences.list_licences(database())
    touching = (one for one in found if names & {one.terms.owner, one.terms.copier})
    return [one for one in touching if one.terms.valid_until is None or one.terms.valid_until > now]


def _blank() -> SiteSettings:
    return SiteSettings(name="", start_urls=(), hosts=(), time_zone=viewer_zone())


def _add_page(
    url: str,
    problem: str = "",
    *,
    role: str = "",
    seen: SitePreview | None = None,
    fields: object = None,
    problems: tuple[str, ...] = (),
) -> str:
    return render_template(
        "sites/site_add.html",
        url=url,
        role=role or SiteRole.WATCHED,
        seen=seen,
        fields=fields or form.fields_of(_blank(), "", Politeness()),
        is_open=fields is not None or current_services().preview_site is None,
        problems=(problem, *problems) if problem else problems,
        can_preview=current_services().preview_site is not None,
        can_crawl=current_services().enqueue is not None,
        **_choices(),
    )


def _edit_page(site: SiteRecord, fields: object, problems: tuple[str, ...] = ()) -> str:
    return render_template("sites/site_edit.html", site=site, fields=fields, problems=problems, **_choices())


def _choices() -> dict[str, object]:
    owners = [owner.name for owner in site_owners.list_owners(database())] if may(AccountRole.MANAGER) else []
    return {
        "roles": SiteRole,
        "rights": Rights,
        "zones": zone_names(),
        "owners": owners,
        "choices": CHOICES.items(),
    }


def _said(site: SiteRecord) -> dict[str, str]:
    return {"owner": site.owner_name, "role": site.settings.role, "start": " ".join(site.settings.start_urls)}


def _changes(before: SiteRecord, after: SiteRecord, sent: SiteForm) -> dict[str, str]:
    """Changed settings, field by field."""
    pairs = {
        name: (getattr(before.settings, name), getattr(after.settings, name))
        for name in SiteSettings.__dataclass_fields__
    } | {"owner": (before.owner_name, after.owner_name)}
    changed = {name: f"{_plain(old)} → {_plain(new)}" for name, (old, new) in pairs.items() if old != new}
    return changed or {"manners": str(sent.politeness)}


def _plain(value: object) -> str:
    return " ".join(map(str, value)) if isinstance(value, tuple) else str(value)
