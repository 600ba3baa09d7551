"""`contact`: whom to write to about a host."""

import getpass
from dataclasses import asdict

import click

from zhiwen.output.terminal import fail, json_option, print_json, print_table, say, store


@click.command()
@click.argument("host")
@click.option("--no-keep", is_flag=True, help="Print the proposals without storing them for the desk.")
@json_option
def contact(host: str, *, no_keep: bool, as_json: bool) -> None:
    """Look for contacts of a host: on its own pages, in RDAP and WHOIS, and by its mail servers.

    HOST is a host name or an address of a page.
    """
    # These load Scrapy.
    from crawler.outcomes.errors import UnusableUrl  # noqa: PLC0415
    from crawler.urls.canonical import host_of, web_url  # noqa: PLC0415
    from storage.contacts import searches  # noqa: PLC0415
    from storage.engine import transaction  # noqa: PLC0415
    from zhiwen.contacts.looking import look_for_contacts  # noqa: PLC0415

    try:
        name = host_of(web_url(host if "://" in host else f"http://{host}/"))
    except UnusableUrl as error:
        fail(str(error))
    with store() as (settings, engine):
        found = look_for_contacts(settings, engine, name)
        if not no_keep:
            with transaction(engine) as session:
                searches.ask_for_contacts(session, name, asked_by=getpass.getuser())
                wanted = searches.last_search(session, name)
                if wanted is not None:
                    searches.finish_search(session, wanted.id, found)
    if as_json:
        print_json(asdict(found))
        return
    rows = [(one.value, one.role, one.confidence, one.source, one.name, one.place) for one in found.proposals]
    if rows:
        print_table(("contact", "for", "confidence", "source", "name", "read at"), rows)
    print_table(("source", "result", "details"), [(one.source, one.outcome, one.words) for one in found.notes])
    say(f"{len(rows)} proposals, {found.requests} requests." if rows else "None found.")
