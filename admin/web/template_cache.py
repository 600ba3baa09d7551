"""Templates are compiled once for each installation, as Python's own modules are, and not once for each process.

To compile what a page is made of takes some fifty milliseconds, to load it one.
"""

import contextlib
import sys
from importlib.metadata import version
from importlib.util import cache_from_source
from pathlib import Path

from flask import Flask
from jinja2 import FileSystemBytecodeCache
from jinja2.bccache import Bucket


class BesideModules(FileSystemBytecodeCache):
    """In the folder of compiled modules, and under the same conditions: where it cannot be written, nothing is kept."""

    def __init__(self, folder: Path | None = None) -> None:
        beside = folder or Path(cache_from_source(__file__)).parent
        # Jinja's own mark changes with Python, but not with each of its releases.
        super().__init__(str(beside), f"%s.jinja-{version('jinja2')}")

    def load_bytecode(self, bucket: Bucket) -> None:
        with contextlib.suppress(OSError):
            super().load_bytecode(bucket)

    def dump_bytecode(self, bucket: Bucket) -> None:
        if not sys.dont_write_bytecode:
            with contextlib.suppress(OSError):
                super().dump_bytecode(bucket)


def init_app(app: Flask) -> None:
    app.jinja_options = {**app.jinja_options, "bytecode_cache": BesideModules()}
