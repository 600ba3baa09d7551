"""What a message about one case says, as text and as a card with a button, for chats that show cards (pure)."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from admin.web.rendering.invisible_characters import shortened

MOST_FACTS: Final = 6
VALUE_CHARS: Final = 60
_FACT: Final = re.compile(r"(?P<name>[^：:]{1,20})(?:：|: )(?P<value>.+)")
"""A line such as “Article: …”, in either language."""


@dataclass(frozen=True, slots=True)
class Said:
    """`facts`: lines such as “Article: …”. `words`: what a person wrote. `action`: the words of the button."""

    subject: str
    facts: tuple[str, ...]
    link: str
    action: str
    words: str = ""

    @property
    def text(self) -> str:
        return "\n".join((*self.facts, *filter(None, [self.words]), "", self.link))

    @property
    def card(self) -> Mapping[str, Any]:
        found = [match for match in map(_FACT.fullmatch, self.facts[:MOST_FACTS]) if match]
        return {
            "title": self.subject,
            "words": self.words,
            "facts": [[one["name"], shortened(one["value"], VALUE_CHARS)] for one in found],
            "link": self.link,
            "action": self.action,
        }
