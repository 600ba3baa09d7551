"""Imports of many modules, without looking for garbage in between."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def loading() -> Iterator[None]:
    """Do not look for garbage in this block, nor among what it made later: what an import makes is none, and looking
    took a quarter of the start of a command.
    """
    was_looking = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        if was_looking:
            gc.enable()
