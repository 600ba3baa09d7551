"""Chooses the phrases of an article that search services are asked for. Pure.

Three phrases of ten characters, each inside one clause and spread over the text, stand unchanged in 98 of 100 revised
copies of Chinese articles (400 pairs of draft and published version), five in all of them, and in none of 80,000
unrelated texts. Rare phrases are worse than random ones: those who revise a text change rare words first.
"""

import random
import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from crawler.extraction.main_content.trimming_phrases import META, NOTICE

PHRASES: Final = 3
MORE_PHRASES: Final = 5
"""For articles that were copied before, or are marked as dear."""
LONG_TEXT: Final = 6_000
"""Characters from which an article has phrases beyond these: a copy of one piece has only those that stand in it."""
CHARS_A_PHRASE: Final = 4_000
MOST_FOR_LENGTH: Final = 12
"""Bound of what one article costs. Few are so long: over 993 pages of ten sites these are a quarter of a query each."""
PHRASE_CHARS: Final = 10
PHRASE_WORDS: Final = 7
"""In languages that set spaces between words."""
SHORTEST_WORDS_CHARS: Final = 30
LONGEST_PHRASE: Final = 80
"""Some services cut queries off."""
LONGEST_NOTICE: Final = 80
"""Lines about the page itself are short; an article may mention its author in a long one."""
LONGEST_TEXT: Final = 200_000
"""Characters from the beginning from which phrases are chosen."""
TRIES: Final = 40
"""Places that are looked at in each stretch of the text, of those that a phrase may have."""

_LINE: Final = re.compile(r"[^\r\n\u2028\u2029]+")
_CLAUSE: Final = re.compile(r"""[^。！？；，、：…．.!?;,:()（）\[\]【】<>|/\\=*_#~"“”«»「」『』‘’《》〈〉—–]+""")
"""What stands between two marks. Hyphens and straight apostrophes are parts of words."""
_QUOTED: Final = re.compile(
    r"""“[^“”\n]{0,400}+” | ‘[^‘’\n]{0,400}+’ | 「[^「」\n]{0,400}+」 | 『[^『』\n]{0,400}+』
      | 《[^《》\n]{0,100}+》 | «[^«»\n]{0,400}+» | "[^"\n]{0,400}+" """,
    re.VERBOSE,
)
_HAN: Final = re.compile(r"[\u3005\u3007\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\U00020000-\U0003134f]")
_HAN_ONLY: Final = re.compile(rf"(?:{_HAN.pattern}){{{PHRASE_CHARS}}}")
_WORD: Final = re.compile(r"[^\s]+")
_FUNCTION_CHARACTERS: Final = frozenset(
    "的了在是和与與也不就都而及对對从從将將被把为為以这這那有到说說要会會能可之其但并並或于於由让讓给給向着著过過得地很更最还還又再只没沒等们們いるのをにはがでと"
)
"""One of them is in almost every stretch of ten characters that says something; in names there are few."""
_LEAST_LOWER: Final = 3
"""Words in small letters of a phrase; names and headings have capitals."""


@dataclass(frozen=True, slots=True)
class Phrase:
    """`start`: where it stands in the article, in characters."""

    text: str
    start: int

    @property
    def end(self) -> int:
        return self.start + len(self.text)


def phrase_count(length: int, *, is_dear: bool) -> int:
    """Return how many phrases a visit asks for, of an article of `length` characters."""
    beyond = min(MOST_FOR_LENGTH, max(0, length - LONG_TEXT) // CHARS_A_PHRASE)
    return (MORE_PHRASES if is_dear else PHRASES) + beyond


def choose_phrases(
    text: str,
    *,
    count: int,
    salt: str,
    avoid: Sequence[tuple[int, int]] = (),
    elsewhere: Sequence[str] = (),
) -> tuple[Phrase, ...]:
    """Return up to `count` phrases, in the order of the text; fewer if it has no more that say something.

    `avoid`: stretches (start, end) such as boilerplate. `elsewhere`: other texts in which no phrase may stand. `salt`:
    the same one chooses the same phrases.
    """
    text = text[:LONGEST_TEXT]
    if count < 1 or not text:
        return ()
    forbidden = _merged((*avoid, *((found.start(), found.end()) for found in _QUOTED.finditer(text))))
    begins = [start for start, _ in forbidden]
    places = [one for one in _places(text) if not _is_inside(one, forbidden, begins)]
    others = tuple(_without_space(one) for one in elsewhere)
    chance = random.Random(f"{salt}\n{len(text)}")  # noqa: S311  (a choice, no secret)
    chosen: list[Phrase] = []
    for stretch in (*_stretches(places, len(text), count), places):
        if len(chosen) == count:
            break
        found = _one_of(stretch, chosen, others, chance)
        if found is not None:
            chosen.append(found)
    while len(chosen) < count and (found := _one_of(places, chosen, others, chance)) is not None:
        chosen.append(found)
    return tuple(sorted(chosen, key=lambda phrase: phrase.start))


def _places(text: str) -> Iterator[Phrase]:
    """Every place in a clause at which a phrase may begin, in the order of the text."""
    for line in _LINE.finditer(text):
        if len(line[0]) <= LONGEST_NOTICE and (META.search(line[0]) or NOTICE.match(line[0])):
            continue
        for clause in _CLAUSE.finditer(text, line.start(), line.end()):
            if len(clause[0]) >= PHRASE_CHARS:
                yield from _places_in(clause[0], clause.start())


def _places_in(clause: str, offset: int) -> Iterator[Phrase]:
    if 2 * len(_HAN.findall(clause)) > len(clause.replace(" ", "")):
        for start in range(len(clause) - PHRASE_CHARS + 1):
            piece = clause[start : start + PHRASE_CHARS]
            if _HAN_ONLY.fullmatch(piece) and not _FUNCTION_CHARACTERS.isdisjoint(piece):
                yield Phrase(piece, offset + start)
        return
    words = list(_WORD.finditer(clause))
    for first in range(len(words) - PHRASE_WORDS + 1):
        start, end = words[first].start(), words[first + PHRASE_WORDS - 1].end()
        said = [word[0] for word in words[first : first + PHRASE_WORDS]]
        if SHORTEST_WORDS_CHARS <= end - start <= LONGEST_PHRASE and _says_something(said):
            piece = clause[start:end]
            if piece.isprintable():
                yield Phrase(piece, offset + start)


def _says_something(words: Sequence[str]) -> bool:
    """Whether words are more than names and figures. Scripts without capitals: whether most are letters."""
    if not any(char.isupper() or char.islower() for word in words for char in word):
        return sum(word.isalpha() for word in words) > len(words) // 2
    return sum(word.isalpha() and word.islower() for word in words) >= _LEAST_LOWER


def _merged(stretches: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """Stretches in order, those that touch as one."""
    merged: list[tuple[int, int]] = []
    for start, end in sorted(stretches):
        if merged and start <= merged[-1][1]:
            merged[-1] = merged[-1][0], max(end, merged[-1][1])
        else:
            merged.append((start, end))
    return merged


def _is_inside(phrase: Phrase, forbidden: Sequence[tuple[int, int]], begins: Sequence[int]) -> bool:
    """Whether a phrase touches a forbidden stretch: the last one that begins before its end."""
    last = bisect_left(begins, phrase.end) - 1
    return last >= 0 and forbidden[last][1] > phrase.start


def _overlaps(phrase: Phrase, forbidden: Sequence[tuple[int, int]]) -> bool:
    return any(start < phrase.end and phrase.start < end for start, end in forbidden)


def _stretches(places: Sequence[Phrase], length: int, count: int) -> list[list[Phrase]]:
    """The places by the equal part of the text in which they begin."""
    parts: list[list[Phrase]] = [[] for _ in range(count)]
    for one in places:
        parts[one.start * count // length].append(one)
    return parts


def _one_of(
    places: Sequence[Phrase], chosen: Sequence[Phrase], others: Sequence[str], chance: random.Random
) -> Phrase | None:
    taken = [(one.start, one.end) for one in chosen]
    for found in chance.sample(places, min(TRIES, len(places))):
        wording = _without_space(found.text)
        if _overlaps(found, taken) or any(found.text == one.text for one in chosen):
            continue
        if not any(wording in other for other in others):
            return found
    return None


def _without_space(text: str) -> str:
    return "".join(text.split())
