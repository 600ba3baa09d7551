"""The requests that a crawl of a site would begin with now. Read-only."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import func, select, true
from sqlalchemy.orm import Session

from storage.models.frontier import FrontierUrl


@dataclass(frozen=True, slots=True)
class CrawlOutlook:
    """`due`: number of due URLs by kind, without the entries. `first`: the most urgent of them."""

    site: str
    entries: Sequence[str]
    due: Mapping[str, int]
    first: Sequence[str]
    next_due_at: datetime | None
    """When the next URL becomes due."""

    @property
    def requests(self) -> int:
        """A lower bound: pages found on the way come on top."""
        return len(self.entries) + sum(self.due.values())


def outlook(
    session: Session, site_id: int, name: str, entries: Sequence[str], *, shown: int, everything: bool = False
) -> CrawlOutlook:
    """`entries`: canonical URLs of start pages, sitemaps and feeds, which every crawl requests. `everything`: treat all
    known URLs as due.
    """
    others = (FrontierUrl.site_id == site_id, FrontierUrl.url.not_in(entries))
    is_due = true() if everything else FrontierUrl.due_at <= func.now()
    due = session.execute(select(FrontierUrl.kind, func.count()).where(*others, is_due).group_by(FrontierUrl.kind))
    first = select(FrontierUrl.url).where(*others, is_due).order_by(FrontierUrl.tier, FrontierUrl.due_at)
    later = select(func.min(FrontierUrl.due_at)).where(*others, ~is_due)
    return CrawlOutlook(
        site=name,
        entries=entries,
        due={str(kind): count for kind, count in due},
        first=session.scalars(first.limit(shown)).all(),
        next_due_at=session.scalar(later),
    )
