"""The settings that are compared: density of seeds and slices, and of the keys that a query text looks up."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt

from fingerprint.dna import DEFAULT_SLICES, SliceParameters, keys_of, slices_at_every_offset, slices_at_stride
from fingerprint.model import Initials
from fingerprint.winnowing import DEFAULT_SEEDS, LARGEST_K, SeedParameters, asked_seeds, winnow_arrays

Keys: TypeAlias = npt.NDArray[np.int32]


@dataclass(frozen=True, slots=True)
class Setting:
    """One choice. Without seeds or without slices that source is left out."""

    name: str
    seeds: SeedParameters | None = DEFAULT_SEEDS
    slices: SliceParameters | None = DEFAULT_SLICES

    def sources(self) -> list["Source"]:
        found: list[Source] = []
        if (seeds := self.seeds) is not None:
            found.append(Source(
                f"seeds {seeds}",
                1.0,
                lambda initials: np.unique(winnow_arrays(initials, seeds).hashes),
                lambda initials: np.unique(asked_seeds(initials, seeds).hashes),
            ))  # fmt: skip
        if (slices := self.slices) is not None:
            found.append(Source(
                f"slices {slices}",
                0.5,
                lambda initials: np.unique(keys_of(slices_at_stride(initials, slices).dna)),
                lambda initials: np.unique(keys_of(slices_at_every_offset(initials, slices).dna)),
            ))  # fmt: skip
        return found


@dataclass(frozen=True, slots=True)
class Source:
    """A source of candidates. `weight`: of a shared key in the matcher's ranking."""

    name: str
    weight: float
    stored: Callable[[Initials], Keys]
    asked: Callable[[Initials], Keys]


def _seeds(k: int, window: int, asked: int | None = None) -> SeedParameters:
    return SeedParameters(k=k, window=window, asked_window=window if asked is None else asked)


def _any_words(seeds: SeedParameters) -> SeedParameters:
    return replace(seeds, most_words=LARGEST_K)


def _even(n: int, stride: int, step: float) -> SliceParameters:
    """Slices at one stride, whatever the length of the text."""
    return SliceParameters(n=n, stride=stride, widest=None, choices=1, step=step, spelled=True)


def _slices(**chosen: Any) -> SliceParameters:
    return replace(DEFAULT_SLICES, **chosen)


SETTINGS: Final = (
    Setting("chosen"),
    Setting("first: k=12 w=100 both ways, slices 50/50 step 1", _any_words(_seeds(12, 100)), _even(50, 50, 1.0)),
    *(Setting(f"seeds k={k}", _seeds(k, 70, 40), None) for k in (8, 9, 10, 11, 12, 14)),
    *(Setting(f"seeds w={window}", _seeds(9, window, 40), None) for window in (40, 50, 60, 80, 100, 150)),
    *(Setting(f"seeds asked w={asked}", _seeds(9, 70, asked), None) for asked in (70, 20, 10, 1)),
    Setting("seeds of any number of words", _any_words(DEFAULT_SEEDS), None),
    *(Setting(f"slices step={step}", None, _slices(step=step)) for step in (1.0, 1.25, 1.5, 1.7, 2.0)),
    *(Setting(f"slices n={n}", None, _slices(n=n)) for n in (32, 40, 50, 80, 100)),
    *(Setting(f"slices wanted={count}", None, _slices(wanted=count)) for count in (12, 16, 36, 60)),
    Setting("slices also of words and digits", None, _slices(spelled=True)),
    Setting("slices also of words and digits, wanted=60", None, _slices(spelled=True, wanted=60, stride=14)),
    Setting("slices not chosen", None, _slices(choices=1)),
    Setting("slices at stride 50", None, _even(64, 50, 1.6)),
    Setting("slices two levels", None, _slices(radix=2, step=1.0)),
    Setting("slices eight levels", None, _slices(radix=8)),
)
