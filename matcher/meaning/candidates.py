"""Texts of the store that may say what a text says: those whose passages are nearer to its own than others are.

A near passage alone says little: on a common subject many are near, and a disclaimer is near everything. What counts is
by how much the best passage of a text is nearer than those of the next twenty texts, each story taken once. Chinese
texts are looked up apart from all others, and each counted beside its own: what is written in the language of the asked
text is nearer than anything in another one.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from math import cos, log, pi
from typing import TYPE_CHECKING, Final

from matcher.meaning.passages import EncodedPassages
from matcher.meaning.rivals import THIRD
from storage.meaning.background import background_encoder
from storage.meaning.nearest import nearest_passages
from storage.records.meaning import NearPassage

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

NEXT: Final = 20
"""Stories beside which a passage is near."""
BEST: Final = 2
"""Passages that count: a few paragraphs in a foreign article are found like a whole one."""
LEAST_GAIN: Final = 0.02
"""Gain of a candidate. Of condensed articles some have no more."""
IN_VIEW: Final = 1_500
FEWEST_IN_VIEW: Final = 60
MOST_IN_VIEW: Final = 300
"""Passages that the index keeps in view for a text, in all and for each asked passage: a short text has one or two, and
what the index misses for these is missed for the text."""
NEAREST: Final = 150
"""Passages looked up for each asked at most."""
FEWEST_STORIES: Final = NEXT // 2
"""Stories among them: with fewer, one story crowds out the others and is passed over in a second look-up. In a store
with fewer in one language, a text is counted beside those of all languages."""
SAME_STORY: Final = 3
"""Texts of one story that are candidates at most."""
MOST_LEAD: Final = 1.0
"""Lead of a candidate at most, either way: where hardly anything is stored, the third story gains nothing."""


@dataclass(frozen=True, slots=True)
class MeaningCandidate:
    """`gain`: similarity of the best passages above that of the next stories, 0 to 1, the mean of the best two.
    `family_id`: its story; its own id if it has none. `passages`: the places of these passages in the text, if known.
    """

    text_id: int
    gain: float
    family_id: int
    passages: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class LookedUp:
    """`candidates`: the best first. `near`: the nearest passages of each asked one, in all languages, nearest first."""

    candidates: Sequence[MeaningCandidate] = ()
    near: Sequence[NearPassage] = ()


def look_up(
    session: "Session",
    asked: EncodedPassages,
    *,
    encoder: str,
    not_texts: Collection[int] = (),
    limit: int = 8,
) -> LookedUp:
    """Return the texts that may say what the asked one says, of each story at most three, and what is near it.

    `asked`: overlapping passages (`asked_passages`). `encoder`: name and version of what encoded them. `not_texts`:
    texts passed over, such as the asked one and its literal copies. `limit`: stories. Empty if the passages are not
    seen from a background that is stored for this encoder: bits seen from two means are never compared.
    """
    if asked.background_id is None or not len(asked):
        return LookedUp()
    stored = background_encoder(session, asked.background_id)
    if stored != encoder:
        return LookedUp()
    size = 8 * asked.bits.shape[1]
    near = []
    for is_chinese in (True, False):
        near += _nearest(session, asked.background_id, asked.strings(), not_texts, is_chinese=is_chinese)
    near.sort(key=lambda one: (one.asked, one.distance, one.text_id))
    return LookedUp(_ranked(near, size, limit, passages=len(asked)), near)


def _nearest(
    session: "Session", background_id: int, asked: list[str], not_texts: Collection[int], *, is_chinese: bool
) -> list[NearPassage]:
    in_view = max(FEWEST_IN_VIEW, min(MOST_IN_VIEW, IN_VIEW // len(asked)))
    limit = min(NEAREST, in_view)
    search = partial(
        nearest_passages,
        session,
        background_id,
        is_chinese=is_chinese,
        limit=limit,
        in_view=in_view,
        not_texts=not_texts,
    )
    near = search(asked)
    crowded = _crowded(near, limit)
    if crowded:
        numbers = sorted(crowded)
        families = {family for found in crowded.values() for family in found}
        more = search([asked[number] for number in numbers], not_families=families)
        near += [replace(one, asked=numbers[one.asked]) for one in more]
    return near


def _crowded(near: Iterable[NearPassage], limit: int) -> dict[int, set[int]]:
    """Return the asked passages with too few stories among the nearest, and these stories."""
    stories: dict[int, set[int]] = defaultdict(set)
    found: dict[int, int] = defaultdict(int)
    for one in near:
        stories[one.asked].add(one.family_id)
        found[one.asked] += 1
    return {
        asked: families
        for asked, families in stories.items()
        if len(families) < FEWEST_STORIES and found[asked] >= limit
    }


def _ranked(near: Iterable[NearPassage], size: int, limit: int, *, passages: int) -> list[MeaningCandidate]:
    texts: dict[int, int] = {}
    best: dict[tuple[int, int], NearPassage] = {}
    for one in near:
        texts[one.text_id] = one.family_id
        place = (one.asked, one.text_id)
        if place not in best or one.distance < best[place].distance:
            best[place] = one
    grounds = _grounds(best.values(), size)
    gains: dict[int, list[tuple[float, int | None]]] = defaultdict(list)
    for (asked, text_id), one in best.items():
        gains[text_id].append((similarity(one.distance, size) - grounds[asked, one.is_chinese], one.number))
    counted = min(BEST, passages)
    found = [_candidate(text_id, texts[text_id], own, counted) for text_id, own in gains.items()]
    return _chosen((one for one in found if one.gain >= LEAST_GAIN), limit)


def _candidate(
    text_id: int, family_id: int, gains: Iterable[tuple[float, int | None]], counted: int
) -> MeaningCandidate:
    """Return the candidate with these gains, each of an asked passage, with the place of the passage nearest to it."""
    counts = sorted(gains, key=lambda gain: -gain[0])[:counted]
    places = [place for _, place in counts]
    known = () if None in places else tuple(sorted({place for place in places if place is not None}))
    return MeaningCandidate(text_id, sum(max(0.0, gain) for gain, _ in counts) / counted, family_id, known)


def _grounds(near: Iterable[NearPassage], size: int) -> dict[tuple[int, bool], float]:
    """Return beside what a text near an asked passage counts: one that is in Chinese, and one that is not."""
    nearest: dict[tuple[int, bool | None], dict[int, int]] = defaultdict(dict)
    for one in near:
        for language in (one.is_chinese, None):
            stories = nearest[one.asked, language]
            stories[one.family_id] = min(one.distance, stories.get(one.family_id, one.distance))
    return {
        (asked, language): _ground(stories if len(stories) > FEWEST_STORIES else nearest[asked, None], size)
        for (asked, language), stories in list(nearest.items())
        if language is not None
    }


def _ground(stories: Mapping[int, int], size: int) -> float:
    """Return the similarity of an asked passage with the stories after the nearest."""
    following = sorted(stories.values())[1 : 1 + NEXT]
    if not following:
        return 0.0
    return sum(similarity(distance, size) for distance in following) / len(following)


def _chosen(found: Iterable[MeaningCandidate], limit: int) -> list[MeaningCandidate]:
    chosen: list[MeaningCandidate] = []
    taken: dict[int, int] = defaultdict(int)
    for one in sorted(found, key=lambda one: (-one.gain, one.text_id)):
        if one.family_id not in taken and len(taken) == limit:
            continue
        if taken[one.family_id] < SAME_STORY:
            taken[one.family_id] += 1
            chosen.append(one)
    return chosen


def leads_of(candidates: Sequence[MeaningCandidate]) -> dict[int, float]:
    """Return by how much each candidate gains more than the third of the other stories: the logarithm of the ratio,
    between -1 and 1. Two others may tell the same story; with fewer, the least gain of a candidate is the third.
    """
    best: dict[int, float] = {}
    for one in candidates:
        best[one.family_id] = max(one.gain, best.get(one.family_id, 0.0))
    ranked = sorted(best, key=lambda family: -best[family])[: THIRD + 2]
    leads = {}
    for one in candidates:
        others = [best[family] for family in ranked if family != one.family_id]
        third = others[THIRD] if len(others) > THIRD else LEAST_GAIN
        lead = log((one.gain + LEAST_GAIN) / (third + LEAST_GAIN))
        leads[one.text_id] = max(-MOST_LEAD, min(MOST_LEAD, lead))
    return leads


def similarity(distance: int, size: int) -> float:
    """Return the cosine of two vectors that differ in so many of their `size` signs, by the angle between them."""
    return cos(pi * distance / size)
