"""The backgrounds that texts are encoded against: made, renewed when the store has outgrown them, and replaced."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from matcher.meaning.background import Background
from matcher.meaning.encoders.encoder import Encoder
from matcher.meaning.sentences import sentences_of
from storage.engine import transaction
from storage.meaning import background as stored
from storage.meaning import encodings, vector_index
from storage.records.meaning import StoredBackground

if TYPE_CHECKING:
    from sqlalchemy import Engine

SAMPLE: Final = 2_000
"""Sentences of a background: one of 1,000 is nearly as good as one of 4,000 (ADR 40)."""
OUTGROWN: Final = 10
"""Growth of the store after which a background is renewed."""
SETTLED: Final = 4_000
"""Texts from which a background is renewed on request only: a sample of so many is as good as one of more."""


def label_of(encoder: Encoder) -> str:
    """Return name and version, as they stand beside every stored vector."""
    return f"{encoder.name} {encoder.version}"


class Backgrounds:
    """The backgrounds of one encoder. `only_public`: it reads only texts that were found on the web. Methods raise
    EncoderUnavailable.
    """

    def __init__(self, engine: "Engine", encoder: Encoder, *, only_public: bool = False) -> None:
        self._engine = engine
        self._encoder = encoder
        self._only_public = only_public
        self._label = label_of(encoder)

    def serving(self, should_stop: Callable[[], bool]) -> StoredBackground | None:
        """Return the background that searches use, made if there is none and its index with it.

        None without pgvector, or with too few texts.
        """
        with transaction(self._engine) as session:
            if vector_index.extension_schema(session) is None:
                return None
            found = stored.stored_background(session, self._label)
        if found is None and not should_stop():
            found = self.begin(is_serving=True)
        if found is not None and not should_stop():
            vector_index.build_index(self._engine, found.id, found.size)
        return found

    def building(self, serving: StoredBackground, should_stop: Callable[[], bool]) -> StoredBackground | None:
        """Return the background that is to replace the serving one; None if that is still good."""
        with transaction(self._engine) as session:
            number = stored.building_id(session, self._label)
            found = None if number is None else stored.background(session, number)
            is_outgrown = serving.texts < SETTLED and stored.text_count(session) >= OUTGROWN * serving.texts
        if found is None and is_outgrown and not should_stop():
            found = self.begin(is_serving=False)
        if found is not None and not should_stop():
            vector_index.build_index(self._engine, found.id, found.size)
        return found

    def begin(self, *, is_serving: bool) -> StoredBackground | None:
        """Make a background of the present store. None with too few texts, or if another process has made one."""
        with transaction(self._engine) as session:
            texts, count = stored.sample_texts(session, only_public=self._only_public), stored.text_count(session)
        if not texts:
            return None
        made = Background.of(self._encoder.encode(_sample(texts)))
        with transaction(self._engine) as session:
            stored.lock_backgrounds(session)
            find = stored.serving_id if is_serving else stored.building_id
            number = find(session, self._label)
            if number is None:
                number = stored.keep_background(
                    session, self._label, mean=made.mean, sample=made.sample, texts=count, is_serving=is_serving
                )
            return stored.background(session, number)

    def replaced(self, serving: StoredBackground, built: StoredBackground) -> StoredBackground:
        """Return the background that searches use from now on: the new one if it is complete."""
        with transaction(self._engine) as session:
            state = vector_index.index_state(session, built.id)
            if state is None or not state.is_ready:
                return serving
            if encodings.is_any_waiting(session, built.id, only_public=self._only_public):
                return serving
            stored.serve(session, built.id)
            return stored.background(session, built.id) or serving

    def delete_superseded(self, serving: StoredBackground, should_stop: Callable[[], bool]) -> None:
        """Delete what older backgrounds hold, once the serving one holds every text."""
        with transaction(self._engine) as session:
            if encodings.is_any_waiting(session, serving.id, only_public=self._only_public):
                return
            older = stored.superseded(session, serving.id)
        for number in older:
            vector_index.drop_index(self._engine, number)
            is_left = True
            while is_left and not should_stop():
                with transaction(self._engine) as session:
                    is_left = stored.delete_some(session, number)


def _sample(texts: list[str]) -> list[str]:
    """Return sentences spread evenly over the texts, the same number of each as far as it has them."""
    each = -(-SAMPLE // len(texts))
    sample: list[str] = []
    for text in texts:
        sentences = sentences_of(text)
        step = max(1, len(sentences) // each)
        sample += [text[start:end] for start, end in sentences[::step][:each]]
    return sample
