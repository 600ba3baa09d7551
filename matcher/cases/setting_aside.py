"""Sets a text aside as proving nothing, and withdraws it: cases follow at once, hits with the next comparison."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from matcher.boilerplate.set_aside import all_seeds, runs_of
from matcher.cases.case_rule import DEFAULT_RULE, CaseRule
from matcher.cases.set_aside_effect import READ_TEXTS, Effect, effect_of
from storage.cases import set_aside_cases
from storage.cases.findings import claim_cases
from storage.engine import transaction
from storage.fingerprints import boilerplate
from storage.fingerprints import set_aside as stored

if TYPE_CHECKING:
    from sqlalchemy import Engine
    from sqlalchemy.orm import Session

    from storage.records.set_aside import NewSetAside


class LargePartOfOurs(ValueError):
    """The text is a large part of an article of ours, and nobody has confirmed that it is to be set aside all the same.

    `effect` has the articles.
    """

    def __init__(self, effect: Effect) -> None:
        self.effect = effect
        first = effect.large_parts[0]
        super().__init__(
            f"This text is {first.share:.0%} of {first.page.url}, which is yours: copies of that article would not be "
            "found any more. Confirm it if that is meant, or give less of the text."
        )


@dataclass(frozen=True, slots=True)
class Done:
    """A text that was set aside, with its effect. `waiting`: pages that are compared again."""

    set_aside_id: int
    effect: Effect
    cases: int
    waiting: int


@dataclass(frozen=True, slots=True)
class Withdrawn:
    """`cases`: how many have pages again. `waiting`: pages that are compared again."""

    cases: int
    waiting: int


def set_aside(
    session: "Session",
    new: "NewSetAside",
    *,
    actor_id: int | None,
    actor: str,
    is_confirmed: bool = False,
    rule: CaseRule = DEFAULT_RULE,
) -> Done:
    """Set a text aside. Raises CannotSetAside, and LargePartOfOurs unless `is_confirmed`."""
    effect = effect_of(session, new, rule=rule)
    if effect.large_parts and not is_confirmed:
        raise LargePartOfOurs(effect)
    claim_cases(session)
    number = stored.add(session, new, actor_id=actor_id, actor=actor)
    runs = runs_of(new.body, set_aside_id=number, site_id=new.site_id, owner_key=new.owner_key)
    stored.keep_runs(session, number, runs)
    concerned = [(one.stored, one.share) for one in effect.pairs if one.takes_case or one.rests]
    changed = set_aside_cases.take_back(session, number, concerned, by=actor)
    waiting = boilerplate.requeue(session, seeds=all_seeds(new.body))
    return Done(number, effect, len(changed), waiting)


def withdraw(session: "Session", set_aside_id: int, *, by: str) -> Withdrawn | None:
    """Withdraw a text: cases come back as they were. None if it was withdrawn before. Raises NotKnown."""
    record = stored.get(session, set_aside_id)
    claim_cases(session)
    if not stored.withdraw(session, set_aside_id, by=by):
        return None
    restored = set_aside_cases.restore(session, set_aside_id, by=by)
    holding = stored.texts_holding(session, all_seeds(record.body), bound=READ_TEXTS)
    pages_of_cases = {one.their_page_id for one in set_aside_cases.cases_of_text(session, set_aside_id)}
    # Pages that were compared meanwhile have no match to be known by.
    return Withdrawn(len(restored), stored.compare_again(session, holding, pages_of_cases))


def renew(engine: "Engine", *, should_stop: Callable[[], bool]) -> int:
    """Make the runs again of all texts in force whose algorithm version is another. Returns how many."""
    with transaction(engine) as session:
        outdated = stored.outdated(session)
    for number, one in enumerate(outdated):
        if should_stop():
            return number
        with transaction(engine) as session:
            runs = runs_of(one.body, set_aside_id=one.id, site_id=one.site_id, owner_key=one.owner_key)
            stored.keep_runs(session, one.id, runs)
    return len(outdated)
