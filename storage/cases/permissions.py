"""The licence standing of copies in cases, updated without comparing texts again."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlalchemy import and_, select, update
from sqlalchemy.orm import Session

from storage.models.cases import Case, CasePage
from storage.models.pages import Page, PageVersion
from storage.models.sites import Site
from storage.postgres.rows import columns_of, records_of
from storage.postgres.text import storable
from storage.records.cases import LicenceRecord
from storage.types import CaseQueue, Credit, LicenceTerm, Standing

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy import ColumnElement


@dataclass(frozen=True, slots=True)
class CopyInCase:
    """A live copy with the credit it gives."""

    id: int
    case_id: int
    our_page_id: int
    their_page_id: int
    credit: Credit


def copies_under(session: Session, licence: LicenceRecord, *, limit: int) -> list[CopyInCase]:
    """The live copies in cases that a licence covers, by case. Their cases stay locked until the transaction ends.

    At most `limit`, the newest cases first.
    """
    conditions: list[ColumnElement[bool]] = [Case.queue == CaseQueue.COPIED, CasePage.gone_at.is_(None)]
    if licence.copier_id is not None:
        conditions.append(Case.other_owner_id == licence.copier_id)
    if licence.owner_id is not None:
        conditions.append(Site.owner_id == licence.owner_id)
    if licence.terms.author is not None:
        conditions.append(PageVersion.author == storable(licence.terms.author))
    if licence.terms.article_url is not None:
        conditions.append(Page.url == storable(licence.terms.article_url))
    rows = session.execute(
        select(*columns_of(CopyInCase, CasePage, Case))
        .join(Case, Case.id == CasePage.case_id)
        .join(Page, Page.id == Case.our_page_id)
        .join(PageVersion, and_(PageVersion.page_id == Page.id, PageVersion.is_current))
        .outerjoin(Site, Site.id == Page.site_id)
        .where(*conditions)
        .order_by(CasePage.case_id.desc(), CasePage.id)
        .limit(limit)
    )
    found = sorted(records_of(CopyInCase, rows), key=lambda copy: (copy.case_id, copy.id))
    # The matcher locks in the same order.
    cases = sorted({copy.case_id for copy in found})
    session.execute(select(Case.id).where(Case.id.in_(cases)).order_by(Case.id).with_for_update(key_share=True))
    return found


def keep_permission(
    session: Session, copy_id: int, *, standing: Standing, broken: "Sequence[LicenceTerm]", licence_id: int | None
) -> None:
    values = {"standing": standing, "broken_terms": [term.value for term in broken], "licence_id": licence_id}
    session.execute(update(CasePage).where(CasePage.id == copy_id).values(**values))
