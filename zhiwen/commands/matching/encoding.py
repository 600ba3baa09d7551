"""Encoding by meaning at the terminal: the last phase of `match`, `import` and `recompute`."""

from typing import TYPE_CHECKING, Final

from storage.engine import transaction
from zhiwen.output.progress import bar
from zhiwen.output.terminal import say
from zhiwen.worker.encoding import begin_again, encode_as_set, state_of_layer

if TYPE_CHECKING:
    from threading import Event

    from sqlalchemy import Engine

    from zhiwen.config.settings import Settings

SAID_FROM: Final = 200
"""Texts whose encoding takes long enough to be announced."""
MOST_OF_IMPORT: Final = 20_000
"""Texts that an import encodes itself, in half an hour."""


def encode_with_bar(
    settings: "Settings",
    engine: "Engine",
    stop: "Event",
    *,
    compares: bool = True,
    most: int | None = None,
    again: bool = False,
) -> None:
    """Encodes the texts that wait, with progress on stderr. `most`: leaves more than so many to the worker. `again`:
    all texts, while the present vectors serve.
    """
    from matcher.meaning.encoders.encoder import EncoderUnavailable  # noqa: PLC0415  # loads numpy

    if stop.is_set():
        return
    with transaction(engine) as session:
        state = state_of_layer(settings, session)
    if state is None:
        return
    waiting = state.texts if again else state.waiting
    if most is not None and waiting > most:
        say(f"{waiting} texts are not encoded by meaning yet. The worker does it, as does: zhiwen match")
        return
    try:
        if again:
            begin_again(settings, engine, should_stop=stop.is_set)
        if waiting >= SAID_FROM:
            say(f"Encoding {waiting} texts by meaning. It can be interrupted, and goes on next time.")
        with bar("encoding", waiting) as shown:
            done = encode_as_set(
                settings,
                engine,
                should_stop=stop.is_set,
                on_progress=lambda done: shown(done.encoded),
                compares=compares,
            )
    except EncoderUnavailable as error:
        say(f"Texts are not encoded by meaning: {error}")
        return
    if done.encoded or done.compared:
        compared = f", and compared {done.compared} by it" if done.compared else ""
        say(f"Encoded {done.encoded} texts by meaning{compared}.")
    if done.failed:
        say(f"{done.failed} texts could not be compared by meaning. See above.")
