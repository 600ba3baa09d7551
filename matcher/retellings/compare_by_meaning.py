"""One text against the whole store by meaning: candidates, contrast, proof."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from matcher.comparison.publishers import OtherOwners
from matcher.comparison.store_reader import StoreReader
from matcher.meaning.candidates import MeaningCandidate
from matcher.meaning.encoded_text import EncodedText
from matcher.meaning.retelling import Retelling
from matcher.retellings.asked import Asked
from matcher.retellings.judge import judge_retelling
from matcher.retellings.neighbours import neighbours_of
from matcher.retellings.relations_by_meaning import with_relations
from matcher.retellings.retold_match import RetoldMatch, retold_match, with_own_shares
from matcher.retellings.search import MeaningSearch
from storage.fingerprints.candidates import NO_TEXT

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

JUDGED: Final = 8
"""Candidates that are judged: each is encoded, which takes as long as encoding the query text. For three paragraphs of
a translation in another article, the source is among the first eight for 96 of 100, and among the first five for 94.
"""
OF_BEST: Final = 0.2
"""Share of the best candidate's gain from which another one is judged: a text made of two has both above it."""
LOOKED_UP: Final = 3 * JUDGED
"""Candidates that are looked up: those of the owner of the query page are passed over."""
COVERED: Final = 0.8
"""Share of common wording, of either text, from which nothing more is looked for by meaning between the two."""


@dataclass(frozen=True, slots=True, eq=False)
class MeaningComparison:
    """`found`: the retellings, best first. `judged`: every candidate that was judged, by text id."""

    query: EncodedText
    found: list[RetoldMatch]
    candidates: Sequence[MeaningCandidate]
    judged: Mapping[int, Retelling | None]


def compare_by_meaning(
    session: "Session", search: MeaningSearch, asked: Asked, *, reader: StoreReader | None = None
) -> MeaningComparison:
    """Compare the query text with every stored text that may say the same. `reader`: of a batch.

    Encodes the query text, and each candidate. Raises EncoderUnavailable.
    """
    reader = StoreReader(session) if reader is None else reader
    query = search.encode(asked.text) if asked.self_id == NO_TEXT else search.encode_stored(asked.text)
    covered = {text_id for text_id, share in asked.literal.items() if share >= COVERED}
    candidates = search.candidates(session, query, not_texts={asked.self_id, *covered} - {NO_TEXT}, limit=LOOKED_UP)
    if not candidates:
        return MeaningComparison(query, [], (), {})
    worth, others = worth_judging(reader, asked, candidates)
    judged: dict[int, Retelling | None] = {}
    found: list[RetoldMatch] = []
    if worth:
        near = neighbours_of(session, search, asked, query, candidates, reader)
        texts = reader.texts(candidate.text_id for candidate in worth)
        encoded = {text_id: search.encode_stored(stored.body) for text_id, stored in texts.items()}
        for candidate in worth:
            if (stored := texts.get(candidate.text_id)) is None:
                continue
            own = encoded[stored.id]
            rivals = [text for text_id, text in encoded.items() if text_id != stored.id]
            judged[stored.id] = retelling = judge_retelling(query, own, near.contrast(but=stored.id), rivals)
            if retelling is not None and retelling.is_retold:
                pages = others.pages_of(stored.id)
                found.append(retold_match((query, stored, own), retelling, asked.facts, pages, candidate.gain))
    found = with_relations(asked.relations, asked.facts, with_own_shares(found, len(asked.text)))
    return MeaningComparison(query, found, candidates, judged)


def worth_judging(
    reader: StoreReader, asked: Asked, candidates: Sequence[MeaningCandidate]
) -> tuple[list[MeaningCandidate], OtherOwners]:
    """Return the candidates of other owners that are judged, best first, and the pages of other owners."""
    others = OtherOwners(reader, asked.facts, not_owner=asked.not_owner)
    others.look_up(candidate.text_id for candidate in candidates)
    least = OF_BEST * max((one.gain for one in candidates), default=0.0)
    return [one for one in candidates if one.gain >= least and others.pages_of(one.text_id)][:JUDGED], others
