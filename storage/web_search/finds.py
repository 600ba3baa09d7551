"""Pages that search services returned: saved with the answer, so that a paid answer is never lost."""

from collections.abc import Collection, Sequence
from functools import cache
from typing import Any, Final

from sqlalchemy import Select, any_, func, select, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import Session

from storage.models.pages import Page
from storage.models.sites import Site
from storage.models.web_search import SearchFind, SearchHost
from storage.postgres.rows import columns_of, records_of
from storage.postgres.text import storable
from storage.records.web_search import FindRecord, HostFigures, NewFind, ProposedHost
from storage.types import FindState, HostDecision

FETCHED: Final = (FindState.NO_COPY, FindState.PASSAGE, FindState.COPY)

_JUDGED: Final = ("title", "snippet", "services", "score", "state", "reason")


def save_finds(session: Session, page_id: int, finds: Sequence[NewFind]) -> None:
    """Save what was found for an article, each address once. Replaces what is known of those that were not fetched yet;
    the others stay as they are.
    """
    if not finds:
        return
    rows = [
        {
            "page_id": page_id,
            "url": storable(one.url),
            "host": storable(one.host),
            "title": storable(one.title),
            "snippet": storable(one.snippet),
            "services": list(one.services),
            "score": one.score,
            "state": one.state,
            "reason": one.reason,
        }
        for one in sorted(finds, key=lambda one: one.url)
    ]
    statement = insert(SearchFind)
    session.execute(
        statement.on_conflict_do_update(
            index_elements=["page_id", "url"],
            set_={name: statement.excluded[name] for name in _JUDGED},
            where=SearchFind.fetched_at.is_(None),
        ),
        rows,
    )


def waiting(session: Session, page_id: int, *, limit: int) -> list[FindRecord]:
    """Return what waits to be fetched for an article, likeliest copies first."""
    statement = _finds().where(SearchFind.page_id == page_id, SearchFind.state == FindState.WAITING)
    return records_of(
        FindRecord, session.execute(statement.order_by(SearchFind.score.desc(), SearchFind.id).limit(limit))
    )


def finds_of(session: Session, page_id: int) -> list[FindRecord]:
    """Return everything that was found for an article, oldest first."""
    return records_of(
        FindRecord, session.execute(_finds().where(SearchFind.page_id == page_id).order_by(SearchFind.id))
    )


def settle(
    session: Session, find_id: int, state: FindState, *, reason: str | None = None, their_page_id: int | None = None
) -> None:
    """Record what became of a search result that was fetched."""
    ended = update(SearchFind).where(SearchFind.id == find_id)
    values = {"state": state, "reason": reason, "their_page_id": their_page_id}
    session.execute(ended.values(fetched_at=func.now(), **values))


def wait_again(session: Session, page_id: int, reasons: Collection[str]) -> int:
    """Have finds of an article that were refused for one of these reasons fetched once more. Returns their number."""
    refused = (SearchFind.page_id == page_id, SearchFind.state == FindState.REFUSED, SearchFind.reason.in_(reasons))
    again = update(SearchFind).where(*refused).values(state=FindState.WAITING, reason=None, fetched_at=None)
    return len(session.scalars(again.returning(SearchFind.id)).all())


def host_figures(session: Session, hosts: Collection[str]) -> dict[str, HostFigures]:
    """Return what was fetched from these hosts, and how much of it was a copy; hosts without any are left out."""
    statement = (
        select(
            SearchFind.host,
            func.count().label("fetched"),
            func.count().filter(SearchFind.state == FindState.COPY).label("copies"),
        )
        .where(SearchFind.host.in_([storable(host) for host in hosts]), SearchFind.state.in_(FETCHED))
        .group_by(SearchFind.host)
    )
    return {one.host: one for one in records_of(HostFigures, session.execute(statement))}


def known_addresses(session: Session, urls: Collection[str]) -> set[str]:
    """Return those of these addresses whose pages are stored."""
    return set(session.scalars(select(Page.url).where(Page.url.in_([storable(url) for url in urls]))))


def ignored_hosts(session: Session) -> set[str]:
    return set(session.scalars(select(SearchHost.host).where(SearchHost.decision == HostDecision.IGNORED)))


def decide_host(session: Session, host: str, decision: HostDecision, *, by: str) -> None:
    """Save a person's decision about a host, replacing an earlier one."""
    values = {"decision": decision, "decided_by": storable(by), "decided_at": func.now()}
    statement = insert(SearchHost).values(host=storable(host), **values)
    session.execute(statement.on_conflict_do_update(index_elements=[SearchHost.host], set_=values))


def proposed_hosts(session: Session, *, limit: int) -> list[ProposedHost]:
    """Return the hosts on which copies were found that belong to no site, those with most copies first."""
    of_a_site = select(Site.id).where(SearchFind.host == any_(Site.hosts)).exists()
    decided = select(SearchHost.host).where(SearchHost.host == SearchFind.host).exists()
    statement = (
        select(
            SearchFind.host,
            func.count(SearchFind.page_id.distinct()).label("articles"),
            func.count().label("copies"),
            func.max(SearchFind.found_at).label("last_found_at"),
            func.min(SearchFind.url).label("example"),
        )
        .where(SearchFind.state == FindState.COPY, ~of_a_site, ~decided)
        .group_by(SearchFind.host)
        .order_by(func.count().desc(), SearchFind.host)
    )
    return records_of(ProposedHost, session.execute(statement.limit(limit)))


def find_on(session: Session, host: str) -> str | None:
    """Return the address of a page that was found on a host, a copy first; None if nothing was."""
    on_host = select(SearchFind.url).where(SearchFind.host == storable(host))
    return session.scalar(on_host.order_by((SearchFind.state == FindState.COPY).desc(), SearchFind.id).limit(1))


@cache
def _finds() -> Select[*tuple[Any, ...]]:
    return select(*columns_of(FindRecord, SearchFind))
