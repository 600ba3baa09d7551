"""The list of cases: filters, orders, bounded counts, and the next case."""

from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any, Final

from sqlalchemy import (
    ColumnElement,
    Select,
    and_,
    case,
    false,
    func,
    lateral,
    literal,
    or_,
    select,
    true,
    tuple_,
)
from sqlalchemy.orm import Session, aliased

from storage.cases.lists.filters import EVERY_CASE, ORDERS, CaseFilter, CaseOrder, conditions_of
from storage.cases.parties import ACCOUNT, HOST, name_behind
from storage.cases.severity import severity_of_case
from storage.matches.filters import MOST_NAMED, is_any
from storage.models.cases import Case, CasePage
from storage.models.pages import Page, PageVersion
from storage.models.people import Account
from storage.models.sites import Owner, Site
from storage.pages.search import is_askable, is_everywhere, pages_with_piece
from storage.postgres.planner import in_index_order
from storage.postgres.rows import columns_of, record_or_none, records_of
from storage.postgres.text import storable
from storage.records.cases import CaseRecord

COUNTED: Final = 10_000
"""Nobody pages further, and counting more would cost more than the list itself."""


def list_cases(
    session: Session,
    where: CaseFilter = EVERY_CASE,
    *,
    order: CaseOrder = CaseOrder.NEWEST,
    limit: int | None = None,
    offset: int = 0,
) -> list[CaseRecord]:
    """Cases that match, in order.

    Two queries: ids from the narrow rows, then the details of these. In one query Postgres would join all tables for
    all cases first.
    """
    wanted = _ordered(select(Case.id).where(*conditions(session, where)), order).limit(limit).offset(offset)
    with tested_in_order(session, where):
        found = session.scalars(wanted).all()
    return cases_in_order(session, found, order)


@contextmanager
def tested_in_order(session: Session, where: CaseFilter) -> Iterator[None]:
    """For a filter that is expensive for each case: the first cases that match end the reading."""
    if where.site or where.text:
        with in_index_order(session):
            yield
    else:
        yield


def cases_in_order(session: Session, case_ids: Collection[int], order: CaseOrder) -> list[CaseRecord]:
    """Those of these cases that exist."""
    statement = _ordered(_cases().where(Case.id.in_(case_ids)), order)
    return records_of(CaseRecord, session.execute(statement))


def get_case(session: Session, case_id: int) -> CaseRecord | None:
    return record_or_none(CaseRecord, session.execute(_cases().where(Case.id == case_id)))


def cases_by_id(session: Session, case_ids: Iterable[int]) -> list[CaseRecord]:
    """Those of these cases that exist, by id."""
    return records_of(CaseRecord, session.execute(_cases().where(Case.id.in_(list(case_ids))).order_by(Case.id)))


def fitting(session: Session, where: CaseFilter, case_ids: Iterable[int]) -> set[int]:
    """Those of these cases that match a filter."""
    of_these = Case.id.in_(list(case_ids))
    return set(session.scalars(select(Case.id).where(of_these, *conditions(session, where))))


def count_each(session: Session, filters: dict[str, CaseFilter], *, bound: int) -> dict[str, int]:
    """How many cases each list has, in one query; `bound` + 1 for any number above `bound`."""
    if not filters:
        return {}
    counts = [
        select(func.count())
        .select_from(
            select(literal(1)).select_from(Case).where(*conditions(session, where)).limit(bound + 1).subquery()
        )
        .scalar_subquery()
        for where in filters.values()
    ]
    return dict(zip(filters, session.execute(select(*counts)).one(), strict=True))


def ids_of_cases(
    session: Session, where: CaseFilter, *, order: CaseOrder, bound: int, most_named: int = MOST_NAMED
) -> list[int]:
    """Ids of the cases that match, in this order, at most `bound`: the length of a list and each of its pages at once.
    `most_named`: as in `storage.matches.filters.hit_ids`.
    """
    fitting = select(Case.id).where(*conditions(session, where, most_named))
    with tested_in_order(session, where):
        return list(session.scalars(_ordered(fitting, order).limit(bound)))


def next_case(
    session: Session, where: CaseFilter, order: CaseOrder, after_id: int, *, backwards: bool = False
) -> int | None:
    """The case after `after_id` in a list (`backwards`: before it); None at its end."""
    return next(iter(next_cases(session, where, order, after_id, backwards=backwards, limit=1)), None)


def next_cases(
    session: Session, where: CaseFilter, order: CaseOrder, after_id: int, *, backwards: bool = False, limit: int
) -> list[int]:
    """The cases after `after_id` in a list (`backwards`: before it), the nearest first. `after_id` itself need not
    match: a case that was just decided has left the list.
    """
    columns, descends = ORDERS[order]
    place = session.execute(select(*columns).where(Case.id == after_id)).one_or_none()
    if place is None:
        return []
    types = [column.type for column in columns]
    row, here = tuple_(*columns), tuple_(*map(literal, place, types))
    lower = descends is not backwards
    statement = select(Case.id).where(*conditions(session, where), row < here if lower else row > here)
    with tested_in_order(session, where):
        return list(session.scalars(_sorted(statement, columns, descends=lower).limit(limit)))


def _ordered(statement: Select[Any], order: CaseOrder) -> Select[Any]:
    columns, descends = ORDERS[order]
    return _sorted(statement, columns, descends=descends)


def _sorted(statement: Select[Any], columns: tuple[Any, ...], *, descends: bool) -> Select[Any]:
    return statement.order_by(*(column.desc() if descends else column.asc() for column in columns))


def conditions(
    session: Session, where: CaseFilter, most_named: int = MOST_NAMED, *, of_all: bool = False
) -> list[ColumnElement[bool]]:
    """The conditions of a filter on `Case`. May look pages up. `of_all`: for every case, not for the first ones."""
    found = conditions_of(where)
    if where.owner:
        found.append(_is_behind(storable(where.owner)))
    if where.site:
        found.append(_is_on(session, storable(where.site), most_named, of_all=of_all))
    if where.text:
        found.append(_holds(session, storable(where.text), most_named))
    return found


def _is_behind(name: str) -> ColumnElement[bool]:
    owner = select(Owner.id).where(Owner.name == name).scalar_subquery()
    accounts = select(func.concat(ACCOUNT, Page.account)).where(Page.account.is_not(None), Page.account_name == name)
    return or_(
        Case.other_owner_id == owner,
        Case.other_key.in_((f"{HOST}{name}", f"{ACCOUNT}{name}")),
        Case.other_key.in_(accounts),
    )


def _is_on(session: Session, name: str, most_named: int, *, of_all: bool) -> ColumnElement[bool]:
    """Whether either side is on this site. A small site is looked up by its pages; for a large one each case is tested
    in order, as one is soon met, or `of_all` against a hash table of its pages.
    """
    pages = select(Page.id).join(Site, Site.id == Page.site_id).where(Site.name == name)
    is_large = session.scalar(pages.offset(most_named).limit(1)) is not None
    if not is_large:
        found = session.scalars(pages).all()
        theirs = select(CasePage.case_id).where(is_any(CasePage.their_page_id, found))
        return or_(is_any(Case.our_page_id, found), Case.id.in_(theirs))
    if of_all:
        read_once = select(pages.cte("pages_of_site"))
        # In a CASE, IN is not made a join: without statistics that would be a look-up for each page.
        theirs = select(CasePage.case_id).where(case((CasePage.their_page_id.in_(read_once), true()), else_=false()))
        return or_(Case.our_page_id.in_(read_once), Case.id.in_(theirs))
    is_there = Page.site_id == select(Site.id).where(Site.name == name).scalar_subquery()
    ours = select(is_there).where(Page.id == Case.our_page_id).scalar_subquery()
    in_theirs = select(func.bool_or(is_there)).join(CasePage, CasePage.their_page_id == Page.id)
    return or_(ours, in_theirs.where(CasePage.case_id == Case.id).scalar_subquery())


def _holds(session: Session, part: str, most_named: int) -> ColumnElement[bool]:
    """Whether the copier's name, or a title or URL of either side, contains `part`."""
    folded = part.lower()
    owner = select(Owner.id).where(Owner.id == Case.other_owner_id, _is_part(folded, Owner.name)).correlate(Case)
    named = or_(_is_part(folded, Case.other_key), owner.exists())
    is_asked = is_askable(part) and not is_everywhere(session, part)
    found = pages_with_piece(session, part, most=most_named) if is_asked else None
    if found is not None and len(found) <= most_named:
        of_theirs = select(CasePage.case_id).where(is_any(CasePage.their_page_id, found))
        return or_(named, is_any(Case.our_page_id, found), Case.id.in_(of_theirs))
    # The index does not help with one character, and a frequent piece is soon met by reading in order. Scalar
    # subqueries, not EXISTS: for EXISTS Postgres reads all pages before the first case.
    theirs = select(func.bool_or(_in_page(CasePage.their_page_id.expression, folded))).where(
        CasePage.case_id == Case.id
    )
    return or_(named, _in_page(Case.our_page_id.expression, folded), theirs.correlate(Case).scalar_subquery())


def _in_page(key: ColumnElement[int], part: str) -> ColumnElement[bool]:
    version = and_(PageVersion.page_id == Page.id, PageVersion.is_current)
    said = select(or_(_is_part(part, Page.url), _is_part(part, PageVersion.title))).outerjoin(PageVersion, version)
    return said.where(Page.id == key).correlate_except(Page, PageVersion).scalar_subquery()


def _is_part(part: str, field: Any) -> ColumnElement[bool]:
    return func.strpos(func.lower(field), part) > 0


@cache
def _cases() -> Select[*tuple[Any, ...]]:
    our_version, our_site, their_version = aliased(PageVersion), aliased(Site), aliased(PageVersion)
    their_page = aliased(Page)
    strongest = lateral(
        select(CasePage.their_page_id)
        .where(CasePage.case_id == Case.id)
        .order_by(CasePage.gone_at.is_not(None), CasePage.chars.desc(), CasePage.id)
        .limit(1)
        .correlate(Case)
    )
    name = name_behind(Owner.name, Case.other_key)
    columns = columns_of(
        CaseRecord, Case, our_url=Page.url, other_name=name, severity=severity_of_case(), assignee=Account.name,
        our_title=func.coalesce(our_version.title, ""), our_site=our_site.name,
        their_url=their_page.url, their_title=func.coalesce(their_version.title, ""),
        our_published_at=our_version.published_at, our_precision=our_version.published_precision,
        their_published_at=their_version.published_at, their_precision=their_version.published_precision,
    )  # fmt: skip
    return (
        select(*columns)
        .join(Page, Page.id == Case.our_page_id)
        .outerjoin(our_version, and_(our_version.page_id == Page.id, our_version.is_current))
        .outerjoin(our_site, our_site.id == Page.site_id)
        .outerjoin(Owner, Owner.id == Case.other_owner_id)
        .outerjoin(Account, Account.id == Case.assignee_id)
        .outerjoin(strongest, true())
        .outerjoin(their_page, their_page.id == strongest.c.their_page_id)
        .outerjoin(their_version, and_(their_version.page_id == their_page.id, their_version.is_current))
    )
