"""One database for test after test. To make and drop one takes longer than most tests; to delete what a test wrote, a
tenth of that; and the process of the server that waits there knows its tables already.

A test sees nothing of those before it: rows are deleted, sequences set back, sessions discarded. Where more was changed
(tables, functions, settings, statistics), where anybody else was connected, and after a number of tests, the database
is dropped, and the next test has a new one.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Final

import psycopg2
from sqlalchemy import Engine
from sqlalchemy.exc import SQLAlchemyError

from tests.support.store import traces
from tests.support.store.new_database import drop_database, make_database
from tests.support.store.session_in_turn import Session, SessionInTurn, new_session
from tests.support.store.traces import Layout, State
from tests.support.store.warm_engine import make_warm_engine

MOST_TESTS: Final = 50
"""By then tables, indexes and catalogue are full of what was deleted."""


@dataclass(frozen=True, slots=True)
class _Kept:
    url: str
    session: Session
    layout: Layout
    state: State
    tests: int


class KeptDatabase:
    """Of one process, which runs one test at a time."""

    def __init__(self, server_url: str, template_url: str) -> None:
        self._server_url = server_url
        self._template_url = template_url
        self._layout: Layout | None = None
        self._kept: _Kept | None = None

    @contextmanager
    def engine(self) -> Iterator[Engine]:
        """An engine on a database that is as the template was, for one test."""
        found, self._kept = self._kept or self._made(), None
        engine = make_warm_engine(found.url)
        session = SessionInTurn(engine, found.session)
        try:
            yield engine
        finally:
            self._kept = _as_before(found, session)
            if self._kept is None:
                drop_database(self._server_url, found.url)

    def close(self) -> None:
        if self._kept is not None:
            self._kept.session.close()
            drop_database(self._server_url, self._kept.url)
            self._kept = None

    def _made(self) -> _Kept:
        url = make_database(self._server_url, template=self._template_url)
        session = new_session(url)
        self._layout = self._layout or traces.layout_of(session)
        return _Kept(url, session, self._layout, traces.state_of(session, self._layout), tests=0)


def _as_before(found: _Kept, in_turn: SessionInTurn) -> _Kept | None:
    """The database after one more test; None if it cannot be used again."""
    try:
        session, ours = in_turn.end()
        traces.end_prepared(session)
        if (
            found.tests + 1 < MOST_TESTS
            and not traces.has_others(session, ours)
            and traces.state_of(session, found.layout, since=found.state.since) == found.state
            and traces.is_emptied(session, found.layout)
        ):
            state = replace(found.state, since=traces.now(session))
            return replace(found, session=session, state=state, tests=found.tests + 1)
        session.close()
    except (psycopg2.Error, SQLAlchemyError):
        # Whatever a test has done that makes even looking fail: to the database, or to its own connections.
        return None
    return None
