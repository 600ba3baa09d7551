"""Pages that hold or held a text; queried for some hundred texts in each check."""

from collections.abc import Iterable
from functools import cache

from sqlalchemy import ARRAY, BigInteger, any_, bindparam, func, select
from sqlalchemy.dialects import postgresql
from sqlalchemy.orm import Session

from storage.column_types import array_literal
from storage.models.pages import Page, PageVersion
from storage.pages.pages import pages_with_versions
from storage.postgres.prepared_statements import Prepared
from storage.postgres.rows import records_of
from storage.records.pages import PageRecord


def pages_of_texts(session: Session, text_ids: Iterable[int], *, per_text: int) -> dict[int, list[PageRecord]]:
    """By text id, the first `per_text` pages, by the time first seen, that hold the text now."""
    return present_and_former_pages(session, text_ids, per_text=per_text)[0]


def present_and_former_pages(
    session: Session, text_ids: Iterable[int], *, per_text: int
) -> tuple[dict[int, list[PageRecord]], dict[int, list[PageRecord]]]:
    """The same, and as many pages that held the text before and hold another now, each with that former version."""
    present: dict[int, list[PageRecord]] = {}
    former: dict[int, list[PageRecord]] = {}
    rows = _holders().execute(session, {"text_ids": array_literal(text_ids), "per_text": per_text}).all()
    for row, page in zip(rows, records_of(PageRecord, rows), strict=True):
        (present if row.is_current else former).setdefault(page.text_id, []).append(page)
    return present, former


@cache
def _holders() -> Prepared:
    """The first versions of each text, current ones and former ones separately. Compiled once."""
    rank = func.row_number().over(
        partition_by=(PageVersion.text_id, PageVersion.is_current), order_by=(Page.first_seen_at, Page.id)
    )
    ranked = (
        select(PageVersion.id, rank.label("rank"))
        .join(Page, Page.id == PageVersion.page_id)
        .where(PageVersion.text_id == any_(bindparam("text_ids", type_=ARRAY(BigInteger))))
        .subquery()
    )
    statement = (
        pages_with_versions(any_version=True)
        .add_columns(PageVersion.is_current)
        .join(ranked, ranked.c.id == PageVersion.id)
        .where(ranked.c.rank <= bindparam("per_text"))
        .order_by(PageVersion.text_id, ranked.c.rank)
    )
    types = {"text_ids": "bigint[]", "per_text": "integer"}
    written = str(statement.compile(dialect=postgresql.dialect(paramstyle="named")))  # type: ignore[no-untyped-call]  # a class of SQLAlchemy's
    return Prepared("pages_of_texts", types, written)


_ON_HOST = Prepared(
    "texts_on_host",
    {"host": "text", "most": "integer"},
    """
    SELECT v.text_id FROM page AS p JOIN page_version AS v ON v.page_id = p.id AND v.is_current
    WHERE p.host = :host LIMIT :most
    """,
)

_COUNT = Prepared(
    "pages_counted",
    {"text_ids": "bigint[]"},
    """
    SELECT text_id, count(*) AS pages FROM page_version
    WHERE text_id = ANY(:text_ids) AND is_current GROUP BY text_id
    """,
)


def texts_on_host(session: Session, host: str, *, most: int) -> list[int]:
    """The present texts of some pages of the host, by id; of a host with no more than `most` pages, of all of them."""
    return sorted(set(_ON_HOST.execute(session, {"host": host, "most": most}).scalars()))


def count_pages_of_texts(session: Session, text_ids: Iterable[int]) -> dict[int, int]:
    """The number of pages that hold each of these texts now; texts on no page are left out."""
    return {row.text_id: row.pages for row in _COUNT.execute(session, {"text_ids": array_literal(text_ids)})}
