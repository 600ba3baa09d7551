"""Current licence and case of each listed hit."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from matcher.cases.permissions import Permission, permission_for
from matcher.provenance.page_facts import facts_of_page
from storage.cases import licences, page_pairs
from storage.pages import pages
from storage.records.matches import HitRecord
from storage.types import SiteRole

if TYPE_CHECKING:
    from sqlalchemy.orm import Session


@dataclass(frozen=True, slots=True)
class HitStanding:
    """`permission` is None if the source is not ours; `case_id` if there is no open case."""

    permission: Permission | None = None
    case_id: int | None = None


def standings_of(session: "Session", hits: Sequence[HitRecord]) -> dict[int, HitStanding]:
    """Return the standing of each hit, by its id."""
    known = pages.pages_by_id(session, {side.page_id for hit in hits for side in (hit.copy, hit.source)})
    granted = licences.list_licences(session)
    pairs = [(hit.source.page_id, hit.copy.page_id) for hit in hits]
    cases = page_pairs.case_ids_of_pairs(session, [*pairs, *((copy, source) for source, copy in pairs)])
    found = {}
    for hit, (source_id, copy_id) in zip(hits, pairs, strict=True):
        copy, source = known.get(copy_id), known.get(source_id)
        permission = None
        if copy is not None and source is not None and source.role is SiteRole.ORIGINAL:
            permission = permission_for(facts_of_page(copy), facts_of_page(source), hit.credit, granted)
        case_id = cases.get((source_id, copy_id)) or cases.get((copy_id, source_id))
        found[hit.id] = HitStanding(permission, case_id)
    return found
