"""The admin, put together. Nothing is read from the environment and nothing connects here."""

from typing import TYPE_CHECKING, Final

from flask import Flask
from flask_bootstrap import Bootstrap5
from flask_wtf import CSRFProtect

from admin import errors, export_lists
from admin.accounts import api_tokens, audit_log, profile, users
from admin.accounts.audit_labels import AUDIT_TABLES
from admin.accounts.labels import ACCOUNT_TABLES
from admin.alerts import atom_feeds, channel_views, history_views, rule_views
from admin.alerts.labels import ALERT_TABLES
from admin.alerts.problem_text import problem_in_words
from admin.analysis import export_lists as analysis_export_lists
from admin.analysis import quality, quality_views, views
from admin.api import app as api
from admin.api import guide
from admin.auth import login, password_link, two_factor, two_factor_login
from admin.auth.labels import PASSWORD_TABLES
from admin.cases import action_views, detail_views, list_views, saved_views
from admin.cases.labels import CASE_TABLES
from admin.check import views as check_views
from admin.evidence import views as evidence_views
from admin.exports import downloads
from admin.hits import views as hit_views
from admin.hits import why_views
from admin.hits.direction_text import reasons_in_words
from admin.hits.labels import HIT_TABLES
from admin.hooks import request_log, security_headers, template_filters
from admin.identity import current_user, language, permissions
from admin.imports import views as import_views
from admin.imports.labels import IMPORT_TABLES
from admin.licences import views as licence_views
from admin.licences.labels import LICENCE_TABLES
from admin.monitoring import health, prometheus
from admin.monitoring import views as monitoring_views
from admin.monitoring.labels import WATCH_TABLES
from admin.overview import home_views, onboarding_views
from admin.pages import story_views, version_views
from admin.pages import views as page_views
from admin.pages.labels import PAGE_TABLES
from admin.sites import action_views as site_action_views
from admin.sites import owner_views, run_views
from admin.sites import rule_views as site_rule_views
from admin.sites import views as site_views
from admin.sites.labels import SITE_TABLES
from admin.web import db_session, desk_address, labels, reading_slots, template_cache
from admin.web.rate_limits import limiter_of
from admin.web.services import Desk, Enqueue, Fetch
from admin.web.url_converters import KeyConverter
from matcher.cases.case_rule import DEFAULT_RULE, CaseRule

if TYPE_CHECKING:
    from pathlib import Path

    from sqlalchemy import Engine

    from admin.web.services import TryChannel
    from crawler.discovery.site_preview import LookAtPage, LookAtSite

WORDS: Final = (
    AUDIT_TABLES,
    ACCOUNT_TABLES,
    ALERT_TABLES,
    PASSWORD_TABLES,
    CASE_TABLES,
    HIT_TABLES,
    IMPORT_TABLES,
    LICENCE_TABLES,
    WATCH_TABLES,
    PAGE_TABLES,
    SITE_TABLES,
)
"""The words that each noun brings for its codes."""

LARGEST_REQUEST_BYTES = 1 << 20
"""The forms are small; uploads will bring a bound of their own."""


def create_app(
    *,
    engine: "Engine",
    secret_key: str,
    language: str = "zh",
    time_zone: str = "Asia/Shanghai",
    secure_cookies: bool = False,
    fetch: "Fetch | None" = None,
    enqueue: Enqueue | None = None,
    home: "Path | None" = None,
    look_at_site: "LookAtSite | None" = None,
    look_at_page: "LookAtPage | None" = None,
    try_channel: "TryChannel | None" = None,
    desk_url: str | None = None,
    metrics_token: str | None = None,
    import_folder: "Path | None" = None,
    case_rule: CaseRule = DEFAULT_RULE,
) -> Flask:
    """The desk on `engine`. `language` and `time_zone` hold where neither session nor account says otherwise; in `home`
    are the files of the evidence; what lies in `import_folder` can be imported.
    """
    app = Flask(__name__)
    template_cache.init_app(app)
    app.config.update(
        SECRET_KEY=secret_key,
        MAX_CONTENT_LENGTH=LARGEST_REQUEST_BYTES,
        BOOTSTRAP_SERVE_LOCAL=True,
        # A form stays good as long as its session: people leave the log-in page open overnight.
        WTF_CSRF_TIME_LIMIT=None,
    )
    with app.app_context():
        Desk(
            engine=engine,
            language=language,
            time_zone=time_zone,
            fetch=fetch,
            enqueue=enqueue,
            home=home,
            look_at_site=look_at_site,
            look_at_page=look_at_page,
            try_channel=try_channel,
            desk_url=desk_url,
            metrics_token=metrics_token,
            import_folder=import_folder,
            case_rule=case_rule,
        ).attach()
    desk_address.init_app(app)
    _install(app, secure_cookies=secure_cookies)
    _register(app, engine)
    prometheus.init_app(app, engine)
    monitoring_views.init_app(app)
    return app


def _install(app: Flask, *, secure_cookies: bool) -> None:
    labels.install(app, *WORDS)
    security_headers.init_app(app, secure_cookies=secure_cookies)
    Bootstrap5(app)
    app.url_map.converters["key"] = KeyConverter
    api.init_app(app, CSRFProtect(app))
    request_log.init_app(app)
    db_session.init_app(app)
    current_user.init_app(app)
    # After the log-in: whoever is not logged in is sent there, not refused.
    permissions.init_app(app)
    language.init_app(app)
    template_filters.init_app(app)
    errors.init_app(app)
    reading_slots.init_app(app)


def _register(app: Flask, engine: "Engine") -> None:
    limiter = limiter_of(app, engine)
    for blueprint in (
        home_views,
        list_views,
        saved_views,
        detail_views,
        action_views,
        quality,
        views,
        quality_views,
        hit_views,
        page_views,
        version_views,
        story_views,
        why_views,
        site_views,
        site_action_views,
        site_rule_views,
        owner_views,
        licence_views,
        run_views,
        users,
        profile,
        api_tokens,
        two_factor,
        guide,
        audit_log,
        language,
        health,
        history_views,
        rule_views,
        channel_views,
    ):
        app.register_blueprint(blueprint.blueprint)
    app.register_blueprint(login.blueprint(limiter))
    app.register_blueprint(two_factor_login.blueprint(limiter))
    app.register_blueprint(password_link.blueprint(limiter))
    app.register_blueprint(atom_feeds.blueprint(limiter))
    app.register_blueprint(downloads.blueprint((*export_lists.LISTS, *analysis_export_lists.LISTS)))
    check_views.init_app(app)
    import_views.init_app(app)
    onboarding_views.init_app(app)
    evidence_views.init_app(app)
    app.add_template_filter(run_views.refusals)
    app.add_template_filter(licence_views.standing, "licence_standing")
    app.add_template_filter(licence_views.last_day, "licence_last_day")
    app.add_template_filter(run_views.results)
    app.add_template_filter(problem_in_words)
    app.add_template_filter(reasons_in_words)
