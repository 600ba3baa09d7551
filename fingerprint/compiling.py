"""Compiles inner loops to machine code with numba, once per installation (docs/adr/0038).

`./run setup` and the container image compile all of them; later processes load them from the cache beside the module.
The code is for the oldest processor of the architecture, so a cache that another machine made is used as it is, and
without `fastmath`, so that its results are those of Python to the last bit.

A function is compiled again when its file changes, or another file of which it uses a compiled function or a constant.
"""

import importlib
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import RLock
from typing import Any, Final, ParamSpec, TypeVar

import numpy as np

P = ParamSpec("P")
R = TypeVar("R")

MODULES: Final[tuple[str, ...]] = (
    "fingerprint.dna",
    "fingerprint.hashing",
    "fingerprint.initials",
    "fingerprint.normalize",
    "fingerprint.simhash",
    "fingerprint.tokens",
    "fingerprint.winnowing",
    "matcher.alignment.align",
    "matcher.alignment.chaining",
    "matcher.alignment.diff_loops",
    "matcher.alignment.extension",
    "matcher.alignment.joining",
    "matcher.alignment.kgrams",
    "matcher.alignment.rows",
    "matcher.alignment.windows",
    "matcher.boilerplate.covering",
    "matcher.boilerplate.spread_loops",
    "matcher.discounts.changed_numbers",
    "matcher.discounts.latin_scanning",
    "matcher.discounts.repetitions",
    "matcher.discounts.scanning",
    "matcher.judgement.exclusion",
    "matcher.judgement.run_units",
    "matcher.judgement.scrambled_windows",
    "matcher.retrieval.key_places",
)
"""The modules with compiled functions. A test holds the list to the code."""

_SETTINGS_FILE: Final = ".numba_config.yaml"
_LOADERS: Final[list[Callable[[], None]]] = []
"""One for each function with signatures of the modules imported so far."""
_LOADING: Final = RLock()


@contextmanager
def _unseen_settings() -> Iterator[None]:
    """Import numba elsewhere if the working folder holds settings for it: they may be somebody else's, or broken."""
    if not os.path.lexists(_SETTINGS_FILE):
        yield
        return
    here = os.open(".", os.O_RDONLY)
    os.chdir(os.sep)
    try:
        yield
    finally:
        os.fchdir(here)
        os.close(here)


with _unseen_settings():
    import numba
    from numba.core import caching, config, typeinfer
    from numba.np import linalg


def _no_linear_algebra() -> None:
    """Raise ImportError, for numba: where SciPy is installed it would load all of it, .2 s and 16 MB for nothing."""
    raise ImportError


linalg.ensure_blas = _no_linear_algebra
config.CPU_NAME = "generic"
config.CPU_FEATURES = ""
config.CACHE_LOCATOR_CLASSES = ""
# Before each compilation numba would read its settings again, from the working folder too, and undo these.
config.reload_config = lambda: None


def compiled(*signatures: str) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Return a decorator that compiles a function for these signatures, as `"int64(uint8[::1], int64)"`.

    The function is compiled, or loaded from the cache, when it is first called: most commands call few, and to load all
    takes as long as the rest of a start. Arguments of another type raise TypeError. Without signatures it is compiled
    as a part of the functions that call it, and not loaded by itself.
    Inside, indices are not checked: a function must stay within its arrays, whatever it is given. With
    `NUMBA_BOUNDSCHECK=1` they are, and nothing is cached.
    """

    def compiled_function(function: Callable[P, R]) -> Callable[P, R]:
        dispatcher = numba.njit(nogil=True)(function)
        if config.DISABLE_JIT:
            return function
        if signatures and not config.BOUNDSCHECK:
            dispatcher._cache = CompiledCode(function)
        if signatures:
            _load_when_used(dispatcher, signatures)
        return dispatcher  # type: ignore[no-any-return]

    return compiled_function


def _load_when_used(dispatcher: Any, signatures: Sequence[str]) -> None:
    """Have numba ask here for the code of a function instead of compiling it for whatever it is called with."""
    has_begun = False

    def load() -> None:
        nonlocal has_begun
        with _LOADING:
            if has_begun:  # loaded meanwhile by another thread, or the function calls itself
                return
            has_begun = True
            try:
                with typeinfer.register_dispatcher(dispatcher):
                    for signature in signatures:
                        dispatcher.compile(signature)
            except BaseException:  # an interrupt, too: the next call tries again
                has_begun = False
                raise
            dispatcher.disable_compile()
            del dispatcher._compile_for_args, dispatcher.get_call_template

    def called(*_arguments: object) -> object:
        load()
        return dispatcher

    def called_by_compiled(arguments: object, named: object) -> object:
        load()
        return type(dispatcher).get_call_template(dispatcher, arguments, named)

    dispatcher._compile_for_args, dispatcher.get_call_template = called, called_by_compiled
    _LOADERS.append(load)


def compile_all() -> None:
    """Load all compiled functions, and compile what is not in the cache yet."""
    for name in MODULES:
        importlib.import_module(name)
    load_compiled()


def load_compiled() -> None:
    """Load the compiled functions of the modules imported so far: for a process that others are forked from."""
    for load in _LOADERS:
        load()


class _BesideModule(caching.InTreeCacheLocator):  # type: ignore[misc]
    def __init__(self, py_func: Callable[..., object], py_file: str) -> None:
        super().__init__(py_func, py_file)
        self._function = py_func

    @classmethod
    def from_function(cls, py_func: Callable[..., object], py_file: str) -> object:
        return cls(py_func, py_file)

    def get_source_stamp(self) -> tuple[object, ...]:
        """Return what the code depends on: its file, and what it uses of others, which numba does not notice."""
        code, known = self._function.__code__, self._function.__globals__
        used = [known[name] for name in code.co_names if name in known]
        others = (one for one in used if getattr(one, "py_func", None) is not self._function)
        return (super().get_source_stamp(), *map(_stamp_of, others))

    def get_disambiguator(self) -> str:
        # Not the number of the line: each edit above a function would leave its files behind.
        return "compiled"


def _stamp_of(used: object) -> object:
    if hasattr(used, "py_func"):
        return _BesideModule(used.py_func, used.py_func.__code__.co_filename).get_source_stamp()
    if isinstance(used, np.ndarray):
        return used.tobytes()
    if isinstance(used, type):
        return getattr(used, "_fields", used.__name__)
    return repr(used) if isinstance(used, int | float | tuple | str | np.generic) else None


class _OfUser(_BesideModule):
    def __init__(self, py_func: Callable[..., object], py_file: str) -> None:
        super().__init__(py_func, py_file)
        self._cache_path = caching.UserWideCacheLocator(py_func, py_file).get_cache_path()


class _CodeBesideModule(caching.CompileResultCacheImpl):  # type: ignore[misc]
    _locator_classes = (_BesideModule,)


class _CodeOfUser(caching.CompileResultCacheImpl):  # type: ignore[misc]
    _locator_classes = (_OfUser,)


class _CacheBesideModule(caching.FunctionCache):  # type: ignore[misc]
    _impl_class = _CodeBesideModule


class _CacheOfUser(caching.FunctionCache):  # type: ignore[misc]
    _impl_class = _CodeOfUser


class CompiledCode(caching.NullCache):  # type: ignore[misc]
    """Keeps the code of a function in `__pycache__` beside its module, or else in the user's cache folder.

    Code that cannot be loaded, as from a truncated file, counts as missing, and code that can be kept nowhere is
    compiled by each process.
    """

    def __init__(self, function: Callable[..., object]) -> None:
        self._beside, self._of_user = _CacheBesideModule(function), _CacheOfUser(function)

    @property
    def cache_path(self) -> str:
        return str(self._beside.cache_path)

    def load_overload(self, sig: object, target_context: object) -> object:
        for cache in self._trusted():
            try:
                found = cache.load_overload(sig, target_context)
            except Exception:  # what a broken pickle raises is not limited
                with suppress(OSError):
                    cache.flush()
                continue
            if found is not None:
                return found
        return None

    def save_overload(self, sig: object, data: object) -> None:
        with suppress(OSError):
            self._beside.save_overload(sig, data)
            return
        with suppress(OSError):
            Path(self._of_user.cache_path).mkdir(parents=True, exist_ok=True)
            if self._of_user in self._trusted():
                self._of_user.save_overload(sig, data)

    def _trusted(self) -> Iterator[caching.FunctionCache]:
        """Yield the caches that nobody else can write to: what they hold is run. Beside the module others can do no
        more than in the module itself.
        """
        yield self._beside
        with suppress(OSError):
            folder = Path(self._of_user.cache_path).stat()
            if folder.st_uid == os.geteuid() and not folder.st_mode & 0o002:
                yield self._of_user
