"""Compiled functions stay inside their arrays, which numba checks only if it is asked to."""

import os
import subprocess
import sys
from typing import Final

PATIENCE_S: Final = 900
PROGRAM: Final = """
import numpy as np
from fingerprint.compiling import config
from matcher.alignment.align import AlignmentParameters, align, unit_grams
from matcher.alignment.diff import count_differences, similarity, span_table
assert config.BOUNDSCHECK
chance = np.random.default_rng(1)

def units(length, letters):
    return chance.integers(1, letters + 1, length).astype(np.uint8)

def edited(text):
    changed = text.copy()
    changed[chance.random(len(text)) < chance.random() / 3] = 30
    starts = chance.integers(0, len(text) + 1, 6)
    return np.concatenate([changed, *(changed[start : start + 60] for start in starts)])

texts = [units(length, letters) for length in (0, 1, 8, 9, 70, 500) for letters in (1, 2, 5, 36)]
texts += [np.full(5_000, 7, dtype=np.uint8), np.tile(units(40, 26), 30), np.full(300, 255, dtype=np.uint8)]
for one in texts:
    for other in (edited(one), edited(one)[::-1].copy(), texts[int(chance.integers(len(texts)))]):
        for parameters in (AlignmentParameters(), AlignmentParameters(gram=3, min_matched=4, reach=200, max_drift=3)):
            align(one, other, parameters)
            align(other, one, parameters)
        for gram in (1, 8, 12, 40):
            unit_grams(other, gram)
characters = "ab己已 ß㎏ﬁ\\u200b他她，\\ud800"
sizes = [0, 1, 2, 3, 5, 8, 40, 2_500] * 3
written = ["".join(chance.choice(list(characters), size)) for size in sizes]
for one in written:
    for other in (one, one[1:], one[::-1], written[int(chance.integers(len(written)))]):
        spans = span_table(one, other)
        count_differences(spans), similarity(spans)
print("inside")
"""


def test_the_alignment_of_any_texts_stays_inside_its_arrays() -> None:
    # Compiled for this test alone, with the same checks: to optimize it would take longer than to run it.
    checked = {**os.environ, "NUMBA_BOUNDSCHECK": "1", "NUMBA_OPT": "0"}

    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], env=checked, capture_output=True, text=True, check=False, timeout=PATIENCE_S
    )

    assert (done.returncode, done.stdout) == (0, "inside\n"), done.stderr[-2000:]
