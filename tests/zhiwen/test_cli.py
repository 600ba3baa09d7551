"""What holds for every command before it begins."""

import gc
import os
import subprocess
import sys

import pytest

from zhiwen.cli import imported

THREADS = """
from zhiwen.cli import main

try:
    main(["--version"])
except SystemExit:
    pass
import numpy  # its library reads the environment when it is loaded
from threadpoolctl import threadpool_info

print({one["num_threads"] for one in threadpool_info() if one["user_api"] == "blas"})
"""


@pytest.mark.parametrize(("chosen", "threads"), [({}, 1), ({"OPENBLAS_NUM_THREADS": "2"}, 2)])
def test_one_thread_multiplies_matrices_unless_somebody_chose_otherwise(chosen: dict[str, str], threads: int) -> None:
    environment = {name: value for name, value in os.environ.items() if name != "OPENBLAS_NUM_THREADS"} | chosen

    said = subprocess.run(
        [sys.executable, "-c", THREADS], capture_output=True, text=True, check=True, env=environment
    ).stdout

    assert said.splitlines()[-1] == str({min(threads, os.cpu_count() or 1)})


@pytest.mark.parametrize("looks", [True, False])
def test_garbage_is_looked_for_after_an_import_as_before_it(looks: bool) -> None:
    before = gc.isenabled()
    try:
        if looks:
            gc.enable()
        else:
            gc.disable()
        assert imported("zhiwen.commands.matching.check").__name__ == "zhiwen.commands.matching.check"
        with pytest.raises(ModuleNotFoundError):
            imported("zhiwen.commands.none")

        assert gc.isenabled() is looks
    finally:
        if before:
            gc.enable()
