"""Parts of innocent pages: probes that must match nothing, and pieces of articles to store."""

from collections.abc import Iterator
from math import ceil
from random import Random
from typing import Final

from benchmarks.corpus.model import Article, Expected, Language, Probe
from benchmarks.disguises.blocks import own, whole
from benchmarks.disguises.order import MIN_SENTENCE_CHARS
from benchmarks.disguises.segmentation import opening, sentences

MAX_PAGE_CHARS: Final = 1_500
MIN_BODY_CHARS: Final = 200
MAX_BODY_CHARS: Final = 900
RELATED_CHARS: Final = 40
"""Letters and digits in a row that only related texts share."""


def innocent(family: str, number: int, language: Language, text: str, *, title: str = "") -> Probe:
    return Probe(f"{family}/{number}", family, language, text, Expected.INNOCENT, title)


def bodies(articles: tuple[Article, ...], wanted: int, rng: Random) -> list[str]:
    """Texts that have nothing to do with each other: pieces of the articles, as many as wanted if they hold so many.

    A piece has MIN_BODY_CHARS to MAX_BODY_CHARS characters, or a little more, since it ends with a sentence.
    """
    each = ceil(wanted / len(articles))
    found = [body for article in articles for body in _pieces(article, each)]
    rng.shuffle(found)
    return found[:wanted]


def unrelated(articles: tuple[Article, ...], texts: list[str]) -> tuple[Article, ...]:
    """The articles whose page shares no RELATED_CHARS letters and digits in a row with any text.

    Real corpora hold an article twice, a little changed: as an innocent page it would be no innocent. Raises ValueError
    if no article is left.
    """
    known = {run for text in texts for run in _runs(text)}
    found = tuple(article for article in articles if known.isdisjoint(_runs(page_text(article))))
    if not found:
        message = (
            f"each of {len(articles)} held-out articles shares a passage with a stored one: the corpus is too uniform"
        )
        raise ValueError(message)
    return found


def page_text(article: Article) -> str:
    """The beginning of an article, as long as an ordinary page."""
    return opening(whole(article), MAX_PAGE_CHARS).stripped().text


def halves(text: str, language: Language) -> tuple[str, str]:
    """The text cut in two at the end of a sentence, near its middle."""
    parts = sentences(own(text), at_least=MIN_SENTENCE_CHARS[language])
    middle = len(parts) // 2
    return "".join(part.text for part in parts[:middle]), "".join(part.text for part in parts[middle:])


def _runs(text: str) -> Iterator[str]:
    letters = "".join(filter(str.isalnum, text))
    return (letters[start : start + RELATED_CHARS] for start in range(len(letters) - RELATED_CHARS + 1))


def _pieces(article: Article, count: int) -> Iterator[str]:
    # A piece runs over its size by a sentence; without room for that the last piece would be lost.
    size = max(MIN_BODY_CHARS, min(MAX_BODY_CHARS, len(article.text) * 4 // (5 * count)))
    for piece in sentences(whole(article), at_least=size)[:count]:
        body = opening(piece, 2 * MAX_BODY_CHARS).stripped().text
        if len(body) >= MIN_BODY_CHARS:
            yield body
