"""The texts on the nearest subjects, beside which particulars are rare or common."""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from matcher.comparison.store_reader import StoreReader
from matcher.meaning.candidates import MeaningCandidate
from matcher.meaning.encoded_text import EncodedText
from matcher.meaning.particulars import Contrast
from matcher.retellings.asked import Asked
from matcher.retellings.search import MeaningSearch
from storage.meaning.nearest import nearest_passages
from storage.records.candidates import StoredText

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

NEAREST: Final = 30
"""Texts of a contrast: those on the nearest subjects, so that the words of the subject are not rare."""
SPARE: Final = 20
"""Near texts that are read beyond these, since versions of one story are left out."""
PASSAGES: Final = 60
"""Passages that are looked up for each asked."""
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

    def contrast(self, *, but: int) -> Contrast:
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


def neighbours_of(
    session: "Session",
    search: MeaningSearch,
    asked: Asked,
    query: EncodedText,
    candidates: Collection[MeaningCandidate],
    reader: StoreReader,
) -> Neighbours:
    """Return the nearest texts, of each story one, without the query text, texts with its wording, and what is so near
    that it may retell the same source.
    """
    alike = {candidate.text_id for candidate in candidates if candidate.gain >= ALIKE_GAIN}
    stories = {candidate.family_id for candidate in candidates if candidate.gain >= ALIKE_GAIN}
    near = _near_texts(session, search, query, without={asked.self_id, *asked.literal, *alike})
    chosen: dict[int, int] = {}
    for text_id, story in near:
        if story not in stories:
            chosen.setdefault(story, text_id)
    wanted = list(chosen.values())[: NEAREST + SPARE]
    texts = reader.texts(wanted)
    return Neighbours(search, [texts[text_id] for text_id in wanted if text_id in texts])


def _near_texts(
    session: "Session", search: MeaningSearch, query: EncodedText, *, without: Collection[int]
) -> list[tuple[int, int]]:
    """Return near texts with their stories: first those that are nearest to most passages of the query text."""
    passages = search.passages(query)
    if passages.background_id is None:
        return []
    places: dict[tuple[int, int], float] = defaultdict(float)
    rank: dict[int, set[int]] = defaultdict(set)
    for found in nearest_passages(session, passages.background_id, passages.strings(), limit=PASSAGES):
        before = rank[found.asked]
        if found.text_id not in before and found.text_id not in without:
            before.add(found.text_id)
            places[found.text_id, found.family_id] += 1 / (10 + len(before))
    return sorted(places, key=lambda place: (-places[place], place))
