"""What a check comes to, in words."""

from collections.abc import Mapping
from typing import Final

from flask_babel import lazy_gettext as _l

VERDICTS: Final[Mapping[str, tuple[object, object]]] = {
    "original": (_l("Original, as far as we see"), _l("Nothing stored shares enough with it.")),
    "borrowed": (_l("Borrowed in parts"), _l("Parts of it stand elsewhere.")),
    "copy": (_l("Mostly a copy"), _l("Most of it stands elsewhere.")),
    "cannot_judge": (_l("Cannot be judged"), _l("The text is too short to tell.")),
}


def verdict_word(code: str) -> str:
    return str(VERDICTS[code][0])


def verdict_meaning(code: str) -> str:
    return str(VERDICTS[code][1])
