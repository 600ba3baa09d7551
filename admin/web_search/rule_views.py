"""The rule of each site of ours: when its articles are asked about, how thoroughly, and what that may cost."""

from flask import Blueprint, render_template, request
from flask_babel import gettext as _
from werkzeug.wrappers import Response as AnyResponse

from admin.identity.audit import note
from admin.identity.permissions import needs
from admin.web import form_fields
from admin.web.answers import done, or_404
from admin.web.db_session import database
from admin.web.search_desk import NotSaved
from admin.web_search import service_form
from admin.web_search.common import declared_or_none, search_desk, spent
from admin.web_search.problem_text import search_problem
from crawler.web_search.declared import Declared, DeclaredRule
from storage.records.sites import SiteRecord
from storage.sites import sites
from storage.types import AccountRole, SiteRole

DEFAULT = "default"
"""The name of the rule of sites without one of their own, in the file and in forms."""
_BAD, _CONFLICT = 400, 409

blueprint = Blueprint("search_rules", __name__, url_prefix="/discovery/rules")


@blueprint.get("")
@needs(AccountRole.MANAGER)
def index() -> str:
    declared = declared_or_none()
    return render_template(
        "web_search/rules.html",
        declared=declared,
        rules=[] if declared is None else [_shown(declared, site) for site in _our_sites()],
        default=None if declared is None else _rule(declared, DEFAULT),
        default_name=DEFAULT,
    )


@blueprint.get("/edit")
@needs(AccountRole.MANAGER)
def edit_form() -> str:
    site = _site(request.args.get("site", ""))
    return _page(site, service_form.rule_fields(_rule(search_desk().declared(), site)))


@blueprint.post("/edit")
@needs(AccountRole.MANAGER)
def edit() -> AnyResponse | tuple[str, int]:
    """Save the rule, or remove it, depending on the button."""
    site = _site(form_fields.line("site"))
    if form_fields.line("do") == "remove":
        return _removed(site)
    sent = service_form.submitted_rule(site)
    if sent.rule is None:
        return _page(site, sent.fields, sent.problems), _BAD
    try:
        search_desk().save_rule(sent.rule)
    except NotSaved as error:
        return _page(site, sent.fields, (search_problem(str(error)),)), _CONFLICT
    note("searches.edit", site, {"rule": _said(sent.rule)})
    return done(_("Saved."), "search_rules.index")


def _removed(site: str) -> AnyResponse | tuple[str, int]:
    declared = search_desk().declared()
    try:
        search_desk().remove_rule(site)
    except NotSaved as error:
        return _page(site, service_form.rule_fields(_rule(declared, site)), (search_problem(str(error)),)), _CONFLICT
    note("searches.remove", site)
    return done(_("%(name)s now uses the general rule.", name=site), "search_rules.index")


def _said(rule: DeclaredRule) -> str:
    days = ", ".join(map(str, rule.days)) or "—"
    return f"days {days}; dear {'yes' if rule.is_dear else 'no'}; {rule.budget}"


def _our_sites() -> list[SiteRecord]:
    return [site for site in sites.list_sites(database()) if site.settings.role is SiteRole.ORIGINAL]


def _site(name: str) -> str:
    """A name that may have a rule; a site of this name, or all others."""
    return or_404(next((one for one in (DEFAULT, *(site.name for site in _our_sites())) if one == name), None))


def _rule(declared: Declared, site: str) -> DeclaredRule:
    """The rule that holds for a site: its own, else the general one, else the built-in one."""
    by_site = {rule.site: rule for rule in declared.rules}
    return by_site.get(site) or by_site.get(DEFAULT) or DeclaredRule(DEFAULT)


def _shown(declared: Declared, site: SiteRecord) -> dict[str, object]:
    rule = _rule(declared, site.name)
    return {"site": site, "rule": rule, "is_own": rule.site == site.name, "spent": spent(site_id=site.id)}


def _page(site: str, fields: object, problems: tuple[str, ...] = ()) -> str:
    declared = search_desk().declared()
    return render_template(
        "web_search/rule.html",
        site=site,
        is_default=site == DEFAULT,
        has_own=any(rule.site == site for rule in declared.rules),
        fields=fields,
        problems=problems,
        declared=declared,
    )
