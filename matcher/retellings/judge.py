"""One pair of texts, judged by meaning beside what other texts on the subject share."""

from collections.abc import Callable, Sequence

from matcher.meaning.encoded_text import EncodedText
from matcher.meaning.particulars import Contrast
from matcher.meaning.retelling import NO_RIVALS, Retelling, are_translated, retelling_of
from matcher.meaning.rivals import Rivals
from matcher.meaning.sentences import Sentence
from matcher.meaning.shared_particulars import shared_particulars
from matcher.meaning.wording import same_wording
from storage.records.retellings import AlikeSentences
from storage.types import RetellingKind


def judge_retelling(
    left: EncodedText,
    right: EncodedText,
    contrast: Contrast,
    rivals: Rivals = NO_RIVALS,
    *,
    terms: Callable[[], Contrast] | None = None,
) -> Retelling | None:
    """Return what one text retells of the other, beyond sentences of the same wording; None if no sentences are alike.

    `contrast`: other texts on the same subject; `terms`: the same of terms. `rivals`: the other candidates. The score
    says whether it is a retelling (`is_retold`).
    """
    return retelling_of(
        left,
        right,
        contrast,
        rivals,
        ignored_left=same_wording(left, right),
        ignored_right=same_wording(right, left),
        terms=terms,
    )


def kind_of(retelling: Retelling, left: EncodedText, right: EncodedText) -> RetellingKind:
    """Return whether the paired sentences are in one language or in two."""
    is_translated = are_translated(retelling.stretch, left, right)
    return RetellingKind.TRANSLATED if is_translated else RetellingKind.RETOLD


def sentences_of_retelling(retelling: Retelling, left: EncodedText, right: EncodedText) -> tuple[AlikeSentences, ...]:
    """Return the paired sentences with their offsets, in the order of the left text."""
    found = []
    for pair in retelling.stretch.pairs:
        one, other = left.sentences[pair.left], right.sentences[pair.right]
        similarity = float(left.vectors[pair.left] @ right.vectors[pair.right])
        found.append(
            AlikeSentences(
                *(one.start, one.end, other.start, other.end, round(pair.gain, 4)),
                particulars=shared_particulars(pair.particulars, left.sentence(pair.left), right.sentence(pair.right)),
                similarity=round(min(1.0, max(0.0, similarity)), 4),
            )
        )
    return tuple(found)


def left_out_of(paired: Sequence[int], sentences: Sequence[Sentence]) -> tuple[Sentence, ...]:
    """Return the sentences between the first and the last paired one that have no counterpart."""
    known = set(paired)
    return tuple(sentences[number] for number in range(min(known), max(known)) if number not in known) if known else ()
