"""Engines that know what others of this process have compiled: each test has a database, and so an engine, of its own,
but the statements of all are the same.
"""

from typing import Any, Final

from sqlalchemy import Engine

from storage.engine import make_engine

_COMPILED: Final[dict[Any, Any]] = {}
_FIRST: Final[list[Engine]] = []


def make_warm_engine(url: str) -> Engine:
    """An engine as the program has it, on a database of the server of the tests.

    Compiled statements belong to a dialect, which holds what the first connection learned of the server.
    """
    engine = make_engine(url)
    if _FIRST:
        engine.dialect = _FIRST[0].dialect
    else:
        with engine.connect():
            _FIRST.append(engine)
    engine.update_execution_options(compiled_cache=_COMPILED)
    return engine
