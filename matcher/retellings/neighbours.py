"""The texts on the nearest subjects, beside which particulars are rare or common."""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final

from matcher.comparison.store_reader import StoreReader
from matcher.meaning.candidates import LookedUp
from matcher.meaning.particulars import Contrast
from matcher.retellings.asked import Asked
from matcher.retellings.search import MeaningSearch
from storage.fingerprints.candidates import NO_TEXT
from storage.records.candidates import StoredText

NEAREST: Final = 30
"""Texts of a contrast: those on the nearest subjects, so that the words of the subject are not rare."""
SPARE: Final = 20
"""Near texts that are read beyond these, since versions of one story are left out."""
PASSAGES: Final = 60
"""Near passages that count for each asked."""
ALIKE_GAIN: Final = 0.12
"""Gain from which a text is no contrast: it may retell the same source, and would make its particulars common. Articles
on the same subject gain .05 (median), retellings .19.
"""


@dataclass(frozen=True, slots=True, eq=False)
class Neighbours:
    """Texts near a query text, nearest first: none that may retell the same source."""

    search: MeaningSearch
    texts: Sequence[StoredText]
    _made: dict[str, Contrast] = field(default_factory=dict, repr=False)

    def contrast(self, *, but: int = NO_TEXT) -> Contrast:
        """Return what the nearest of them name, `but` for the text with this id: it is the one that is judged."""
        return self._without("contrast", self.search.contrast, self.search.particulars, but)

    def terms(self, *, but: int) -> Contrast:
        """The same of terms that two languages have in common."""
        return self._without("terms", self.search.term_contrast, self.search.terms, but)

    def _without(
        self,
        name: str,
        contrast: Callable[[Iterable[str]], Contrast],
        own: Callable[[str], frozenset[str]],
        but: int,
    ) -> Contrast:
        nearest = self.texts[:NEAREST]
        if name not in self._made:
            self._made[name] = contrast(text.body for text in nearest)
        judged = next((text for text in nearest if text.id == but), None)
        return self._made[name] if judged is None else self._made[name].without(own(judged.body))


def neighbours_of(search: MeaningSearch, asked: Asked, found: LookedUp, reader: StoreReader) -> Neighbours:
    """Return the nearest texts, of each story one, without the query text, texts with its wording, and what is so near
    that it may retell the same source.
    """
    alike = {candidate.text_id for candidate in found.candidates if candidate.gain >= ALIKE_GAIN}
    stories = {candidate.family_id for candidate in found.candidates if candidate.gain >= ALIKE_GAIN}
    near = _near_texts(found, without={asked.self_id, *asked.literal, *alike})
    chosen: dict[int, int] = {}
    for text_id, story in near:
        if story not in stories:
            chosen.setdefault(story, text_id)
    wanted = list(chosen.values())[: NEAREST + SPARE]
    texts = reader.texts(wanted)
    return Neighbours(search, [texts[text_id] for text_id in wanted if text_id in texts])


def _near_texts(found: LookedUp, *, without: Collection[int]) -> list[tuple[int, int]]:
    """Return near texts with their stories: first those that are nearest to most passages of the query text."""
    places: dict[tuple[int, int], float] = defaultdict(float)
    rank: dict[int, set[int]] = defaultdict(set)
    seen: dict[int, int] = defaultdict(int)
    for one in found.near:
        seen[one.asked] += 1
        before = rank[one.asked]
        if seen[one.asked] <= PASSAGES and one.text_id not in before and one.text_id not in without:
            before.add(one.text_id)
            places[one.text_id, one.family_id] += 1 / (10 + len(before))
    return sorted(places, key=lambda place: (-places[place], place))
