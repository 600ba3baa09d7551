"""Why were two texts matched, or not? Every gate with its numbers; nothing is guessed."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from fingerprint.compute import Analysis, analyse
from fingerprint.simhash import distance
from matcher.align import Grams
from matcher.boilerplate import gram_index
from matcher.candidates import ALIGNED, find_candidates
from matcher.judge import Judgement, judge
from matcher.learning import boilerplate_grams
from matcher.reorder import reconsider
from storage import pages
from storage.errors import NotKnown

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

    from storage.records import PageRecord


@dataclass(frozen=True, slots=True)
class TextsCompared:
    """Two texts against each other, whatever the store says of them."""

    judgement: Judgement
    simhash_distance: int | None
    shared_slices: int
    shared_seeds: int


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


def compare_texts(left: str, right: str) -> TextsCompared:
    """Compares two texts that nothing else is known of."""
    return _compare(analyse(left), analyse(right), gram_index(()))


def _compare(left: Analysis, right: Analysis, boilerplate: Grams) -> TextsCompared:
    one, other = left.fingerprint, right.fingerprint
    known = one.simhash is not None and other.simhash is not None
    return TextsCompared(
        judgement=reconsider(
            judge(left.initials, right.initials, boilerplate=boilerplate), left, right.initials, boilerplate=boilerplate
        ),
        simhash_distance=distance(one.simhash or 0, other.simhash or 0) if known else None,
        shared_slices=len(set(left.slice_keys.tolist()) & set(other.slices)),
        shared_seeds=len(set(left.seed_keys.tolist()) & set(other.seeds)),
    )


def explain(session: "Session", left_url: str, right_url: str) -> Explanation:
    """Goes the way a match goes, and says where the pair left it. Raises NotKnown."""
    left, right = _page(session, left_url), _page(session, right_url)
    left_text, right_text = (analyse(pages.text_body(session, page.text_id) or "") for page in (left, right))
    found = find_candidates(session, left_text, self_id=left.text_id)
    ranked = [candidate.text_id for candidate in found.candidates]
    rank = ranked.index(right.text_id) + 1 if right.text_id in ranked else None
    sites = [page.site_id for page in (left, right) if page.site_id is not None]
    texts = _compare(left_text, right_text, boilerplate_grams(session, sites))
    same_text = left.text_id == right.text_id
    reasons = tuple(_reasons(left, right, texts, rank=0 if same_text else rank))
    return Explanation(
        left=left,
        right=right,
        is_match=not reasons,
        because=reasons or ("the two texts share enough, by the gates that passed",),
        rank=rank,
        candidates=len(ranked),
        texts=texts,
    )


def _page(session: "Session", url: str) -> "PageRecord":
    page = pages.get_page(session, url)
    if page is None:
        raise NotKnown("stored page", url, "List them with: zhiwen pages")
    return page


def _reasons(left: "PageRecord", right: "PageRecord", texts: TextsCompared, *, rank: int | None) -> list[str]:
    """Why not; empty where nothing stands against a match."""
    reasons = []
    if left.id == right.id:
        reasons.append("they are the same page: its versions are never compared with each other")
    elif left.owner_key == right.owner_key:
        reasons.append(f"both pages belong to {left.owner_key}, and an owner's pages never accuse each other")
    if rank is None:
        reasons.append("no look-up names the second as a candidate of the first: no common band, slice or seed")
    elif rank > ALIGNED:
        reasons.append(f"the second is candidate number {rank}, and only the best {ALIGNED} are aligned")
    if not texts.judgement.is_match:
        reasons.append("aligned, they share too little: no gate passed")
        if texts.judgement.boilerplate_units:
            reasons.append(
                f"{texts.judgement.boilerplate_units} of the units they share are boilerplate, which proves nothing"
            )
    return reasons
