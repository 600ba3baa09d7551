"""Candidates by meaning, in a real index: what is nearer than the next stories are."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import update
from sqlalchemy.orm import Session

from matcher.meaning.background import Background
from matcher.meaning.candidates import BEST, MOST_LEAD, NEAREST, SAME_STORY, MeaningCandidate, leads_of, look_up
from matcher.meaning.passages import EncodedPassages, encode_passages, passages_of
from storage.meaning import background as backgrounds
from storage.meaning import encodings
from storage.models.meaning import PASSAGE_VECTOR
from storage.models.pages import TextFamily
from tests.support.factories import an_article, save, story, text_of
from tests.support.meaning.word_encoder import WordEncoder

ENCODER = "pairs of characters 1"


class Store:
    """Articles with their vectors."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.encoder = WordEncoder(size=256)
        made = Background.of(self.encoder.encode([text_of(number, chars=60) for number in range(200, 300)]))
        number = backgrounds.keep_background(
            session, ENCODER, mean=made.mean, sample=made.sample, texts=60, is_serving=True
        )
        found = backgrounds.background(session, number)
        assert found is not None
        self.stored = found
        self.background = Background.stored(found)

    def add(self, *texts: str, are_chinese: bool = True) -> list[int]:
        first = len(self.encoder.encoded)
        articles = [an_article(f"h{first + number}x", text) for number, text in enumerate(texts)]
        ids = [page.text_id for page in save(self.session, *articles)]
        bits = {number: self.asked(text, overlapping=False).strings() for number, text in zip(ids, texts, strict=True)}
        encodings.keep(self.session, self.stored, bits, chinese=ids if are_chinese else ())
        return ids

    def asked(self, text: str, *, overlapping: bool = True) -> EncodedPassages:
        return encode_passages(text, self.encoder, self.background, overlapping=overlapping)

    def candidates(self, text: str, *, limit: int = 8, not_texts: tuple[int, ...] = ()) -> list[MeaningCandidate]:
        asked = self.asked(text)
        found = look_up(self.session, asked, encoder=ENCODER, not_texts=not_texts, limit=limit)
        return list(found.candidates)


@pytest.fixture
def store(pgvector: None, session: Session) -> Store:
    store = Store(session)
    store.add(*(text_of(number, chars=500) for number in range(60)))
    return store


def changed(text: str, every: int = 9) -> str:
    """A text with every ninth character replaced: near, and not the same."""
    return "".join("某" if number % every == every - 1 and char not in "。，\n" else char
                   for number, char in enumerate(text))  # fmt: skip


def test_the_source_is_the_first_candidate(store: Store) -> None:
    (source,) = store.add(story())

    found = store.candidates(changed(story()))

    assert found[0].text_id == source
    assert found[0].gain > 0.2
    assert all(one.gain < found[0].gain / 2 for one in found[1:])


def test_a_candidate_names_the_passages_that_are_near(store: Store) -> None:
    (source,) = store.add(story())
    near = passages_of(story())[2]

    found = store.candidates(
        text_of(900, chars=700) + changed(story()[near.start : near.end]) + text_of(901, chars=700)
    )

    (own,) = [one for one in found if one.text_id == source]
    assert 2 in own.passages
    assert len(own.passages) <= BEST


def test_texts_encoded_before_places_were_kept_are_candidates_without_them(store: Store) -> None:
    (source,) = store.add(story())
    store.session.execute(update(PASSAGE_VECTOR).values(number=None))

    found = store.candidates(changed(story()))

    assert (found[0].text_id, found[0].passages) == (source, ())


def test_a_few_paragraphs_inside_another_article_are_found(store: Store) -> None:
    (source,) = store.add(story())
    inserted = changed(story())[300:650]

    found = store.candidates(text_of(900, chars=700) + inserted + text_of(901, chars=700))

    assert source in [one.text_id for one in found]


def test_texts_passed_over_are_no_candidates(store: Store) -> None:
    (source,) = store.add(story())

    assert source not in [one.text_id for one in store.candidates(story(), not_texts=(source,))]


def test_many_versions_of_one_story_do_not_hide_it(store: Store) -> None:
    """They are counted once, though they fill all that is looked up first."""
    versions = store.add(*(changed(story(), every) for every in range(12, 12 + NEAREST + 20)))
    store.session.add_all(TextFamily(text_id=number, family_id=versions[0]) for number in versions)
    store.session.flush()

    found = store.candidates(changed(story()))

    assert {one.family_id for one in found[:SAME_STORY]} == {versions[0]}
    assert [one.family_id for one in found].count(versions[0]) == SAME_STORY
    assert found[0].gain > 0.2


def test_a_passage_of_many_unrelated_texts_gives_no_candidate(store: Store) -> None:
    """A disclaimer on 60 pages: near everything, so nearer to nothing."""
    disclaimer = changed(story())[:180]
    store.add(*(text_of(1_000 + number, chars=360) + "\n" + disclaimer for number in range(60)))

    found = store.candidates(text_of(2_000, chars=360) + "\n" + story()[:180])

    assert all(one.gain < 0.12 for one in found)


def test_a_text_in_another_language_counts_beside_its_own(store: Store) -> None:
    """Texts in the language of the asked one are nearer, and more than are looked up."""
    store.add(*(changed(story(), every) for every in range(12, 12 + NEAREST + 20)))
    store.add(*(text_of(number, chars=500) for number in range(3_000, 3_030)), are_chinese=False)
    (source,) = store.add(changed(story(), 5), are_chinese=False)

    found = store.candidates(changed(story()))

    assert found[0].text_id == source
    assert found[0].gain > 0.2


@pytest.mark.parametrize("others", [1, 5])
def test_few_texts_in_a_language_count_beside_all(store: Store, others: int) -> None:
    """What every page has is no gain, though no other page in that language is there to show it."""
    disclaimer = changed(story())[:180]
    store.add(*(text_of(1_000 + number, chars=360) + "\n" + disclaimer for number in range(60)))
    alone = store.add(
        *(text_of(5_000 + number, chars=360) + "\n" + disclaimer for number in range(others)), are_chinese=False
    )

    found = store.candidates(text_of(2_000, chars=360) + "\n" + story()[:180])

    assert all(one.gain < 0.12 for one in found if one.text_id in alone)


def test_a_text_without_sentences_has_no_candidates(store: Store) -> None:
    assert store.candidates("") == []
    assert store.candidates("—— 。。。") == []


def test_bits_seen_from_another_mean_are_never_compared(store: Store) -> None:
    store.add(story())
    asked = encode_passages(story(), store.encoder, Background(np.zeros(256, np.float32), store.background.sample))

    for nothing in (
        look_up(store.session, asked, encoder=ENCODER),
        look_up(store.session, store.asked(story()), encoder="another 1"),
    ):
        assert (list(nothing.candidates), list(nothing.near)) == ([], [])


def test_the_limit_counts_stories(store: Store) -> None:
    store.add(*(changed(story(), every) for every in range(5, 15)))

    assert len(store.candidates(story(), limit=2)) == 2


def test_the_lead_is_over_the_third_other_story() -> None:
    gains = (0.28, 0.22, 0.18, 0.1, 0.04)
    found = [MeaningCandidate(number, gain, family_id=number) for number, gain in enumerate(gains)]

    leads = leads_of(found)

    assert np.isclose(leads[0], np.log(0.3 / 0.12))
    assert np.isclose(leads[3], np.log(0.12 / 0.2)), "behind three others"
    assert leads[4] == -MOST_LEAD
    version = MeaningCandidate(9, 0.28, family_id=0)
    assert leads_of([version, *found]) == {9: leads[0], **leads}, "another version of the first is no other story"


def test_without_three_other_stories_the_lead_is_over_the_least_gain_and_bounded() -> None:
    near, far = MeaningCandidate(1, 0.9, family_id=1), MeaningCandidate(2, 0.03, family_id=2)

    assert leads_of([near]) == {1: MOST_LEAD}
    assert np.isclose(leads_of([near, far])[2], np.log(0.05 / 0.04))
    assert leads_of([]) == {}


@given(st.lists(st.floats(0, 1), max_size=12), st.integers(1, 12))
def test_a_lead_is_bounded_and_of_two_stories_the_nearer_has_the_greater(gains: list[float], stories: int) -> None:
    found = [MeaningCandidate(number, gain, family_id=number % stories) for number, gain in enumerate(gains)]

    leads = leads_of(found)

    assert all(-MOST_LEAD <= leads[one.text_id] <= MOST_LEAD for one in found)
    best = [max((one for one in found if one.family_id == story), key=lambda one: one.gain, default=None)
            for story in range(stories)]  # fmt: skip
    ranked = sorted((one for one in best if one is not None), key=lambda one: one.gain)
    assert all(leads[one.text_id] <= leads[other.text_id] + 1e-9 for one, other in pairwise(ranked))
