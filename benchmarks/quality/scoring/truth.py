"""The truth about named texts: which are sources of the probe, and which share nothing with it."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from benchmarks.corpus.model import Expected, Probe
from benchmarks.quality.scenarios.scratch_store import Shelf
from benchmarks.quality.scoring.shared_runs import RunIndex, Together


@dataclass(frozen=True, slots=True)
class Sides:
    """Named texts by their numbers. `left_out` are no sources, yet truly share a run with the probe or its sources, or
    runs that lie together.
    """

    right: frozenset[int]
    wrong: frozenset[int]
    left_out: frozenset[int]


class Truth:
    """Knows every stored text. Results for a probe are cached: several methods get the same probes."""

    def __init__(self, shelf: Shelf) -> None:
        self._shelf = shelf
        self._by_id = {item.id: number for number, item in enumerate(shelf.items)}
        self._same: defaultdict[str, set[int]] = defaultdict(set)
        for number, item in enumerate(shelf.items):
            self._same[item.text].add(number)
        self._runs = RunIndex([item.text for item in shelf.items])
        self._sharing: dict[str, frozenset[int]] = {}
        self._together: dict[tuple[str, int], bool] = {}

    def number_of(self, source: str) -> int:
        return self._by_id[source]

    def same_text(self, number: int) -> int:
        """One number for all stored articles with the same text."""
        return min(self._same[self._shelf.items[number].text])

    def sides(self, probe: Probe, named: Iterable[int], *, planted: frozenset[int]) -> Sides:
        """`planted`: what the probe's family stored to be met and left alone; sharing with it excuses nothing, nor with
        what an innocent says that it holds parts of.
        """
        given = frozenset(named)
        sources = self._sources(probe)
        right = given & sources if probe.expected is not Expected.INNOCENT else frozenset()
        other = given - right
        strict = planted | sources
        excused = self._excused(probe, other - strict) if other - strict else frozenset()
        return Sides(right, other - excused, excused)

    def names_a_source(self, probe: Probe, named: Iterable[int]) -> bool:
        return not self._sources(probe).isdisjoint(named)

    def _sources(self, probe: Probe) -> frozenset[int]:
        texts = {self._shelf.items[self._by_id[source]].text for source in probe.sources}
        return frozenset(number for text in texts for number in self._same[text])

    def _excused(self, probe: Probe, others: frozenset[int]) -> frozenset[int]:
        in_a_row = others & self._sharing_with(probe)
        unknown = [number for number in others - in_a_row if (probe.id, number) not in self._together]
        if unknown:
            asked = [Together(text) for text in self._texts(probe)]
            for number in unknown:
                other = self._runs.chars(number)
                self._together[probe.id, number] = any(text.shares_with(other) for text in asked)
        return in_a_row | {number for number in others - in_a_row if self._together[probe.id, number]}

    def _sharing_with(self, probe: Probe) -> frozenset[int]:
        """Texts that truly share a run with the probe, or with what was copied, however well it was disguised since."""
        if probe.id not in self._sharing:
            self._sharing[probe.id] = frozenset().union(*map(self._runs.sharing, self._texts(probe)))
        return self._sharing[probe.id]

    def _texts(self, probe: Probe) -> list[str]:
        return [probe.text, *self._copied(probe)]

    def _copied(self, probe: Probe) -> list[str]:
        def text(source: str) -> str:
            return self._shelf.items[self._by_id[source]].text

        if probe.spans:
            return [text(span.source)[span.source_start : span.source_end] for span in probe.spans]
        # Of a story stored ten thousand times any copy will do: they are its sources because they share it.
        return [text(source) for source in sorted(probe.sources)[:1]]
