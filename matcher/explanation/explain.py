"""Why two texts were matched, or not: the trace of their comparison, every step and gate with its numbers."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from fingerprint.compute import Analysis, analyse
from fingerprint.model import ALGORITHM_VERSION
from matcher.boilerplate.classifier import gram_index
from matcher.boilerplate.set_aside import seeds_met, set_aside_in
from matcher.cases.permissions import permission_for
from matcher.comparison.compare_with_store import Comparison, compare_with_store
from matcher.comparison.page_pairs import PagePair
from matcher.comparison.query import query_of_page
from matcher.comparison.store_reader import StoreReader
from matcher.explanation import page_steps, text_steps
from matcher.explanation.meaning_steps import meaning_steps
from matcher.explanation.text_steps import SharedKeys, Step, shared_keys
from matcher.judgement.judge import Judgement, judge
from matcher.judgement.reordering import reconsider
from matcher.provenance.copy_damage import copy_damage_of
from matcher.provenance.direction import Direction
from matcher.provenance.page_facts import facts_of_page
from matcher.provenance.third_source import COPY, RelationFound
from matcher.worker.known_by_meaning import known_by_meaning, learn_by_meaning
from matcher.worker.save_matches import NEAREST
from storage.cases import licences
from storage.errors import NotKnown
from storage.matches import backlog, saving
from storage.pages import pages
from storage.postgres import text as postgre_text

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

    from matcher.retellings.check_by_meaning import OpenSearch
    from storage.records.pages import PageRecord


@dataclass(frozen=True, slots=True)
class TextsCompared:
    """Two texts compared with each other."""

    judgement: Judgement
    keys: SharedKeys
    steps: tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class Explanation:
    """`rank`: position of the right text among the candidates of the left one, from 1; None: not a candidate."""

    left: "PageRecord"
    right: "PageRecord"
    is_match: bool
    because: tuple[str, ...]
    rank: int | None
    candidates: int
    texts: TextsCompared
    steps: tuple[Step, ...]
    direction: Direction | None
    """None if the two texts do not match."""


def compare_texts(left: str, right: str) -> TextsCompared:
    """Compare two texts without pages."""
    return compare_analysed(analyse(left), analyse(right))


def compare_analysed(left: Analysis, right: Analysis) -> TextsCompared:
    """Compare two analysed texts without pages."""
    nothing = gram_index(())
    judgement = judge(left.initials, right.initials, boilerplate=nothing)
    judgement = reconsider(judgement, left, right.initials, boilerplate=nothing)
    compared = _compared(judgement, left, right)
    return replace(compared, steps=(text_steps.keys_step(compared.keys), *compared.steps))


def _compared(
    judgement: Judgement, left: Analysis, right: Analysis, *, at_edges: bool = False, set_aside: Sequence[int] = ()
) -> TextsCompared:
    steps = (
        text_steps.boilerplate_step(judgement, at_edges=at_edges, set_aside=set_aside),
        text_steps.alignment_step(judgement, left, right),
        text_steps.gates_step(judgement),
    )
    return TextsCompared(judgement, shared_keys(left, right), steps)


def explain(
    session: "Session", left_url: str, right_url: str, *, open_search: "OpenSearch | None" = None
) -> Explanation:
    """Compare both pages with the store and explain the result of the pair. Writes nothing. Raises NotKnown.

    `open_search`: of the comparison by meaning, which explains beside the wording and decides nothing about it.
    """
    left, right = _page(session, left_url), _page(session, right_url)
    one, other = (analyse(pages.text_body(session, page.text_id) or "") for page in (left, right))
    reader = StoreReader(session)
    forth = compare_with_store(session, query_of_page(left, one), reader=reader)
    back = compare_with_store(session, query_of_page(right, other), reader=reader)
    judgement, at_edges = _judgement(forth, back, left, right, one, other)
    texts = _compared(judgement, one, other, at_edges=at_edges, set_aside=_set_aside(reader, one, left, right))
    is_same_text = left.text_id == right.text_id
    retrieval = _retrieval(forth, left, right)
    steps = [
        page_steps.pages_step(left, right),
        page_steps.look_up_step(retrieval, other=right.url, is_same_text=is_same_text),
        page_steps.look_up_step(_retrieval(back, right, left), other=left.url, is_same_text=is_same_text),
        *texts.steps,
    ]
    reasons = text_steps.reasons_of(steps)
    steps.append(_kept_step(session, left, right, is_match=not reasons))
    texts_of = one.canonical.source, other.canonical.source
    pair = PagePair(
        facts_of_page(left, texts_of[0]), facts_of_page(right, texts_of[1]), copy_damage_of(texts.judgement, *texts_of)
    )
    relation = _relation(session, forth, left, texts_of[0], right)
    by_meaning = (
        () if open_search is None else meaning_steps(session, (left, texts_of[0]), (right, texts_of[1]), open_search)
    )
    return Explanation(
        left=left,
        right=right,
        is_match=not reasons,
        because=reasons or ("the two texts share enough, by the gates that passed",),
        rank=retrieval.rank,
        candidates=retrieval.candidates,
        texts=texts,
        steps=(*steps, *_meaning(session, pair, relation, is_match=texts.judgement.is_match), *by_meaning),
        direction=pair.direction if texts.judgement.is_match else None,
    )


def _judgement(
    forth: Comparison, back: Comparison, left: "PageRecord", right: "PageRecord", one: Analysis, other: Analysis
) -> tuple[Judgement, bool]:
    """Return the judgement of the comparison in which the pair counted less, and whether edges were ignored in it; if
    neither comparison aligned the pair, the judgement that it would have had.
    """
    found = forth.search.prepared_query.traced(right.text_id, other.initials)
    judged = [] if found is None else [(found, right.text_id in forth.search.siblings.set_aside)]
    if (found := back.search.prepared_query.traced(left.text_id, one.initials)) is not None:
        judged.append((found.mirrored(), left.text_id in back.search.siblings.set_aside))
    if not judged:
        return forth.search.prepared_query.judge(other.initials), False
    return min(judged, key=lambda one: (one[0].is_match, not one[1]))


def _set_aside(reader: StoreReader, text: Analysis, left: "PageRecord", right: "PageRecord") -> list[int]:
    """Return the numbers of the texts that people have set aside that the left text holds, as far as they hold here."""
    codes = text.initials.codes
    found = set_aside_in(codes, reader.runs(seeds_met(codes, reader.set_aside_seeds())))
    sides = [(() if page.site_id is None else (page.site_id,), page.owner_key) for page in (left, right)]
    return [one.set_aside_id for one in found if any(one.holds_for(*side) for side in sides)]


def _retrieval(comparison: Comparison, page: "PageRecord", other: "PageRecord") -> page_steps.Retrieval:
    search = comparison.search
    ranked = [candidate.text_id for candidate in search.retrieved.candidates]
    search.others.look_up(ranked)
    return page_steps.Retrieval(
        asked=page.url,
        candidate=next((found for found in search.retrieved.candidates if found.text_id == other.text_id), None),
        rank=_number(ranked, other.text_id),
        place=_number([text_id for text_id in ranked if search.others.pages_of(text_id)], other.text_id),
        candidates=len(ranked),
        cut=search.retrieved.cut,
        was_aligned=other.text_id in search.prepared_query.judged,
        is_listed=other.text_id in comparison.listed,
    )


def _number(text_ids: Sequence[int], wanted: int) -> int | None:
    return text_ids.index(wanted) + 1 if wanted in text_ids else None


def _page(session: "Session", url: str) -> "PageRecord":
    page = pages.get_page(session, postgre_text.storable(url))
    if page is None:
        raise NotKnown("stored page", url, "List them with: zhiwen pages")
    return page


def _kept_step(session: "Session", left: "PageRecord", right: "PageRecord", *, is_match: bool) -> Step:
    stored = saving.matched_texts(session, left.text_id, algorithm_version=ALGORITHM_VERSION)
    waiting = backlog.waiting(session)
    return page_steps.kept_step(is_stored=right.text_id in stored, is_match=is_match, waiting=waiting, nearest=NEAREST)


def _relation(
    session: "Session", forth: Comparison, left: "PageRecord", body: str, right: "PageRecord"
) -> RelationFound:
    """Return the relation of the two pages as the worker finds it."""
    found = next((item for item in forth.found if item.stored.id == right.text_id), None)
    if found is None:
        return COPY
    known = known_by_meaning(session, [left.id])
    learn_by_meaning(StoreReader(session), left, body, forth.found, known.get(left.id, []))
    return found.relation_with(right)


def _meaning(session: "Session", pair: PagePair, relation: RelationFound, *, is_match: bool) -> Iterator[Step]:
    """Yield the steps about the meaning of a match of the two pages."""
    if is_match:
        yield page_steps.direction_step(pair)
        yield page_steps.relation_step(relation)
        yield page_steps.credit_step(pair.credit)
        yield page_steps.licence_step(
            permission_for(pair.copy, pair.source, pair.credit.credit, licences.list_licences(session))
        )
    yield page_steps.rights_step(pair.left, pair.right)
