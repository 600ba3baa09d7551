"""`suspect`: pages that a person names or brings along."""

import getpass
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, TYPE_CHECKING

import click

from zhiwen.output.terminal import fail, reporting_errors, say, store

if TYPE_CHECKING:
    from storage.records.pages import SavedPage
    from zhiwen.imports.suspects import Suspects

FILE = click.Path(exists=True, dir_okay=False, readable=True, path_type=Path)


@click.group()
def suspect() -> None:
    """Suspects: single pages where no spider may go, brought in by hand."""


@suspect.command()
@click.argument("urls", metavar="[URL]…", nargs=-1)
@click.option(
    "--list", "listed", type=click.File("r", encoding="utf-8"), help="A file of URLs, one a line; - for input."
)
@click.option("--page", type=FILE, help="A saved page: HTML, SingleFile or MHTML.")
@click.option("--text", type=click.File("rb"), help="A file of pasted text; - for input. Needs --url.")
@click.option("--url", help="Where the saved page or the text was seen.")
@click.option("--title", default="", help="The title of the text.")
@click.option("--by", "whom", help="Who brings it in; you unless told otherwise.")
@click.option(
    "--as-article", is_flag=True, help="It is an article, even if it looks like a list or a page about its site."
)
@reporting_errors
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
    """Store a page by hand: from its URL, from a saved file, or as pasted text. It is kept as evidence, too."""
    addresses = [*urls, *_addresses(listed)]
    if sum(map(bool, (addresses, page, text))) != 1:
        raise click.UsageError("Give URLs (or --list), or --page FILE, or --text FILE.")
    if text is not None and url is None:
        raise click.UsageError("--text needs --url: where the text was seen.")
    if addresses and url is not None:
        raise click.UsageError("--url goes with --page or --text.")
    # Scrapy and the extractors are loaded only by those who need them.
    from zhiwen.imports.run import page_reader  # noqa: PLC0415
    from zhiwen.imports.suspects import Suspects  # noqa: PLC0415

    with (
        store() as (settings, engine),
        page_reader(settings.time_zone, is_article=as_article, asks_presence=not as_article) as read_page,
    ):
        suspects = Suspects(engine, settings, read_page, whom or getpass.getuser())
        if page is not None:
            failed = int(_told(lambda: suspects.add_page(page, url)))
        elif text is not None and url is not None:
            content = text.read()
            failed = int(_told(lambda: suspects.add_text(content, url, title=title)))
        else:
            failed = sum(_told_url(suspects, address) for address in addresses)
    if failed:
        fail(f"{failed} of {max(1, len(addresses))} pages could not be stored; each is named above.")
    say("Compare with the store now: zhiwen match")


def _addresses(listed: "IO[str] | None") -> Iterator[str]:
    """One a line; empty lines and those that begin with # are left."""
    for line in listed or ():
        address = line.strip()
        if address and not address.startswith("#"):
            yield address


def _told_url(suspects: "Suspects", address: str) -> bool:
    return _told(lambda: suspects.add_url(address))


def _told(work: Callable[[], "SavedPage"]) -> bool:
    """Does it and says what came of it. Returns whether it failed."""
    from zhiwen.imports.suspects import NotTaken  # noqa: PLC0415

    try:
        saved = work()
    except NotTaken as error:
        say(str(error))
        return True
    say(f"Stored page {saved.page_id}." if saved.is_new_version else f"Page {saved.page_id} was known with this text.")
    return False
