"""The cases of the generated store: one of our pages and one copying owner each, in every state. Pure."""

import json
import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import timedelta
from functools import cached_property
from typing import Final

from benchmarks.common.made_up_store import Row, Table
from benchmarks.desk.copying import Made
from benchmarks.desk.rows import NOW, Rows, score_of
from benchmarks.desk.world import Copy, World
from storage.types import CaseQueue, CaseState, Dismissal

_WAITING_SHARE: Final = 0.3
"""Share of the newest cases, which are undecided; older ones have each state by its weight."""
_WEIGHTS: Final[Mapping[CaseState, int]] = {
    CaseState.CONFIRMED: 25,
    CaseState.DISMISSED: 30,
    CaseState.NOTIFIED: 15,
    CaseState.REMOVED: 15,
    CaseState.LICENSED: 8,
    CaseState.REVIEWING: 3,
    CaseState.REAPPEARED: 1,
    CaseState.WITHDRAWN: 3,
}
_DAYS: Final = 500
_UNTOUCHED: Final = frozenset({CaseState.NEW, CaseState.WITHDRAWN})


@dataclass(frozen=True, slots=True)
class CaseOf:
    """One of our pages, and its copies by one owner, or by one host without an owner."""

    ours: int
    other_key: str
    copies: tuple[Copy, ...]
    state: CaseState

    @property
    def strongest(self) -> Copy:
        return self.copies[0]


class CaseRows:
    """Converts the cases of a world to rows; `people` are ids of accounts."""

    def __init__(self, world: World, rows: Rows, people: tuple[int, ...]) -> None:
        self._world = world
        self._rows = rows
        self._people = people

    @cached_property
    def cases(self) -> tuple[CaseOf, ...]:
        """Cases by index from 0; their ids in the store begin with 1."""
        grouped: dict[tuple[int, str], list[Copy]] = {}
        for copy in self._world.copies:
            grouped.setdefault((copy.ours, self._world.owner_key_of(copy.theirs)), []).append(copy)
        chance = random.Random(self._world.seed)  # a made-up store
        decided = int(len(grouped) * (1 - _WAITING_SHARE))
        return tuple(
            CaseOf(ours, key, tuple(copies), _state(chance) if number < decided else CaseState.NEW)
            for number, ((ours, key), copies) in enumerate(grouped.items())
        )

    def tables(self) -> Iterator[Table]:
        yield Table('"case"', map(self._case, range(len(self.cases))))
        yield Table("case_page", self._pages())
        yield Table("case_event", self._events())
        yield Table("case_notice", self._notices())

    def _opened(self, number: int) -> timedelta:
        """Time since the case was opened."""
        return timedelta(days=_DAYS) * (1 - number / len(self.cases))

    def _case(self, number: int) -> dict[str, object]:
        """The values of a case by column."""
        case, made = self.cases[number], self._rows.made(self.cases[number].strongest)
        copy, state = case.strongest, case.state
        opened = NOW - self._opened(number)
        key, _, owner = case.other_key.partition(":")
        return {
            "id": number + 1,
            "our_page_id": case.ours,
            "other_key": case.other_key,
            "other_owner_id": owner if key == "owner" else None,
            "queue": CaseQueue.WE_MAY_BE_COPIER if copy.theirs_is_source else CaseQueue.COPIED,
            "state": state,
            "touched": state not in _UNTOUCHED,
            "assignee_id": self._people[number % len(self._people)] if number % 3 == 0 else None,
            "deadline": opened + timedelta(days=number % 60) if state is CaseState.NOTIFIED else None,
            "opened_at": opened,
            "changed_at": opened,
            "dismissed_because": list(Dismissal)[number % len(Dismissal)] if state is CaseState.DISMISSED else None,
            "pages": len(case.copies),
            **_shared(made),
            "kind": copy.kind,
            "credit": copy.credit,
            "standing": "unlicensed",
            "score": score_of(copy),
        }

    def _pages(self) -> Iterator[Row]:
        for number, case in enumerate(self.cases, start=1):
            for copy in case.copies:
                yield {
                    "case_id": number,
                    "their_page_id": copy.theirs,
                    "our_text_id": copy.ours,
                    "their_text_id": copy.their_text,
                    "kind": copy.kind,
                    **_shared(self._rows.made(copy)),
                    "credit": copy.credit,
                    "standing": "unlicensed",
                }

    def _events(self) -> Iterator[Row]:
        for number, case in enumerate(self.cases):
            opened = NOW - self._opened(number)
            row = {"case_id": number + 1, "at": opened, "kind": "opened", "actor_id": None, "actor": ""}
            yield row | {"from_state": None, "to_state": "new", "details": "{}"}
            if case.state in _UNTOUCHED:
                continue
            person = number % len(self._people)
            row |= {"at": opened + timedelta(hours=number % 70), "kind": "moved"}
            row |= {"actor_id": self._people[person], "actor": f"审核员{person}"}
            details = json.dumps({"because": "not-a-copy"} if case.state is CaseState.DISMISSED else {})
            yield row | {"from_state": "new", "to_state": case.state, "details": details}

    def _notices(self) -> Iterator[Row]:
        for number, case in enumerate(self.cases):
            if case.state is CaseState.NOTIFIED:
                sent = NOW - self._opened(number) + timedelta(days=1)
                yield {
                    "case_id": number + 1,
                    "recipient": f"legal@{number}.example",
                    "channel": "mail",
                    "sent_at": sent,
                }


def _shared(made: Made) -> Row:
    return {"chars": made.shared, "our_share": made.source_share, "their_share": made.copy_share}


def _state(chance: random.Random) -> CaseState:
    return chance.choices(list(_WEIGHTS), weights=list(_WEIGHTS.values()))[0]
