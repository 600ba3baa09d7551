"""The demo's articles compared by meaning, as the worker does after the literal comparison."""

from typing import TYPE_CHECKING

from matcher.cases.cases_by_meaning import follow_up_retellings
from matcher.meaning.encoders.encoder import EncoderUnavailable
from matcher.retellings.keep_retellings import keep_retellings
from matcher.retellings.opening import MeaningOfStore
from matcher.worker.encoding import encode_store
from storage.engine import transaction
from storage.meaning import retelling_list
from storage.records.retellings import RetellingFilter, RetellingRecord
from zhiwen.encoders.choice import ready_encoder
from zhiwen.output.terminal import say
from zhiwen.wiring import require_vectors

if TYPE_CHECKING:
    from sqlalchemy import Engine
    from sqlalchemy.orm import Session

    from zhiwen.config.settings import Settings


def compared_by_meaning(engine: "Engine", settings: "Settings") -> list[RetellingRecord] | None:
    """The retellings found in the demo's store, highest score first; None, and a line that says so, without an
    encoder or pgvector.
    """
    try:
        encoder = ready_encoder(settings)
    except EncoderUnavailable as error:
        say(f"Left out: articles are not compared by meaning. {error}")
        return None
    if not require_vectors(settings, engine):
        say("Left out: articles are not compared by meaning. The database has no pgvector.")
        return None
    opened = MeaningOfStore(encoder)

    def compare(session: "Session", text_id: int) -> None:
        keep_retellings(session, opened(session), text_id)
        follow_up_retellings(session, text_id)

    done = encode_store(engine, encoder, should_stop=lambda: False, compare=compare)
    say(f"Compared {done.compared} articles by meaning.")
    with transaction(engine) as session:
        return list(retelling_list.stream_retellings(session, RetellingFilter(), limit=1_000))
