"""Encoding the texts of a store, in any number of interrupted steps, and handing each on to be compared."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from sqlalchemy import Engine, delete, func, select, text, update
from sqlalchemy.orm import Session

from matcher.meaning.encoders.encoder import EncoderUnavailable
from matcher.meaning.layer import layer_state
from matcher.worker.backgrounds import OUTGROWN
from matcher.worker.encoding import BATCH, encode_again, encode_store
from storage.engine import transaction
from storage.meaning import background, encodings, vector_index
from storage.models.meaning import PASSAGE_VECTOR, EncodedText, MeaningBackground
from storage.models.pages import Page, PageVersion, Text
from storage.types import FoundBy
from tests.support.factories import an_article, commit, text_of
from tests.support.meaning.word_encoder import WordEncoder

ENCODER = "pairs of characters 1"


@pytest.fixture
def store(pgvector: None, engine: Engine) -> Engine:
    """Forty texts."""
    fill(engine, range(40))
    return engine


def fill(engine: Engine, numbers: range, *, found_by: FoundBy = FoundBy.SPIDER) -> None:
    commit(engine, [an_article(f"a{n}", text_of(n), found_by=found_by) for n in numbers])


def never() -> bool:
    return False


def encoded_ids(session: Session) -> list[int]:
    return list(session.scalars(select(EncodedText.text_id).order_by(EncodedText.text_id)))


def test_every_text_is_encoded_once(store: Engine) -> None:
    encoder = WordEncoder()

    first = encode_store(store, encoder, should_stop=never)
    asked = len(encoder.encoded)
    second = encode_store(store, encoder, should_stop=never)

    assert (first.encoded, second.encoded) == (40, 0)
    assert len(encoder.encoded) == asked
    with transaction(store) as session:
        state = layer_state(session, ENCODER)
        passages = session.scalar(select(func.sum(EncodedText.passages)))
        assert session.scalar(select(func.count()).select_from(PASSAGE_VECTOR)) == passages
    assert (state.texts, state.encoded, state.waiting, state.problem(), state.shortfall()) == (40, 40, 0, None, None)


def test_with_fewer_than_thirty_texts_nothing_is_encoded(engine: Engine) -> None:
    fill(engine, range(29))

    assert encode_store(engine, WordEncoder(), should_stop=never).encoded == 0
    with transaction(engine) as session:
        assert "29 texts" in str(layer_state(session, ENCODER).problem()) or "pgvector" in str(
            layer_state(session, ENCODER).problem()
        )


def test_a_stop_keeps_what_is_committed_and_the_next_run_goes_on(store: Engine) -> None:
    seen: list[int] = []

    def stop() -> bool:
        return bool(seen)

    first = encode_store(store, WordEncoder(), should_stop=stop, on_progress=lambda done: seen.append(done.encoded))
    with transaction(store) as session:
        newest = session.scalars(select(Text.id).order_by(Text.id.desc()).limit(BATCH)).all()
        assert encoded_ids(session) == sorted(newest)
        state = layer_state(session, ENCODER)
    second = encode_store(store, WordEncoder(), should_stop=never)

    assert (first.encoded, second.encoded) == (BATCH, 40 - BATCH)
    assert state.shortfall() == f"{40 - BATCH} of 40 texts are not encoded yet and not looked up by meaning."


def test_several_processes_encode_no_text_twice(store: Engine) -> None:
    fill(store, range(40, 100))
    encode_store(store, WordEncoder(), should_stop=lambda: False, on_progress=None)
    fill(store, range(100, 200))
    encoders = [WordEncoder() for _ in range(4)]

    with ThreadPoolExecutor(4) as pool:
        done = list(pool.map(lambda one: encode_store(store, one, should_stop=never).encoded, encoders))

    with transaction(store) as session:
        assert len(encoded_ids(session)) == 200
        passages = session.scalar(select(func.sum(EncodedText.passages)))
        assert session.scalar(select(func.count()).select_from(PASSAGE_VECTOR)) == passages
    assert sum(done) >= 100


def test_each_encoded_text_is_compared_once(store: Engine) -> None:
    compared: list[int] = []

    first = encode_store(store, WordEncoder(), should_stop=never, compare=lambda _, number: compared.append(number))
    second = encode_store(store, WordEncoder(), should_stop=never, compare=lambda _, number: compared.append(number))

    with transaction(store) as session:
        assert sorted(compared) == encoded_ids(session)
        encodings.compare_again(session, compared[:2])
    third = encode_store(store, WordEncoder(), should_stop=never, compare=lambda _, number: compared.append(number))
    assert (first.compared, second.compared, third.compared) == (40, 0, 2)


def test_a_text_whose_comparison_fails_does_not_stop_the_others(store: Engine) -> None:
    def compare(session: Session, number: int) -> None:
        session.execute(update(Text).where(Text.id == number).values(chars=-1))
        if number % 2:
            raise ValueError(number)

    done = encode_store(store, WordEncoder(), should_stop=never, compare=compare)

    with transaction(store) as session:
        changed = session.scalars(select(Text.id).where(Text.chars == -1)).all()
        state = layer_state(session, ENCODER)
    assert (done.compared, done.failed) == (20, 20)
    assert all(number % 2 == 0 for number in changed)
    assert (state.compared, state.failed) == (20, 20)


def test_a_text_whose_comparison_failed_is_compared_again_when_its_time_has_come(store: Engine) -> None:
    def fail(_: Session, number: int) -> None:
        raise ValueError("a \x00 in it")

    encode_store(store, WordEncoder(), should_stop=never, compare=fail)
    too_early = encode_store(store, WordEncoder(), should_stop=never, compare=lambda *_: None)
    with transaction(store) as session:
        assert set(session.scalars(select(EncodedText.error))) == {"ValueError: a \ufffd in it"}
        later = EncodedText.not_before > func.now() + text("interval '20 seconds'")
        assert session.scalar(select(func.count()).where(later)) == 40
        session.execute(update(EncodedText).values(not_before=func.now()))
    again = encode_store(store, WordEncoder(), should_stop=never, compare=lambda *_: None)

    assert (too_early.compared, again.compared) == (0, 40)
    with transaction(store) as session:
        state = layer_state(session, ENCODER)
        assert (state.compared, state.failed) == (40, 0)


def test_an_encoder_that_is_away_leaves_the_text_for_later(store: Engine) -> None:
    def compare(_: Session, number: int) -> None:
        raise EncoderUnavailable(str(number))

    with pytest.raises(EncoderUnavailable):
        encode_store(store, WordEncoder(), should_stop=never, compare=compare)

    with transaction(store) as session:
        assert layer_state(session, ENCODER).compared == 0
        assert layer_state(session, ENCODER).encoded == 40


def test_a_deleted_text_takes_its_vectors_along(store: Engine) -> None:
    fill(store, range(40, 41))
    encode_store(store, WordEncoder(), should_stop=never)
    with transaction(store) as session:
        session.execute(delete(EncodedText).where(EncodedText.text_id == encoded_ids(session)[0]))

    with transaction(store) as session:
        left = set(session.scalars(select(PASSAGE_VECTOR.c.text_id)))
        assert left == set(encoded_ids(session))
        assert len(left) == 40


def test_hostile_texts_are_encoded_like_others(store: Engine) -> None:
    hostile = [
        "字" * 1_000_000,
        "a" * 1_000_000,
        "The quick brown fox jumps over the lazy dog. " * 40,
        "كتب الصحفي تقريرا طويلا عن الحياة في المدينة. " * 40,
        "一句话\ud800\0在这里。" * 30,
        "…… —— 。。。",
    ]
    commit(store, [an_article(f"h{number}", text) for number, text in enumerate(hostile)])

    done = encode_store(store, WordEncoder(), should_stop=never)

    with transaction(store) as session:
        counted = session.scalars(select(EncodedText.passages).order_by(EncodedText.text_id)).all()
        assert layer_state(session, ENCODER).waiting == 0
    assert done.encoded == 40 + len(hostile)
    assert max(counted) < 400
    assert counted.count(0) == 1


@pytest.mark.parametrize("may_send", [False, True])
def test_only_texts_found_on_the_web_are_given_to_an_encoder_that_sends_them(store: Engine, may_send: bool) -> None:
    fill(store, range(50, 60), found_by=FoundBy.IMPORT)
    encoder = WordEncoder(reads_unpublished=may_send)

    done = encode_store(store, encoder, should_stop=never)

    with transaction(store) as session:
        handed_in = session.scalars(
            select(Text.body).join(PageVersion).join(Page).where(Page.found_by == FoundBy.IMPORT)
        )
        sent = "".join(encoder.encoded)
        assert any(body[:60] in sent for body in handed_in) == may_send
    assert done.encoded == (50 if may_send else 40)


def test_a_rebuilt_background_serves_only_when_it_is_complete(store: Engine) -> None:
    encode_store(store, WordEncoder(), should_stop=never, compare=lambda *_: None)
    with transaction(store) as session:
        before = background.serving_id(session, ENCODER)
    assert encode_again(store, WordEncoder(), should_stop=never)
    stopped: list[int] = []

    encode_store(
        store,
        WordEncoder(),
        should_stop=lambda: bool(stopped),
        on_progress=lambda done: stopped.append(done.encoded),
        compare=lambda *_: None,
    )
    with transaction(store) as session:
        meanwhile = layer_state(session, ENCODER)
        assert background.serving_id(session, ENCODER) == before
    done = encode_store(store, WordEncoder(), should_stop=never, compare=lambda *_: None)

    assert (meanwhile.is_rebuilding, meanwhile.encoded, meanwhile.problem()) == (True, 40, None)
    assert done.compared == 0, "what was compared with the same encoder is not compared again"
    with transaction(store) as session:
        after = background.serving_id(session, ENCODER)
        assert after is not None
        assert after != before
        assert session.scalars(select(MeaningBackground.id)).all() == [after]
        assert len(encoded_ids(session)) == 40
        assert vector_index.index_state(session, int(before or 0)) is None
        assert not layer_state(session, ENCODER).is_rebuilding


def test_a_new_version_of_the_encoder_replaces_the_vectors_of_the_old(store: Engine) -> None:
    encode_store(store, WordEncoder(), should_stop=never, compare=lambda *_: None)
    newer = WordEncoder(version="2", size=64)

    done = encode_store(store, newer, should_stop=never, compare=lambda *_: None)

    assert (done.encoded, done.compared) == (40, 40)
    with transaction(store) as session:
        assert background.serving_id(session, ENCODER) is None
        assert set(session.scalars(select(func.length(PASSAGE_VECTOR.c.bits)))) == {64}


def test_a_background_is_renewed_when_the_store_has_outgrown_it(store: Engine) -> None:
    encode_store(store, WordEncoder(), should_stop=never)
    with transaction(store) as session:
        before = background.serving_id(session, ENCODER)
        session.execute(update(MeaningBackground).values(texts=40 // OUTGROWN))

    encode_store(store, WordEncoder(), should_stop=never)

    with transaction(store) as session:
        after = background.stored_background(session, ENCODER)
    assert after is not None
    assert (after.id != before, after.texts) == (True, 40)


def test_texts_far_below_the_newest_are_not_looked_at_again(store: Engine) -> None:
    encode_store(store, WordEncoder(), should_stop=never)
    with transaction(store) as session:
        (low, *_) = encoded_ids(session)
        number = int(background.serving_id(session, ENCODER) or 0)
        encodings.note_reached(session, number, encodings.LATE + low)
        session.execute(delete(EncodedText).where(EncodedText.text_id == low))
        assert not encodings.is_any_waiting(session, number)
        assert encodings.waiting(session, number) == 0


def test_the_same_texts_have_the_same_background_in_any_order(store: Engine) -> None:
    with transaction(store) as session:
        sampled = background.sample_texts(session)
        order = session.scalars(select(Text.body).order_by(Text.sha256)).all()
    assert sampled == list(order)
