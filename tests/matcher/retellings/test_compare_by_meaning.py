"""One text against a store of real articles: which candidates are judged, and by what part of them."""

from collections.abc import Sequence

import pytest
from sqlalchemy import update
from sqlalchemy.orm import Session

from matcher.meaning.candidates import leads_of
from matcher.meaning.encoders.encoder import Encoder, Vectors
from matcher.meaning.evidence import Evidence
from matcher.meaning.sentences import sentences_of
from matcher.provenance.page_facts import facts_of_article
from matcher.retellings.asked import Asked
from matcher.retellings.compare_by_meaning import (
    JUDGED,
    JUDGED_WHOLE,
    LEAST_OF_PART,
    MeaningComparison,
    compare_by_meaning,
)
from matcher.retellings.judge import judge_retelling
from matcher.retellings.opening import MeaningOfStore
from matcher.retellings.search import MeaningSearch
from storage.models.meaning import PASSAGE_VECTOR
from tests.matcher.meaning.texts import RETOLD, TRANSLATED
from tests.matcher.retellings.texts import INNOCENT
from tests.support.factories import an_article, story


class CountingEncoder:
    """The real encoder, which keeps what it was given."""

    def __init__(self, encoder: Encoder) -> None:
        self._encoder = encoder
        self.name, self.version, self.size = encoder.name, encoder.version, encoder.size
        self.reads_unpublished = encoder.reads_unpublished
        self.given: list[str] = []

    def encode(self, texts: Sequence[str]) -> Vectors:
        self.given += texts
        return self._encoder.encode(texts)


@pytest.fixture
def counting(encoder: Encoder) -> CountingEncoder:
    return CountingEncoder(encoder)


@pytest.fixture
def search(stored: Session, counting: CountingEncoder) -> MeaningSearch:
    return MeaningOfStore(counting)(stored)


def compared(session: Session, search: MeaningSearch, text: str) -> MeaningComparison:
    return compare_by_meaning(session, search, Asked(text, facts_of_article(an_article("asked", text))))


def test_candidates_are_judged_by_their_parts_and_the_best_ones_whole(stored: Session, search: MeaningSearch) -> None:
    found = compared(stored, search, RETOLD)

    (match,) = found.found
    assert match.stored.body == story()
    assert 1 < len(found.by_part) <= JUDGED
    surest = sorted(found.by_part, key=lambda text_id: -found.by_part[text_id])[:JUDGED_WHOLE]
    assert set(found.judged) == {text_id for text_id in surest if found.by_part[text_id] >= LEAST_OF_PART}
    assert match.stored.id in found.judged


def test_each_is_judged_with_its_lead_in_the_look_up(stored: Session, search: MeaningSearch) -> None:
    found = compared(stored, search, TRANSLATED)

    (match,) = found.found
    judged = found.judged[match.stored.id]
    assert judged is not None
    assert isinstance(judged.evidence, Evidence)
    assert judged.evidence.won.lead == leads_of(found.candidates)[match.stored.id] > 0


def test_an_article_on_the_same_subject_is_encoded_in_part_only(
    stored: Session, search: MeaningSearch, counting: CountingEncoder
) -> None:
    found = compared(stored, search, INNOCENT)

    assert (found.found, dict(found.judged)) == ([], {})
    assert found.by_part
    asked = {INNOCENT[start:end] for start, end in sentences_of(INNOCENT)}
    whole = [story()[start:end] for start, end in sentences_of(story())]
    assert asked <= set(counting.given)
    assert 0 < sum(sentence in counting.given for sentence in whole) < len(whole)


def test_texts_encoded_before_places_were_kept_are_judged_whole(stored: Session, search: MeaningSearch) -> None:
    before = compared(stored, search, RETOLD)
    stored.execute(update(PASSAGE_VECTOR).values(number=None))

    after = compared(stored, search, RETOLD)

    assert [match.stored.id for match in after.found] == [match.stored.id for match in before.found]
    assert after.judged[after.found[0].stored.id] is not None


def test_the_part_has_the_passages_and_those_beside_them(search: MeaningSearch) -> None:
    (part,), whole = search.encode_near([(story(), (0,))]), search.encode_stored(story())

    assert 0 < len(part) < len(whole)
    assert list(part.sentences) == list(whole.sentences[: len(part)])
    assert search.encode_near([(story(), ()), (story(), range(100)), (story(), (0,))]) == [whole, whole, part]


@pytest.mark.parametrize(
    "text", ["", "\0", "\ud800。" * 50, "字" * 100_000, "كتب الصحفي تقريرا طويلا. " * 100, "a" * 100_000]
)
def test_a_part_of_a_hostile_text_can_be_judged(search: MeaningSearch, text: str) -> None:
    (part,) = search.encode_near([(text, (0, 3, 10_000))])

    assert len(part) <= len(search.encode_stored(text))
    judge_retelling(search.encode(story()), part, search.contrast([INNOCENT]))
