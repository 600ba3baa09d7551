"""Opens the search by meaning of a store, or says why there is none."""

from typing import TYPE_CHECKING, Final

from matcher.meaning.background import Background
from matcher.meaning.encoder import Encoder, EncoderUnavailable
from matcher.retellings.search import MeaningSearch
from storage.meaning import vector_index
from storage.meaning.background import ENOUGH, serving_id, stored_background

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

NO_EXTENSION: Final = (
    "The database has no pgvector, by which texts are looked up by meaning. Check it with: zhiwen doctor"
)
NOT_ENCODED: Final = (
    f"The stored texts are not encoded yet, or there are fewer than {ENOUGH}, beside which similarity shows. "
    "Encode them with: zhiwen match"
)


class MeaningOfStore:
    """Opens searches in one store with one encoder; the texts that a search keeps are kept between them."""

    def __init__(self, encoder: Encoder) -> None:
        self.encoder = encoder
        self._opened: MeaningSearch | None = None

    def __call__(self, session: "Session") -> MeaningSearch:
        """Return the search with the present background. Raises EncoderUnavailable with what is missing."""
        label = f"{self.encoder.name} {self.encoder.version}"
        if vector_index.extension_schema(session) is None:
            raise EncoderUnavailable(NO_EXTENSION)
        number = serving_id(session, label)
        if number is None:
            raise EncoderUnavailable(NOT_ENCODED)
        opened = self._opened
        if opened is None or opened.background.id != number:
            stored = stored_background(session, label)
            if stored is None:
                raise EncoderUnavailable(NOT_ENCODED)
            opened = MeaningSearch(self.encoder, Background(stored.mean, stored.sample, stored.id))
            self._opened = opened
        return opened
