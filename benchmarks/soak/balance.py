"""What became of every page that was published, and of every copy that was planted. Pure, but for `looked_up`."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from sqlalchemy import text

from benchmarks.soak.world import Planted, World

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

_PAGES: Final = text("SELECT url, id, gone_at IS NOT NULL AS is_gone FROM page")
_REFUSED: Final = text("SELECT url, refusal FROM frontier_url WHERE refusal IS NOT NULL")
_PAIRS: Final = text("SELECT low_page_id, high_page_id FROM page_match")
_TWICE: Final = text("SELECT count(*) - count(DISTINCT url) FROM page")
_UNTOLD: Final = text(
    """SELECT count(*) FROM page_version v WHERE v.is_current
        AND NOT EXISTS (SELECT 1 FROM fingerprint f WHERE f.text_id = v.text_id)"""
)


@dataclass(frozen=True, slots=True)
class Stored:
    """What the store knows: pages by address with whether they are known to be gone, refusals by address, pairs."""

    pages: Mapping[str, tuple[int, bool]]
    refused: Mapping[str, str]
    pairs: frozenset[tuple[int, int]]
    twice: int
    without_fingerprint: int
    waiting: int
    set_aside: int
    cases: int
    versions: int


@dataclass(frozen=True, slots=True)
class Balance:
    """published = stored + refused (by name) + unseen + lost; planted = found + unseen_copies + missed.

    `unseen`: gone again before anybody asked for them, so that nobody could have stored them. `unseen_copies`: where
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

    @property
    def holds(self) -> bool:
        sums = self.stored + sum(self.refused.values()) + self.unseen == self.published
        copies = self.found + self.unseen_copies + len(self.missed) == self.planted
        return sums and copies and not (self.lost or self.twice or self.without_fingerprint or self.waiting)


def looked_up(session: "Session") -> Stored:
    """What the balance is drawn from."""
    count = {
        "waiting": "SELECT count(*) FROM backlog",
        "set_aside": "SELECT count(*) FROM zhiwen_queue.procrastinate_jobs WHERE status = 'failed'",
        "cases": 'SELECT count(*) FROM "case"',
        "versions": "SELECT count(*) FROM page_version",
    }
    return Stored(
        pages={row.url: (row.id, row.is_gone) for row in session.execute(_PAGES)},
        refused={row.url: row.refusal for row in session.execute(_REFUSED)},
        pairs=frozenset((low, high) for low, high in session.execute(_PAIRS)),
        twice=session.execute(_TWICE).scalar_one(),
        without_fingerprint=session.execute(_UNTOLD).scalar_one(),
        **{name: session.execute(text(statement)).scalar_one() for name, statement in count.items()},
    )


def drawn(world: World, addresses: Mapping[str, str], stored: Stored) -> Balance:
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
    )


def _copies(
    planted: Sequence[Planted], addresses: Mapping[str, str], stored: Stored
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
