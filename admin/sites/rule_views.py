"""The extraction rule of a site, tried on a page before it is saved."""

import json
import shlex
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from flask import Blueprint, flash, redirect, render_template, request, url_for
from flask_babel import gettext as _
from werkzeug.wrappers import Response as AnyResponse

from admin.identity.audit import note
from admin.identity.permissions import needs
from admin.sites.form import rule_in
from admin.sites.views import preview_slot, site_or_404
from admin.web import form_fields
from admin.web.db_session import database, let_go
from admin.web.form_fields import InvalidField
from admin.web.labels import label
from admin.web.services import current_services
from crawler.browser.availability import what_is_missing
from crawler.discovery.site_preview import PagePreview
from crawler.outcomes.refusals import Refusal
from storage.records.sites import SiteRecord
from storage.sites import sites
from storage.types import AccountRole

LONGEST_RULE: Final = 20_000
LONGEST_URL: Final = 2_000

blueprint = Blueprint("site_rule", __name__, url_prefix="/sites/<key:site_id>/rule")


@blueprint.get("")
@needs(AccountRole.MANAGER)
def form(site_id: int) -> str:
    site = site_or_404(site_id)
    return _page(site, _written(site.settings.extraction_rule), request.args.get("url", "")[:LONGEST_URL])


@blueprint.post("")
@needs(AccountRole.MANAGER)
def submit(site_id: int) -> str | AnyResponse | tuple[str, int]:
    """Try the rule or save it, depending on the button."""
    site, text, url = site_or_404(site_id), form_fields.text("rule", LONGEST_RULE), form_fields.line("url", LONGEST_URL)
    try:
        rule = rule_in(text)
    except InvalidField as wrong:
        return _page(site, text, url, problem=str(wrong)), 400
    if form_fields.line("do") == "save":
        return _save(site, rule)
    return _try(site, text, url, rule)


def _save(site: SiteRecord, rule: Mapping[str, Any] | None) -> AnyResponse:
    sites.edit_site(database(), site.name, replace(site.settings, extraction_rule=rule))
    note("site.rule", site.name, {"rule": _written(rule)})
    flash(_("Rule saved for %(name)s.", name=site.name) if rule else _("Rule removed for %(name)s.", name=site.name))
    return redirect(url_for("sites.detail", site_id=site.id))


def _try(site: SiteRecord, text: str, url: str, rule: Mapping[str, Any] | None) -> str | tuple[str, int]:
    see = current_services().preview_page
    if see is None:
        command = f"zhiwen site try {shlex.quote(site.name)} URL --rule FILE"
        words = _("This desk cannot fetch pages. On the server: %(command)s", command=command)
        return _page(site, text, url, problem=words), 501
    missing = what_is_missing() if site.settings.browser else None
    if missing is not None:
        words = _("This site needs a browser, but none is available on the server: %(cause)s", cause=missing)
        return _page(site, text, url, problem=words), 501
    if not preview_slot.acquire(blocking=False):
        return _page(site, text, url, problem=_("Someone else is previewing a site. Try again in a minute.")), 429
    let_go()
    try:
        seen = see(url, rule, site.settings.time_zone, in_browser=site.settings.browser)
    finally:
        preview_slot.release()
    if isinstance(seen, Refusal):
        problem = _("No article on this page: %(why)s.", why=label(seen, "refusal"))
        return _page(site, text, url, problem=problem), 400
    return _page(site, text, url, seen=seen)


def _page(site: SiteRecord, text: str, url: str, *, problem: str = "", seen: PagePreview | None = None) -> str:
    return render_template("sites/site_rule.html", site=site, rule=text, url=url, problem=problem, seen=seen)


def _written(rule: Mapping[str, Any] | None) -> str:
    return json.dumps(rule, ensure_ascii=False, indent=2) if rule else ""
