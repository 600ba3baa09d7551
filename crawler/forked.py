"""Processes forked from one that has loaded what they need: libraries and tables cost seconds, a fork milliseconds.

Not forks of whoever asks, which may have threads, connections and a reactor. What is loaded once is shared, too.
"""

import multiprocessing
from multiprocessing.context import ForkServerContext
from typing import Final

_CONTEXT: Final = multiprocessing.get_context("forkserver")
_LOADED: Final[dict[str, None]] = {}
"""In order. A process has one to fork from, which loads what its modules asked for before the first fork."""


def children(*modules: str) -> ForkServerContext:
    """Where to start such processes. Call it as a module is imported, with what they will import."""
    _LOADED.update(dict.fromkeys(modules))
    _CONTEXT.set_forkserver_preload([*_LOADED, "crawler.frozen"])
    return _CONTEXT
