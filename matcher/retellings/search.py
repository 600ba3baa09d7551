"""What comparisons by meaning with one store share: encoder, background, look-up, and what was read of the store."""

from collections.abc import Collection, Iterable, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Final, TypeAlias

from matcher.alignment.kept_values import KeptValues
from matcher.meaning.background import Background
from matcher.meaning.candidates import LookedUp, look_up
from matcher.meaning.encoded_text import EncodedText, encode_text, encode_texts
from matcher.meaning.encoders.encoder import Encoder
from matcher.meaning.particulars import Contrast, particulars_of
from matcher.meaning.passages import asked_passages, sentences_around
from matcher.meaning.sentences import sentences_of
from matcher.meaning.terms.terms import terms_of
from storage.meaning import encodings

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

KEPT_SENTENCES: Final = 5_000
"""Sentences of the stored texts and parts that are kept encoded, some 3 kB each. Several pages of a batch often have
one source.
"""
BESIDE: Final = 1
"""Passages on either side of a near one that are read with it: three paragraphs may begin in the one before."""
KEPT_PARTICULARS: Final = 400
"""Texts whose particulars are kept, for the contrast: some 100 kB each."""

_Part: TypeAlias = tuple[str, tuple[int, ...] | None]
"""A text, and the numbers of its sentences; None: all of them."""


class MeaningSearch:
    """Compares with one store. What it keeps depends on texts alone, and texts never change; any number of threads may
    use it at once.
    """

    def __init__(self, encoder: Encoder, background: Background) -> None:
        self.encoder = encoder
        self.background = background
        self._kept = KeptValues[_Part, EncodedText](KEPT_SENTENCES)
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
        (encoded,) = self._encoded([(text, None)])
        return encoded

    def encode_near(self, near: Iterable[tuple[str, Sequence[int]]]) -> list[EncodedText]:
        """The same for parts of stored texts: these passages of each and those beside them. All of a text if none is
        known, or if it has no others.
        """
        return self._encoded([(text, _sentences_near(text, passages)) for text, passages in near])

    def _encoded(self, parts: "Sequence[_Part]") -> list[EncodedText]:
        known = {part: one for part in parts if (one := self._kept.get(part)) is not None}
        new = [part for part in dict.fromkeys(parts) if part not in known]
        for part, one in zip(new, encode_texts(new, self.encoder, self.background), strict=True):
            known[part] = self._kept.keep(part, one, size=len(one) + 1)
        return [known[part] for part in parts]

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


def _sentences_near(text: str, passages: Sequence[int]) -> tuple[int, ...] | None:
    numbers = tuple(sentences_around(text, passages, beside=BESIDE))
    return numbers if numbers and len(numbers) < len(sentences_of(text)) else None
