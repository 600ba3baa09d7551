"""The query without quotation marks: for copies whose wording was changed by sound, script or word. Pure.

Of 300 planted copies in six disguises, three quoted phrases found 241 in a full-text index, five found 253, and three
with this query 299. Names and figures alone found 261; the words of the phrases alone, 291.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

from crawler.web_search.phrases import LONGEST_TEXT, Phrase

MOST_NAMES: Final = 5
MOST_CHARS: Final = 190
"""Services take some hundred characters, or 32 words."""
SHORTEST_NAME: Final = 3
SHORTEST_COMMON_WORD: Final = 4
LONGEST_NAME: Final = 30
_OFTEN: Final = 5
_LONG: Final = 10
"""More occurrences and more characters make a name no better."""

_NAME: Final = re.compile(
    r"""(?<![^\W\u3005-\U0003134f])   # not inside a word; Chinese has no spaces between words
        (?:[A-Za-zÀ-ɏ][A-Za-zÀ-ɏ0-9]{0,39}+     # a word of Latin letters
           (?:[.+\#-][A-Za-zÀ-ɏ0-9]{1,39}+){0,4}+
         | [0-9]{1,15}+(?:[.,:][0-9]{1,15}+){0,4}+%?)   # a figure
    """,
    re.VERBOSE,
)
_SENTENCE_END: Final = frozenset('.!?…。！？:：\n\r"“”')


def key_words(text: str, phrases: Sequence[Phrase], *, avoid: Sequence[tuple[int, int]] = ()) -> str:
    """Return names and figures of a text that occur often, with the words of its phrases; empty without phrases.

    `avoid`: stretches (start, end) such as boilerplate. At most MOST_CHARS characters, on one line.
    """
    if not phrases:
        return ""
    query = " ".join(phrase.text for phrase in phrases)[:MOST_CHARS]
    for name in _names(text[:LONGEST_TEXT], avoid):
        if len(name) + 1 + len(query) <= MOST_CHARS:
            query = f"{name} {query}"
    return " ".join(query.replace('"', " ").split())


def _names(text: str, avoid: Sequence[tuple[int, int]]) -> list[str]:
    """The names and figures that say most; other words of Latin letters if there are too few."""
    counted = Counter(_found(text, avoid))

    def weight(word: str) -> tuple[bool, int, str]:
        return _is_common(word), -min(counted[word], _OFTEN) * min(len(word), _LONG), word

    fit = [word for word in counted if len(word) >= (SHORTEST_COMMON_WORD if _is_common(word) else SHORTEST_NAME)]
    return sorted(fit, key=weight)[:MOST_NAMES]


def _found(text: str, avoid: Sequence[tuple[int, int]]) -> Iterator[str]:
    for one in _NAME.finditer(text):
        if len(one[0]) > LONGEST_NAME or any(start < one.end() and one.start() < end for start, end in avoid):
            continue
        # The first word of a sentence has a capital, whatever it is.
        is_first = one[0][:1].isupper() and one[0][1:].islower() and _begins_sentence(text, one.start())
        yield one[0].lower() if is_first else one[0]


def _begins_sentence(text: str, start: int) -> bool:
    before = text[max(0, start - 4) : start].rstrip(" ")
    return not before or before[-1] in _SENTENCE_END


def _is_common(word: str) -> bool:
    return word.islower()
