"""A session of the server that engines use one after the other, each as if it had just connected."""

import contextlib
from typing import Any

from sqlalchemy import Engine

from tests.support.store.warm_engine import make_warm_engine

Session = Any
"""A connection of psycopg2, which has no types. Each statement is a transaction of its own while no engine has it."""


def new_session(url: str) -> Session:
    engine = make_warm_engine(url)
    session = _taken(engine)
    engine.dispose()
    return session


class SessionInTurn:
    """Gives `session` to `engine` as the first of its connections, and takes one of them back."""

    def __init__(self, engine: Engine, session: Session) -> None:
        self._engine = engine
        self._waiting = [session]
        self._is_over = False
        pool: Any = engine.pool
        self._connect = pool._creator  # what create_engine takes as `creator`, for an engine that is made
        pool._creator = self._connected

    def _connected(self, connection_record: object) -> Session:
        if self._is_over:
            raise RuntimeError("The test that this engine was made for is over: who still uses it?")
        with contextlib.suppress(IndexError):
            session = self._waiting.pop()
            session.autocommit = False
            return session
        return self._connect(connection_record)

    def end(self) -> tuple[Session, list[int]]:
        """A session for the next test, and the server processes of all those that the engine had. It connects no more.

        What a session holds (locks, prepared statements, temporary tables) is given up before it is closed: the
        process of the server that would do it then may take its time.
        """
        pool: Any = self._engine.pool
        sessions = [_taken(self._engine) for _ in range(max(1, pool.checkedin()))]
        self._engine.dispose()
        self._is_over = True
        ours = [session.info.backend_pid for session in sessions]
        for session in sessions[1:]:
            session.close()
        return sessions[0], ours


def _taken(engine: Engine) -> Session:
    """A session out of the engine's pool, as new."""
    connection = engine.raw_connection()
    session: Any = connection.driver_connection
    connection.detach()
    session.reset()  # with DISCARD ALL
    session.autocommit = True
    session.notices.clear()
    session.notifies.clear()
    return session
