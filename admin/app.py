"""The desk as a Flask app. Nothing is read from the environment here, and nothing connects."""

from collections.abc import Iterable
from typing import Final

from flask import Blueprint, Flask
from flask_bootstrap import Bootstrap5
from flask_wtf import CSRFProtect

from admin import errors, export_lists
from admin.accounts import api_tokens, audit_log, profile, users
from admin.alerts import atom_feeds, channel_views, history_views, rule_views
from admin.analysis import export_lists as analysis_export_lists
from admin.analysis import letter_views as analysis_letters
from admin.analysis import quality, quality_views, work_views
from admin.analysis import views as analysis_views
from admin.api import app as api
from admin.api.documentation import guide
from admin.auth import first_account, intended_views, login, password_link, two_factor, two_factor_login
from admin.cases import action_views, by_page_views, detail_views, list_views, pictures, saved_views, snooze_views
from admin.check import certificate_views, kept_views, submission_views
from admin.check import views as check_views
from admin.contacts import views as contact_views
from admin.evidence import letters
from admin.evidence import views as evidence_views
from admin.exports import downloads
from admin.handling import comment_views
from admin.hits import views as hit_views
from admin.hits import why_views
from admin.hooks import asset_names, bootstrap_style, compression, request_log, security_headers, template_filters
from admin.identity import current_user, language, permissions
from admin.imports import views as import_views
from admin.letters import act_views as letter_act_views
from admin.letters import follow_up_views, letterhead_views
from admin.licences import views as licence_views
from admin.monitoring import health, prometheus
from admin.monitoring import views as monitoring_views
from admin.notices import act_views as notice_act_views
from admin.notices import views as notice_views
from admin.overview import home_views, onboarding_views, setup_views
from admin.pages import views as page_views
from admin.quick_search import views as quick_search_views
from admin.retellings import action_views as retelling_actions
from admin.retellings import views as retelling_views
from admin.set_aside import views as set_aside_views
from admin.settings import views as settings_views
from admin.sites import action_views as site_action_views
from admin.sites import owner_views, run_views
from admin.sites import rule_views as site_rule_views
from admin.sites import views as site_views
from admin.web import db_session, desk_address, reading_slots, replica_reads
from admin.web.rate_limits import limiter
from admin.web.rendering import template_cache
from admin.web.services import Services
from admin.web.url_converters import KeyConverter
from admin.web_search import find_views, host_views, query_views, service_views
from admin.web_search import rule_views as search_rule_views

BLUEPRINTS: Final[tuple[Blueprint, ...]] = (
    home_views.blueprint,
    onboarding_views.blueprint,
    setup_views.blueprint,
    list_views.blueprint,
    by_page_views.blueprint,
    saved_views.blueprint,
    detail_views.blueprint,
    action_views.blueprint,
    snooze_views.blueprint,
    comment_views.blueprint,
    quick_search_views.blueprint,
    pictures.blueprint,
    evidence_views.blueprint,
    letters.blueprint,
    letter_act_views.blueprint,
    follow_up_views.blueprint,
    letterhead_views.blueprint,
    notice_views.blueprint,
    notice_act_views.blueprint,
    contact_views.blueprint,
    hit_views.blueprint,
    set_aside_views.blueprint,
    why_views.blueprint,
    retelling_views.blueprint,
    retelling_actions.blueprint,
    page_views.blueprint,
    find_views.blueprint,
    query_views.blueprint,
    host_views.blueprint,
    service_views.blueprint,
    search_rule_views.blueprint,
    check_views.blueprint,
    kept_views.blueprint,
    certificate_views.blueprint,
    submission_views.blueprint,
    analysis_views.blueprint,
    work_views.blueprint,
    quality.blueprint,
    quality_views.blueprint,
    analysis_letters.blueprint,
    site_views.blueprint,
    site_action_views.blueprint,
    site_rule_views.blueprint,
    run_views.blueprint,
    owner_views.blueprint,
    licence_views.blueprint,
    import_views.blueprint,
    channel_views.blueprint,
    rule_views.blueprint,
    history_views.blueprint,
    atom_feeds.blueprint,
    monitoring_views.blueprint,
    health.blueprint,
    prometheus.blueprint,
    login.blueprint,
    first_account.blueprint,
    intended_views.blueprint,
    two_factor_login.blueprint,
    password_link.blueprint,
    two_factor.blueprint,
    users.blueprint,
    profile.blueprint,
    api_tokens.blueprint,
    audit_log.blueprint,
    settings_views.blueprint,
    guide.blueprint,
    language.blueprint,
    downloads.blueprint((*export_lists.LISTS, *analysis_export_lists.LISTS)),
)
"""All pages of the desk. Each blueprint registers its own labels and template filters."""

LARGEST_REQUEST_BYTES = 1 << 20
"""Bound of a request without uploads; `admin.hooks.upload_limits` raises it for forms with files."""


def create_app(services: Services, blueprints: Iterable[Blueprint] = BLUEPRINTS) -> Flask:
    """The desk with `blueprints` and the API, on `services`."""
    app = Flask(__name__)
    template_cache.init_app(app)
    app.config.update(
        SECRET_KEY=services.secret_key,
        MAX_CONTENT_LENGTH=LARGEST_REQUEST_BYTES,
        BOOTSTRAP_SERVE_LOCAL=True,
        # A form stays valid as long as its session: people leave the login page open overnight.
        WTF_CSRF_TIME_LIMIT=None,
    )
    app.url_map.converters["key"] = KeyConverter
    services.attach(app)
    _install_hooks(app, secure_cookies=services.secure_cookies)
    for blueprint in blueprints:
        app.register_blueprint(blueprint)
    return app


def _install_hooks(app: Flask, *, secure_cookies: bool) -> None:
    """Hooks run in the order in which they are installed."""
    compression.init_app(app)
    asset_names.init_app(app)
    desk_address.init_app(app)
    security_headers.init_app(app, secure_cookies=secure_cookies)
    Bootstrap5(app)
    bootstrap_style.init_app(app)
    api.init_app(app, CSRFProtect(app))
    request_log.init_app(app)
    # Hooks after a request run in reverse: this one after the commit.
    replica_reads.init_app(app)
    db_session.init_app(app)
    current_user.init_app(app)
    # After the login check: a request without login is redirected to the login page, not refused.
    permissions.init_app(app)
    language.init_app(app)
    template_filters.init_app(app)
    errors.init_app(app)
    reading_slots.init_app(app)
    limiter.init_app(app)
