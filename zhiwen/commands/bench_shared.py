"""What the benchmarks share on the command line."""

from importlib.util import find_spec
from typing import Final

from zhiwen.commands.shell import fail

SEED: Final = 20260301

EXTRA: Final = ("datasketch", "matplotlib", "opencc", "pypinyin", "simhash", "sklearn")
"""Modules that only the benchmark needs."""


def require_extra() -> None:
    missing = [name for name in EXTRA if find_spec(name) is None]
    if missing:
        fail(f"{', '.join(missing)} missing. Install what the benchmark needs: pip install 'zhiwen[bench]'")
