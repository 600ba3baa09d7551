"""The admin on a store: what `serve` and `demo` have in common."""

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

import click

from admin.app import create_app
from admin.serve import CannotListen, serve
from matcher.cases import CaseRule
from storage import jobs
from storage.engine import transaction
from zhiwen.config import Settings, secret_key
from zhiwen.looking import look_at_page, look_at_site

if TYPE_CHECKING:
    from sqlalchemy import Engine

    from crawler.fetch import Fetched
    from crawler.refusals import Refusal


def serve_admin(
    settings: Settings, engine: "Engine", *, host: str, port: int, on_ready: Callable[[str], None] | None = None
) -> None:
    """Serves until SIGINT or SIGTERM. Fails with a message where the address cannot be had."""
    app = create_app(
        engine=engine,
        secret_key=secret_key(settings),
        language=settings.language,
        time_zone=settings.time_zone,
        fetch=partial(_fetch, settings),
        enqueue=partial(enqueue, engine),
        home=settings.home,
        look_at_site=partial(look_at_site, settings),
        look_at_page=partial(look_at_page, settings),
        try_channel=partial(_try_channel, settings, engine),
        metrics_token=settings.metrics_token,
        import_folder=settings.import_folder,
        case_rule=CaseRule(min_chars=settings.case_min_chars, min_share=settings.case_min_share),
    )
    try:
        serve(app, host, port, on_ready=on_ready or _tell)
    except CannotListen as error:
        raise click.ClickException(str(error)) from error


def enqueue(engine: "Engine", task: str, **arguments: str) -> int | None:
    """What the desk asks of the worker. The job's number; None where one like it waits already."""
    with transaction(engine) as session:
        if task == jobs.CRAWL:
            return jobs.defer_crawl(session, arguments["site"], trigger="desk")
        return jobs.defer_once(session, task)


def _fetch(settings: Settings, url: str) -> "Fetched | Refusal":
    from crawler.fetch import fetch  # noqa: PLC0415  # Scrapy is loaded only where a page is asked for

    return fetch(url, allowed_networks=settings.allowed_networks, user_agent=settings.user_agent)


def _try_channel(settings: Settings, engine: "Engine", channel_id: int) -> tuple[bool, str]:
    from zhiwen.alerting import try_channel  # noqa: PLC0415  # what sends is loaded only where it is asked for

    outcome = try_channel(engine, settings, channel_id)
    return outcome.is_sent, outcome.problem


def _tell(address: str) -> None:
    click.echo(f"The admin is at {address} (Ctrl-C stops it).", err=True)
