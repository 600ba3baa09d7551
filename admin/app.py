"""The admin, put together. Nothing is read from the environment and nothing connects here."""

from typing import TYPE_CHECKING

from flask import Flask
from flask_bootstrap import Bootstrap5
from flask_wtf import CSRFProtect

from admin import (
    account,
    addresses,
    alert_channels,
    alert_rules,
    alerts,
    analysis,
    analysis_lists,
    analysis_quality,
    api_guide,
    audit_log,
    auth,
    bringing,
    case_acts,
    case_page,
    case_views,
    cases,
    check,
    compiled_templates,
    errors,
    evidence,
    export_lists,
    exports,
    feeds,
    first_hour,
    formats,
    headers,
    health,
    hits,
    home,
    language,
    licences,
    login,
    metrics,
    owners,
    page_versions,
    pages,
    password_link,
    people,
    quality,
    reading_slots,
    request_log,
    roles,
    runs,
    session,
    site_acts,
    site_rule,
    sites,
    story,
    tokens,
    two_factor,
    two_factor_login,
    watching,
    why,
)
from admin.alert_problems import problem_in_words
from admin.api import app as api
from admin.desk import Desk, Enqueue, Fetch
from admin.keys import KeyConverter
from admin.limits import limiter_of
from matcher.cases.case_rule import DEFAULT_RULE, CaseRule

if TYPE_CHECKING:
    from pathlib import Path

    from sqlalchemy import Engine

    from admin.alert_channels import TryChannel
    from admin.site_looks import LookAtPage, LookAtSite

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
    compiled_templates.init_app(app)
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
    addresses.init_app(app)
    _install(app, secure_cookies=secure_cookies)
    _register(app, engine)
    metrics.init_app(app, engine)
    watching.init_app(app)
    return app


def _install(app: Flask, *, secure_cookies: bool) -> None:
    headers.init_app(app, secure_cookies=secure_cookies)
    Bootstrap5(app)
    app.url_map.converters["key"] = KeyConverter
    api.init_app(app, CSRFProtect(app))
    request_log.init_app(app)
    session.init_app(app)
    auth.init_app(app)
    # After the log-in: whoever is not logged in is sent there, not refused.
    roles.init_app(app)
    language.init_app(app)
    formats.init_app(app)
    errors.init_app(app)
    reading_slots.init_app(app)


def _register(app: Flask, engine: "Engine") -> None:
    limiter = limiter_of(app, engine)
    for blueprint in (
        home,
        cases,
        case_views,
        case_page,
        case_acts,
        quality,
        analysis,
        analysis_quality,
        hits,
        pages,
        page_versions,
        story,
        why,
        sites,
        site_acts,
        site_rule,
        owners,
        licences,
        runs,
        people,
        account,
        tokens,
        two_factor,
        api_guide,
        audit_log,
        language,
        health,
        alerts,
        alert_rules,
        alert_channels,
    ):
        app.register_blueprint(blueprint.blueprint)
    app.register_blueprint(login.blueprint(limiter))
    app.register_blueprint(two_factor_login.blueprint(limiter))
    app.register_blueprint(password_link.blueprint(limiter))
    app.register_blueprint(feeds.blueprint(limiter))
    app.register_blueprint(exports.blueprint((*export_lists.LISTS, *analysis_lists.LISTS)))
    check.init_app(app)
    bringing.init_app(app)
    first_hour.init_app(app)
    evidence.init_app(app)
    app.add_template_filter(runs.refusals)
    app.add_template_filter(licences.standing, "licence_standing")
    app.add_template_filter(licences.last_day, "licence_last_day")
    app.add_template_filter(runs.results)
    app.add_template_filter(problem_in_words)
