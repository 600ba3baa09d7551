"""`suspect`: single pages that a person submits."""

import getpass
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import IO, TYPE_CHECKING

import click

from zhiwen.output.terminal import fail, say, store

if TYPE_CHECKING:
    from storage.records.pages import SavedPage

FILE = click.Path(exists=True, dir_okay=False, readable=True, path_type=Path)


@click.group()
def suspect() -> None:
    """Submit single pages by hand, such as those that no crawl can reach."""


@suspect.command()
@click.argument("urls", metavar="[URL]…", nargs=-1)
@click.option("--list", "listed", type=click.File("r", encoding="utf-8"), help="File of URLs, one a line; - for stdin.")
@click.option("--page", type=FILE, help="Saved page: HTML, SingleFile or MHTML.")
@click.option("--text", type=click.File("rb"), help="File of pasted text; - for stdin. Needs --url.")
@click.option("--url", help="URL of the saved page or the text.")
@click.option("--title", default="", show_default=False, help="Title of the text.")
@click.option("--by", "whom", help="Submitter; the system's user by default.")
@click.option("--as-article", is_flag=True, help="Accept a page that looks like a list or a page about its site.")
def add(
    urls: tuple[str, ...],
    *,
    listed: IO[str] | None,
    page: Path | None,
    text: IO[bytes] | None,
    url: str | None,
    title: str,
    whom: str | None,
    as_article: bool,
) -> None:
    """Store a page from its URL, from a saved file, or as pasted text, and archive it as evidence."""
    addresses = [*urls, *_addresses(listed)]
    if sum(map(bool, (addresses, page, text))) != 1:
        raise click.UsageError("Give URLs (or --list), or --page FILE, or --text FILE.")
    if text is not None and url is None:
        raise click.UsageError("--text needs --url, the address of the text.")
    if addresses and url is not None:
        raise click.UsageError("--url needs --page or --text.")
    # These load Scrapy and the extractors.
    from crawler.extraction.page_reader import page_reader  # noqa: PLC0415
    from zhiwen.imports.suspects import Suspects  # noqa: PLC0415

    with (
        store() as (settings, engine),
        page_reader(settings.time_zone, is_article=as_article, asks_presence=not as_article) as read_page,
    ):
        suspects = Suspects(engine, settings, read_page, whom or getpass.getuser())
        if page is not None:
            failed = int(_failed(partial(suspects.add_page, page, url)))
        elif text is not None and url is not None:
            failed = int(_failed(partial(suspects.add_text, text.read(), url, title=title)))
        else:
            failed = sum(_failed(partial(suspects.add_url, address)) for address in addresses)
    if failed:
        fail(f"{failed} of {max(1, len(addresses))} pages could not be stored; see above.")
    say("Compare with the store: zhiwen match")


def _addresses(listed: "IO[str] | None") -> Iterator[str]:
    """One a line; skips empty lines and those that begin with #."""
    try:
        lines = [] if listed is None else listed.read().splitlines()
    except UnicodeDecodeError as error:
        message = f"{getattr(listed, 'name', 'The list')!r} is not a text in UTF-8. Give a file of URLs, one a line."
        raise click.BadParameter(message, param_hint="--list") from error
    for line in lines:
        address = line.strip()
        if address and not address.startswith("#"):
            yield address


def _failed(work: Callable[[], "SavedPage"]) -> bool:
    """Runs it and reports the result. Returns True if it failed."""
    from zhiwen.imports.suspects import NotTaken  # noqa: PLC0415

    try:
        saved = work()
    except NotTaken as error:
        say(str(error))
        return True
    say(f"Stored page {saved.page_id}." if saved.is_new_version else f"Page {saved.page_id} is known with this text.")
    return False
