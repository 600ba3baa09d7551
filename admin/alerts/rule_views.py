"""Views of rules: which alerts each channel gets, and when."""

from typing import Final

from flask import Blueprint, abort, flash, redirect, render_template, url_for
from flask_babel import gettext as _
from werkzeug.wrappers import Response as AnyResponse

from admin.alerts.rule_form import BOTH, When, submitted_terms
from admin.identity.permissions import actor, needs
from admin.identity.time_zone import zone_names
from admin.web import form_fields
from admin.web.db_session import database
from admin.web.form_fields import InvalidField
from admin.web.url_converters import as_key
from storage.accounts import accounts, audit_log
from storage.alerts import channels, rules
from storage.alerts.timing import DEFAULT_DIGEST
from storage.desk import saved_views
from storage.errors import NotKnown
from storage.records.alerts import OF_ARTICLES, OF_OPERATION, AlertKind, RuleRecord, RuleTerms
from storage.sites import owners, sites
from storage.types import AccountRole, CaseKind, CaseQueue, Credit, Severity

_BAD_REQUEST: Final = 400

blueprint = Blueprint("alert_rules", __name__, url_prefix="/alerts/rules")
_manager = needs(AccountRole.MANAGER)


@blueprint.get("")
def index() -> str:
    return _page()


@blueprint.post("")
@_manager
def add() -> AnyResponse | tuple[str, int]:
    channel_id = _channel_id()
    try:
        terms = _checked(submitted_terms(_view_ids()))
    except InvalidField as wrong:
        return _page(str(wrong)), _BAD_REQUEST
    rules.add_rule(database(), channel_id, terms)
    audit_log.record(database(), actor=actor(), act="rule.add", subject=terms.name)
    flash(_("Rule saved. It applies from now on."))
    return redirect(url_for("alert_rules.index"))


@blueprint.get("/<key:rule_id>")
def detail(rule_id: int) -> str:
    return _one(_rule(rule_id))


@blueprint.post("/<key:rule_id>")
@_manager
def edit(rule_id: int) -> AnyResponse | tuple[str, int]:
    rule, channel_id = _rule(rule_id), _channel_id()
    try:
        terms = _checked(submitted_terms(_view_ids(), rule.terms.view_id))
    except InvalidField as wrong:
        return _one(rule, str(wrong)), _BAD_REQUEST
    rules.edit_rule(database(), rule_id, channel_id, terms)
    audit_log.record(database(), actor=actor(), act="rule.edit", subject=terms.name)
    flash(_("Saved."))
    return redirect(url_for("alert_rules.index"))


@blueprint.post("/<key:rule_id>/remove")
@_manager
def remove(rule_id: int) -> AnyResponse:
    rule = _rule(rule_id)
    rules.remove_rule(database(), rule_id)
    audit_log.record(database(), actor=actor(), act="rule.remove", subject=rule.terms.name)
    flash(_("Rule removed."))
    return redirect(url_for("alert_rules.index"))


def _rule(rule_id: int) -> RuleRecord:
    try:
        return rules.get_rule(database(), rule_id)
    except NotKnown:
        abort(404)


def _channel_id() -> int:
    found = as_key(form_fields.line("channel"))
    if found not in {channel.id for channel in channels.list_channels(database())} or found is None:
        abort(400)
    return found


def _checked(terms: RuleTerms) -> RuleTerms:
    """Raises Wrong for a site or owner that was removed while the form was open."""
    if terms.site_id is not None and sites.site_by_id(database(), terms.site_id) is None:
        raise InvalidField(_("This site no longer exists."))
    if terms.owner_id is not None and owners.owner_by_id(database(), terms.owner_id) is None:
        raise InvalidField(_("This owner no longer exists."))
    if terms.mentioned_id is not None and accounts.account_by_id(database(), terms.mentioned_id) is None:
        raise InvalidField(_("This person no longer exists."))
    return terms


def _view_ids() -> frozenset[int]:
    return frozenset(view.id for view in saved_views.views_for(database(), actor().id))


def _view_names(terms: RuleTerms) -> list[tuple[int, str]]:
    """The saved lists that this person sees, and the one that the rule already has."""
    found = {view.id: view.name for view in saved_views.views_for(database(), actor().id)}
    if terms.view_id is not None and terms.view_id not in found:
        found[terms.view_id] = _("someone’s own list")
    return list(found.items())


def _page(problem: str = "") -> str:
    return render_template(
        "alerts/alert_rules.html", rules=rules.list_rules(database()), problem=problem, **_choices(RuleTerms(""))
    )


def _one(rule: RuleRecord, problem: str = "") -> str:
    return render_template("alerts/alert_rule.html", rule=rule, problem=problem, **_choices(rule.terms))


def _choices(terms: RuleTerms) -> dict[str, object]:
    return {
        "terms": terms,
        "channels": channels.list_channels(database()),
        "of_cases": [kind for kind in AlertKind if kind in OF_ARTICLES],
        "of_operation": [kind for kind in AlertKind if kind in OF_OPERATION],
        "of_people": [AlertKind.MENTIONED],
        "person_names": [(one.id, one.name) for one in accounts.list_accounts(database()) if one.enabled],
        "queues": CaseQueue,
        "both": BOTH,
        "site_names": [(site.id, site.name) for site in sites.list_sites(database())],
        "owner_names": [(owner.id, owner.name) for owner in owners.list_owners(database())],
        "severities": Severity,
        "match_kinds": CaseKind,
        "credits": Credit,
        "view_names": _view_names(terms),
        "whens": When,
        "default_digest": DEFAULT_DIGEST,
        "zones": zone_names(),
    }
