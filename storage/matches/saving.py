"""Saving matches of texts, hits of pages, and text families."""

from collections.abc import Collection
from dataclasses import asdict
from typing import TYPE_CHECKING

from sqlalchemy import delete, exists, func, literal_column, or_, select, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import Session

from storage.matches.direction_reasons import encoded
from storage.matches.hits import _of_text, _other_text
from storage.models.matches import Match, PageMatch
from storage.models.pages import TextFamily
from storage.postgres.text import storable
from storage.postgres.writes import values_of
from storage.records.matches import NewMatch, NewPageMatch

if TYPE_CHECKING:
    from sqlalchemy.sql.dml import ReturningInsert


def store_match(session: Session, match: NewMatch, *, seen_from_copy: bool = True) -> tuple[int, bool]:
    """Stores a match, one per pair of texts and algorithm version; a later judgement replaces an earlier one.

    Returns its id and whether it is new. Only the copying side shows the kind reliably (a mosaic is visible in the page
    made of it): seen from the source, a stored kind stays.
    """
    values = values_of(
        Match,
        match,
        passages=[asdict(passage) for passage in match.passages],
        evidence=asdict(match.evidence),
    )
    found = ("score", "low_share", "high_share", "longest", "passages", "evidence")
    replaced = (*found, "kind") if seen_from_copy else found
    statement = insert(Match).values(values)
    upsert: ReturningInsert[int, bool] = statement.on_conflict_do_update(
        index_elements=[Match.low_text_id, Match.high_text_id, Match.algorithm_version],
        set_={name: values[name] for name in replaced},
    ).returning(Match.id, literal_column("(match.xmax = 0)"))
    match_id, is_new = session.execute(upsert).one()
    return match_id, bool(is_new)


def store_page_match(session: Session, match_id: int, found: NewPageMatch) -> int:
    """Stores a match for two pages; a later judgement replaces an earlier one. Returns its id."""
    reasons = [storable(encoded(reason)) for reason in found.reasons]
    judged = values_of(PageMatch, found, reasons=reasons)
    low, high = sorted(found.page_ids)
    statement = insert(PageMatch).values(match_id=match_id, low_page_id=low, high_page_id=high, **judged)
    pair = [PageMatch.match_id, PageMatch.low_page_id, PageMatch.high_page_id]
    return session.scalars(
        statement.on_conflict_do_update(index_elements=pair, set_=judged).returning(PageMatch.id)
    ).one()


def matched_texts(session: Session, text_id: int, *, algorithm_version: int) -> set[int]:
    """Ids of the texts that `text_id` matches, including itself if it is on several pages."""
    statement = select(_other_text(text_id)).where(_of_text(text_id), Match.algorithm_version == algorithm_version)
    return set(session.scalars(statement))


def drop_page_matches(session: Session, page_id: int, *, text_id: int, keep: Collection[int]) -> int:
    """Removes the hits of a page's current text that a new judgement did not confirm (texts not in `keep`).

    Matches of older versions stay: the page did hold the copy. Matches that no hit shows any more are removed.
    """
    outdated = select(Match.id).where(_of_text(text_id), _other_text(text_id).not_in(list(keep)))
    removed = session.scalars(
        delete(PageMatch)
        .where(
            or_(PageMatch.low_page_id == page_id, PageMatch.high_page_id == page_id), PageMatch.match_id.in_(outdated)
        )
        .returning(PageMatch.match_id)
    ).all()
    shown = exists().where(PageMatch.match_id == Match.id)
    session.execute(delete(Match).where(Match.id.in_(removed), ~shown))
    return len(removed)


def join_family(session: Session, text_ids: Collection[int]) -> int:
    """Puts texts of one story into one family, merging their families. Returns the family's id.

    A family has the lowest text id in it, so two workers that merge the same families agree.
    """
    known = select(TextFamily.family_id).where(TextFamily.text_id.in_(text_ids)).distinct()
    families = list(session.scalars(known))
    family_id = min([*families, *text_ids])
    # Locked in a fixed order, so that two workers that merge overlapping families cannot deadlock.
    affected = select(TextFamily.text_id).where(TextFamily.family_id.in_(families)).order_by(TextFamily.text_id)
    session.execute(affected.with_for_update())
    session.execute(update(TextFamily).where(TextFamily.family_id.in_(families)).values(family_id=family_id))
    rows = [{"text_id": text_id, "family_id": family_id} for text_id in sorted(text_ids)]
    session.execute(
        insert(TextFamily).on_conflict_do_update(
            index_elements=[TextFamily.text_id],
            set_={"family_id": func.least(TextFamily.family_id, family_id)},
        ),
        rows,
    )
    return family_id
