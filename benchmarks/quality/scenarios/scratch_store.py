"""The scratch store: the corpus spread over some sites, and what each family adds, stored as an import stores it."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

from benchmarks.common.workers import Workers
from benchmarks.corpus.model import Article, Stored
from crawler.importers.files import ImportedArticle, Limits, read_record
from fingerprint.compute import fingerprint_text
from storage.engine import transaction
from storage.pages import saving
from storage.records.pages import FingerprintedArticle, NewArticle
from storage.records.sites import SiteSettings
from storage.sites import sites
from storage.types import Rights, SiteRole

if TYPE_CHECKING:
    from sqlalchemy import Engine

CORPUS_SITES: Final = 20
"""Sites and owners of the corpus of one language, in its order: neighbours are often of one publisher."""
BATCH: Final = 50
"""Articles a transaction."""
SITES_BATCH: Final = 200
TIME_ZONE: Final = "Asia/Shanghai"
ANY_LENGTH: Final = Limits(shortest_article=0)


@dataclass(frozen=True, slots=True)
class Shelf:
    """Everything that is stored. Article `n` is on a page of its own, at `url_of(n)`."""

    items: tuple[Stored, ...]


def url_of(number: int) -> str:
    return f"https://site.invalid/{number}"


def number_of(url: str) -> int:
    """Of an article on the shelf, by the address of its page."""
    return int(url.rpartition("/")[2])


@dataclass(frozen=True, slots=True)
class _Batch:
    """`places`: the URL and the site of each item."""

    items: tuple[Stored, ...]
    places: tuple[tuple[str, int], ...]


def on_sites(articles: Sequence[Article], *, prefix: str) -> tuple[Stored, ...]:
    """Articles of the corpus, in stretches of equal length on `CORPUS_SITES` sites."""
    return tuple(
        Stored(
            id=article.id,
            text=article.text,
            site=f"{prefix}-{number * CORPUS_SITES // len(articles):02}",
            title=article.title,
        )
        for number, article in enumerate(articles)
    )


def make_sites(workers: Workers, shelf: Shelf) -> Iterator[dict[str, int]]:
    """Makes every site, and its owner; yields the ids of each finished batch by name. Raises WorkFailed.

    A story stored ten thousand times has ten thousand owners: half as much work as the storing.
    """
    roles = list({item.site: item.role for item in reversed(shelf.items)}.items())
    batches = [dict(roles[start : start + SITES_BATCH]) for start in range(0, len(roles), SITES_BATCH)]
    for _, ids in workers.map(_make_sites, batches):
        yield ids


def _make_sites(engine: "Engine", roles: Mapping[str, SiteRole]) -> dict[str, int]:
    """In a process of the benchmark."""
    with transaction(engine) as session:
        return {
            name: sites.add_site(
                session, SiteSettings(name=name, start_urls=(), hosts=(), role=role, rights=_rights_of_site(role))
            ).id
            for name, role in roles.items()
        }


def fill(workers: Workers, shelf: Shelf, site_ids: Mapping[str, int]) -> Iterator[int]:
    """Stores everything; yields how many articles each finished batch held.

    Raises WorkFailed; an article that an import would refuse is one.
    """
    batches = [
        _Batch(
            shelf.items[start : start + BATCH],
            tuple(
                (url_of(start + place), site_ids[item.site])
                for place, item in enumerate(shelf.items[start : start + BATCH])
            ),
        )
        for start in range(0, len(shelf.items), BATCH)
    ]
    for number, _ in workers.map(_store, batches):
        yield len(batches[number].items)


def _rights_of_site(role: SiteRole) -> Rights:
    """The rights of a site: on ours, articles are our own unless stated otherwise."""
    return Rights.OWN if role is SiteRole.ORIGINAL else Rights.UNKNOWN


def _store(engine: "Engine", batch: _Batch) -> None:
    """In a process of the benchmark: reads, fingerprints and saves a batch."""
    found = [
        _on_page(as_article(url, item.title, item.text), item, site_id)
        for item, (url, site_id) in zip(batch.items, batch.places, strict=True)
    ]
    saved = [FingerprintedArticle(article, fingerprint_text(article.text)) for article in found]
    with transaction(engine) as session:
        saving.save_pages(session, saved)


def _on_page(article: NewArticle, item: Stored, site_id: int) -> NewArticle:
    """Facts stated by the family override those read in the text."""
    rights = article.rights if item.rights is Rights.UNKNOWN else item.rights
    return replace(article, site_id=site_id, rights=rights, credit_lines=item.credit_lines or article.credit_lines)


def as_article(url: str, title: str, text: str) -> NewArticle:
    """The text as an import record would be read. Raises ValueError where an import would refuse it."""
    line = json.dumps({"url": url, "title": title, "text": text}).encode()
    outcome = read_record(
        line, path="benchmark", number=1, now=datetime.now(UTC), time_zone=TIME_ZONE, limits=ANY_LENGTH
    )
    if not isinstance(outcome, ImportedArticle):
        message = f"{url} would be refused by an import: {outcome.message}"
        raise ValueError(message)
    return outcome.article
