"""What a process of the program sets before it loads anything else."""

import gc
import os
from typing import Final

GARBAGE_LOT: Final = 20_000
"""Objects made and not freed until the collector looks at the youngest."""


def tune() -> None:
    """Let one thread multiply matrices, unless the environment says otherwise, and look for garbage in larger lots.

    Call it before numpy is imported.
    """
    # Matrices are small here, and a second thread mostly waits for the first: six checks by meaning took 24 s of
    # processor time with one and 34 with two.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    # A comparison makes some thousand objects, few of which are garbage that counting does not free: with Python's 700
    # a tenth of the time of a large backlog went to looking for it, with 20,000 a hundredth.
    gc.set_threshold(GARBAGE_LOT)
