"""`site manners`: how a site is crawled beyond its pace."""

from dataclasses import replace
from datetime import time
from typing import Any, Final

import click

from storage.crawl import politeness as stored_manners
from storage.engine import transaction
from storage.sites import sites
from zhiwen.output.terminal import print_table, reporting_errors, store

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
            self.fail(f"{value!r} is no window. Write two times of day, such as 01:00-06:30, or: always", param, ctx)


@click.command()
@click.argument("name")
@click.option("--window", type=Window(), help="Crawl only between two times of day of the site's zone: 01:00-06:30.")
@click.option("--max-megabytes", type=click.IntRange(0), help="The most one run may download; 0 for no bound.")
@click.option("--noindex", type=OBEYED, help="Whether pages that ask not to be indexed are left alone.")
@click.option("--noarchive", type=OBEYED, help="Whether pages that ask not to be archived are left alone.")
@reporting_errors
def manners(name: str, *, window: tuple[time | None, time | None] | None, max_megabytes: int | None,
            **asked: str | None) -> None:  # fmt: skip
    """Show or change how a site is crawled beyond its pace: when, how much, and what it may ask."""
    changes: dict[str, Any] = {f"obey_{field}": word == OBEY for field, word in asked.items() if word is not None}
    if window is not None:
        changes["window_start"], changes["window_end"] = window
    if max_megabytes is not None:
        changes["byte_budget"] = max_megabytes * MEGABYTE or None
    with store() as (_, engine), transaction(engine) as session:
        site = sites.get_site(session, name)
        found = replace(stored_manners.get_manners(session, site.id), **changes)
        if changes:
            stored_manners.set_manners(session, site.id, found)
    is_always = found.window_start is None or found.window_end is None
    shown = "always" if is_always else f"{found.window_start:%H:%M}-{found.window_end:%H:%M}"
    megabytes = "no bound" if found.byte_budget is None else str(found.byte_budget // MEGABYTE)
    rows = [("window", shown), ("megabytes a run", megabytes), ("noindex", _word(obeyed=found.obey_noindex)),
            ("noarchive", _word(obeyed=found.obey_noarchive))]  # fmt: skip
    print_table(("manner", "value"), rows)


def _word(*, obeyed: bool) -> str:
    return OBEY if obeyed else "ignore"
