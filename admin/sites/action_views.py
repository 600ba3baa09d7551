"""Actions on a site: crawl, pause, resume, schedule, remove."""

from dataclasses import replace
from typing import Final

from flask import Blueprint, flash, redirect, render_template, url_for
from flask_babel import gettext as _
from werkzeug.wrappers import Response as AnyResponse

from admin.identity.audit import note
from admin.identity.permissions import needs
from admin.sites.jobs import crawl_now
from admin.sites.schedule_choice import LONGEST_RULE, sent_rule, set_rule
from admin.sites.views import COUNTED_PAGES, site_or_404
from admin.web import form_fields
from admin.web.answers import done
from admin.web.db_session import allow_long_work, database
from admin.web.form_fields import InvalidField
from admin.web.url_converters import as_key
from storage.records.sites import SiteRecord
from storage.sites import sites
from storage.types import AccountRole

MOST_JITTER_MIN: Final = 1_440
"""A day."""

blueprint = Blueprint("site_acts", __name__, url_prefix="/sites/<key:site_id>")


@blueprint.post("/crawl")
@needs(AccountRole.MANAGER)
def crawl(site_id: int) -> AnyResponse:
    crawl_now(site_or_404(site_id))
    return redirect(url_for("sites.detail", site_id=site_id))


@blueprint.post("/pause")
@needs(AccountRole.MANAGER)
def pause(site_id: int) -> AnyResponse:
    return _switch(site_or_404(site_id), enabled=False)


@blueprint.post("/resume")
@needs(AccountRole.MANAGER)
def resume(site_id: int) -> AnyResponse:
    return _switch(site_or_404(site_id), enabled=True)


@blueprint.get("/remove")
@needs(AccountRole.MANAGER)
def remove_form(site_id: int) -> str:
    return _remove_page(site_or_404(site_id))


@blueprint.post("/remove")
@needs(AccountRole.MANAGER)
def remove(site_id: int) -> AnyResponse | tuple[str, int]:
    site = site_or_404(site_id)
    if form_fields.line("name") != site.name:
        return _remove_page(site, _("Not removed: the name you typed does not match.")), 400
    allow_long_work()
    removed = sites.remove_site(database(), site.name)
    is_kept = sites.site_by_id(database(), site_id) is not None
    detail = {"pages": str(removed), "kept": "yes" if is_kept else "no"}
    note("site.remove", site.name, detail)
    if is_kept:
        flash(
            _(
                "Pages removed: %(count)s. The others belong to cases and are kept; the site is no longer crawled.",
                count=removed,
            )
        )
        return redirect(url_for("sites.detail", site_id=site_id))
    return done(_("%(name)s removed. Pages removed: %(count)s.", name=site.name, count=removed), "sites.index")


@blueprint.post("/schedule")
@needs(AccountRole.MANAGER)
def schedule(site_id: int) -> AnyResponse:
    """Set the crawl schedule of a site; an empty rule removes it."""
    site = site_or_404(site_id)
    jitter = as_key(form_fields.line("jitter", LONGEST_RULE) or "0")
    if jitter is None or jitter > MOST_JITTER_MIN:
        flash(_("The random delay must be 0 to %(most)s whole minutes.", most=MOST_JITTER_MIN), "danger")
        return redirect(url_for("sites.detail", site_id=site_id))
    try:
        rule = sent_rule() or ""
        set_rule(site_id, rule, jitter_s=jitter * 60)
    except InvalidField as wrong:
        flash(str(wrong), "danger")
        return redirect(url_for("sites.detail", site_id=site_id))
    note("site.schedule", site.name, {"rule": rule or "—"})
    return done(_("Saved."), "sites.detail", site_id=site_id)


def _switch(site: SiteRecord, *, enabled: bool) -> AnyResponse:
    sites.edit_site(database(), site.name, replace(site.settings, enabled=enabled))
    note("site.resume" if enabled else "site.pause", site.name)
    words = _("Crawling of %(name)s resumed.", name=site.name) if enabled else _("%(name)s is paused.", name=site.name)
    return done(words, "sites.detail", site_id=site.id)


def _remove_page(site: SiteRecord, problem: str = "") -> str:
    return render_template(
        "sites/site_remove.html",
        site=site,
        problem=problem,
        pages=sites.count_pages(database(), site.id, most=COUNTED_PAGES + 1),
        in_cases=sites.count_pages_in_cases(database(), site.id, most=COUNTED_PAGES + 1),
        counted=COUNTED_PAGES,
    )
