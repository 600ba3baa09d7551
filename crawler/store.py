"""What a crawl asks of the store. Every method is one transaction and blocks: call it from a thread."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from storage import pages, runs, sites
from storage.engine import make_engine, transaction
from storage.errors import NotKnown
from storage.records import FingerprintedArticle, RunRecord, SavedPage, SiteRecord

DATABASE_URL_SETTING: Final = "DATABASE_URL"
_PLAIN: Final = ("postgresql://", "postgres://")


@dataclass(frozen=True, slots=True)
class Validators:
    """What lets a server say that a page has not changed."""

    etag: str | None = None
    last_modified: str | None = None


class CrawlStore:
    def __init__(self, database_url: str, *, pool_size: int = 4) -> None:
        # To SQLAlchemy the plain scheme means another driver than the one that comes along.
        scheme, separator, rest = database_url.partition("://")
        driver = "postgresql+psycopg2://" if scheme + separator in _PLAIN else scheme + separator
        self._engine = make_engine(driver + rest, pool_size=pool_size)

    def close(self) -> None:
        self._engine.dispose()

    def site(self, name: str) -> SiteRecord:
        """Raises storage.errors.NotKnown."""
        with transaction(self._engine) as session:
            return sites.get_site(session, name)

    def known_pages(self, site: SiteRecord) -> dict[str, Validators]:
        """The site's pages that are there as far as known, by URL."""
        with transaction(self._engine) as session:
            found = pages.list_pages(session, site=site.name)
            known = {page.url: Validators() for page in found if page.gone_at is None}
            known.update((url, Validators(*both)) for url, both in pages.validators(session, site.id).items())
        return known

    def save(self, item: FingerprintedArticle) -> SavedPage:
        with transaction(self._engine) as session:
            return pages.save_pages(session, [item])[0]

    def touch(self, url: str, at: datetime) -> None:
        with transaction(self._engine) as session:
            pages.touch(session, url, at)

    def mark_gone(self, url: str, at: datetime) -> None:
        with transaction(self._engine) as session:
            pages.mark_gone(session, url, at)

    def start_run(self, site_id: int, *, trigger: str) -> int:
        with transaction(self._engine) as session:
            return runs.start_run(session, site_id, trigger=trigger)

    def run(self, run_id: int) -> RunRecord:
        with transaction(self._engine) as session:
            found = runs.get_run(session, run_id)
        if found is None:
            raise NotKnown("run", str(run_id), "Its site was removed while it was crawled.")
        return found

    def record_run(self, run_id: int, counters: Mapping[str, int], samples: Mapping[str, Sequence[str]]) -> None:
        with transaction(self._engine) as session:
            runs.record_run(session, run_id, counters=counters, refusal_samples=samples)

    def finish_run(
        self, run_id: int, counters: Mapping[str, int], samples: Mapping[str, Sequence[str]], *, exit_reason: str
    ) -> None:
        with transaction(self._engine) as session:
            runs.finish_run(session, run_id, exit_reason=exit_reason, counters=counters, refusal_samples=samples)
