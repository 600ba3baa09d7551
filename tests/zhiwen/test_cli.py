"""What holds for every command before it begins."""

import os
import subprocess
import sys

import pytest

COMMAND = """
from zhiwen.cli import main

try:
    main(["--version"])
except SystemExit:
    pass
"""
DESK = "import zhiwen.gunicorn_settings"
THREADS = """
import numpy  # its library reads the environment when it is loaded
from threadpoolctl import threadpool_info

print({one["num_threads"] for one in threadpool_info() if one["user_api"] == "blas"})
"""


@pytest.mark.parametrize("start", [COMMAND, DESK], ids=["command", "gunicorn"])
@pytest.mark.parametrize(("chosen", "threads"), [({}, 1), ({"OPENBLAS_NUM_THREADS": "2"}, 2)])
def test_one_thread_multiplies_matrices_unless_somebody_chose_otherwise(
    chosen: dict[str, str], threads: int, start: str
) -> None:
    environment = {name: value for name, value in os.environ.items() if name != "OPENBLAS_NUM_THREADS"} | chosen

    said = subprocess.run(
        [sys.executable, "-c", start + THREADS], capture_output=True, text=True, check=True, env=environment
    ).stdout

    assert said.splitlines()[-1] == str({min(threads, os.cpu_count() or 1)})
