"""The claims of a run that are in flight: handed out, and neither settled nor given back."""

import asyncio
import contextlib
from typing import Final

from crawler.processes.pulse import Progress
from storage.records.crawl import Claim

MOST_IN_FLIGHT: Final = 32
"""Twice what Scrapy downloads at once: enough to keep it busy, little enough to repeat after a crash."""


class InFlight:
    def __init__(self, progress: Progress, most: int = MOST_IN_FLIGHT) -> None:
        self._progress = progress
        self._most = most
        self._claims: dict[int, Claim] = {}
        self._landings: dict[int, asyncio.Event] = {}
        self._changed = asyncio.Event()

    @property
    def room(self) -> int:
        """How many more claims there is room for: none until half of them have landed, so that claims come in bulk."""
        return self._most - len(self._claims) if len(self._claims) <= self._most // 2 else 0

    def __bool__(self) -> bool:
        return bool(self._claims)

    @property
    def claims(self) -> tuple[Claim, ...]:
        return tuple(self._claims.values())

    def took(self, claim: Claim) -> None:
        self._claims[claim.id] = claim
        self._landings[claim.id] = asyncio.Event()
        self._progress.note()

    def landed(self, claim: Claim) -> None:
        if self._claims.pop(claim.id, None) is not None:
            self._landings.pop(claim.id).set()
            self._progress.note()
        self._changed.set()

    def wake(self) -> None:
        """Ends a `wait`: there may be new claims to make."""
        self._changed.set()

    async def wait(self, longest_s: float) -> None:
        """Returns when a claim has landed, or after `longest_s` seconds."""
        await _set_within(self._changed, longest_s)
        self._changed.clear()

    async def wait_for(self, claim_id: int, longest_s: float) -> None:
        """Returns when this claim is no longer in flight, or after `longest_s` seconds."""
        landing = self._landings.get(claim_id)
        if landing is not None:
            await _set_within(landing, longest_s)


async def _set_within(event: asyncio.Event, longest_s: float) -> None:
    with contextlib.suppress(TimeoutError):
        await asyncio.wait_for(event.wait(), longest_s)
