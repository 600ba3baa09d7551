"""Bodies of stored texts, kept over the batches of a backlog: neighbours of one publisher have the same candidates."""

from collections import OrderedDict
from collections.abc import Iterable, Mapping
from typing import Final

MOST_CHARS: Final = 10_000_000
"""Characters that are kept: some 20 MB."""


class KeptTexts:
    """Bodies by text id, of one store, those asked for last, up to `most_chars` characters together. The body of an id
    never changes; whether the text is still stored is for the store to say.
    """

    def __init__(self, *, most_chars: int = MOST_CHARS) -> None:
        self._most_chars = most_chars
        self._bodies: OrderedDict[int, str] = OrderedDict()
        self._chars = 0

    def of(self, text_ids: Iterable[int]) -> dict[int, str]:
        """Return the bodies that are kept."""
        found = {text_id: self._bodies[text_id] for text_id in text_ids if text_id in self._bodies}
        for text_id in found:
            self._bodies.move_to_end(text_id)
        return found

    def keep(self, bodies: Mapping[int, str]) -> None:
        for text_id, body in bodies.items():
            if text_id not in self._bodies:
                self._bodies[text_id] = body
                self._chars += len(body)
        while self._chars > self._most_chars:
            self._chars -= len(self._bodies.popitem(last=False)[1])
