"""The compiled loops of judging stay inside their arrays, whatever they are given: their tests, with bounds checked."""

import os
import subprocess
import sys
from pathlib import Path

CASES = "hostile or million or bounds_exclude"
"""Hostile sizes, and random pairs of texts, which go through all loops."""
ROOT = Path(__file__).parents[2]
TESTS = (
    "alignment/test_diff_loops.py",
    "discounts/test_changed_numbers.py",
    "discounts/test_scanning.py",
    "judgement/test_run_units.py",
    "judgement/test_scrambled_windows.py",
    "judgement/test_upper_bounds.py",
    "test_covering.py",
)


def test_no_loop_leaves_its_arrays() -> None:
    """In another process, since code that checks bounds is compiled for it; hostile sizes and few random cases."""
    files = [f"tests/matcher/{name}" for name in TESTS]
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-k", CASES, *files]
    done = subprocess.run(
        command, cwd=ROOT, env=os.environ | {"NUMBA_BOUNDSCHECK": "1"}, capture_output=True, text=True, check=False
    )

    assert done.returncode == 0, done.stdout + done.stderr
