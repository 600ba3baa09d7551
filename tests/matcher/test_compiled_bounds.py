"""The compiled loops stay inside their arrays, whatever they are given: their tests, with bounds checked."""

import os
import subprocess
import sys
from pathlib import Path

CASES = "hostile or million or bounds_exclude or golden"
"""Hostile sizes and letters, and random pairs of texts, which go through all loops."""
PATIENCE_S = 900
PROGRAM = """
import sys
import pytest
from fingerprint.compiling import config
assert config.BOUNDSCHECK
sys.exit(pytest.main())
"""
ROOT = Path(__file__).parents[2]
TESTS = (
    "fingerprint/test_compiled_loops.py",
    "fingerprint/test_golden.py",
    "matcher/alignment/test_bounds.py",
    "matcher/alignment/test_diff_loops.py",
    "matcher/discounts/test_changed_numbers.py",
    "matcher/discounts/test_scanning.py",
    "matcher/judgement/test_run_units.py",
    "matcher/judgement/test_scrambled_windows.py",
    "matcher/judgement/test_upper_bounds.py",
    "matcher/test_covering.py",
)


def test_no_loop_leaves_its_arrays() -> None:
    """In one other process, for which code is compiled that checks bounds. To optimize it more would take longer than
    to run it.
    """
    command = [sys.executable, "-c", PROGRAM, "-q", "-p", "no:cacheprovider", "-k", CASES]
    done = subprocess.run(
        [*command, *(f"tests/{name}" for name in TESTS)],
        cwd=ROOT,
        env=os.environ | {"NUMBA_BOUNDSCHECK": "1", "NUMBA_OPT": "1"},
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE_S,
    )

    assert done.returncode == 0, done.stdout + done.stderr
