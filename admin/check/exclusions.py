"""What the reader of a result leaves out: sources, quotations, short passages, own pages, and all of one party."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final

from flask import request

from admin.cases.reading import requested_exclusions
from admin.check.comparison import MOST_SOURCES
from admin.passages.exclusions import Exclusions
from storage.intake.check_records import CheckedResult, CheckedSource

MOST_PARTIES: Final = 20
"""Parties that a result offers to leave out, those with the most sources first."""


@dataclass(frozen=True, slots=True)
class LeftOut:
    """`chosen`: sources, quotations and short passages as the reader chose them; `exclusions`: the same with all
    sources that `own` and `party` leave out.
    """

    chosen: Exclusions
    own: bool
    party: str
    exclusions: Exclusions

    @property
    def fields(self) -> list[tuple[str, str]]:
        """The query string that says the same."""
        short = str(self.chosen.shorter_than) if self.chosen.shorter_than else ""
        single = {
            "quotes": "off" if self.chosen.quotations else "",
            "short": short,
            "own": "off" if self.own else "",
            "party": self.party,
        }
        return [
            *(("without", str(number)) for number in sorted(self.chosen.sources)),
            *((name, value) for name, value in single.items() if value),
        ]


def left_out_of(result: CheckedResult) -> LeftOut:
    """What this request leaves out of `result`. Values that mean nothing are ignored."""
    chosen = requested_exclusions(most=MOST_SOURCES)
    own = request.values.get("own") == "off"
    party = request.values.get("party", "")
    party = party if party in {source.party.key for source in result.sources} else ""
    numbers = {source.id for source in result.sources}
    chosen = replace(chosen, sources=chosen.sources & numbers)
    gone = chosen.sources | {source.id for source in result.sources if _is_gone(source, own=own, party=party)}
    return LeftOut(chosen, own, party, replace(chosen, sources=gone))


def parties_of(sources: Iterable[CheckedSource]) -> list[tuple[str, str, int]]:
    """Key, name and number of sources of each party, most sources first, up to MOST_PARTIES."""
    counted: dict[str, tuple[str, int]] = {}
    for source in sources:
        name, count = counted.get(source.party.key, (source.party.name, 0))
        counted[source.party.key] = name, count + 1
    found = [(key, name, count) for key, (name, count) in counted.items()]
    return sorted(found, key=lambda one: (-one[2], one[1]))[:MOST_PARTIES]


def _is_gone(source: CheckedSource, *, own: bool, party: str) -> bool:
    return (own and source.party.is_ours) or source.party.key == party
