"""Letters of other scripts that pass for Latin ones, as typed by who hides a copy from a machine and not from a reader.

Only shapes that a reader takes for the letter; upper case and lower case by themselves, since Η is an H and η none.
The list is our own.
"""

from functools import cache
from typing import Final

import numpy as np
import numpy.typing as npt

SHAPES: Final = (
    "aаɑαАΑ bЬВвΒ cсϲСϹ dԁ eеЕΕ gɡ hһНнΗ iіιІΙ jјЈϳ kкКκΚ lӏӀ mМмΜ nпոΝ oоОοΟօ pрРρΡ qԛ sѕЅ tтТτΤ uυս vѵν "
    "wԝѡԜ xхХχΧ yуУүҮΥ zΖ"
)
"""Each group: the Latin letter, then what passes for it."""

FIRST_SHAPE: Final = 0x80
"""ASCII passes for nothing else."""


@cache
def latin_shapes() -> npt.NDArray[np.uint32]:
    """By code point of the text as supplied: the lower-case Latin letter that it passes for, 0 for most."""
    pairs = [(ord(other), ord(group[0])) for group in SHAPES.split() for other in group[1:]]
    table = np.zeros(max(shape for shape, _ in pairs) + 1, dtype=np.uint32)
    for shape, letter in pairs:
        table[shape] = letter
    table.setflags(write=False)
    return table
