"""Which story a text belongs to."""

from collections.abc import Collection

from sqlalchemy import func, select, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import Session

from storage.models.pages import TextFamily


def join_family(session: Session, text_ids: Collection[int]) -> int:
    """Puts texts of one story into one family, merging the families they had. Returns the family's id.

    A family is named by the lowest text id in it, so two workers that merge the same families agree.
    """
    known = select(TextFamily.family_id).where(TextFamily.text_id.in_(text_ids)).distinct()
    families = list(session.scalars(known))
    family_id = min([*families, *text_ids])
    # Locked in a fixed order: two workers that merge overlapping families wait for each other instead of deadlocking.
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
