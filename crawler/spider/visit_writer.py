"""Writes what visits lead to, several at once: articles with all that belongs to them, and outcomes of other visits.

One writer for both, since both update the frontier: two transactions side by side could wait for each other's rows.
"""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar, cast

from crawler.spider.crawl_store import CrawlStore, Kept, save_all
from crawler.spider.group_commit import GroupCommit
from storage.records.pages import FingerprintedArticle

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

T = TypeVar("T")

Work: TypeAlias = "FingerprintedArticle | Callable[[Session], Any]"


class VisitWriter:
    """Each call returns when its transaction is committed. Raises StorageError if that cannot be."""

    def __init__(self, store: CrawlStore) -> None:
        self._store = store
        self._group: GroupCommit[Work, Any] = GroupCommit(self._write)

    async def save(self, item: FingerprintedArticle) -> Kept:
        """Stores an article; for one of a crawl, also the outcome of its visit."""
        return cast("Kept", await self._group.put(item))

    async def do(self, work: "Callable[[Session], T]") -> T:
        """The result of `work`, called with a session of a transaction that it shares with others."""
        return cast("T", await self._group.put(work))

    def _write(self, works: Sequence[Work]) -> list[Any]:
        return self._store.do(_written, works)


def _written(session: "Session", works: Sequence[Work]) -> list[Any]:
    articles = [work for work in works if isinstance(work, FingerprintedArticle)]
    kept = iter(save_all(session, articles))
    return [next(kept) if isinstance(work, FingerprintedArticle) else work(session) for work in works]
