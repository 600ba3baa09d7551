"""The admin on a store, for `serve`, `demo` and servers such as gunicorn."""

import atexit
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

import click
from flask import Flask
from werkzeug.middleware.proxy_fix import ProxyFix

from admin.app import create_app
from admin.auth.first_code import log_code
from admin.serve import CannotListen, serve
from admin.web.services import Services
from storage.engine import transaction
from storage.jobs import queue
from zhiwen.config.desk import SettingsOf
from zhiwen.config.live import LiveSettings
from zhiwen.config.secret_key import secret_key
from zhiwen.config.settings import Settings
from zhiwen.config.witnesses import witnesses_of
from zhiwen.logs import announce, log_to_stderr
from zhiwen.preview.site_preview import preview_page, preview_site
from zhiwen.web_search.desk import search_services_of
from zhiwen.wiring import case_rule, fetch_page, meaning_of, opened_replica, opened_store, settings_of_this_process

if TYPE_CHECKING:
    from sqlalchemy import Engine

    from storage.postgres.replica import Replica


def serve_admin(
    settings: Settings, engine: "Engine", *, host: str, port: int, on_ready: Callable[[str], None] | None = None
) -> None:
    """Serves until SIGINT or SIGTERM. Fails with a message if the address is in use.

    While there is no account, the code of the first one is logged.
    """

    def ready(address: str) -> None:
        (on_ready or _announce)(address)
        shown = (settings.desk_url or address).rstrip("/")
        log_code(engine, secret_key(settings), address=shown, say=partial(announce, settings))

    with opened_replica(settings, engine) as replica:
        app = admin_on(settings, engine, replica=replica)
        try:
            serve(app, host, port, on_ready=ready)
        except CannotListen as error:
            raise click.ClickException(str(error)) from error


def app() -> Flask:
    """The admin for a server with several processes, such as gunicorn: called once in each, after the fork."""
    settings = settings_of_this_process()
    log_to_stderr(settings, part="admin")
    opened = ExitStack()
    atexit.register(opened.close)
    engine = opened.enter_context(opened_store(settings))
    log_code(engine, secret_key(settings), address=settings.desk_address)
    return admin_on(settings, engine, replica=opened.enter_context(opened_replica(settings, engine)))


def admin_on(settings: Settings, engine: "Engine", *, replica: "Replica | None" = None) -> Flask:
    """The admin with the services that it needs from the rest of the program."""
    live = LiveSettings(settings, engine)
    services = Services(
        engine=engine,
        replica=replica,
        secret_key=secret_key(settings),
        secure_cookies=settings.tls_proxy,
        enqueue=partial(enqueue, engine),
        home=settings.home,
        desk_url=settings.desk_url,
        metrics_token=settings.metrics_token,
        import_folder=settings.import_folder,
        public_certificates=settings.public_certificates,
        open_search=meaning_of(settings),
        search=search_services_of(settings, engine),
        settings=SettingsOf(live),
        as_set=_AsSet(live).services,
        witness_kinds=tuple(witnesses_of(settings)),
        accepted_keys=frozenset(settings.witness_accepts),
    )
    app = create_app(services)
    if settings.tls_proxy:
        # One proxy: earlier values in its headers come from the client and are not trusted.
        app.wsgi_app = ProxyFix(app.wsgi_app, x_for=1, x_proto=1, x_host=1)  # type: ignore[method-assign]
    return app


@dataclass(slots=True)
class _AsSet:
    """Services by the settings of the moment, made again only when these change."""

    live: LiveSettings
    _made: "tuple[Settings, Services] | None" = None

    def services(self, fixed: Services) -> Services:
        settings, made = self.live.current(), self._made
        if made is None or made[0] is not settings:
            made = settings, _by(settings, fixed)
            self._made = made
        return made[1]


def _by(settings: Settings, fixed: Services) -> Services:
    """`fixed` with what depends on settings that the desk can change."""
    return replace(
        fixed,
        language=settings.language,
        time_zone=settings.time_zone,
        fetch=partial(fetch_page, settings),
        preview_site=partial(preview_site, settings),
        preview_page=partial(preview_page, settings),
        try_channel=partial(_try_channel, settings, fixed.engine),
        case_rule=case_rule(settings),
    )


def enqueue(engine: "Engine", task: str, **arguments: Any) -> int | None:
    """Queues a job for the worker. Returns its number; None if an equal one is queued already."""
    with transaction(engine) as session:
        if task == queue.CRAWL:
            return queue.defer_crawl(session, arguments["site"], trigger="desk")
        return queue.defer_asked(session, task, **arguments)


def _try_channel(settings: Settings, engine: "Engine", channel_id: int) -> tuple[bool, str]:
    from zhiwen.alerts.dispatcher import try_channel  # noqa: PLC0415  # loaded only where needed

    outcome = try_channel(engine, settings, channel_id)
    return outcome.is_sent, outcome.problem


def _announce(address: str) -> None:
    click.echo(f"The admin is at {address} (Ctrl-C stops it).", err=True)
