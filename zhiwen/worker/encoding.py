"""Encoding the store by meaning with the settings of this installation, for the command line and the worker."""

from collections.abc import Callable
from time import monotonic
from typing import TYPE_CHECKING, Final

from matcher.meaning.layer import LayerState, layer_state
from storage.engine import transaction
from storage.matches import backlog
from storage.meaning import background, encodings, vector_index
from storage.meaning.retellings import withdraw_outdated
from zhiwen.wiring import case_rule, encoder_of, require_vectors

if TYPE_CHECKING:
    from sqlalchemy import Engine
    from sqlalchemy.orm import Session

    from matcher.meaning.encoders.encoder import Encoder
    from matcher.worker.encoding import Compare, EncodingProgress
    from zhiwen.config.settings import Settings

SLICE_S: Final = 60.0
"""How long the worker encodes before other jobs have a turn."""
MATCHING_FIRST: Final = 64
"""Pages that wait for comparison from which the worker encodes one batch only: that is a batch of theirs."""


def encode_as_set(
    settings: "Settings",
    engine: "Engine",
    *,
    should_stop: Callable[[], bool],
    on_progress: "Callable[[EncodingProgress], None] | None" = None,
    compares: bool = True,
) -> "EncodingProgress":
    """Encodes what waits and, if `compares`, compares it by meaning. Does nothing where the layer is off.

    Raises EncoderUnavailable.
    """
    from matcher.worker.encoding import EncodingProgress, encode_store  # noqa: PLC0415  # loads numpy

    encoder = encoder_of(settings)
    if encoder is None or not require_vectors(settings, engine):
        return EncodingProgress()
    with transaction(engine) as session:
        withdraw_outdated(session)
    compare = comparison_by_meaning(settings, encoder) if compares else None
    return encode_store(engine, encoder, should_stop=should_stop, on_progress=on_progress, compare=compare)


def begin_again(settings: "Settings", engine: "Engine", *, should_stop: Callable[[], bool]) -> bool:
    """Has all texts encoded again, beside the vectors that serve. Returns whether that has begun.

    Raises EncoderUnavailable.
    """
    from matcher.worker.encoding import encode_again  # noqa: PLC0415  # loads numpy

    encoder = encoder_of(settings)
    if encoder is None or not require_vectors(settings, engine):
        return False
    return encode_again(engine, encoder, should_stop=should_stop)


def comparison_by_meaning(settings: "Settings", encoder: "Encoder") -> "Compare | None":
    """What is done with each encoded text; None: nothing is compared."""
    from matcher.cases.cases_by_meaning import follow_up_retellings  # noqa: PLC0415  # loads the dictionaries
    from matcher.retellings.keep_retellings import keep_retellings  # noqa: PLC0415  # loads numpy
    from matcher.retellings.opening import MeaningOfStore  # noqa: PLC0415

    opened = MeaningOfStore(encoder)

    def compare(session: "Session", text_id: int) -> None:
        keep_retellings(session, opened(session), text_id)
        least_score = settings.retelling_case_score
        follow_up_retellings(session, text_id, least_score=least_score, rule=case_rule(settings))

    return compare


def state_of_layer(settings: "Settings", session: "Session") -> LayerState | None:
    """The state of the store for the encoder of this installation; None without an encoder."""
    encoder = encoder_of(settings)
    return None if encoder is None else layer_state(session, f"{encoder.name} {encoder.version}")


def is_due(settings: "Settings", session: "Session") -> bool:
    """Whether texts wait to be encoded or compared. Reads some rows only, however large the store is."""
    encoder = encoder_of(settings)
    if encoder is None or not _may_have_vectors(settings, session):
        return False
    label = f"{encoder.name} {encoder.version}"
    number = background.serving_id(session, label)
    if number is None:
        return background.has_enough_texts(session)
    index = vector_index.index_state(session, number)
    if index is None or not index.is_ready or background.building_id(session, label) is not None:
        return True
    if encodings.is_any_waiting(session, number, only_public=not encoder.reads_unpublished):
        return True
    return comparison_by_meaning(settings, encoder) is not None and encodings.is_any_uncompared(session, number)


def _may_have_vectors(settings: "Settings", session: "Session") -> bool:
    if settings.database_url is None:
        return vector_index.is_available(session)
    return vector_index.extension_schema(session) is not None


class Slice:
    """Ends the worker's turn: when it is stopped, after `SLICE_S`, or after a batch while pages wait for comparison."""

    def __init__(self, engine: "Engine", is_stopping: Callable[[], bool]) -> None:
        self._engine = engine
        self._is_stopping = is_stopping
        self._until = monotonic() + SLICE_S
        self._steps = 0

    def note(self, _: "EncodingProgress") -> None:
        self._steps += 1

    def is_over(self) -> bool:
        if self._is_stopping() or monotonic() > self._until:
            return True
        return self._steps > 0 and self.matching_waits()

    def matching_waits(self) -> bool:
        with transaction(self._engine) as session:
            return backlog.waiting(session) >= MATCHING_FIRST
