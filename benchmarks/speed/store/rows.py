"""The rows of the made-up store, by number of the page from 1. Pure."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Final

import numpy as np

from benchmarks.common.made_up_store import Row, Table, page_row, site_host, site_row, text_row, version_row
from benchmarks.speed.store.growth import Growing
from benchmarks.speed.store.material import DISCLAIMER, Material
from benchmarks.speed.store.simhash_generator import CodeModel, near, sums_of
from benchmarks.speed.store.text_generator import words
from fingerprint.compute import fingerprint_text
from fingerprint.model import ALGORITHM_VERSION, BAND_BITS, BAND_COUNT, SIMHASH_BITS, Fingerprint
from storage.column_types import to_signed
from storage.types import FoundBy

SITES: Final = 400
PLANTED_EVERY: Final = 31
STORY_EVERY: Final = 20
"""Every twentieth page is a copy of one story: 50,000 of a million."""
DISCLAIMER_EVERY: Final = 5
"""Every fifth page carries one disclaimer."""
CHUNK: Final = 10_000

_POOL: Final = 1 << 14
"""Pieces of two words; so few that drawing them is quick. Two texts have eight units in a row in common all the same
hardly ever.
"""
_SHORTEST_PIECE: Final = 3
"""Characters; on average 3.6."""
_KEPT: Final = 0.9
"""Of the story's keys, those that a copy of it has kept."""
_MOST_BITS: Final = 3
_SIGN_EVERY: Final = 7
_EPOCH: Final = datetime(2024, 1, 1, tzinfo=UTC)


class Rows:
    """Makes pages in order, each once: what they hold hangs on what came before."""

    def __init__(self, material: Material, *, pages: int, seed: int, with_texts: bool = True) -> None:
        """`pages`: as many will be made at most. Without texts each fingerprint has a line of text and no page: enough
        to look up candidates.
        """
        self._with_texts = with_texts
        self._chance = np.random.default_rng(seed)
        found = [fingerprint_text(text) for text in material.texts]
        self.fingerprints = tuple(found)
        self._story = fingerprint_text(material.story)
        self._notice = fingerprint_text(DISCLAIMER)
        self._material = material
        self._planted = [fingerprint_text(text) for text in material.planted]
        self.seeds, self.slices = (
            Growing(_all(keys), room=round(pages * len(_all(keys)) / len(found) * 1.1) + CHUNK, chance=self._chance)
            for keys in ([one.seeds for one in found], [one.slices for one in found])
        )
        self.codes = CodeModel(sums_of(material.texts), self._chance)
        self._lengths = np.array([(len(one.seeds), len(one.slices)) for one in found])
        self._pool = _drawn_pieces(self._chance)
        self._made = 0

    def source_of(self, number: int) -> int:
        """The page on which the planted text with this number stands."""
        return PLANTED_EVERY * (number + 1)

    def marks(self, texts_of: int) -> Mapping[int, tuple[int, bool]]:
        """Seeds that stand in five texts or more of the first `texts_of`: in how many, and whether they prove nothing.

        Nothing but what the notice adds proves nothing.
        """
        hot = {seed: (texts, False) for seed, texts in self.seeds.frequent(5).items()}
        hot |= dict.fromkeys(self._story.seeds, (texts_of // STORY_EVERY, False))
        return hot | dict.fromkeys(self._notice.seeds, (texts_of // DISCLAIMER_EVERY, True))

    def next_chunk(self, count: int) -> tuple[Table, ...]:
        """The tables of the next `count` pages."""
        numbers = range(self._made + 1, self._made + count + 1)
        self._made += count
        bodies = map(self._body if self._with_texts else self._line, numbers)
        texts = Table("text", [text_row(number, body) for number, body in zip(numbers, bodies, strict=True)])
        pages = (Table("page", map(_page, numbers)), Table("page_version", map(_version, numbers)))
        return (texts, *(pages if self._with_texts else ()), Table("fingerprint", self._fingerprints(numbers)))

    def _body(self, number: int) -> str:
        planted = self._planted_at(number)
        if planted is not None:
            return self._material.planted[planted]
        if is_story(number):
            return f"{self._material.story[: -(number % 97) - 1]}（{number}）"
        places = self._chance.integers(0, _POOL, len(self._material.story) // _SHORTEST_PIECE)
        body = f"{number}。{''.join(map(self._pool.__getitem__, places.tolist()))}"[: len(self._material.story)]
        return f"{body[: -len(DISCLAIMER)]}\n{DISCLAIMER}" if carries_notice(number) else body

    def _line(self, number: int) -> str:
        return f"{number}。{self._pool[number % _POOL]}"

    def _planted_at(self, number: int) -> int | None:
        place, rest = divmod(number, PLANTED_EVERY)
        return place - 1 if not rest and 1 <= place <= len(self._planted) else None

    def _fingerprints(self, numbers: range) -> Iterator[Row]:
        lengths = self._lengths[self._chance.integers(0, len(self._lengths), len(numbers))]
        seeds = np.split(self.seeds.draw(int(lengths[:, 0].sum())), np.cumsum(lengths[:-1, 0]))
        slices = np.split(self.slices.draw(int(lengths[:, 1].sum())), np.cumsum(lengths[:-1, 1]))
        codes = self.codes.draw(len(numbers)).tolist()
        for number, code, own_slices, own_seeds in zip(numbers, codes, slices, seeds, strict=True):
            planted = self._planted_at(number)
            if planted is not None:
                yield row_of(number, self._planted[planted])
            elif is_story(number):
                yield self._story_row(number)
            else:
                notice = self._notice.seeds if carries_notice(number) else ()
                more = self._notice.slices if carries_notice(number) else ()
                yield code_row(number, code, {*own_slices.tolist(), *more}, {*own_seeds.tolist(), *notice})

    def _story_row(self, number: int) -> Row:
        kept = [
            [key for key, stays in zip(keys, self._chance.random(len(keys)) < _KEPT, strict=True) if stays]
            for keys in (self._story.slices, self._story.seeds)
        ]
        code = near(self._story.simhash or 0, int(self._chance.integers(0, _MOST_BITS + 1)), self._chance)
        return code_row(number, code, set(kept[0]), set(kept[1]))


def is_story(number: int) -> bool:
    return number % STORY_EVERY == 3


def carries_notice(number: int) -> bool:
    return number % DISCLAIMER_EVERY == 1


def row_of(number: int, found: Fingerprint) -> Row:
    return code_row(number, found.simhash or 0, set(found.slices), set(found.seeds))


def code_row(number: int, code: int, slices: set[int], seeds: set[int]) -> Row:
    mask = (1 << BAND_BITS) - 1
    bands = {f"band_{place}": code >> SIMHASH_BITS - BAND_BITS * (place + 1) & mask for place in range(BAND_COUNT)}
    return {
        "text_id": number,
        "algorithm_version": ALGORITHM_VERSION,
        "simhash": to_signed(code),
        **bands,
        "feature_count": 300,
        "unit_count": 1_400,
        "slices": tuple(sorted(slices)),
        "seeds": tuple(sorted(seeds)),
    }


def owners() -> Iterator[Row]:
    return ({"id": number, "name": f"第{number}家"} for number in range(1, SITES + 1))


def sites() -> Iterator[Row]:
    return (site_row(number, owner=number) for number in range(1, SITES + 1))


def _site(page: int) -> int:
    """Few large sites and many small ones: the place of a page's turn, squared."""
    turn = page * 0.618_033_988_75 % 1
    return 1 + int(SITES * turn * turn)


def _page(number: int) -> Row:
    site, seen, path = _site(number), _seen(number), f"{number % 12 + 1:02}/{number}.html"
    found_by = FoundBy.IMPORT
    return page_row(number, host=site_host(site), path=path, site=site, found_by=found_by, seen=seen, last_seen=seen)


def _version(number: int) -> Row:
    title, seen = f"第{number}篇", _seen(number)
    return version_row(number, text=number, seen=seen, published=None, title=title, author="", rights="unknown")


def _seen(number: int) -> datetime:
    return _EPOCH + timedelta(seconds=30 * number)


def _all(keys: Sequence[tuple[int, ...]]) -> "np.ndarray[tuple[int], np.dtype[np.int32]]":
    return np.array([key for some in keys for key in some], dtype=np.int32)


def _drawn_pieces(chance: np.random.Generator) -> list[str]:
    known, weights = words()
    drawn = chance.integers(0, weights[-1], 2 * _POOL)
    places = np.searchsorted(np.array(weights), drawn, side="right").tolist()
    signs = ("，" if turn % _SIGN_EVERY == 0 else "" for turn in range(_POOL))
    pairs = zip(places[::2], places[1::2], signs, strict=True)
    return [known[one] + known[other] + sign for one, other, sign in pairs]
