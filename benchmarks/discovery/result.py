"""Results of the benchmark as values, and their file: a line of JSON for each site that was ours."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Final

RESULTS: Final = "turns.jsonl"


@dataclass(frozen=True, slots=True)
class Miss:
    """A copy that was not found, and the step that lost it. `what`: its disguise, or `repost`."""

    what: str
    ours: str
    theirs: str
    step: str


@dataclass(frozen=True, slots=True)
class Stranger:
    """A pair of pages in an open case, or in the list of shared passages, that nobody planted or listed: to be read by
    a person.
    """

    ours: str
    theirs: str
    titles: tuple[str, str]
    score: float
    longest: int


@dataclass(frozen=True, slots=True)
class Turn:
    """What came of one site as ours. `planted` and `found`: copies by disguise. `counts`: what `discover` printed.

    `reposts` and `reposts_found`: pairs of files, ours first. `passage_pairs`: in the list of shared passages, and
    `passages` those of them to be read. `forbidden_requests`: host and path that robots.txt forbids.
    """

    site: str
    articles: int
    planted: Mapping[str, int]
    found: Mapping[str, int]
    reposts: tuple[tuple[str, str], ...]
    reposts_found: tuple[tuple[str, str], ...]
    queries: int
    fetches: int
    case_pairs: int
    misses: tuple[Miss, ...]
    strangers: tuple[Stranger, ...]
    forbidden_requests: tuple[str, ...]
    counts: Mapping[str, Any]
    seconds: float
    passage_pairs: int = 0
    passages: tuple[Stranger, ...] = ()


@dataclass(frozen=True, slots=True)
class Discovered:
    """The result. `queries_when_off`: sent without a service, without a budget; both must be 0."""

    ran_on: Mapping[str, Any]
    seed: int
    copies: int
    turns: Sequence[Turn]
    queries_when_off: int
    queries_over_budget: int
    unindexed: Sequence[str] = field(default=())

    @property
    def planted(self) -> dict[str, tuple[int, int]]:
        """Found and planted copies by disguise."""
        names = dict.fromkeys(name for turn in self.turns for name in turn.planted)
        return {
            name: (
                sum(one.found.get(name, 0) for one in self.turns),
                sum(one.planted.get(name, 0) for one in self.turns),  # a small site may lack a disguise
            )
            for name in sorted(names)
        }

    @property
    def reposts(self) -> tuple[int, int]:
        """Known reposts found in the turn of either site, and all of them."""
        found = {frozenset(pair) for turn in self.turns for pair in turn.reposts_found}
        return len(found), len({frozenset(pair) for turn in self.turns for pair in turn.reposts})

    @property
    def misses(self) -> list[Miss]:
        """Planted copies that were missed, and reposts that were missed from both sides."""
        found = {frozenset(pair) for turn in self.turns for pair in turn.reposts_found}
        every = (miss for turn in self.turns for miss in turn.misses)
        return [miss for miss in every if frozenset((miss.ours, miss.theirs)) not in found]


def turns_before(folder: Path) -> dict[str, Turn]:
    """Return the turns with a line in the file of a folder, by site."""
    listed = folder / RESULTS
    if not listed.exists():
        return {}
    found = map(_turn, listed.read_text("utf-8").splitlines())
    return {one.site: one for one in found}


def keep_turn(folder: Path, turn: Turn) -> None:
    with (folder / RESULTS).open("a", encoding="utf-8") as lines:
        lines.write(json.dumps(asdict(turn), ensure_ascii=False) + "\n")


def _turn(line: str) -> Turn:
    row = json.loads(line)
    row["misses"] = tuple(Miss(**one) for one in row["misses"])
    for name in ("strangers", "passages"):
        row[name] = tuple(Stranger(**one | {"titles": tuple(one["titles"])}) for one in row.get(name, ()))
    for name in ("reposts", "reposts_found"):
        row[name] = tuple((one[0], one[1]) for one in row[name])
    return Turn(**row | {"forbidden_requests": tuple(row["forbidden_requests"])})
