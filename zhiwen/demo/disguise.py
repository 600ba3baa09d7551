"""How a copier hides a copy: each function takes a text (one paragraph a line) and returns it disguised.

All are pure. Where chance plays a part, a seed decides it, so the demo's sites are the same on every machine.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from random import Random

EMBED_MARK = "[[embed]]"

_SENTENCE = re.compile(
    r"""
    .+?                 # the sentence itself
    (?:
        [。！？]+[”’）]*   # a Chinese full stop, with closing quotes that belong to it
      | [.!?]+["”’)]*\s+  # an English one is followed by a space
      | $               # the last sentence may have no stop
    )
    """,
    re.VERBOSE,
)

# Adverbs and particles that a spinner drops without hurting the sentence much.
_DROPPABLE = re.compile(r"[也都就还便才](?=[是有要能会在把从到])|了(?=[一二三两几])")

_ZERO_WIDTH = "\u200b\u200c\u200d\u2060\ufeff"
_PUNCTUATION = {"，": (",", "、", " , "), "。": ("．", ". ", "｡"), "“": ("「", '"'), "”": ("」", '"'), "：": (":", "∶")}
_FULL_WIDTH_SHIFT = 0xFEE0
_HAN = re.compile(r"[\u4e00-\u9fff]")


def sentences(paragraph: str) -> list[str]:
    return _SENTENCE.findall(paragraph)


def swap_homophones(text: str, groups: Mapping[str, str], *, share: float, seed: int) -> str:
    """Swaps this share of all Han characters for another of the same sound (fewer if the table knows too few)."""
    chance = Random(seed)  # noqa: S311 - repeatable, not secret
    wanted = round(share * len(_HAN.findall(text)))
    places = [place for place, character in enumerate(text) if character in groups]
    result = list(text)
    for place in chance.sample(places, min(wanted, len(places))):
        others = groups[text[place]].replace(text[place], "")
        result[place] = chance.choice(others)
    return "".join(result)


def to_traditional(text: str, table: Mapping[str, str]) -> str:
    """Traditional script; where the table holds whole words, the longest one at a place wins."""
    keys = sorted(table, key=len, reverse=True)
    pattern = re.compile("|".join(map(re.escape, keys)))
    return pattern.sub(lambda found: table[found[0]], text)


def shuffle_paragraphs(text: str, *, seed: int) -> str:
    return "\n".join(_shuffled(text.split("\n"), seed))


def shuffle_sentences(text: str, *, seed: int) -> str:
    """Deals all sentences out anew, over as many paragraphs of the same numbers of sentences."""
    split = [sentences(paragraph) for paragraph in text.split("\n")]
    pack = iter(_shuffled([sentence for paragraph in split for sentence in paragraph], seed))
    return "\n".join("".join(next(pack) for _ in paragraph) for paragraph in split)


def excerpt(text: str, *, chars: int, seed: int) -> str:
    """Whole sentences in a row from a random place, at least this many characters if the text has them."""
    marked = [(sentence, number) for number, line in enumerate(text.split("\n")) for sentence in sentences(line)]
    lengths = [len(sentence) for sentence, _ in marked]
    starts = [start for start in range(len(marked)) if sum(lengths[start:]) >= chars] or [0]
    start = Random(seed).choice(starts)  # noqa: S311 - repeatable, not secret
    taken: dict[int, str] = {}
    for sentence, number in marked[start:]:
        if sum(map(len, taken.values())) >= chars:
            break
        taken[number] = taken.get(number, "") + sentence
    return "\n".join(taken.values())


def mix(first: str, second: str) -> str:
    """Paragraphs of two texts by turns, every second paragraph of each."""
    pairs = zip(first.split("\n")[::2], second.split("\n")[1::2], strict=False)
    return "\n".join(paragraph for pair in pairs for paragraph in pair)


def embed(host: str, passage: str) -> str:
    """Puts the passage where the host text has its mark."""
    if EMBED_MARK not in host:
        raise ValueError(f"the host text has no {EMBED_MARK} line: add one where the passage shall stand")
    return host.replace(EMBED_MARK, passage)


def edit_words(text: str, synonyms: Mapping[str, str], *, fillers: Sequence[str] = (), share: float, seed: int) -> str:
    """Rewords until this share of the characters is touched, or no place for an edit is left."""
    edits = [*_synonym_edits(text, synonyms), *_drop_edits(text)]
    chance = Random(seed)  # noqa: S311 - repeatable, not secret
    edits += [(start, start, chance.choice(fillers)) for start in _paragraph_starts(text)] if fillers else []
    chance.shuffle(edits)
    budget = share * len(text)
    chosen: list[tuple[int, int, str]] = []
    for start, end, new in edits:
        if budget <= 0:
            break
        if any(start < taken_end and taken_start < end for taken_start, taken_end, _ in chosen):
            continue
        chosen.append((start, end, new))
        budget -= max(end - start, len(new))
    result = text
    for start, end, new in sorted(chosen, reverse=True):
        result = result[:start] + new + result[end:]
    return result


def hide_zero_width(text: str, *, share: float, seed: int) -> str:
    """Puts invisible characters behind this share of the characters."""
    chance = Random(seed)  # noqa: S311 - repeatable, not secret
    return "".join(
        character + (chance.choice(_ZERO_WIDTH) if character != "\n" and chance.random() < share else "")
        for character in text
    )


def twist_punctuation(text: str, *, seed: int) -> str:
    """Other signs for the same pauses, and here and there a space or a dot inside a word."""
    chance = Random(seed)  # noqa: S311 - repeatable, not secret
    result = []
    for character in text:
        result.append(chance.choice(_PUNCTUATION[character]) if character in _PUNCTUATION else character)
        if _HAN.match(character) and chance.random() < 1 / 25:
            result.append(chance.choice(" ·"))
    return "".join(result)


def to_full_width(text: str) -> str:
    """Full-width letters, digits and signs for every printable ASCII character but the space."""
    return "".join(chr(ord(one) + _FULL_WIDTH_SHIFT) if "!" <= one <= "~" else one for one in text)


def _shuffled(parts: list[str], seed: int) -> list[str]:
    """In another order than before, whenever there is one."""
    chance = Random(seed)  # noqa: S311 - repeatable, not secret
    result = list(parts)
    while len(set(parts)) > 1 and result == parts:
        chance.shuffle(result)
    return result


def _synonym_edits(text: str, synonyms: Mapping[str, str]) -> Iterator[tuple[int, int, str]]:
    words = sorted(synonyms, key=len, reverse=True)
    # English words are swapped whole; \b would never match between two Han characters.
    pattern = re.compile("|".join(rf"\b{re.escape(word)}\b" if word.isascii() else re.escape(word) for word in words))
    for found in pattern.finditer(text) if words else ():
        yield found.start(), found.end(), synonyms[found[0]]


def _drop_edits(text: str) -> Iterator[tuple[int, int, str]]:
    return ((found.start(), found.end(), "") for found in _DROPPABLE.finditer(text))


def _paragraph_starts(text: str) -> list[int]:
    return [0, *(found.end() for found in re.finditer("\n", text))]
