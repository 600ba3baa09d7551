"""Requests the pages of the real desk several times each and measures time and queries."""

import gc
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from math import ceil
from statistics import median
from time import perf_counter, process_time
from typing import TYPE_CHECKING, Final

from admin.app import create_app
from admin.web.services import Services
from benchmarks.common.processes import cpu_seconds, parent_of
from benchmarks.common.report import Progress
from benchmarks.desk.asked import Asked
from benchmarks.desk.fill import NAME, PASSWORD
from storage.postgres.statement_stats import Watched, server_process, watching

if TYPE_CHECKING:
    from flask.testing import FlaskClient
    from sqlalchemy import Engine

TIMES: Final = 21
"""Measured requests per page; one more, which fills caches, is not measured."""
BOUND_MS: Final = 150.0
"""Bound of the median for lists and the side by side, in milliseconds."""
P95_BOUND_MS: Final = 300.0
"""Bound of the 95th percentile, in milliseconds."""
_CSRF: Final = re.compile(r'name="csrf_token" value="([^"]+)"')
_GOOD: Final = 200
_MOVED: Final = 302


class PageFailed(Exception):
    """A measured page was not answered with success; the message says how."""


@dataclass(frozen=True, slots=True)
class Timing:
    """One page, in milliseconds: by the clock (least, median, 95th percentile by nearest rank, most), waiting for the
    database (median), and processor time (mean; desk and database together). `queries`: most queries of one request.
    """

    asked: Asked
    least_ms: float
    median_ms: float
    p95_ms: float
    most_ms: float
    database_ms: float
    cpu_ms: float
    queries: int
    answer_bytes: int

    @property
    def is_over(self) -> bool:
        return self.asked.is_promised and (self.median_ms > BOUND_MS or self.p95_ms > P95_BOUND_MS)


@dataclass(frozen=True, slots=True)
class _Once:
    wall_s: float
    database_s: float
    queries: int
    answer_bytes: int


def measured(engine: "Engine", asked: Iterable[Asked], *, times: int = TIMES, progress: Progress) -> Iterator[Timing]:
    """Measures each page in turn with a logged-in client. Raises PageFailed for one that fails."""
    client = logged_in(engine)
    server = parent_of(server_process(engine))
    wanted = list(asked)
    # The rows of the generated store: a collection that walks them takes half a second, in the middle of a request.
    gc.collect()
    gc.freeze()
    try:
        with watching(engine) as watched:
            for number, one in enumerate(wanted, start=1):
                _request(client, one.path, watched)
                before = process_time() + cpu_seconds(server)
                rounds = [_request(client, one.path, watched) for _ in range(times)]
                cpu_s = process_time() + cpu_seconds(server) - before
                yield _timing(one, rounds, cpu_s)
                progress("pages measured", number, len(wanted))
    finally:
        gc.unfreeze()


def _timing(asked: Asked, rounds: list[_Once], cpu_s: float) -> Timing:
    walls = sorted(1_000 * one.wall_s for one in rounds)
    return Timing(
        asked=asked,
        least_ms=walls[0],
        median_ms=median(walls),
        p95_ms=walls[ceil(0.95 * len(walls)) - 1],
        most_ms=walls[-1],
        database_ms=1_000 * median(one.database_s for one in rounds),
        cpu_ms=1_000 * cpu_s / len(rounds),
        queries=max(one.queries for one in rounds),
        answer_bytes=rounds[-1].answer_bytes,
    )


def _request(client: "FlaskClient", path: str, watched: Watched) -> _Once:
    watched.begin_anew()
    begun = perf_counter()
    answer = client.get(path)
    wall_s = perf_counter() - begun
    if answer.status_code != _GOOD:
        message = f"{path} answered {answer.status_code}"
        raise PageFailed(message)
    return _Once(wall_s, sum(watched.seconds), len(watched.seconds), len(answer.data))


def logged_in(engine: "Engine") -> "FlaskClient":
    """A client of the desk, logged in as the administrator that `fill` adds. Raises PageFailed."""
    client = create_app(Services(engine=engine, secret_key="of a store that is thrown away")).test_client()  # noqa: S106
    token = _CSRF.search(client.get("/login").text)
    form = {"csrf_token": token[1] if token else "", "name": NAME, "password": PASSWORD, "next": ""}
    answer = client.post("/login", data=form)
    if answer.status_code != _MOVED:
        message = f"the log-in answered {answer.status_code}"
        raise PageFailed(message)
    return client
