"""Where two texts say the same: common runs of units, chained across small edits into blocks.

Seed, chain, extend. Seeds are the k-grams of units that both texts hold; neighbouring seeds on one diagonal are an
exact run; runs that follow each other closely in both texts are one block. What was moved is a block of its own.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

from fingerprint.model import UnitCodes

Grams: TypeAlias = npt.NDArray[np.uint64]
Indices: TypeAlias = npt.NDArray[np.int64]
Mask: TypeAlias = npt.NDArray[np.bool_]

ALPHABET: Final = 37
"""Unit codes run from 1 to 36, so packing in base 37 is exact."""


@dataclass(frozen=True, slots=True)
class AlignmentParameters:
    """Defaults from the trade-off measured on 8,000 articles with 900 disguised copies (docs/adr/0009)."""

    gram: int = 8
    max_gap: int = 60
    """Units that may differ between two runs of one block."""
    max_drift: int = 25
    """Units by which insertions and deletions may shift a block between two of its runs."""
    max_repeats: int = 24
    """A gram that the other text holds more often than this starts no run: repetition would cost quadratic work."""
    min_matched: int = 16
    """Blocks with fewer matched units are chance or set phrases."""
    min_chained: int = 10
    """Chains with fewer units are not grown: nine in ten are a single 8-gram that both texts hold by chance."""
    reach: int = 64
    """How many units past its end a block looks for a continuation."""
    mismatch_cost: float = 1.5
    """What a differing unit costs against an equal one when a block is extended."""


@dataclass(frozen=True, slots=True)
class Run:
    """`length` equal units, at `left` in one text and at `right` in the other."""

    left: int
    right: int
    length: int

    @property
    def left_end(self) -> int:
        return self.left + self.length

    @property
    def right_end(self) -> int:
        return self.right + self.length

    @property
    def diagonal(self) -> int:
        return self.left - self.right


@dataclass(frozen=True, slots=True)
class Block:
    """Runs in order in both texts, close to each other."""

    runs: tuple[Run, ...]

    @property
    def left(self) -> int:
        return self.runs[0].left

    @property
    def right(self) -> int:
        return self.runs[0].right

    @property
    def left_end(self) -> int:
        return self.runs[-1].left_end

    @property
    def right_end(self) -> int:
        return self.runs[-1].right_end

    @property
    def matched(self) -> int:
        return sum(run.length for run in self.runs)

    @property
    def density(self) -> float:
        """Share of the longer of its two stretches that is matched, 0…1."""
        return self.matched / max(self.left_end - self.left, self.right_end - self.right)


DEFAULT_ALIGNMENT: Final = AlignmentParameters()


def unit_grams(codes: UnitCodes, gram: int) -> Grams:
    """Every k-gram of the units as a number, by position; empty where the text is shorter than one."""
    count = len(codes) - gram + 1
    if count <= 0:
        return np.empty(0, dtype=np.uint64)
    packed = np.zeros(count, dtype=np.uint64)
    for offset in range(gram):
        packed *= np.uint64(ALPHABET)
        packed += codes[offset : offset + count]
    return packed


def align(left: UnitCodes, right: UnitCodes, parameters: AlignmentParameters = DEFAULT_ALIGNMENT) -> tuple[Block, ...]:
    """The blocks that two texts share, by place in the left one; no unit of either text stands in two blocks.

    Runs in O(n log n) for texts without extreme repetition; a gram repeated over `max_repeats` times starts no run.
    """
    chains = [
        chain
        for chain in _chain(_exact_runs(left, right, parameters), parameters)
        if sum(run.length for run in chain) >= parameters.min_chained
    ]
    return tuple(sorted(_blocks(chains, left, right, parameters), key=lambda block: (block.left, block.right)))


def _exact_runs(left: UnitCodes, right: UnitCodes, parameters: AlignmentParameters) -> list[Run]:
    left_grams, right_grams = unit_grams(left, parameters.gram), unit_grams(right, parameters.gram)
    at_left, at_right = _common_grams(left_grams, right_grams, parameters.max_repeats)
    if not len(at_left):
        return []
    diagonal = at_left - at_right
    order = np.lexsort((at_left, diagonal))
    at_left, at_right, diagonal = at_left[order], at_right[order], diagonal[order]
    starts = np.flatnonzero(np.r_[True, (np.diff(diagonal) != 0) | (np.diff(at_left) != 1)])
    lengths = np.diff(np.r_[starts, len(at_left)]) + parameters.gram - 1
    rows = zip(at_left[starts].tolist(), at_right[starts].tolist(), lengths.tolist(), strict=True)
    return [Run(*row) for row in sorted(rows)]


def _common_grams(left: Grams, right: Grams, max_repeats: int) -> tuple[Indices, Indices]:
    """Positions of equal grams, pair by pair."""
    order = np.argsort(right, kind="stable")
    ordered = right[order]
    first = np.searchsorted(ordered, left, side="left")
    counts = np.searchsorted(ordered, left, side="right") - first
    counts[counts > max_repeats] = 0
    at_left = np.repeat(np.arange(len(left)), counts)
    within = np.arange(len(at_left)) - np.repeat(np.cumsum(counts) - counts, counts)
    return at_left, order[np.repeat(first, counts) + within]


def _chain(runs: list[Run], parameters: AlignmentParameters) -> list[list[Run]]:
    """Appends each run to the heaviest chain it can continue, else starts a chain with it."""
    chains: list[list[Run]] = []
    weights: list[int] = []
    active: list[int] = []
    for run in runs:
        active = [number for number in active if run.left - chains[number][-1].left_end <= parameters.max_gap]
        best: int | None = None
        for number in active:
            if _continues(chains[number][-1], run, parameters) and (best is None or weights[number] > weights[best]):
                best = number
        if best is None:
            active.append(len(chains))
            chains.append([run])
            weights.append(run.length)
        else:
            trimmed = _trimmed_behind(chains[best][-1], run)
            chains[best].append(trimmed)
            weights[best] += trimmed.length
    return chains


def _continues(last: Run, run: Run, parameters: AlignmentParameters) -> bool:
    behind = max(last.left_end - run.left, last.right_end - run.right, 0)
    return (
        behind < run.length
        and run.right - last.right_end <= parameters.max_gap
        and abs(run.diagonal - last.diagonal) <= parameters.max_drift
        and run.right_end > last.right_end
    )


def _trimmed_behind(last: Run, run: Run) -> Run:
    """`run` without what `last` already holds of either text."""
    behind = max(last.left_end - run.left, last.right_end - run.right, 0)
    return Run(run.left + behind, run.right + behind, run.length - behind)


def _extend(
    block: Block,
    left: UnitCodes,
    right: UnitCodes,
    free_left: Mask,
    free_right: Mask,
    parameters: AlignmentParameters,
) -> Block:
    """Grows a block past both ends through single differing units, where equal ones outweigh them.

    It stops at what another block has taken: a repeated line makes hundreds of chains, and each of them would
    otherwise grow over the whole text. A crumb between two blocks, too short to have been found by itself, stays.
    """
    if block.matched < parameters.gram:
        return block
    after = slice(block.left_end, block.left_end + _leading(free_left[block.left_end :]))
    after_right = slice(block.right_end, block.right_end + _leading(free_right[block.right_end :]))
    before = slice(block.left - _leading(free_left[: block.left][::-1]), block.left)
    before_right = slice(block.right - _leading(free_right[: block.right][::-1]), block.right)
    forward = _grown(left[after], right[after_right], parameters)
    backward = _grown(left[before][::-1], right[before_right][::-1], parameters)
    return Block(
        (
            *(Run(block.left - run.left_end, block.right - run.right_end, run.length) for run in reversed(backward)),
            *block.runs,
            *(Run(block.left_end + run.left, block.right_end + run.right, run.length) for run in forward),
        )
    )


def _leading(mask: Mask) -> int:
    """How many values at the start are true."""
    return len(mask) if mask.all() else int(np.argmin(mask))


def _grown(left: UnitCodes, right: UnitCodes, parameters: AlignmentParameters) -> list[Run]:
    """Runs that continue from the start of both texts, straight or past one small insertion at a time."""
    runs: list[Run] = []
    at_left = at_right = 0
    while True:
        step = _best_step(left[at_left:], right[at_right:], parameters)
        if step is None:
            return runs
        runs += [Run(at_left + run.left, at_right + run.right, run.length) for run in step]
        at_left, at_right = runs[-1].left_end, runs[-1].right_end


_SHIFTS: Final = ((0, 0), (1, 0), (0, 1), (2, 0), (0, 2), (3, 0), (0, 3))
_STRAIGHT_GAIN: Final = 3.0
"""Score a straight extension must reach; one past an insertion must reach twice that, as it has more chances."""


def _best_step(left: UnitCodes, right: UnitCodes, parameters: AlignmentParameters) -> list[Run] | None:
    best: tuple[float, list[Run]] | None = None
    for skip_left, skip_right in _SHIFTS:
        a = left[skip_left : skip_left + parameters.reach]
        b = right[skip_right : skip_right + parameters.reach]
        width = min(len(a), len(b))
        if not width:
            continue
        equal = a[:width] == b[:width]
        scores = np.cumsum(np.where(equal, 1.0, -parameters.mismatch_cost))
        peak = int(np.argmax(scores))
        gain = float(scores[peak])
        needed = _STRAIGHT_GAIN if skip_left == skip_right else 2 * _STRAIGHT_GAIN
        if gain >= needed and (best is None or gain > best[0]):
            best = (
                gain,
                [Run(skip_left + start, skip_right + start, size) for start, size in true_stretches(equal[: peak + 1])],
            )
    return None if best is None else best[1]


def true_stretches(mask: Mask) -> Iterator[tuple[int, int]]:
    """Start and length of each stretch of true values."""
    edges = np.flatnonzero(np.diff(np.r_[False, mask, False].astype(np.int8)))
    for start, end in zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True):
        yield start, end - start


def _blocks(
    chains: list[list[Run]], left: UnitCodes, right: UnitCodes, parameters: AlignmentParameters
) -> Iterator[Block]:
    """Heaviest chain first, each gets the units that no heavier one has taken, and grows as far as nobody has."""
    free_left, free_right = np.ones(len(left), dtype=np.bool_), np.ones(len(right), dtype=np.bool_)
    for chain in sorted(chains, key=lambda runs: -sum(run.length for run in runs)):
        stretches = [Block(tuple(runs)) for runs in _free_stretches(chain, free_left, free_right)]
        for stretch in stretches:  # none may grow into the next
            _mark(stretch, free_left, free_right, free=False)
        for stretch in stretches:
            block = _extend(stretch, left, right, free_left, free_right, parameters)
            _mark(block, free_left, free_right, free=block.matched < parameters.min_matched)
            if block.matched >= parameters.min_matched:
                yield block


def _mark(block: Block, free_left: Mask, free_right: Mask, *, free: bool) -> None:
    free_left[block.left : block.left_end] = free
    free_right[block.right : block.right_end] = free


def _free_stretches(chain: list[Run], free_left: Mask, free_right: Mask) -> list[list[Run]]:
    """The free parts of a chain, apart wherever something taken lies between them."""
    stretches: list[list[Run]] = []
    for part in (part for run in chain for part in _free_parts(run, free_left, free_right)):
        last = stretches[-1][-1] if stretches else None
        if (
            last is not None
            and free_left[last.left_end : part.left].all()
            and free_right[last.right_end : part.right].all()
        ):
            stretches[-1].append(part)
        else:
            stretches.append([part])
    return stretches


def _free_parts(run: Run, free_left: Mask, free_right: Mask) -> Iterator[Run]:
    free = free_left[run.left : run.left_end] & free_right[run.right : run.right_end]
    if free.all():
        yield run
        return
    for start, length in true_stretches(free):
        yield Run(run.left + start, run.right + start, length)
