"""Credit and licence of each listed retelling, judged as those of a hit are."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from matcher.cases.hit_status import HitStanding
from matcher.cases.permissions import permission_for
from matcher.provenance.credit import NO_CREDIT, CreditFound, credit_given
from matcher.provenance.page_facts import facts_of_page
from storage.cases import licences
from storage.pages import pages
from storage.records.retellings import RetellingRecord
from storage.types import SiteRole

if TYPE_CHECKING:
    from sqlalchemy.orm import Session


@dataclass(frozen=True, slots=True)
class RetellingStanding:
    """What the later text says of the earlier one, and whether it may: see `HitStanding`."""

    credit: CreditFound
    standing: HitStanding


def standings_of_retellings(session: "Session", found: Sequence[RetellingRecord]) -> dict[int, RetellingStanding]:
    """Return the standing of each retelling, by its id."""
    known = pages.pages_by_id(session, {side.page_id for one in found for side in (one.copy, one.source)})
    bodies = pages.text_bodies(session, {one.copy.text_id for one in found})
    granted = licences.list_licences(session)
    standings = {}
    for one in found:
        copy, source = known.get(one.copy.page_id), known.get(one.source.page_id)
        if copy is None or source is None:
            standings[one.id] = RetellingStanding(NO_CREDIT, HitStanding(case_id=one.case_id))
            continue
        facts = facts_of_page(copy, bodies.get(one.copy.text_id, "")), facts_of_page(source)
        credit = credit_given(*facts)
        is_ours = source.role is SiteRole.ORIGINAL
        permission = permission_for(*facts, credit.credit, granted) if is_ours else None
        standings[one.id] = RetellingStanding(credit, HitStanding(permission, one.case_id))
    return standings
