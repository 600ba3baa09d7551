"""What a message about one case says, as text and as a card with a button, for chats that show cards (pure)."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from flask_babel import gettext as _

from admin.web.rendering.invisible_characters import shortened

MOST_FACTS: Final = 6
VALUE_CHARS: Final = 60


@dataclass(frozen=True, slots=True)
class Fact:
    """Something that is known of a case, both in the language of the message: “Article”, and its title."""

    name: str
    value: str

    def __str__(self) -> str:
        return str(_("%(name)s: %(value)s", name=self.name, value=self.value))


@dataclass(frozen=True, slots=True)
class Said:
    """`words`: what a person wrote. `action`: the words of the button."""

    subject: str
    facts: tuple[Fact, ...]
    link: str
    action: str
    words: str = ""

    @property
    def text(self) -> str:
        return "\n".join((*map(str, self.facts), *filter(None, [self.words]), "", self.link))

    @property
    def card(self) -> Mapping[str, Any]:
        return {
            "title": self.subject,
            "words": self.words,
            "facts": [[fact.name, shortened(fact.value, VALUE_CHARS)] for fact in self.facts[:MOST_FACTS]],
            "link": self.link,
            "action": self.action,
        }
