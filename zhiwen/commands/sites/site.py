"""`site`."""

from collections.abc import Callable, Mapping
from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Any
from zoneinfo import available_timezones

import click

from storage.crawl import runs
from storage.engine import transaction
from storage.records.sites import LONGEST_DELAY_S, MOST_PAGES
from storage.sites import sites
from storage.types import Rights, SiteRole
from zhiwen.commands.sites.politeness import manners, politeness
from zhiwen.commands.sites.site_try import try_page
from zhiwen.output.number_types import NumberRange
from zhiwen.output.terminal import (
    ValueOf,
    fail,
    json_option,
    print_json,
    print_records,
    print_table,
    say,
    store,
    store_session,
)

if TYPE_CHECKING:
    from sqlalchemy import Engine

    from storage.records.sites import SiteRecord, SiteSettings
    from zhiwen.config.settings import Settings


@click.group()
def site() -> None:
    """Manage sites: your own, and those to search for copies."""


site.add_command(politeness)
site.add_command(manners)
site.add_command(try_page)


def _with_settings(command: Callable[..., Any]) -> Callable[..., Any]:
    """The options that `add` and `edit` share, named like the fields of `SiteSettings`."""
    several = "; may be given several times."
    for option in (
        click.option("--time-zone", help="Time zone of the dates on the site, such as Asia/Shanghai."),
        click.option(
            "--max-pages", "page_budget", type=click.IntRange(1, MOST_PAGES), help="Most pages that one run fetches."
        ),
        click.option(
            "--delay",
            "delay_s",
            type=NumberRange(0, LONGEST_DELAY_S),
            help="Seconds between two requests; 1 by default.",
        ),
        click.option("--deny", multiple=True, help=f"Do not follow URLs that contain a match of this pattern{several}"),
        click.option("--allow", multiple=True, help=f"Follow only URLs that contain a match of this pattern{several}"),
        click.option("--feed", "feeds", multiple=True, help=f"URL of an RSS or Atom feed{several}"),
        click.option("--sitemap", "sitemaps", multiple=True, help=f"URL of a sitemap{several}"),
        click.option("--owner", help="Owner of the site. Sites of one owner are not reported for copying each other."),
        click.option(
            "--role",
            type=ValueOf(SiteRole),
            help="original: publishes your articles; watched (the default): is searched for copies.",
        ),
    ):
        command = option(command)
    return command


def _given(options: Mapping[str, Any]) -> dict[str, Any]:
    """The options that were given. Raises BadScope for an invalid pattern, BadParameter for an unknown time zone."""
    from crawler.urls.patterns import check_patterns  # noqa: PLC0415  # only where needed

    given = {field: value for field, value in options.items() if value not in (None, "", ())}
    check_patterns((*given.get("allow", ()), *given.get("deny", ())))
    if given.get("time_zone", "UTC") not in available_timezones():
        message = f"There is no time zone {given['time_zone']!r}. Write one such as Asia/Shanghai or UTC."
        raise click.BadParameter(message, param_hint="--time-zone")
    return given


@site.command()
@click.argument("url")
@click.option("--name", help="Name of the site; its host by default.")
@_with_settings
@click.option("--browser", is_flag=True, help="Open its pages in a browser: for articles that only scripts show.")
@click.option("--yes", is_flag=True, help="Add the site without asking.")
def add(url: str, *, owner: str | None, browser: bool, yes: bool, **options: Any) -> None:
    """Fetch a site's front page, propose how to crawl it, and add it."""
    with store() as (settings, engine):
        added = add_proposed(settings, engine, url, _given(options), owner=owner, browser=browser, yes=yes)
    say(f"Added {added.name}. Crawl it now with: zhiwen crawl {added.name}")


def add_proposed(
    settings: "Settings",
    engine: "Engine",
    url: str,
    given: Mapping[str, Any],
    *,
    owner: str | None = None,
    browser: bool = False,
    yes: bool = False,
) -> "SiteRecord":
    """Propose how to crawl a site, show that, and add it; unless `yes`, a person is asked before."""
    from zhiwen.commands.sites.proposal import propose  # noqa: PLC0415  # loads the crawler

    proposed = propose(url, settings, given, browser=browser)
    _show_settings(proposed)
    if not yes:
        click.confirm("Add this site?", abort=True, err=True)
    with transaction(engine) as session:
        return sites.add_site(session, proposed, owner=owner)


def _show_settings(settings: "SiteSettings") -> None:
    for field, value in asdict(settings).items():
        shown = ", ".join(map(str, value)) if isinstance(value, tuple) else value
        if shown not in ("", None):
            say(f"  {field.replace('_', ' ')}: {shown}")


@site.command("list")
@json_option
def list_(*, as_json: bool) -> None:
    """List all sites."""
    with store_session() as session:
        found = sites.list_sites(session)
    print_records(found, ("site", "role", "owner", "hosts", "crawled"), _row, as_json=as_json, shape=_plain)


def _row(record: "SiteRecord") -> tuple[object, ...]:
    settings = record.settings
    return (
        *(record.name, settings.role, record.owner_name, ", ".join(settings.hosts)),
        "yes" if settings.enabled else "paused",
    )


@site.command()
@click.argument("name")
@json_option
def show(name: str, *, as_json: bool) -> None:
    """Show a site with its settings and its last run."""
    with store_session() as session:
        record = sites.get_site(session, name)
        last = next(iter(runs.list_runs(session, site=name, limit=1)), None)
    if as_json:
        print_json(_plain(record) | {"last_run": asdict(last) if last else None})
        return
    rows = [(field, ", ".join(value) if isinstance(value, tuple) else value) for field, value in _plain(record).items()]
    print_table(("setting", "value"), rows)
    if last is not None:
        print_table(("last run", "count"), sorted(last.counters.items()))


@site.command()
@click.argument("name")
@click.option("--rename", "new_name", help="New name.")
@_with_settings
@click.option("--rights", type=ValueOf(Rights), help="Whose texts the site publishes.")
@click.option("--browser/--no-browser", default=None, help="Open its pages in a browser, or fetch them without one.")
def edit(name: str, *, owner: str | None, new_name: str | None, **options: Any) -> None:
    """Change a site's settings; those that are not given stay. Sitemaps, feeds and patterns are replaced."""
    given = _given({"name": new_name, **options})
    if not given and owner is None:
        raise click.UsageError("Nothing to change: give at least one option. See: zhiwen site edit --help")
    with store() as (settings, engine), transaction(engine) as session:
        before = sites.get_site(session, name)
        if given.get("role") is SiteRole.ORIGINAL and before.settings.rights is Rights.UNKNOWN:
            given.setdefault("rights", Rights.OWN)  # as when it is added
        after = sites.edit_site(session, name, replace(before.settings, **given), owner=owner)
        if after.name != name:
            _rename_rule(settings, name, after.name)
    say(f"Changed {after.name}.")


def _rename_rule(settings: "Settings", name: str, new_name: str) -> None:
    """Have the rule of discovery follow a new name, or leave both as they were."""
    from admin.web.search_desk import NotSaved  # noqa: PLC0415  # loads the search services
    from zhiwen.web_search.plan_edits import rename_rule  # noqa: PLC0415
    from zhiwen.web_search.plan_file import plan_path  # noqa: PLC0415

    try:
        rename_rule(plan_path(settings), name, new_name)
    except NotSaved as error:
        fail(f"Not renamed: {error}")


@site.command()
@click.argument("name")
@click.option("--resume", is_flag=True, help="Resume crawling.")
def pause(name: str, *, resume: bool) -> None:
    """Pause crawling of a site until --resume; its pages stay."""
    with store_session() as session:
        before = sites.get_site(session, name)
        sites.edit_site(session, name, replace(before.settings, enabled=resume))
    say(f"{name} is {'crawled again' if resume else 'paused'}.")


@site.command()
@click.argument("name")
@click.option("--yes", is_flag=True, help="Remove the site without asking.")
def remove(name: str, *, yes: bool) -> None:
    """Remove a site with its pages and their matches."""
    with store() as (_, engine):
        with transaction(engine) as session:
            sites.get_site(session, name)
        if not yes and click.prompt(f"Type {name} to remove it with all its pages", err=True) != name:
            fail("Not removed: the name did not match.")
        with transaction(engine) as session:
            pages = sites.remove_site(session, name)
            is_kept = any(record.name == name for record in sites.list_sites(session))
    if is_kept:
        say(f"Removed {pages} pages of {name}. Others are part of cases and stay; {name} is not crawled any more.")
    else:
        say(f"Removed {name} with {pages} pages.")


def _plain(record: "SiteRecord") -> dict[str, Any]:
    return {"id": record.id, "owner": record.owner_name, **asdict(record.settings)}
