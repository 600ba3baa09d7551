"""What comparisons by meaning with one store share: encoder, background, look-up, and what was read of the store."""

from collections.abc import Collection, Iterable, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from matcher.meaning.background import Background
from matcher.meaning.candidates import LookedUp, look_up
from matcher.meaning.encoded_text import EncodedText, encode_text
from matcher.meaning.encoders.encoder import Encoder
from matcher.meaning.particulars import Contrast, particulars_of
from matcher.meaning.passages import asked_passages, sentences_around
from matcher.meaning.sentences import sentences_of
from matcher.meaning.terms.terms import terms_of
from storage.meaning import encodings

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

KEPT_TEXTS: Final = 48
"""Encoded texts that are kept: some 200 kB each. Several pages of a batch often have one source."""
KEPT_PARTS: Final = 96
"""Parts of texts that are kept, some 60 kB each."""
BESIDE: Final = 1
"""Passages on either side of a near one that are read with it: three paragraphs may begin in the one before."""
KEPT_PARTICULARS: Final = 400
"""Texts whose particulars are kept, for the contrast: some 100 kB each."""


class MeaningSearch:
    """Compares with one store. What it keeps depends on texts alone, and texts never change; any number of threads may
    use it at once.
    """

    def __init__(self, encoder: Encoder, background: Background) -> None:
        self.encoder = encoder
        self.background = background
        self._encoded = lru_cache(maxsize=KEPT_TEXTS)(self.encode)
        self._parts = lru_cache(maxsize=KEPT_PARTS)(self._encode_part)
        self.particulars = lru_cache(maxsize=KEPT_PARTICULARS)(particulars_of)
        self.terms = lru_cache(maxsize=KEPT_PARTICULARS)(terms_of)

    @property
    def label(self) -> str:
        """The name of the encoder that stands beside stored vectors."""
        return f"{self.encoder.name} {self.encoder.version}"

    @property
    def reads_unpublished(self) -> bool:
        """Whether the encoder may have texts that are not public: one on another machine only if the user says so."""
        return self.encoder.reads_unpublished

    def encode(self, text: str) -> EncodedText:
        """Return the text with the vectors of its sentences: some 20 µs a Han character."""
        return encode_text(text, self.encoder, self.background)

    def encode_stored(self, text: str) -> EncodedText:
        """The same for a stored text, of which several may be compared."""
        return self._encoded(text)

    def encode_near(self, text: str, passages: Sequence[int]) -> EncodedText:
        """The same of a part: these passages of the text and those beside them. All of it if none is known, or if it
        has no others.
        """
        numbers = tuple(sentences_around(text, passages, beside=BESIDE))
        return self._parts(text, numbers) if numbers and len(numbers) < len(sentences_of(text)) else self._encoded(text)

    def _encode_part(self, text: str, numbers: tuple[int, ...]) -> EncodedText:
        return encode_text(text, self.encoder, self.background, numbers)

    def look_up(self, session: "Session", query: EncodedText, *, not_texts: Collection[int], limit: int) -> LookedUp:
        """Return the stored texts that may say the same, and what is near; `not_texts` are passed over."""
        asked = asked_passages(query, self.background)
        return look_up(session, asked, encoder=self.label, not_texts=not_texts, limit=limit)

    def is_partial(self, session: "Session") -> bool:
        """Return whether some stored texts are not encoded yet."""
        return self.background.id is not None and encodings.is_any_waiting(session, self.background.id)

    def contrast(self, texts: Iterable[str]) -> Contrast:
        """Return what these stored texts name."""
        return Contrast.of_particulars(map(self.particulars, texts))

    def term_contrast(self, texts: Iterable[str]) -> Contrast:
        """Return the terms of these stored texts, in both languages of the word list."""
        return Contrast.of_particulars(map(self.terms, texts))
