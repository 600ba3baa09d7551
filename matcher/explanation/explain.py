"""Why were two texts matched, or not? Every step and gate with its numbers; nothing is guessed."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from fingerprint.compute import Analysis, analyse
from fingerprint.model import ALGORITHM_VERSION
from matcher.alignment.align import Grams
from matcher.boilerplate.classifier import gram_index
from matcher.boilerplate.learning import boilerplate_grams
from matcher.cases.permissions import permission_for
from matcher.comparison.compare_pair import credit_between
from matcher.comparison.compare_with_store import PAGES_PER_TEXT, compare_with_store
from matcher.explanation.page_steps import (
    LookUp,
    credit_step,
    direction_step,
    kept_step,
    licence_step,
    look_up_step,
    pages_step,
    rights_step,
)
from matcher.explanation.text_steps import (
    SharedKeys,
    Step,
    alignment_step,
    boilerplate_step,
    gates_step,
    keys_step,
    reasons_of,
    shared_keys,
)
from matcher.judgement.judge import Judgement, judge, judge_beside_edges
from matcher.judgement.reordering import reconsider
from matcher.provenance.copy_damage import wear_of
from matcher.provenance.direction import Direction, direction_between
from matcher.provenance.page_facts import PageFacts, facts_of_page
from matcher.retrieval.candidates import ALIGNED
from matcher.worker.save_matches import NEAREST
from storage.cases import licences
from storage.errors import NotKnown
from storage.fingerprints import boilerplate
from storage.matches import backlog, saving
from storage.pages import pages, text_pages
from storage.postgres import text as postgre_text

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

    from storage.records.candidates import BoilerplateRun
    from storage.records.pages import PageRecord


@dataclass(frozen=True, slots=True)
class TextsCompared:
    """Two texts against each other, whatever the store says of them."""

    judgement: Judgement
    keys: SharedKeys
    steps: tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class Explanation:
    """`rank` is the place of the right text among the candidates of the left one, from 1; None: it is none."""

    left: "PageRecord"
    right: "PageRecord"
    is_match: bool
    because: tuple[str, ...]
    rank: int | None
    candidates: int
    texts: TextsCompared
    steps: tuple[Step, ...]
    direction: Direction | None
    """Of two texts that are no match it is not asked."""


@dataclass(frozen=True, slots=True)
class _Asked:
    """A look-up with what it brings to light about boilerplate: verdicts, and the sites whose own one counts."""

    look_up: LookUp
    verdicts: "tuple[BoilerplateRun, ...]"
    site_ids: frozenset[int]
    set_aside: Grams
    """What counts nothing in this pair because other pages of one host have it at the same edge."""


def compare_texts(left: str, right: str) -> TextsCompared:
    """Compares two texts that nothing else is known of."""
    return compare_analysed(analyse(left), analyse(right))


def compare_analysed(left: Analysis, right: Analysis) -> TextsCompared:
    """The same for texts that are analysed already."""
    found = _compare(left, right, gram_index(()))
    return TextsCompared(found.judgement, found.keys, (keys_step(found.keys), *found.steps))


def _compare(left: Analysis, right: Analysis, grams: Grams, *, at_edges: bool = False) -> TextsCompared:
    judgement = (judge_beside_edges if at_edges else judge)(left.initials, right.initials, boilerplate=grams)
    judgement = reconsider(judgement, left, right.initials, boilerplate=grams)
    steps = (
        boilerplate_step(judgement, at_edges=at_edges),
        alignment_step(judgement, left, right),
        gates_step(judgement),
    )
    return TextsCompared(judgement, shared_keys(left, right), steps)


def explain(session: "Session", left_url: str, right_url: str) -> Explanation:
    """Goes the way a match goes, and says where the pair left it. Writes nothing. Raises NotKnown."""
    left, right = _page(session, left_url), _page(session, right_url)
    left_text, right_text = (analyse(pages.text_body(session, page.text_id) or "") for page in (left, right))
    forth = _look_up(session, left, left_text, other=right.text_id)
    back = _look_up(session, right, right_text, other=left.text_id)
    learned = boilerplate_grams(
        [*boilerplate.known_runs(session, left_text.asked_seeds.hashes.tolist()), *forth.verdicts, *back.verdicts],
        forth.site_ids | back.site_ids,
    )
    at_edges = np.union1d(forth.set_aside, back.set_aside)
    texts = _compare(left_text, right_text, np.union1d(learned, at_edges), at_edges=len(at_edges) > 0)
    is_same_text = left.text_id == right.text_id
    steps = [
        pages_step(left, right),
        look_up_step(forth.look_up, other=right.url, is_same_text=is_same_text),
        look_up_step(back.look_up, other=left.url, is_same_text=is_same_text),
        *texts.steps,
    ]
    reasons = tuple(reasons_of(steps))
    stored = saving.matched_texts(session, left.text_id, algorithm_version=ALGORITHM_VERSION)
    kept = kept_step(
        is_stored=right.text_id in stored,
        is_match=not reasons,
        waiting=backlog.waiting(session),
        nearest=NEAREST,
    )
    one = facts_of_page(left, left_text.canonical.source)
    other = facts_of_page(right, right_text.canonical.source)
    direction = _direction(one, other, texts.judgement)
    return Explanation(
        left=left,
        right=right,
        is_match=not reasons,
        because=reasons or ("the two texts share enough, by the gates that passed",),
        rank=forth.look_up.rank,
        candidates=forth.look_up.candidates,
        texts=texts,
        steps=(*steps, kept, *_meaning(session, one, other, direction)),
        direction=direction,
    )


def _look_up(session: "Session", page: "PageRecord", asked: Analysis, *, other: int) -> _Asked:
    text = asked.canonical.source
    done = compare_with_store(
        session, asked, facts_of_page(page, text), text, self_id=page.text_id, not_owner=page.owner_key, learning=False
    )
    found = done.looked_up
    ranked = [candidate.text_id for candidate in found.candidates]
    places = text_pages.pages_of_texts(session, ranked, per_text=PAGES_PER_TEXT)
    held_by_others = [
        text_id
        for text_id in ranked
        if any(held.id != page.id and held.owner_key != page.owner_key for held in places.get(text_id, ()))
    ]
    sites = {held.site_id for text_id in held_by_others[:ALIGNED] for held in places[text_id]} | {page.site_id}
    look_up = LookUp(
        asked=page.url,
        candidate=next((candidate for candidate in found.candidates if candidate.text_id == other), None),
        rank=_number(ranked, other),
        place=_number(held_by_others, other),
        candidates=len(ranked),
        cut=found.cut,
        was_aligned=other in done.aligned,
        is_listed=other in done.listed,
    )
    set_aside = done.set_aside.get(other, gram_index(()))
    return _Asked(look_up, done.verdicts, frozenset(site for site in sites if site is not None), set_aside)


def _number(text_ids: list[int], wanted: int) -> int | None:
    return text_ids.index(wanted) + 1 if wanted in text_ids else None


def _page(session: "Session", url: str) -> "PageRecord":
    page = pages.get_page(session, postgre_text.storable(url))
    if page is None:
        raise NotKnown("stored page", url, "List them with: zhiwen pages")
    return page


def _direction(left: PageFacts, right: PageFacts, judgement: Judgement) -> Direction | None:
    if not judgement.is_match:
        return None
    return direction_between(left, right, wear_of(judgement, left.text, right.text))


def _meaning(session: "Session", left: PageFacts, right: PageFacts, direction: Direction | None) -> Iterator[Step]:
    """What a match of the two pages means, or would mean."""
    if direction is not None:
        credit = credit_between(left, right, direction)
        source, copy = (left, right) if direction.left_is_source else (right, left)
        yield direction_step(left.url, right.url, direction)
        yield credit_step(credit)
        yield licence_step(permission_for(copy, source, credit.credit, licences.list_licences(session)))
    yield rights_step(left, right)
