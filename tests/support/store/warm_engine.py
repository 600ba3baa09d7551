"""Engines that know what others of this process have compiled: each test has a database, and so an engine, of its own,
but the statements of all are the same.
"""

from typing import Any, Final

from sqlalchemy import Dialect, Engine
from sqlalchemy.util import LRUCache

from storage.engine import make_engine

MOST_STATEMENTS: Final = 3_000
_COMPILED: Final[LRUCache[Any, Any]] = LRUCache(MOST_STATEMENTS)
_DIALECTS: Final[list[Dialect]] = []


def make_warm_engine(url: str) -> Engine:
    """An engine as the program has it, on a database of the server of the tests.

    Compiled statements belong to a dialect, which holds what the first connection learned of the server.
    """
    engine = make_engine(url)
    if _DIALECTS:
        engine.dialect = _DIALECTS[0]
    else:
        with engine.connect():
            _DIALECTS.append(engine.dialect)
    engine.update_execution_options(compiled_cache=_COMPILED)
    return engine
