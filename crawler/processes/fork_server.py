"""Forks processes from one that has loaded their libraries and tables: loading takes seconds, a fork milliseconds.

Not forks of the caller, which may have threads, connections and a reactor. What is loaded once is shared, too.
"""

import importlib
import multiprocessing
import os
import tempfile
from collections.abc import Iterable
from multiprocessing import util
from multiprocessing.context import ForkContext, ForkServerContext
from typing import Final

_CONTEXT: Final = multiprocessing.get_context("forkserver")
_HERE: Final = multiprocessing.get_context("fork")
_LOADED: Final[dict[str, None]] = {}
"""In order. A process has one to fork from, which loads what its modules requested before the first fork."""


SHORT: Final = 60
"""Bytes of a folder in which a socket can be made: its whole path may have 103, and what is made below takes 33."""


_plain: Final[set[int]] = set()
"""Processes that may be forked directly."""


def from_this_process() -> None:
    """Forks from this process itself, for a program that does nothing but load and fork.

    Call it before those modules are imported that start processes, and without threads, connections or reactor.
    """
    _plain.add(os.getpid())


def children(*modules: str) -> ForkServerContext | ForkContext:
    """Where to start such processes. Call it as a module is imported, with what they will import."""
    if os.getpid() in _plain:
        for name in modules:
            importlib.import_module(name)
        return _HERE
    _make_socket_folder()
    _LOADED.update(dict.fromkeys(modules))
    _CONTEXT.set_forkserver_preload(["crawler.processes.hold_gc", *_LOADED, "crawler.processes.freeze_gc"])
    return _CONTEXT


def modules_of(*classes: Iterable[str]) -> list[str]:
    """The modules of classes that are named by their paths, as settings of Scrapy name them."""
    return sorted({path.rpartition(".")[0] for paths in classes for path in paths})


def _make_socket_folder() -> None:
    """Where the folder for temporary files has a long name, that for the sockets of processes is made in /tmp.

    It has mode 0700, is made once for a process, and goes with it.
    """
    given = tempfile.gettempdir()
    if len(os.fsencode(given)) <= SHORT or not os.access("/tmp", os.W_OK | os.X_OK):  # noqa: S108  # asked whether
        return
    try:
        tempfile.tempdir = "/tmp"  # noqa: S108  # a private folder is made there
        util.get_temp_dir()
    finally:
        tempfile.tempdir = given
