"""Decides whether one text retells another, and says why.

A similarity is no proof. What independent writers do not share is the order of what is said, the particulars, and above
all the figures: template news has the sentences of another and not its figures.
"""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from typing import Final

from matcher.meaning.encoded_text import EncodedText
from matcher.meaning.evidence import NO_EVIDENCE, Evidence, ShortEvidence, score
from matcher.meaning.in_common import InCommon, in_common, shared_terms, terms_in_common
from matcher.meaning.languages import are_of_different_languages
from matcher.meaning.numbers.figures import is_figure
from matcher.meaning.particulars import Contrast
from matcher.meaning.quotations import shared_quotations
from matcher.meaning.rivals import Rivals
from matcher.meaning.sentence_pairs import SentencePair, sentence_gains, sentence_pairs
from matcher.meaning.shared_particulars import shared_particulars
from matcher.meaning.short_texts import are_short, short_evidence
from matcher.meaning.stretches import Stretch, heaviest_stretch
from matcher.meaning.terms.terms import terms_of
from matcher.meaning.wholes import wholes_of, with_gaps

NO_RIVALS: Final = Rivals()
RETOLD_FROM: Final = 0.8
"""Least score of a retelling in one language: docs/quality.md has what other bounds find and wrongly name."""
TRANSLATED_FROM: Final = 0.7
"""Least score of a translation: of 1,223 innocents none has .65 to .9 with a text in another language, and of what has
.7 to .8 seven of eight are true."""
RARE: Final = 0.75
"""Share of the greatest rarity from which a particular counts in the score: at most one text of thirty has it."""
HALF: Final = 0.5
"""Share of the sentences of a short text that one pair must be to prove anything: of 298 true pairs two have less."""
MANY_FIGURES: Final = 8
"""Figures from which those that differ count against a retelling. In nine true pairs with so many, three in four or
more agree; in two template notices, 5 of 10 and 1 of 12."""


@dataclass(frozen=True, slots=True)
class Retelling:
    """`score`: 0…1, the probability among pairs like those of the fit. `left_share`, `right_share`: share of the
    sentences of each text that are paired in the stretch. `particulars`: as they read in the left text. `figures`: the
    figures that both have in paired sentences, and the most that they could have. `quotations`: those that both have
    there word by word. `evidence`: what the score rests on.
    """

    stretch: Stretch
    score: float
    left_share: float
    right_share: float
    particulars: tuple[str, ...]
    figures: tuple[int, int]
    quotations: tuple[str, ...] = ()
    evidence: Evidence | ShortEvidence = NO_EVIDENCE

    @property
    def needed(self) -> float:
        """Score from which this is a retelling. Of two short texts the score does not tell their languages."""
        is_translated = isinstance(self.evidence, Evidence) and self.evidence.is_translated
        return TRANSLATED_FROM if is_translated else RETOLD_FROM

    @property
    def is_retold(self) -> bool:
        return self.score >= self.needed and not self.has_other_figures and not self.rests_on_one_sentence

    @property
    def rests_on_one_sentence(self) -> bool:
        """Whether one sentence, less than half of either text, is all that is alike: two price lists of one shop."""
        return len(self.stretch.pairs) == 1 and max(self.left_share, self.right_share) < HALF

    @property
    def has_other_figures(self) -> bool:
        """Whether there are many figures that could agree, and half of them or more do not: a weather report or a list
        of prices says with other figures what the one of last week says.
        """
        shared, most = self.figures
        return most >= MANY_FIGURES and 2 * shared <= most


def retelling_of(
    left: EncodedText,
    right: EncodedText,
    contrast: Contrast,
    rivals: Rivals = NO_RIVALS,
    *,
    ignored_left: Collection[int] = (),
    ignored_right: Collection[int] = (),
    terms: Callable[[], Contrast] | None = None,
) -> Retelling | None:
    """Return the stretch that one text retells of the other, with its score; None if no sentences are alike.

    `rivals`: other texts that are near the left one, each of which might be what it retells. `terms`: returns the
    contrast of the terms that two languages have in common; without it none are compared.
    Ignored sentences are those with the same wording, which the literal proof has. They neither cost nor count; of two
    short texts none is ignored.
    """
    is_short = are_short(left, right)
    if is_short:
        ignored_left = ignored_right = ()
    stretch = _stretch(left, right, contrast, left.others(ignored_left), right.others(ignored_right))
    if stretch is None:
        return None
    figures = _figures(stretch, left, right)
    is_translated = are_translated(stretch, left, right)
    evidence: Evidence | ShortEvidence
    if is_short:
        evidence = short_evidence(left, right, contrast)
    else:
        ignored = ignored_left, ignored_right
        evidence = _evidence(stretch, left, right, contrast, rivals, ignored=ignored, figures=figures)
        common = _in_common(stretch, left, right, contrast, ignored=ignored, terms=terms, is_translated=is_translated)
        evidence = evidence._replace(is_translated=is_translated, common=common)
    if is_translated and terms is not None:
        stretch = _with_terms(stretch, left, right, terms())
    return Retelling(
        stretch,
        score(evidence),
        len(stretch.pairs) / len(left),
        len(stretch.pairs) / len(right),
        _particulars(stretch, left, right),
        figures,
        shared_quotations(*_paired(stretch, left, right)),
        evidence,
    )


def are_translated(stretch: Stretch, left: EncodedText, right: EncodedText) -> bool:
    """Return whether the paired sentences are in two languages."""
    return are_of_different_languages(*_paired(stretch, left, right))


def _paired(stretch: Stretch, left: EncodedText, right: EncodedText) -> tuple[list[str], list[str]]:
    """Return the paired sentences of each text."""
    return [left.sentence(pair.left) for pair in stretch.pairs], [right.sentence(pair.right) for pair in stretch.pairs]


def _stretch(
    left: EncodedText, right: EncodedText, contrast: Contrast, left_kept: Sequence[int], right_kept: Sequence[int]
) -> Stretch | None:
    """Return the heaviest stretch of the kept sentences, numbered as in the whole texts."""
    pairs = sentence_pairs(left.part(left_kept), right.part(right_kept), contrast)
    stretch = heaviest_stretch(pairs, len(left_kept), len(right_kept))
    if stretch is None or not stretch.pairs:
        return None
    numbered = tuple(
        SentencePair(left_kept[pair.left], right_kept[pair.right], pair.gain, pair.particulars)
        for pair in stretch.pairs
    )
    return replace(stretch, pairs=numbered)


def _evidence(
    stretch: Stretch,
    left: EncodedText,
    right: EncodedText,
    contrast: Contrast,
    rivals: Rivals,
    *,
    ignored: tuple[Collection[int], Collection[int]],
    figures: tuple[int, int],
) -> Evidence:
    """Return the evidence of a stretch, without what both sides name and in which languages they are."""
    particulars = {key for pair in stretch.pairs for key in pair.particulars}
    rarities = map(contrast.rarity, sorted(particulars))
    one, other = _sides(stretch, *ignored)
    gains = sentence_gains(left.part(one), right.part(other), contrast).max(axis=1)
    return Evidence(
        weight=stretch.weight,
        in_order=stretch.in_order,
        rare=sum(rarity for rarity in rarities if rarity > RARE * contrast.rarest),
        shorter=min(len(left) - len(ignored[0]), len(right) - len(ignored[1])),
        figures=figures,
        gain=sum(pair.gain for pair in stretch.pairs) / len(stretch.pairs),
        density=len(stretch.pairs) / stretch.sentences,
        wholes=wholes_of(stretch, left, right, rivals.texts, ignored_left=ignored[0], ignored_right=ignored[1]),
        won=rivals.left_over(left, one, gains),
    )


def _sides(
    stretch: Stretch, ignored_left: Collection[int], ignored_right: Collection[int]
) -> tuple[list[int], list[int]]:
    """Return the sentences of each text from the first of the stretch to the last, without ignored ones."""
    paired = [pair.left for pair in stretch.pairs], [pair.right for pair in stretch.pairs]
    return with_gaps(paired[0], ignored_left), with_gaps(paired[1], ignored_right)


def _in_common(
    stretch: Stretch,
    left: EncodedText,
    right: EncodedText,
    contrast: Contrast,
    *,
    ignored: tuple[Collection[int], Collection[int]],
    terms: Callable[[], Contrast] | None,
    is_translated: bool,
) -> InCommon:
    """Return what both sides of the stretch name that is rare."""
    numbers = _sides(stretch, *ignored)
    one, other = left.part(numbers[0]), right.part(numbers[1])
    if is_translated:
        return terms_in_common(_sentences(one), _sentences(other), terms)
    return in_common(frozenset().union(*one.particulars), frozenset().union(*other.particulars), contrast)


def _sentences(text: EncodedText) -> list[str]:
    return [text.sentence(number) for number in range(len(text))]


def _with_terms(stretch: Stretch, left: EncodedText, right: EncodedText, contrast: Contrast) -> Stretch:
    """Return the stretch with the rare terms that both sentences of a pair name, beside its particulars."""
    if shared_terms(*_paired(stretch, left, right)) is None:
        return stretch
    least = RARE * contrast.rarest
    pairs = []
    for pair in stretch.pairs:
        both = terms_of(left.sentence(pair.left)) & terms_of(right.sentence(pair.right))
        rare = sorted(key for key in both if contrast.rarity(key) > least)
        pairs.append(pair._replace(particulars=(*pair.particulars, *rare)))
    return replace(stretch, pairs=tuple(pairs))


def _figures(stretch: Stretch, left: EncodedText, right: EncodedText) -> tuple[int, int]:
    one = {key for pair in stretch.pairs for key in left.particulars[pair.left] if is_figure(key)}
    other = {key for pair in stretch.pairs for key in right.particulars[pair.right] if is_figure(key)}
    return len(one & other), min(len(one), len(other))


def _particulars(stretch: Stretch, left: EncodedText, right: EncodedText) -> tuple[str, ...]:
    found: dict[str, None] = {}
    for pair in stretch.pairs:
        sentences = left.sentence(pair.left), right.sentence(pair.right)
        found.update(dict.fromkeys(shared_particulars(pair.particulars, *sentences)))
    return tuple(found)
