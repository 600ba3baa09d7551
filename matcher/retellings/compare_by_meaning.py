"""One text against the whole store by meaning: candidates, contrast, proof."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Final

from matcher.comparison.publishers import OtherOwners
from matcher.comparison.store_reader import StoreReader
from matcher.meaning.candidates import MeaningCandidate, leads_of
from matcher.meaning.encoded_text import EncodedText
from matcher.meaning.retelling import Retelling
from matcher.meaning.rivals import Rivals
from matcher.retellings.asked import Asked
from matcher.retellings.judge import judge_retelling
from matcher.retellings.neighbours import neighbours_of
from matcher.retellings.relations_by_meaning import with_relations
from matcher.retellings.retold_match import RetoldMatch, retold_match, with_own_shares
from matcher.retellings.search import MeaningSearch
from storage.fingerprints.candidates import NO_TEXT

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

    from storage.records.candidates import StoredText

JUDGED: Final = 36
"""Candidates that are judged by the part that is near the query text: of three paragraphs of a translation in another
article, the source is often behind texts on the subject of that article.
"""
LEAST_OF_PART: Final = 0.12
"""Score of that part from which the whole text is judged: more than a part has that is not alike as a whole. A part
leaves out what speaks against it, so scores higher.
"""
JUDGED_WHOLE: Final = 8
"""Candidates that are judged whole, those with the best parts: each is encoded, which takes as long as encoding the
query text.
"""
OF_BEST: Final = 0.05
"""Share of the best candidate's gain from which another one is judged: three paragraphs of a translation gain little
beside another version of the article around them. With .2 four sources of 200 were left out.
"""
LOOKED_UP: Final = 48
"""Candidates that are looked up: those of the owner of the query page are passed over."""
COVERED: Final = 0.8
"""Share of common wording, of either text, from which nothing more is looked for by meaning between the two."""


@dataclass(frozen=True, slots=True, eq=False)
class MeaningComparison:
    """`found`: the retellings, best first. `judged`: every candidate that was judged whole, by text id; `by_part`: the
    score of the part of each that is near the query text.
    """

    query: EncodedText
    found: list[RetoldMatch]
    candidates: Sequence[MeaningCandidate]
    judged: Mapping[int, Retelling | None]
    by_part: Mapping[int, float]


def compare_by_meaning(
    session: "Session", search: MeaningSearch, asked: Asked, *, reader: StoreReader | None = None
) -> MeaningComparison:
    """Compare the query text with every stored text that may say the same. `reader`: of a batch.

    Encodes the query text, of each candidate the part that is near it, and those candidates of which that part may be
    a retelling. Raises EncoderUnavailable.
    """
    reader = StoreReader(session) if reader is None else reader
    query = search.encode(asked.text) if asked.self_id == NO_TEXT else search.encode_stored(asked.text)
    covered = {text_id for text_id, share in asked.literal.items() if share >= COVERED}
    looked_up = search.look_up(session, query, not_texts={asked.self_id, *covered} - {NO_TEXT}, limit=LOOKED_UP)
    candidates = looked_up.candidates
    if not candidates:
        return MeaningComparison(query, [], (), {}, {})
    worth, others = worth_judging(reader, asked, candidates)
    judged: dict[int, Retelling | None] = {}
    by_part: dict[int, float] = {}
    found: list[RetoldMatch] = []
    if worth:
        near = neighbours_of(search, asked, looked_up, reader)
        texts = reader.texts(candidate.text_id for candidate in worth)
        parts = parts_of(search, worth, texts, whole=asked.literal)
        contrasts = {text_id: near.contrast(but=text_id) for text_id in parts}
        everything = Rivals.of(query, list(parts.values()), near.contrast())
        leads = leads_of(candidates)
        rivals = {text_id: everything.without(place, lead=leads[text_id]) for place, text_id in enumerate(parts)}

        def judge(text_id: int, own: EncodedText) -> Retelling | None:
            terms = partial(near.terms, but=text_id)
            return judge_retelling(query, own, contrasts[text_id], rivals[text_id], terms=terms)

        for text_id, part in parts.items():
            retelling = judge(text_id, part)
            by_part[text_id] = 0.0 if retelling is None else retelling.score
        surest = sorted(by_part, key=lambda text_id: (-by_part[text_id], text_id))[:JUDGED_WHOLE]
        for candidate in worth:
            if candidate.text_id not in surest or by_part[candidate.text_id] < LEAST_OF_PART:
                continue
            stored = texts[candidate.text_id]
            own = search.encode_stored(stored.body)
            judged[stored.id] = retelling = judge(stored.id, own)
            if retelling is not None and retelling.is_retold:
                pages = others.pages_of(stored.id)
                found.append(retold_match((query, stored, own), retelling, asked.facts, pages, candidate.gain))
    found = with_relations(asked.relations, asked.facts, with_own_shares(found, len(asked.text)))
    return MeaningComparison(query, found, candidates, judged, by_part)


def parts_of(
    search: MeaningSearch,
    candidates: Sequence[MeaningCandidate],
    texts: "Mapping[int, StoredText]",
    *,
    whole: Collection[int] = (),
) -> dict[int, EncodedText]:
    """Return the encoded parts of candidates that are near the query text, by text id. `texts`: those still stored.

    `whole`: texts that share wording with it, which is nearer than what they retell: they are encoded whole.
    """
    near = {one.text_id: () if one.text_id in whole else one.passages for one in candidates if one.text_id in texts}
    parts = search.encode_near((texts[text_id].body, passages) for text_id, passages in near.items())
    return dict(zip(near, parts, strict=True))


def worth_judging(
    reader: StoreReader, asked: Asked, candidates: Sequence[MeaningCandidate]
) -> tuple[list[MeaningCandidate], OtherOwners]:
    """Return the candidates of other owners that are judged, best first, and the pages of other owners."""
    others = OtherOwners(reader, asked.facts, not_owner=asked.not_owner)
    others.look_up(candidate.text_id for candidate in candidates)
    least = OF_BEST * max((one.gain for one in candidates), default=0.0)
    return [one for one in candidates if one.gain >= least and others.pages_of(one.text_id)][:JUDGED], others
