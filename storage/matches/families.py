"""Text families: texts of one story. A family has the number of the lowest text in it, so that workers agree."""

from collections.abc import Collection, Iterable, Mapping

from sqlalchemy import select
from sqlalchemy.orm import Session

from storage.column_types import array_literal
from storage.models.pages import TextFamily
from storage.postgres.prepared_statements import Prepared

_MOVE = Prepared(
    "families_moved",
    {"before": "bigint[]", "now": "bigint[]"},
    """
    UPDATE text_family AS f SET family_id = m.now FROM unnest(:before, :now) AS m(before, now)
    WHERE f.family_id = m.before
    """,
)
_ADD = Prepared(
    "families_joined",
    {"text_ids": "bigint[]", "family_ids": "bigint[]"},
    """
    INSERT INTO text_family (text_id, family_id)
    SELECT text_id, family_id FROM unnest(:text_ids, :family_ids) AS j(text_id, family_id) ORDER BY text_id
    ON CONFLICT (text_id) DO UPDATE SET family_id = least(text_family.family_id, excluded.family_id)
    """,
)


class Families:
    """Families in memory: those that texts had, and what joining texts makes of them."""

    def __init__(self) -> None:
        self._family: dict[int, int] = {}
        self._moved: dict[int, int] = {}

    def learn(self, text_id: int, family_id: int | None) -> None:
        """Note the stored family of a text, unless the text is known."""
        if family_id is not None:
            self._family.setdefault(text_id, family_id)

    def of(self, text_id: int) -> int | None:
        """Return the present family of a text; None if it has none."""
        family = self._family.get(text_id)
        while family is not None and (now := self._moved.get(family, family)) != family:
            family = now
        return family

    def join(self, text_ids: Iterable[int]) -> int:
        """Put texts of one story into one family, merging their families. Return the family's id."""
        ids = set(text_ids)
        before = {family for text_id in ids if (family := self.of(text_id)) is not None}
        family = min(before | ids)
        self._moved.update(dict.fromkeys(before - {family}, family))
        self._family.update(dict.fromkeys(ids, family))
        return family


def stored_families(session: Session, text_ids: Collection[int]) -> dict[int, int]:
    """The families of those of these texts that have one."""
    wanted = select(TextFamily.text_id, TextFamily.family_id).where(TextFamily.text_id.in_(text_ids))
    return {row.text_id: row.family_id for row in session.execute(wanted)}


def join_families(session: Session, stories: Iterable[Collection[int]]) -> Families:
    """Puts the texts of each story into one family, merging families, in three statements however many there are.

    Writes nothing for texts that are together already.
    """
    groups = [set(story) for story in stories]
    ids = set().union(*groups)
    families = Families()
    known = stored_families(session, ids) if ids else {}
    for text_id, family_id in known.items():
        families.learn(text_id, family_id)
    for group in groups:
        families.join(group)
    _write(session, known, {text_id: family for text_id in sorted(ids) if (family := families.of(text_id))})
    return families


def join_family(session: Session, text_ids: Collection[int]) -> int:
    """`join_families` for one story. Returns the family's id."""
    return join_families(session, [text_ids]).of(min(text_ids)) or min(text_ids)


def _write(session: Session, known: Mapping[int, int], wanted: Mapping[int, int]) -> None:
    moved = {before: wanted[text_id] for text_id, before in sorted(known.items()) if before != wanted[text_id]}
    if moved:
        # Locked in a fixed order, so that two workers that merge overlapping families cannot deadlock.
        affected = select(TextFamily.text_id).where(TextFamily.family_id.in_(moved)).order_by(TextFamily.text_id)
        session.execute(affected.with_for_update())
        _MOVE.execute(session, {"before": array_literal(moved), "now": array_literal(moved.values())})
    added = {text_id: family for text_id, family in wanted.items() if known.get(text_id) != family}
    if added:
        _ADD.execute(session, {"text_ids": array_literal(added), "family_ids": array_literal(added.values())})
