"""Whether retellings can be looked up in this store, and how far its texts are encoded."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from storage.meaning import background, encodings, vector_index

if TYPE_CHECKING:
    from sqlalchemy.orm import Session


@dataclass(frozen=True, slots=True)
class LayerState:
    """`encoder`: its name and version. `has_extension`: pgvector is in the database; `is_available`: the server has it.
    `texts`, `encoded` and `compared`: counts of the store's texts; `failed`: those whose last comparison failed.
    `is_rebuilding`: new vectors are made beside those that serve.
    """

    encoder: str
    has_extension: bool
    is_available: bool
    texts: int
    encoded: int = 0
    compared: int = 0
    failed: int = 0
    has_background: bool = False
    is_indexed: bool = False
    is_rebuilding: bool = False

    @property
    def waiting(self) -> int:
        """Texts that are not encoded."""
        return max(0, self.texts - self.encoded)

    def problem(self) -> str | None:
        """Return why nothing can be looked up by meaning, with the remedy; None if it can."""
        if not self.has_extension:
            return f"The database has no pgvector, so retellings are not looked up. {self.remedy()}"
        if self.texts < background.ENOUGH:
            return f"The store holds {self.texts} texts; retellings are looked up from {background.ENOUGH} on."
        if not self.has_background or not self.encoded:
            return f"No text is encoded by {self.encoder} yet. Run: zhiwen match"
        if not self.is_indexed:
            return "The index of passages is missing or being built. It is built by: zhiwen match"
        return None

    def remedy(self) -> str:
        """Return how to get pgvector."""
        if self.is_available:
            return "As a superuser of the database, run: CREATE EXTENSION vector"
        return "Install it on the server (on Debian: postgresql-NN-pgvector), then run: CREATE EXTENSION vector"

    def shortfall(self) -> str | None:
        """Return what searches leave out, though they work; None if nothing."""
        if self.problem() is not None or not self.waiting:
            return None
        return f"{self.waiting} of {self.texts} texts are not encoded yet and not looked up by meaning."


def layer_state(session: "Session", encoder: str) -> LayerState:
    """Return the state of the store for an encoder, given as name and version."""
    has_extension = vector_index.extension_schema(session) is not None
    is_available = has_extension or vector_index.is_available(session)
    number = background.serving_id(session, encoder)
    if number is None:
        return LayerState(encoder, has_extension, is_available, background.text_count(session))
    counts = encodings.counts(session, number)
    index = vector_index.index_state(session, number)
    return LayerState(
        encoder,
        has_extension,
        is_available,
        counts.texts,
        counts.encoded,
        counts.compared,
        counts.failed,
        has_background=True,
        is_indexed=index is not None and index.is_ready,
        is_rebuilding=background.building_id(session, encoder) is not None,
    )
