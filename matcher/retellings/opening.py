"""Opens the search by meaning of a store, or says why there is none."""

from typing import TYPE_CHECKING, Final

from matcher.meaning.background import Background
from matcher.meaning.encoders.encoder import Encoder, EncoderUnavailable
from matcher.meaning.layer import layer_state
from matcher.retellings.search import MeaningSearch
from storage.meaning import vector_index
from storage.meaning.background import serving_id, stored_background

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

NOT_READY: Final = "The vectors of the store are being replaced. Try again."


class MeaningOfStore:
    """Opens searches in one store with one encoder; the texts that a search keeps are kept between them."""

    def __init__(self, encoder: Encoder) -> None:
        self.encoder = encoder
        self._opened: MeaningSearch | None = None

    def __call__(self, session: "Session") -> MeaningSearch:
        """Return the search with the present background. Raises EncoderUnavailable with what is missing."""
        label = f"{self.encoder.name} {self.encoder.version}"
        number = serving_id(session, label) if vector_index.extension_schema(session) is not None else None
        if number is None:
            raise EncoderUnavailable(layer_state(session, label).problem() or NOT_READY)
        opened = self._opened
        if opened is None or opened.background.id != number:
            stored = stored_background(session, label)
            if stored is None:
                raise EncoderUnavailable(NOT_READY)
            opened = self._opened = MeaningSearch(self.encoder, Background.stored(stored))
        return opened
