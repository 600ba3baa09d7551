"""`site` and `owner`."""

from collections.abc import Mapping
from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Any

import click

from storage.crawl import runs
from storage.engine import transaction
from storage.sites import owners, sites
from storage.types import Rights, SiteRole
from zhiwen.commands.sites.politeness import manners
from zhiwen.commands.sites.site_try import try_page
from zhiwen.output.terminal import fail, json_option, print_json, print_table, reporting_errors, say, store

if TYPE_CHECKING:
    from storage.records.sites import SiteRecord, SiteSettings

ROLES = click.Choice([role.value for role in SiteRole])


@click.group()
def site() -> None:
    """Sites: your own articles, and where to look for copies of them."""


site.add_command(manners)
site.add_command(try_page)


@site.command()
@click.argument("url")
@click.option("--name", help="What to call it; its host by default.")
@click.option(
    "--role",
    type=ROLES,
    default=SiteRole.WATCHED.value,
    show_default=True,
    help="original: its articles are yours to protect; watched: a place to look for copies.",
)
@click.option("--owner", help="Who is behind it; sites of one owner never accuse each other.")
@click.option("--sitemap", "sitemaps", multiple=True, help="URL of a sitemap; may be given several times.")
@click.option("--feed", "feeds", multiple=True, help="URL of an RSS or Atom feed; may be given several times.")
@click.option("--allow", multiple=True, help="Only URLs in which this regular expression is found are followed.")
@click.option("--deny", multiple=True, help="URLs in which this regular expression is found are not followed.")
@click.option(
    "--delay",
    type=click.FloatRange(0, 3600),
    default=1.0,
    show_default=True,
    help="Seconds between two requests to the site.",
)
@click.option("--max-pages", type=click.IntRange(1), help="The most pages one run may fetch.")
@click.option("--time-zone", help="Time zone of the dates on the site, such as Asia/Shanghai.")
@click.option("--browser", is_flag=True, help="Open its pages in a browser: they show their articles by script alone.")
@click.option("--yes", is_flag=True, help="Add it without asking.")
@reporting_errors
def add(url: str, *, yes: bool, **options: Any) -> None:
    """Look at a site, propose how to crawl it, and add it."""
    from zhiwen.commands.sites.proposal import propose  # noqa: PLC0415  # the crawler is loaded only where needed

    with store() as (settings, engine):
        proposed = propose(url, settings, **{name: value for name, value in options.items() if name != "owner"})
        _show_settings(proposed)
        if not yes:
            click.confirm("Add this site?", abort=True, err=True)
        with transaction(engine) as session:
            added = sites.add_site(session, proposed, owner=options["owner"])
    say(f"Added {added.name}. Crawl it now with: zhiwen crawl {added.name}")


def _show_settings(settings: "SiteSettings") -> None:
    for field, value in asdict(settings).items():
        shown = ", ".join(map(str, value)) if isinstance(value, tuple) else value
        if shown not in ("", None):
            say(f"  {field.replace('_', ' ')}: {shown}")


@site.command("list")
@json_option
@reporting_errors
def list_(*, as_json: bool) -> None:
    """All sites."""
    with store() as (_, engine), transaction(engine) as session:
        found = sites.list_sites(session)
    if as_json:
        for record in found:
            print_json(_plain(record))
        return
    rows = [
        (record.name, record.settings.role, record.owner_name, ", ".join(record.settings.hosts),
         "yes" if record.settings.enabled else "paused")
        for record in found
    ]  # fmt: skip
    print_table(("site", "role", "owner", "hosts", "crawled"), rows)


@site.command()
@click.argument("name")
@json_option
@reporting_errors
def show(name: str, *, as_json: bool) -> None:
    """One site with its settings and its last run."""
    with store() as (_, engine), transaction(engine) as session:
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
@click.option("--rename", help="A new name.")
@click.option("--role", type=ROLES)
@click.option("--owner", help="Who is behind it.")
@click.option("--sitemap", "sitemaps", multiple=True, help="Replaces the sitemaps.")
@click.option("--feed", "feeds", multiple=True, help="Replaces the feeds.")
@click.option("--allow", multiple=True, help="Replaces the allow patterns.")
@click.option("--deny", multiple=True, help="Replaces the deny patterns.")
@click.option("--delay", "delay_s", type=click.FloatRange(0, 3600))
@click.option("--max-pages", "page_budget", type=click.IntRange(1))
@click.option("--time-zone")
@click.option("--rights", type=click.Choice([rights.value for rights in Rights]))
@click.option("--browser/--no-browser", default=None, help="Whether its pages are opened in a browser.")
@reporting_errors
def edit(name: str, *, rename: str | None, owner: str | None, **changes: Any) -> None:
    """Change a site's settings; what is not given stays."""
    given = {field: value for field, value in changes.items() if value not in (None, ())}
    if "role" in given:
        given["role"] = SiteRole(given["role"])
    if "rights" in given:
        given["rights"] = Rights(given["rights"])
    if rename:
        given["name"] = rename
    if not given and owner is None:
        raise click.UsageError("Nothing to change: give at least one option. See: zhiwen site edit --help")
    _check_patterns(given)
    with store() as (_, engine), transaction(engine) as session:
        before = sites.get_site(session, name)
        if given.get("role") is SiteRole.ORIGINAL and before.settings.rights is Rights.UNKNOWN:
            given.setdefault("rights", Rights.OWN)  # as when it is added: its articles are yours to protect
        after = sites.edit_site(session, name, replace(before.settings, **given), owner=owner)
    say(f"Changed {after.name}.")


def _check_patterns(given: Mapping[str, Any]) -> None:
    from crawler.outcomes.errors import BadScope  # noqa: PLC0415  # only where needed
    from crawler.urls.patterns import check_patterns  # noqa: PLC0415

    try:
        check_patterns((*given.get("allow", ()), *given.get("deny", ())))
    except BadScope as error:
        fail(str(error))


@site.command()
@click.argument("name")
@click.option("--resume", is_flag=True, help="Crawl it again.")
@reporting_errors
def pause(name: str, *, resume: bool) -> None:
    """Stop crawling a site until it is resumed; its pages stay."""
    with store() as (_, engine), transaction(engine) as session:
        before = sites.get_site(session, name)
        sites.edit_site(session, name, replace(before.settings, enabled=resume))
    say(f"{name} is {'crawled again' if resume else 'paused'}.")


@site.command()
@click.argument("name")
@click.option("--yes", is_flag=True, help="Remove it without asking.")
@reporting_errors
def remove(name: str, *, yes: bool) -> None:
    """Remove a site with its pages and what was found on them."""
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


@click.group()
def owner() -> None:
    """Who stands behind sites."""


_owner_fields = [
    click.option("--registration", help="备案号: the registration number shown on the sites."),
    click.option("--complaint-address", help="Where complaints go."),
    click.option("--notes"),
]


def _with_owner_fields(command: Any) -> Any:
    for option in reversed(_owner_fields):
        command = option(command)
    return command


@owner.command("add")
@click.argument("name")
@_with_owner_fields
@reporting_errors
def add_owner(name: str, **fields: str | None) -> None:
    """Add an owner."""
    with store() as (_, engine), transaction(engine) as session:
        owners.add_owner(session, name, **{field: value or "" for field, value in fields.items()})
    say(f"Added {name}.")


@owner.command("edit")
@click.argument("name")
@_with_owner_fields
@reporting_errors
def edit_owner(name: str, **fields: str | None) -> None:
    """Change what is known of an owner; what is not given stays."""
    with store() as (_, engine), transaction(engine) as session:
        owners.edit_owner(session, name, **fields)
    say(f"Changed {name}.")


@owner.command("list")
@json_option
@reporting_errors
def list_owners(*, as_json: bool) -> None:
    """All owners."""
    with store() as (_, engine), transaction(engine) as session:
        found = owners.list_owners(session)
    if as_json:
        for record in found:
            print_json(asdict(record))
        return
    rows = [(record.name, record.registration, record.complaint_address, record.notes) for record in found]
    print_table(("owner", "registration", "complaints to", "notes"), rows)
