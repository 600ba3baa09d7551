"""What a run has at hand: claimed, and neither settled nor given back."""

import asyncio
import contextlib
from collections.abc import Iterable
from typing import Final

from crawler.processes.pulse import Progress
from storage.records.crawl import Claim

AT_HAND: Final = 32
"""Twice what Scrapy downloads at once: enough to keep it busy, little enough to repeat after a crash."""

LOOK_S: Final = 0.1


class Flight:
    def __init__(self, progress: Progress | None = None, most: int = AT_HAND) -> None:
        self._progress = progress or Progress()
        self._most = most
        self._claims: dict[int, Claim] = {}
        self._changed = asyncio.Event()

    @property
    def room(self) -> int:
        """How many more claims there is room for: none until half of them have landed, so that claims come in bulk."""
        return self._most - len(self._claims) if len(self._claims) <= self._most // 2 else 0

    def __bool__(self) -> bool:
        return bool(self._claims)

    @property
    def claims(self) -> Iterable[Claim]:
        return tuple(self._claims.values())

    def took(self, claim: Claim) -> None:
        self._claims[claim.id] = claim
        self._progress.note()

    def landed(self, claim: Claim) -> None:
        if self._claims.pop(claim.id, None) is not None:
            self._progress.note()
        self._changed.set()

    async def gone_from(self, claim_id: int, *, longest_s: float) -> None:
        """Until the claim has landed, or the time is over."""
        for _ in range(int(longest_s / LOOK_S)):
            if claim_id not in self._claims:
                return
            await asyncio.sleep(LOOK_S)

    def wake(self) -> None:
        self._changed.set()

    async def wait(self, longest_s: float) -> None:
        """Until something landed, or some time went by."""
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._changed.wait(), longest_s)
        self._changed.clear()
