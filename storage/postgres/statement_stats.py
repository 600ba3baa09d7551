"""Statement statistics of an engine: number of statements, and how long each waited for its answer."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from time import perf_counter
from typing import Any

from sqlalchemy import Engine, event, text


@dataclass(slots=True)
class Watched:
    """Since creation, or since `begin_anew`."""

    seconds: list[float] = field(default_factory=list)
    """Seconds of each statement, including the round trip."""

    def begin_anew(self) -> None:
        self.seconds.clear()


@contextmanager
def watching(engine: Engine) -> Iterator[Watched]:
    """Record every statement sent through `engine`, from any thread."""
    watched = Watched()
    begun: dict[int, float] = {}

    def before(_connection: object, _cursor: object, _sql: str, _values: object, context: Any, _many: bool) -> None:
        begun[id(context)] = perf_counter()

    def after(_connection: object, _cursor: object, _sql: str, _values: object, context: Any, _many: bool) -> None:
        watched.seconds.append(perf_counter() - begun.pop(id(context)))

    event.listen(engine, "before_cursor_execute", before)
    event.listen(engine, "after_cursor_execute", after)
    try:
        yield watched
    finally:
        event.remove(engine, "before_cursor_execute", before)
        event.remove(engine, "after_cursor_execute", after)


def server_process(engine: Engine) -> int:
    """Return the id of the server process of a connection of the engine."""
    with engine.connect() as connection:
        return int(connection.execute(text("SELECT pg_backend_pid()")).scalar_one())
