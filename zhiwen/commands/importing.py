"""`import`: articles from files into the store."""

import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from crawler.errors import CrawlerError
from storage import pages, sites
from storage.engine import transaction
from storage.errors import NotKnown
from storage.records import FingerprintedArticle, SiteRecord, SiteSettings
from storage.types import Rights, SiteRole
from zhiwen.commands.shell import fail, reporting_errors, say, store

if TYPE_CHECKING:
    from sqlalchemy import Engine

    from crawler.importers import ImportedArticle, ImportProblem

BATCH: Final = 200
"""Articles a transaction: an interruption loses at most this many, and importing again takes up the rest."""


@click.command("import")
@click.argument("paths", metavar="PATH…", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--site", "site_name", help="The site they belong to; made if there is none of that name.")
@click.option(
    "--rights",
    type=click.Choice([rights.value for rights in Rights]),
    default=Rights.UNKNOWN.value,
    show_default=True,
    help="own: your articles; a site made by this import is then an original one.",
)
@reporting_errors
def import_(paths: Sequence[Path], *, site_name: str | None, rights: str) -> None:
    """Import articles: JSONL (also .gz), HTML and text files, and folders of them.

    What cannot be taken in is named with its file and line; the rest is stored. Importing again changes nothing.
    """
    from crawler.importers import read_articles  # noqa: PLC0415  # the extractors are loaded only by those who import

    with store() as (settings, engine):
        site = None if site_name is None else _site(engine, site_name, Rights(rights))
        try:
            outcomes = read_articles(paths, now=datetime.now(UTC), time_zone=settings.time_zone, rights=Rights(rights))
            counts = _store_all(engine, _told(outcomes), site)
        except CrawlerError as error:
            fail(str(error))
    say(
        f"Stored {counts['new']} new pages and {counts['changed']} new versions; {counts['known']} were known already; "
        f"{counts['problems']} could not be taken in."
    )
    if counts["new"] or counts["changed"]:
        say("Compare them with the store now: zhiwen match")
    if counts["problems"]:
        fail(f"{counts['problems']} records could not be taken in; each is named above. The others are stored.")


def _site(engine: "Engine", name: str, rights: Rights) -> SiteRecord:
    with transaction(engine) as session:
        try:
            return sites.get_site(session, name)
        except NotKnown:
            role = SiteRole.ORIGINAL if rights is Rights.OWN else SiteRole.WATCHED
            settings = SiteSettings(name=name, start_urls=(), hosts=(), role=role, rights=rights)
            say(f"Made the site {name} ({role}); change it with: zhiwen site edit {name}")
            return sites.add_site(session, settings)


def _told(outcomes: Iterable["ImportedArticle | ImportProblem"]) -> Iterator["ImportedArticle | ImportProblem"]:
    from crawler.importers import ImportProblem  # noqa: PLC0415

    for outcome in outcomes:
        if isinstance(outcome, ImportProblem):
            say(str(outcome))
        yield outcome


def _store_all(
    engine: "Engine", outcomes: Iterable["ImportedArticle | ImportProblem"], site: SiteRecord | None
) -> Counter[str]:
    counts: Counter[str] = Counter()
    columns = (TextColumn("importing"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), disable=not sys.stderr.isatty()) as bar:
        task = bar.add_task("", total=None)
        for batch in _batches(outcomes):
            counts.update(_store_batch(engine, batch, site))
            bar.update(task, advance=len(batch))
    return counts


def _batches(
    outcomes: Iterable["ImportedArticle | ImportProblem"],
) -> Iterator[list["ImportedArticle | ImportProblem"]]:
    batch = []
    for outcome in outcomes:
        batch.append(outcome)
        if len(batch) == BATCH:
            yield batch
            batch = []
    if batch:
        yield batch


def _store_batch(
    engine: "Engine", batch: Sequence["ImportedArticle | ImportProblem"], site: SiteRecord | None
) -> Counter[str]:
    from crawler.importers import ImportedArticle  # noqa: PLC0415
    from crawler.rights import with_rights  # noqa: PLC0415
    from fingerprint.compute import fingerprint_text  # noqa: PLC0415

    taken = [outcome for outcome in batch if isinstance(outcome, ImportedArticle)]
    with transaction(engine) as session:
        known = {record.name: record for record in sites.list_sites(session)} if site is None else {}
        placed = [(item.article, known.get(item.site_name or "") if site is None else site) for item in taken]
        items = [
            FingerprintedArticle(
                with_rights(replace(article, site_id=None if owner is None else owner.id), owner),
                fingerprint_text(article.text),
            )
            for article, owner in placed
        ]
        saved = pages.save_pages(session, items)
    counts = Counter(
        "new" if page.is_new_page else "changed" if page.is_new_version else "known"
        for page in {page.page_id: page for page in saved}.values()
    )
    counts["problems"] = len(batch) - len(taken)
    return counts
