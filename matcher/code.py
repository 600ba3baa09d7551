"""Is a stretch of text program code? Idioms, headers, commands and getters are the same in anybody's program."""

import re
from typing import Final

# ASCII only: Chinese prose writes its brackets and semicolons full-width. And what joins names into paths, options
# and addresses: prose puts a space behind a full stop or a slash, and a hyphen into one word of a hundred.
_SIGNS: Final = re.compile(
    r"[{}()\[\]<>=;$#\\|&]|(?<=[A-Za-z0-9_])[-_/.:@]+(?=[A-Za-z_])|(?<=[A-Za-z_])[-_/.:@]+(?=\d)"
)

SIGN_SHARE: Final = 0.05
"""Of the characters. Prose in either language stays under .02, getters, markup, commands and listings are above .1."""


def is_code(text: str) -> bool:
    return len(_SIGNS.findall(text)) >= SIGN_SHARE * len(text) if text else False
