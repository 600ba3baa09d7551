"""Every way of copying and every kind of innocent page that is measured, with the share that must come out right."""

from collections.abc import Callable, Iterator
from functools import partial
from typing import Final

from benchmarks.corpus.model import Builder, Expected, Family, Language
from benchmarks.disguises.characters import full_width, homophones, hongkong, lookalikes, taiwan, traditional
from benchmarks.disguises.combined import combined, combined_hard
from benchmarks.disguises.excerpts import excerpt
from benchmarks.disguises.frames import framed, new_lead
from benchmarks.disguises.kit import Arrangement, disguised
from benchmarks.disguises.order import (
    scrambled_characters,
    shuffle_paragraphs,
    shuffle_sentences,
    swapped_words,
)
from benchmarks.disguises.punctuation import punctuation, spaces, zero_width
from benchmarks.disguises.words import synonyms, word_edits
from benchmarks.quality.innocents.carried import DISCLAIMER, FOOTER, STATEMENT, below, carried, quoted
from benchmarks.quality.innocents.facts import template_news
from benchmarks.quality.innocents.lists import list_pages
from benchmarks.quality.innocents.ordinary import ordinary, same_subject
from benchmarks.quality.innocents.wire import wire_stories
from benchmarks.quality.scenarios.copies import copies, mosaics, passages
from benchmarks.quality.scenarios.popularity import POPULARITIES, popular

CHINESE: Final = (Language.CHINESE,)
ENGLISH: Final = (Language.ENGLISH,)
FLOOR: Final = 0.95
HEAVY_REWRITING_FLOOR: Final = 0.90
PASSAGE_FLOOR: Final = 0.97
POPULARITY_FLOOR: Final = 0.98
INNOCENT_FLOOR: Final = 0.99
ENGLISH_SCALE: Final = 3.5
"""Characters of English for one of Chinese: 1.6 Han characters say what an English word does, of 5.7 with its space."""


def _copying(
    name: str,
    title: str,
    arrange: Arrangement,
    *,
    floor: float = FLOOR,
    languages: tuple[Language, ...] = tuple(Language),
    titled: bool = True,
) -> Iterator[Family]:
    return _families(name, title, lambda full: copies(full, arrange, titled=titled), floor=floor, languages=languages)


def _families(
    name: str,
    title: str,
    builder: Callable[[str], Builder],
    *,
    expected: Expected = Expected.COPY,
    floor: float | None = FLOOR,
    languages: tuple[Language, ...] = tuple(Language),
) -> Iterator[Family]:
    for language in languages:
        full = f"{language}-{name}"
        yield Family(full, title, language, expected, builder(full), floor)


def _passages(chars: int, *, floor: float | None) -> Iterator[Family]:
    """The family of passages; English ones are longer, for as much content as so many Chinese characters."""
    for language, scale in ((Language.CHINESE, 1.0), (Language.ENGLISH, ENGLISH_SCALE)):
        length = round(scale * chars)
        yield from _families(
            f"passage-{chars}",
            f"{length} characters inside another text",
            partial(passages, chars=length),
            floor=floor,
            languages=(language,),
        )


def _innocent(
    name: str, title: str, builder: Callable[[str], Builder], *, expected: Expected = Expected.INNOCENT
) -> Iterator[Family]:
    return _families(name, title, builder, expected=expected, floor=INNOCENT_FLOOR)


def _popular() -> Iterator[Family]:
    for one in POPULARITIES:
        yield from _families(
            f"popular-{one.stored}",
            f"a story stored {one.stored:,} times",
            partial(popular, popularity=one),
            floor=POPULARITY_FLOOR,
        )


FAMILIES: Final[tuple[Family, ...]] = (
    *_copying("frame", "whole copy in another site's frame", framed),
    *_copying("words-5", "5 % of the words edited", disguised(word_edits(0.05))),
    *_copying("words-15", "15 % of the words edited", disguised(word_edits(0.15))),
    *_copying("words-30", "30 % of the words edited", disguised(word_edits(0.30)), floor=HEAVY_REWRITING_FLOOR),
    *_copying("paragraphs", "paragraphs shuffled", shuffle_paragraphs),
    *_copying("sentences", "sentences shuffled", shuffle_sentences),
    *_copying("excerpt-25", "a quarter as an excerpt", disguised(excerpt(0.25))),
    *_copying("excerpt-50", "half as an excerpt", disguised(excerpt(0.50))),
    *_copying("homophones-10", "10 % of the characters by homophones", disguised(homophones(0.10)), languages=CHINESE),
    *_copying("homophones-30", "30 % of the characters by homophones", disguised(homophones(0.30)), languages=CHINESE),
    *_copying("traditional", "traditional script", disguised(traditional), languages=CHINESE),
    *_copying("taiwan", "traditional script, words of Taiwan", disguised(taiwan), languages=CHINESE),
    *_copying("hongkong", "traditional script, words of Hong Kong", disguised(hongkong), languages=CHINESE),
    *_copying("scrambled-3", "characters scrambled within 3", disguised(scrambled_characters(3)), languages=CHINESE),
    *_copying("scrambled-10", "characters scrambled within 10", disguised(scrambled_characters(10)), languages=CHINESE),
    *_copying("scrambled-15", "characters scrambled within 15", disguised(scrambled_characters(15)), languages=CHINESE),
    *_copying(
        "swapped-words", "10 % of the words swapped with a neighbour", disguised(swapped_words(0.1)), languages=ENGLISH
    ),
    *_copying("punctuation", "punctuation replaced or removed", disguised(punctuation)),
    *_copying("spaces", "spaces between characters", disguised(spaces)),
    *_copying("zero-width", "invisible characters put in", disguised(zero_width)),
    *_copying("full-width", "letters, digits and signs of full width", disguised(full_width(1.0))),
    *_copying("lookalikes", "10 % of the characters by look-alikes", disguised(lookalikes(0.1))),
    *_copying("synonyms", "words by synonyms", disguised(synonyms(0.8))),
    *_copying("new-lead", "title and first paragraph rewritten", new_lead, titled=False),
    *_copying("combined", "three or four of these and the order or frame changed", combined),
    *_copying("combined-hard", "half of the text, disguised in five ways, inside another", combined_hard),
    *_passages(60, floor=None),
    *_passages(120, floor=PASSAGE_FLOOR),
    *_passages(300, floor=FLOOR),
    *_families("mosaic", "three to five sources in one page", lambda full: mosaics(full, own_text=False)),
    *_families("mosaic-own", "the same with own text between", lambda full: mosaics(full, own_text=True)),
    *_popular(),
    *_innocent("ordinary", "ordinary articles", ordinary),
    *_innocent("same-subject", "articles nearest in subject to a stored one", same_subject),
    *_innocent("template-news", "news that differs in its facts only", template_news),
    *_innocent("disclaimer", "a disclaimer that many sites have", partial(carried, spread=DISCLAIMER, join=below)),
    *_innocent("footer", "a footer that a whole site has", partial(carried, spread=FOOTER, join=below)),
    *_innocent("statement", "a public statement, quoted", partial(carried, spread=STATEMENT, join=quoted)),
    *_innocent("list-page", "a list page with many first lines", list_pages),
    *_innocent("wire", "an agency's story on many sites", wire_stories, expected=Expected.NO_CASE),
)
