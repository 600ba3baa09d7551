"""Verbatim text: units compared by their characters, which rules out mere similarity of sound.

Set phrases are verbatim, too: those of politics and of trade have fifty characters. But they are parts of a sentence,
and in three of four cases so short a copy includes the end of one sentence and the beginning of the next.
"""

from fingerprint.characters.tables import code_points
from fingerprint.model import Initials
from matcher.alignment.align import Mask
from matcher.alignment.kgrams import Grams
from matcher.discounts.scanning import first_of_sentences, numbers_of_units


def characters_of(text: Initials) -> Grams:
    """Return a number for each unit made of its first character, its last, and how many it has."""
    return numbers_of_units(code_points(text.canonical.text), text.chars_from, text.chars_to)


def sentence_starts(text: Initials) -> Mask:
    """Return which units are the first of a sentence or of a line."""
    return first_of_sentences(code_points(text.canonical.source), text.canonical.starts.take(text.chars_from))
