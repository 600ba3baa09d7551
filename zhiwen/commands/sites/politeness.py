"""`site politeness`: how a site is crawled, beyond the delay between two requests."""

import copy
from dataclasses import replace
from datetime import time
from typing import Any, Final

import click

from storage.crawl import politeness as stored
from storage.records.sites import MOST_MEGABYTES
from storage.sites import sites
from zhiwen.output.terminal import print_table, store_session

MEGABYTE: Final = 1_000_000
OBEY: Final = "obey"
OBEYED: Final = click.Choice([OBEY, "ignore"])


class Window(click.ParamType[Any]):
    """Two times of day, such as 01:00-06:30; `always` for none."""

    name = "window"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if value == "always" or isinstance(value, tuple):
            return (None, None) if value == "always" else value
        start, _, end = str(value).partition("-")
        try:
            return time.fromisoformat(start.strip()), time.fromisoformat(end.strip())
        except ValueError:
            self.fail(f"{value!r} is not a window. Write two times of day, such as 01:00-06:30, or: always", param, ctx)


@click.command()
@click.argument("name")
@click.option("--window", type=Window(), help="Crawl only between two times of day in the site's zone: 01:00-06:30.")
@click.option(
    "--max-megabytes",
    type=click.IntRange(0, MOST_MEGABYTES),
    help="Most megabytes that one run downloads; 0 for no limit.",
)
@click.option("--noindex", type=OBEYED, help="Obey or ignore pages that ask not to be indexed.")
@click.option("--noarchive", type=OBEYED, help="Obey or ignore pages that ask not to be archived.")
def politeness(
    name: str, *, window: tuple[time | None, time | None] | None, max_megabytes: int | None, **robots: str | None
) -> None:
    """Show or change a site's crawl hours, download limit and robots rules."""
    changes: dict[str, Any] = {f"obey_{rule}": word == OBEY for rule, word in robots.items() if word is not None}
    if window is not None:
        changes["window_start"], changes["window_end"] = window
    if max_megabytes is not None:
        changes["byte_budget"] = max_megabytes * MEGABYTE or None
    with store_session() as session:
        site = sites.get_site(session, name)
        found = replace(stored.get_politeness(session, site.id), **changes)
        if changes:
            stored.set_politeness(session, site.id, found)
    is_always = found.window_start is None or found.window_end is None
    rows = [
        ("window", "always" if is_always else f"{found.window_start:%H:%M}-{found.window_end:%H:%M}"),
        ("megabytes a run", "no limit" if found.byte_budget is None else found.byte_budget // MEGABYTE),
        ("noindex", OBEY if found.obey_noindex else "ignore"),
        ("noarchive", OBEY if found.obey_noarchive else "ignore"),
    ]
    print_table(("rule", "value"), rows)


manners = copy.copy(politeness)
"""The name of earlier versions."""
manners.name, manners.hidden = "manners", True
