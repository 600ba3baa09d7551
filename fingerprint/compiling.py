"""Compiles inner loops to machine code with numba, once per installation (docs/adr/0038).

`./run setup` and the container image compile all of them; later processes load them from the cache beside the module.
The code is for the oldest processor of the architecture, so a cache that another machine made is used as it is, and
without `fastmath`, so that its results are those of Python to the last bit.

A compiled function calls compiled functions of its own file only: numba renews the cache of a function when that file
changes, and notices no other. A test checks it.
"""

import atexit
import importlib
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Final, ParamSpec, TypeVar

import numba
from numba.core import config
from numba.core.caching import InTreeCacheLocator, UserWideCacheLocator

P = ParamSpec("P")
R = TypeVar("R")

MODULES: Final[tuple[str, ...]] = (
    "matcher.alignment.diff_loops",
    "matcher.boilerplate.covering",
    "matcher.discounts.changed_numbers",
    "matcher.discounts.latin_scanning",
    "matcher.discounts.repetitions",
    "matcher.discounts.scanning",
    "matcher.judgement.run_units",
    "matcher.judgement.scrambled_windows",
)
"""The modules with compiled functions. A test holds the list to the code."""

_SUFFIXES: Final = (".nbi", ".nbc")

config.CPU_NAME = "generic"
config.CPU_FEATURES = ""
config.CACHE_LOCATOR_CLASSES = f"{__name__}.CompiledCode"


def compiled(*signatures: str) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Return a decorator that compiles a function for these signatures, as `"int64(uint8[::1], int64)"`.

    The function is compiled, or loaded from the cache, when its module is imported. Arguments of another type raise
    TypeError. Inside, indices are not checked: a function must stay within its arrays, whatever it is given. With
    `NUMBA_BOUNDSCHECK=1` they are, and nothing is cached.
    """
    return numba.njit(list(signatures), cache=not config.BOUNDSCHECK, nogil=True)  # type: ignore[no-any-return]


def compile_all() -> None:
    """Compile what is not in the cache yet."""
    for name in MODULES:
        importlib.import_module(name)


class CompiledCode(InTreeCacheLocator):  # type: ignore[misc]
    """Keeps the code of a function in `__pycache__` beside its module.

    In a read-only installation, code that is there is loaded; where it is missing, it is kept in the user's cache
    folder, or else in a folder of this process alone.
    """

    @classmethod
    def from_function(cls, py_func: Callable[..., object], py_file: str) -> object:
        beside = super().from_function(py_func, py_file)
        if beside is not None:
            return beside
        installed = cls(py_func, py_file)
        if any(_entries(Path(installed.get_cache_path()), py_func)):
            return installed
        elsewhere = UserWideCacheLocator.from_function(py_func, py_file)
        if elsewhere is None:
            installed._cache_path = _folder_of_this_process()
            elsewhere = installed
        return elsewhere


def _entries(folder: Path, function: Callable[..., object]) -> Iterator[Path]:
    module = Path(function.__code__.co_filename).stem
    return (path for path in folder.glob(f"{module}.{function.__qualname__}-*") if path.suffix in _SUFFIXES)


@cache
def _folder_of_this_process() -> str:
    # A folder whose name can be guessed would let another user of the machine put code there.
    folder = tempfile.mkdtemp(prefix="zhiwen-compiled-")
    owner = os.getpid()
    atexit.register(lambda: shutil.rmtree(folder, ignore_errors=True) if os.getpid() == owner else None)
    return folder
