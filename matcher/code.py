"""Is a stretch of text program code? Idioms, headers and getters are the same in anybody's program."""

import re
from typing import Final

_SYMBOL: Final = re.compile(r"[{}()\[\]<>=;$#\\|&]")
"""ASCII only: Chinese prose writes its brackets and semicolons full-width."""

SYMBOL_SHARE: Final = 0.05
"""Of the characters. Prose in either language stays under .02, getters, markup and listings are above .1."""


def is_code(text: str) -> bool:
    return len(_SYMBOL.findall(text)) >= SYMBOL_SHARE * len(text) if text else False
