"""The balance of the soak: the fate of every published page and of every planted copy. Pure."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from benchmarks.soak.world import Planted, World
from storage.analytics.ledger import Captured, Ledger


@dataclass(frozen=True, slots=True)
class Balance:
    """published = stored + refused (by name) + unseen + lost; planted = found + unseen_copies + missed.

    `unseen`: removed before they were requested, so that they could not be stored. `unseen_copies`: where
    the copy or its source was. `lost` and `missed` are listed; `kept_alive`: removed pages that are not known to be.
    """

    published: int
    stored: int
    refused: Mapping[str, int]
    unseen: int
    lost: tuple[str, ...]
    removed_and_stored: int
    kept_alive: tuple[str, ...]
    planted: int
    found: int
    unseen_copies: int
    missed: tuple[str, ...]
    twice: int
    without_fingerprint: int
    waiting: int
    set_aside: int
    cases: int
    versions: int
    captured: Captured = field(default_factory=Captured)
    """Captures that are still to be made are not waited for: see `run`."""

    @property
    def holds(self) -> bool:
        sums = self.stored + sum(self.refused.values()) + self.unseen == self.published
        copies = self.found + self.unseen_copies + len(self.missed) == self.planted
        return sums and copies and not (self.lost or self.twice or self.without_fingerprint or self.waiting)


def balance_of(world: World, addresses: Mapping[str, str], stored: Ledger) -> Balance:
    """The balance of a world that stands still. `addresses`: of its sites, by name."""
    refused: Counter[str] = Counter()
    lost, kept_alive, unseen, kept, removed = [], [], 0, 0, 0
    for site in world.sites.values():
        for path in sorted(site.ever):
            url = addresses[site.name] + path
            if url in stored.pages:
                kept += 1
                removed += path in site.removed
                if path in site.removed and not stored.pages[url][1]:
                    kept_alive.append(url)
            elif path in site.removed and path not in site.asked:
                unseen += 1
            elif url in stored.refused:
                refused[stored.refused[url]] += 1
            else:
                lost.append(url)
    found, unseen_copies, missed = _copies(world.planted, addresses, stored)
    return Balance(
        published=sum(len(site.ever) for site in world.sites.values()),
        stored=kept,
        refused=dict(refused),
        unseen=unseen,
        lost=tuple(lost),
        removed_and_stored=removed,
        kept_alive=tuple(kept_alive),
        planted=len(world.planted),
        found=found,
        unseen_copies=unseen_copies,
        missed=missed,
        twice=stored.twice,
        without_fingerprint=stored.without_fingerprint,
        waiting=stored.waiting,
        set_aside=stored.set_aside,
        cases=stored.cases,
        versions=stored.versions,
        captured=stored.captured,
    )


def _copies(
    planted: Sequence[Planted], addresses: Mapping[str, str], stored: Ledger
) -> tuple[int, int, tuple[str, ...]]:
    found, unseen, missed = 0, 0, []
    for one in planted:
        copy, source = (stored.pages.get(addresses[site] + path) for site, path in (one.copy, one.source))
        if copy is None or source is None:
            unseen += 1
        elif (min(copy[0], source[0]), max(copy[0], source[0])) in stored.pairs:
            found += 1
        else:
            missed.append(f"{one.disguise}: {addresses[one.copy[0]]}{one.copy[1]} of {one.source[0]}{one.source[1]}")
    return found, unseen, tuple(missed)
