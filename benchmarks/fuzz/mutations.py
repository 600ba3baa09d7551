"""Inputs from seeds: mutated, spliced, nested, repeated, re-encoded. The same seed and number make the same bytes."""

import gzip
import random
import zlib
from collections.abc import Callable, Sequence
from typing import Final, TypeAlias

from benchmarks.fuzz.dictionaries import tokens
from benchmarks.fuzz.model import Parser

LARGEST: Final = 64_000
"""Largest size of nearly all inputs: many small ones find more than few large ones."""
LARGEST_OF_FEW: Final = 1_000_000
LARGE_EVERY: Final = 200
MOST_STEPS: Final = 6
MOST_REPEATS: Final = 3_000

Mutation: TypeAlias = Callable[[random.Random, bytearray, Parser], bytearray]

CHARSETS: Final = ("gb18030", "big5", "utf-16", "utf-16-be", "utf-32", "shift_jis", "euc_kr", "cp1252", "utf-7", "hz")


def input_of(parser: Parser, seed: int, number: int) -> bytes:
    """The input of that number. One in ten is made of tokens alone, the others of seeds."""
    rng = random.Random(f"{seed}/{parser.name}/{number}")  # not secret
    largest = LARGEST_OF_FEW if number % LARGE_EVERY == LARGE_EVERY - 1 else LARGEST
    if rng.random() < 0.1 and parser.tokens:
        made = bytearray(b"".join(rng.choice((*parser.tokens, *tokens("any"))) for _ in range(rng.randint(1, 300))))
    else:
        made = bytearray(rng.choice(parser.seeds))
    for _ in range(rng.randint(0, MOST_STEPS)):
        made = rng.choice(_MUTATIONS)(rng, made, parser)[:largest]
    if largest == LARGEST_OF_FEW and made:
        made = (made * (largest // len(made) + 1))[:largest]
    return bytes(made)


def _place(rng: random.Random, data: Sequence[int]) -> int:
    return rng.randint(0, len(data))


def _flipped(rng: random.Random, data: bytearray, _parser: Parser) -> bytearray:
    for _ in range(rng.randint(1, 12)):
        if data:
            data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
    return data


def _overwritten(rng: random.Random, data: bytearray, _parser: Parser) -> bytearray:
    start = _place(rng, data)
    data[start : start + rng.randint(1, 40)] = rng.randbytes(rng.randint(0, 40))
    return data


def _cut(rng: random.Random, data: bytearray, _parser: Parser) -> bytearray:
    return data[: _place(rng, data)] if rng.random() < 0.5 else data[_place(rng, data) :]


def _without(rng: random.Random, data: bytearray, _parser: Parser) -> bytearray:
    start = _place(rng, data)
    del data[start : start + rng.randint(1, 200)]
    return data


def _strewn(rng: random.Random, data: bytearray, parser: Parser) -> bytearray:
    for _ in range(rng.randint(1, 8)):
        start = _place(rng, data)
        data[start:start] = rng.choice((*parser.tokens, *tokens("any")))
    return data


def _repeated(rng: random.Random, data: bytearray, parser: Parser) -> bytearray:
    """A token nested or repeated many times, or a stretch of the input."""
    start = _place(rng, data)
    piece = rng.choice((*parser.tokens, *tokens("any"))) if rng.random() < 0.6 else bytes(data[start : start + 60])
    data[start:start] = piece * rng.choice((2, 10, 100, 1_000, MOST_REPEATS))
    return data


def _spliced(rng: random.Random, data: bytearray, parser: Parser) -> bytearray:
    other = rng.choice(parser.seeds)
    return data[: _place(rng, data)] + other[_place(rng, other) :]


def _numbered(rng: random.Random, data: bytearray, _parser: Parser) -> bytearray:
    """Replaces one of its numbers by another."""
    places = [place for place, byte in enumerate(data) if 48 <= byte <= 57]
    if not places:
        return data
    start = end = rng.choice(places)
    while end < len(data) and 48 <= data[end] <= 57:
        end += 1
    data[start:end] = rng.choice(tokens("number"))
    return data


def _recoded(rng: random.Random, data: bytearray, _parser: Parser) -> bytearray:
    text = data.decode("utf-8", "replace")
    return bytearray(text.encode(rng.choice(CHARSETS), "replace"))


def _packed(rng: random.Random, data: bytearray, _parser: Parser) -> bytearray:
    pack: Callable[[bytes], bytes] = rng.choice((lambda plain: gzip.compress(plain, 1, mtime=0), zlib.compress))
    return bytearray(pack(bytes(data[:LARGEST])))


_RARE: Final = (_recoded, _packed)
_COMMON: Final = (_flipped, _overwritten, _cut, _without, _strewn, _repeated, _spliced, _numbered)
_MUTATIONS: Final[tuple[Mutation, ...]] = (*_COMMON, *_COMMON, *_COMMON, *_RARE)
