"""Two given texts judged by meaning, and whether a look-up of one finds the other: what explanations show."""

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from matcher.comparison.store_reader import StoreReader
from matcher.meaning.candidates import MOST_LEAD, leads_of
from matcher.meaning.retelling import Retelling
from matcher.meaning.rivals import Rivals
from matcher.provenance.page_facts import facts_of_page
from matcher.retellings.asked import Asked
from matcher.retellings.compare_by_meaning import LOOKED_UP, parts_of, worth_judging
from matcher.retellings.judge import judge_retelling, kind_of
from matcher.retellings.neighbours import neighbours_of
from matcher.retellings.search import MeaningSearch
from storage.records.pages import PageRecord
from storage.types import RetellingKind

if TYPE_CHECKING:
    from sqlalchemy.orm import Session


@dataclass(frozen=True, slots=True, eq=False)
class PairByMeaning:
    """`rank`: place of the other text among the `candidates` of the one whose look-up finds it first, from 1; None if
    neither look-up finds the other. `retelling` is None if no sentences are alike.
    """

    rank: int | None
    candidates: int
    retelling: Retelling | None
    kind: RetellingKind | None
    encoder: str


def judge_pair(
    session: "Session", search: MeaningSearch, left: tuple[PageRecord, str], right: tuple[PageRecord, str]
) -> PairByMeaning:
    """Judge two pages with their texts beside the texts nearest to the left one. Raises EncoderUnavailable."""
    reader = StoreReader(session)
    page, body = left
    other, other_body = right
    query, encoded = search.encode_stored(body), search.encode_stored(other_body)
    asked = Asked(body, facts_of_page(page, body), page.text_id, page.owner_key)
    found = search.look_up(session, query, not_texts={page.text_id}, limit=LOOKED_UP)
    candidates = found.candidates
    back = search.look_up(session, encoded, not_texts={other.text_id}, limit=LOOKED_UP).candidates
    ranks = [
        ranked.index(wanted) + 1
        for ranked, wanted in (
            ([one.text_id for one in candidates], other.text_id),
            ([one.text_id for one in back], page.text_id),
        )
        if wanted in ranked
    ]
    near = neighbours_of(search, asked, found, reader)
    worth, _ = worth_judging(reader, asked, candidates)
    rivals = [one for one in worth if one.text_id != other.text_id]
    texts = reader.texts(one.text_id for one in rivals)
    parts = list(parts_of(search, rivals, texts).values())
    retelling = judge_retelling(
        query,
        encoded,
        near.contrast(but=other.text_id),
        Rivals.of(query, parts, near.contrast(), lead=leads_of(candidates).get(other.text_id, -MOST_LEAD)),
        terms=partial(near.terms, but=other.text_id),
    )
    return PairByMeaning(
        rank=min(ranks, default=None),
        candidates=len(candidates),
        retelling=retelling,
        kind=None if retelling is None else kind_of(retelling, query, encoded),
        encoder=search.label,
    )
