"""Turns at the hosts of pages that are fetched outside of a crawl: one pace over all processes, as crawls keep it."""

import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Final

from crawler.network.pace import hold_s
from crawler.outcomes.refusals import Refusal
from crawler.urls.canonical import host_of
from storage.crawl import host_rate_limit
from storage.engine import transaction
from storage.sites import sites

if TYPE_CHECKING:
    from sqlalchemy import Engine

    from crawler.evidence.page_capture import Look
    from crawler.fetch.fetch import Fetched

DELAY_S: Final = 1.0
"""Between two requests to a host that belongs to no site here; a site has a delay of its own."""
LONGEST_TURN_S: Final = 30.0
"""A host that wants a longer pause is left to a later run."""
NAP_S: Final = 0.2
ASKED_TOO_MUCH: Final = frozenset({429, 503})
OK: Final = 200


class HostTurns:
    """Waits for turns, and learns from answers how long hosts want to be left alone."""

    def __init__(self, engine: "Engine") -> None:
        self._engine = engine
        self._asked_s: dict[str, float] = {}
        """The delay that the robots.txt of a host asks for."""

    def wait(self, host: str, should_stop: Callable[[], bool]) -> bool:
        """Wait for this host's turn. Returns whether it came in time, and before a stop."""
        with transaction(self._engine) as session:
            site = sites.site_for_host(session, host)
            own_s = DELAY_S if site is None else site.settings.delay_s
            delay_s = max(own_s, self._asked_s.get(host, 0.0))
            wait_s = host_rate_limit.take_turn(session, host, delay_s=delay_s)
        if wait_s > LONGEST_TURN_S:
            return False
        until = time.monotonic() + wait_s
        while (left_s := until - time.monotonic()) > 0 and not should_stop():
            time.sleep(min(NAP_S, left_s))
        return not should_stop()

    def answered(self, look: "Look | Refusal") -> bool:
        """Note an answer. Returns whether its host wants to be left alone for longer than one waits for a turn."""
        if isinstance(look, Refusal):
            return look is Refusal.HOST_HELD
        return self.answered_page(look.last.page)

    def answered_page(self, page: "Fetched") -> bool:
        """Note the answer that a page came with. Returns as `answered`."""
        host, now = host_of(page.url), datetime.now(UTC)
        with transaction(self._engine) as session:
            if page.status in ASKED_TOO_MUCH:
                refusals = host_rate_limit.count_refusal(session, host)
                wait_s = hold_s(page.headers.get("retry-after"), refusals=refusals, now=now)
                host_rate_limit.hold_off(session, host, until=now + timedelta(seconds=wait_s))
                return True
            if page.status == OK:
                host_rate_limit.answers_again(session, host)
            if page.crawl_delay_s > self._asked_s.get(host, 0.0):
                self._asked_s[host] = page.crawl_delay_s
                host_rate_limit.hold_off(session, host, until=now + timedelta(seconds=page.crawl_delay_s))
        return False
