"""Encodes the texts of the store by meaning, and has them compared; work of its own, after the literal comparison.

Any number of processes may do it at once: each claims texts by row locks, encodes a few, and commits them. Whatever
ends it, what is committed stays, and the next run goes on.
"""

import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, TypeAlias

from matcher.meaning.background import Background
from matcher.meaning.encoders.encoder import Encoder, EncoderUnavailable
from matcher.meaning.languages import is_chinese
from matcher.meaning.passages import passages_of_sentences
from matcher.meaning.sentences import sentences_of
from matcher.worker.backgrounds import Backgrounds
from storage.engine import transaction
from storage.meaning import background as stored_backgrounds
from storage.meaning import encodings
from storage.postgres import statistics
from storage.records.meaning import StoredBackground

if TYPE_CHECKING:
    from sqlalchemy import Engine
    from sqlalchemy.orm import Session

BATCH: Final = 16
"""Texts of one transaction: some two seconds of a core."""
COMPARED_FROM: Final = 1_000
"""Encoded texts from which new ones are compared before all are encoded; in fewer, little would be found."""

Compare: TypeAlias = Callable[["Session", int], None]
"""Compares a stored text by meaning with the store, and saves what it finds. It may raise EncoderUnavailable: then the
text is compared later."""

LOG = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class EncodingProgress:
    """Texts encoded and compared by this call; `failed`: those whose comparison raised an error."""

    encoded: int = 0
    compared: int = 0
    failed: int = 0

    def plus(self, other: "EncodingProgress") -> "EncodingProgress":
        return EncodingProgress(
            self.encoded + other.encoded, self.compared + other.compared, self.failed + other.failed
        )


def encode_store(
    engine: "Engine",
    encoder: Encoder,
    *,
    should_stop: Callable[[], bool],
    on_progress: Callable[[EncodingProgress], None] | None = None,
    compare: Compare | None = None,
) -> EncodingProgress:
    """Encode all texts that wait, newest first, and compare them, until none waits or `should_stop()`.

    Does nothing without pgvector, or with fewer than 30 texts. Texts that nobody but this installation has are left out
    if the encoder would send them elsewhere without its consent. Raises EncoderUnavailable.
    """
    return _Run(engine, encoder, should_stop, on_progress, compare).run()


class _Run:
    def __init__(
        self,
        engine: "Engine",
        encoder: Encoder,
        should_stop: Callable[[], bool],
        on_progress: Callable[[EncodingProgress], None] | None,
        compare: Compare | None,
    ) -> None:
        self._engine = engine
        self._encoder = encoder
        self._should_stop = should_stop
        self._on_progress = on_progress
        self._compare = compare
        self._only_public = not encoder.reads_unpublished
        self._done = EncodingProgress()

    def run(self) -> EncodingProgress:
        backgrounds = Backgrounds(self._engine, self._encoder, only_public=self._only_public)
        serving = backgrounds.serving(self._should_stop)
        if serving is None or self._should_stop():
            return self._done
        self._encode_all(serving)
        building = backgrounds.building(serving, self._should_stop)
        if building is not None:
            self._encode_all(building)
            serving = backgrounds.replaced(serving, building)
        self._compare_all(serving)
        if not self._should_stop():
            backgrounds.delete_superseded(serving, self._should_stop)
        if self._done.encoded:
            statistics.refresh(self._engine)
        return self._done

    def _encode_all(self, found: StoredBackground) -> None:
        """Encode newest first; texts stored meanwhile wait for the next run."""
        below: int | None = None
        with transaction(self._engine) as session:
            newest = encodings.newest_text(session)
            is_large = encodings.encoded_count(session, found.id, limit=COMPARED_FROM) >= COMPARED_FROM
        while not self._should_stop():
            claimed = self._encode_some(found, below)
            if not claimed:
                break
            below = min(claimed)
            if is_large and found.is_serving:
                self._compare_all(found, limit=len(claimed))
        if self._should_stop() or self._only_public:
            return
        with transaction(self._engine) as session:
            if not encodings.is_any_waiting(session, found.id):
                encodings.note_reached(session, found.id, newest)

    def _encode_some(self, found: StoredBackground, below: int | None) -> list[int]:
        with transaction(self._engine) as session:
            claimed = encodings.claim(session, found.id, limit=BATCH, below=below, only_public=self._only_public)
            bits = encoded_bits(claimed, self._encoder, Background.stored(found))
            encodings.keep(session, found, bits, chinese=[one for one, text in claimed.items() if is_chinese(text)])
        self._note(EncodingProgress(encoded=len(claimed)))
        return list(claimed)

    def _compare_all(self, found: StoredBackground, limit: int | None = None) -> None:
        while self._compare is not None and not self._should_stop() and (limit is None or limit > 0):
            if not self._compare_one(found, self._compare):
                break
            limit = None if limit is None else limit - 1

    def _compare_one(self, found: StoredBackground, compare: Compare) -> bool:
        with transaction(self._engine) as session:
            text_id = encodings.claim_uncompared(session, found.id)
            if text_id is None:
                return False
            step = _compared(session, text_id, compare)
        self._note(step)
        return True

    def _note(self, step: EncodingProgress) -> None:
        self._done = self._done.plus(step)
        if self._on_progress is not None:
            self._on_progress(self._done)


def encoded_bits(texts: Mapping[int, str], encoder: Encoder, background: Background) -> dict[int, list[str]]:
    """Return the bits of the passages of each text. One call for all their sentences is faster than several."""
    sentences = {number: sentences_of(text) for number, text in texts.items()}
    parts = [texts[number][start:end] for number, found in sentences.items() for start, end in found]
    vectors = background.centred(encoder.encode(parts))
    bits, start = {}, 0
    for number, found in sentences.items():
        own = vectors[start : start + len(found)]
        bits[number] = passages_of_sentences(texts[number], found, own, background).strings()
        start += len(found)
    return bits


def _compared(session: "Session", text_id: int, compare: Compare) -> EncodingProgress:
    """Compare one text; an error that concerns it alone is noted and undoes what was written for it."""
    try:
        with session.begin_nested():
            compare(session, text_id)
    except EncoderUnavailable:
        raise
    except Exception as error:  # any failure of one text must not stop the others
        LOG.exception("text %d could not be compared by meaning", text_id)
        encodings.note_failed(session, text_id, f"{type(error).__name__}: {error}")
        return EncodingProgress(failed=1)
    encodings.note_compared(session, text_id)
    return EncodingProgress(compared=1)


def encode_again(engine: "Engine", encoder: Encoder, *, should_stop: Callable[[], bool]) -> bool:
    """Begin a new background, from which all texts are encoded again while the present one serves. Return whether one
    is being built. Raises EncoderUnavailable.
    """
    backgrounds = Backgrounds(engine, encoder, only_public=not encoder.reads_unpublished)
    serving = backgrounds.serving(should_stop)
    if serving is None or should_stop():
        return False
    with transaction(engine) as session:
        if stored_backgrounds.building_id(session, serving.encoder) is not None:
            return True
    return backgrounds.begin(is_serving=False) is not None
