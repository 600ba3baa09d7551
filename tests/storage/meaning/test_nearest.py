"""Look-up of the nearest passages, in a real index."""

import numpy as np
import pytest
from sqlalchemy import text, update
from sqlalchemy.orm import Session

from storage.meaning import background, encodings, vector_index
from storage.meaning.nearest import nearest_passages
from storage.models.meaning import PASSAGE_VECTOR
from storage.models.pages import TextFamily
from storage.records.meaning import StoredBackground
from tests.support.factories import an_article, save, text_of

SIZE = 64
ENCODER = "an encoder 1"


def bits_of(*ones: int) -> str:
    """A passage with these bits set."""
    return "".join("1" if number in ones else "0" for number in range(SIZE))


@pytest.fixture
def ground(pgvector: None, session: Session) -> StoredBackground:
    zeros = np.zeros(SIZE, dtype=np.float32)
    number = background.keep_background(
        session, ENCODER, mean=zeros, sample=np.zeros((2, SIZE), np.float32), texts=30, is_serving=True
    )
    made = background.background(session, number)
    assert made is not None
    return made


def stored(session: Session, count: int) -> list[int]:
    return sorted(page.text_id for page in save(session, *(an_article(f"a{n}", text_of(n)) for n in range(count))))


def test_the_nearest_come_first_with_the_bits_that_differ(session: Session, ground: StoredBackground) -> None:
    one, two, three = stored(session, 3)
    encodings.keep(
        session,
        ground,
        {one: [bits_of(1, 2, 3)], two: [bits_of(1), bits_of(40, 41)], three: [bits_of(*range(30))]},
    )

    found = nearest_passages(session, ground.id, [bits_of(1, 2), bits_of(40)], is_chinese=False, limit=2)

    assert [(near.asked, near.text_id, near.distance, near.number) for near in found] == [
        (0, one, 1, 0),
        (0, two, 1, 0),
        (1, two, 1, 1),
        (1, two, 2, 0),
    ]


def test_texts_and_stories_are_passed_over(session: Session, ground: StoredBackground) -> None:
    one, two, three, four = stored(session, 4)
    session.add_all([TextFamily(text_id=two, family_id=two), TextFamily(text_id=three, family_id=two)])
    session.flush()
    encodings.keep(session, ground, {number: [bits_of(number % 8)] for number in (one, two, three, four)})

    found = nearest_passages(
        session, ground.id, [bits_of()], is_chinese=False, limit=9, not_texts=[one], not_families=[two]
    )

    assert [near.text_id for near in found] == [four]


def test_passages_of_another_background_are_not_found(session: Session, ground: StoredBackground) -> None:
    (one,) = stored(session, 1)
    encodings.keep(session, ground, {one: [bits_of(1)]})

    assert nearest_passages(session, ground.id + 1, [bits_of(1)], is_chinese=False, limit=9) == []


def test_texts_in_chinese_are_looked_up_apart(session: Session, ground: StoredBackground) -> None:
    one, two, three = stored(session, 3)
    encodings.keep(session, ground, {one: [bits_of(1)], two: [bits_of(2)]}, chinese=[one])
    encodings.keep(session, ground, {three: [bits_of(3)]})
    session.execute(update(PASSAGE_VECTOR).where(PASSAGE_VECTOR.c.text_id == three).values(is_chinese=None))

    found = {
        is_chinese: nearest_passages(session, ground.id, [bits_of()], is_chinese=is_chinese, limit=9)
        for is_chinese in (True, False)
    }

    assert [(near.text_id, near.is_chinese) for near in found[True]] == [(one, True)]
    assert [(near.text_id, near.is_chinese) for near in found[False]] == [(two, False), (three, False)]


@pytest.mark.parametrize("condition", [vector_index.CHINESE, vector_index.OTHERS])
def test_the_search_uses_the_index(session: Session, ground: StoredBackground, condition: str) -> None:
    """The planner recognises the index by its expression and its condition."""
    schema = vector_index.extension_schema(session)
    for each, name in vector_index.index_names(ground.id).items():
        assert vector_index.index_state(session, ground.id) is None
        session.execute(
            text(
                f"CREATE INDEX {name} ON passage_vector USING hnsw ((bits::bit({SIZE})) {schema}.bit_hamming_ops)"
                f" WHERE background_id = {ground.id} AND {each}"
            )
        )
    # Of a table as small as this one, the planner may choose to read all rows.
    session.execute(text("SET LOCAL enable_seqscan = off"))
    plan = session.execute(
        text(
            f"EXPLAIN SELECT text_id FROM passage_vector WHERE background_id = {ground.id} AND {condition}"  # noqa: S608
            f" ORDER BY bits::bit({SIZE}) OPERATOR({schema}.<~>) '{bits_of(1)}'::bit({SIZE}) LIMIT 3"
        )
    ).scalars()
    state = vector_index.index_state(session, ground.id)

    assert vector_index.index_names(ground.id)[condition] in " ".join(plan)
    assert state is not None
    assert state.is_ready
