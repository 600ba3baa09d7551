"""Totals over the pages of a case, stored with the case so that lists read no pages."""

from sqlalchemy import and_, case, func, literal, select, true, update
from sqlalchemy.orm import Session

from storage.models.cases import Case, CasePage
from storage.models.matches import Match
from storage.types import BY_MEANING, Credit, Standing


def refresh_figures(session: Session, case_id: int) -> None:
    """Recomputes the totals over live pages. A case without live pages keeps its figures: they are what was judged.

    Its figures are those of the largest copy; of the largest retelling only if there is no copy.
    """
    live = and_(CasePage.case_id == case_id, CasePage.gone_at.is_(None))
    totals = (
        select(
            literal(case_id).label("case_id"),
            func.count().label("pages"),
            case(
                (func.bool_or(CasePage.credit == Credit.NONE), Credit.NONE.value),
                (func.bool_or(CasePage.credit == Credit.NAMED), Credit.NAMED.value),
                (func.count() > 0, Credit.LINKED.value),
            ).label("credit"),
            case(
                (func.bool_or(CasePage.standing == Standing.BREACH), Standing.BREACH.value),
                (func.bool_or(CasePage.standing == Standing.UNLICENSED), Standing.UNLICENSED.value),
                (func.count() > 0, Standing.LICENSED.value),
            ).label("standing"),
        )
        .where(live)
        .subquery()
    )
    of_pair = and_(
        Match.low_text_id == func.least(CasePage.our_text_id, CasePage.their_text_id),
        Match.high_text_id == func.greatest(CasePage.our_text_id, CasePage.their_text_id),
    )
    strongest = (
        select(CasePage.chars, CasePage.our_share, CasePage.their_share, CasePage.kind, Match.score)
        .outerjoin(Match, of_pair)
        .where(live)
        .order_by(CasePage.kind.in_(BY_MEANING), CasePage.chars.desc(), CasePage.id, Match.algorithm_version.desc())
        .limit(1)
        .subquery()
    )
    found = select(totals, strongest).select_from(totals.outerjoin(strongest, true())).subquery()
    kept = ("chars", "our_share", "their_share", "kind", "credit", "standing", "score")
    values = {name: func.coalesce(found.c[name], getattr(Case, name)) for name in kept}
    session.execute(update(Case).where(Case.id == found.c.case_id).values(pages=found.c.pages, **values))
