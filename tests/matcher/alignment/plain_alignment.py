"""The alignment of two texts in plain Python: slow, and obviously what it should be. Runs are (left, right, length)."""

from collections import defaultdict
from collections.abc import Sequence
from itertools import pairwise, product
from math import inf

from matcher.alignment.blocks import DEFAULT_ALIGNMENT, AlignmentParameters

Units = Sequence[int]
Run = tuple[int, int, int]
Spot = tuple[int, int]


def aligned(left: Units, right: Units, parameters: AlignmentParameters = DEFAULT_ALIGNMENT) -> list[list[Run]]:
    """Return the runs of each block, by position in the left text."""
    runs = common_runs(left, right, parameters.gram, parameters.max_pairs)
    if len(runs) < 2 and all(run[2] < parameters.min_chained for run in runs):
        return []
    most = max(1_000, (len(left) + len(right)) // 8)
    runs = sorted(runs, key=lambda run: (-run[2], run[0] - run[1], run[0]))[:most]
    if (len(left), bytes(left)) >= (len(right), bytes(right)):
        return sorted(
            passages(claimed(chained(sorted(runs), parameters), left, right, parameters), left, right, parameters)
        )
    turned = sorted((right_start, left_start, length) for left_start, right_start, length in runs)
    found = passages(claimed(chained(turned, parameters), right, left, parameters), right, left, parameters)
    return sorted([(b, a, length) for a, b, length in block] for block in found)


def common_runs(left: Units, right: Units, gram: int, max_pairs: int) -> list[Run]:
    at_left, at_right = places(left, gram), places(right, gram)
    pairs: set[Spot] = set()
    for key in at_left.keys() & at_right.keys():
        is_bounded = len(at_left[key]) * len(at_right[key]) > max_pairs
        pairs |= set((zip if is_bounded else product)(at_left[key], at_right[key]))
    return [(i, j, on_from(pairs, i, j) + gram - 1) for i, j in pairs if (i - 1, j - 1) not in pairs]


def places(units: Units, gram: int) -> dict[tuple[int, ...], list[int]]:
    found: dict[tuple[int, ...], list[int]] = defaultdict(list)
    for start in range(len(units) - gram + 1):
        found[tuple(units[start : start + gram])].append(start)
    return found


def on_from(pairs: set[Spot], i: int, j: int) -> int:
    count = 0
    while (i + count, j + count) in pairs:
        count += 1
    return count


def end(run: Run) -> Spot:
    return run[0] + run[2], run[1] + run[2]


def units_of(runs: Sequence[Run]) -> int:
    return sum(run[2] for run in runs)


def chained(runs: list[Run], parameters: AlignmentParameters) -> list[list[Run]]:
    """`runs` are sorted. Of equally good predecessors the first of the lowest strip of diagonals is taken."""
    strips: dict[int, list[int]] = defaultdict(list)
    scores: list[float] = []
    before: list[int] = []
    for number, run in enumerate(runs):
        own = (run[0] - run[1]) // parameters.max_drift
        near = [(strip, other) for strip in (own - 1, own, own + 1) for other in strips[strip][-8:]]
        options = [(-scores[other] - gain(runs[other], run, parameters), strip, other) for strip, other in near]
        best, _, other = min(options, default=(inf, 0, -1))
        scores.append(-best if -best > run[2] else float(run[2]))
        before.append(other if -best > run[2] else -1)
        strips[own].append(number)
    chains = []
    used: set[int] = set()
    for last in sorted(range(len(runs)), key=lambda number: -scores[number]):
        chain: list[Run] = []
        while last >= 0 and last not in used:
            used.add(last)
            chain.insert(0, runs[last])
            last = before[last]  # noqa: PLW2901  # the way back
        chains.append(apart(chain))
    return sorted((one for one in chains if units_of(one) >= parameters.min_chained), key=lambda one: -units_of(one))


def gain(last: Run, run: Run, parameters: AlignmentParameters) -> float:
    less, gap = sorted((run[0] - end(last)[0], run[1] - end(last)[1]))
    if gap - less > parameters.max_drift or -less >= run[2] or gap > parameters.max_gap:
        return -inf
    return run[2] + min(less, 0) - 0.05 * max(gap, 0) - (1.0 if gap != less else 0.0)


def apart(chain: list[Run]) -> list[Run]:
    """Each run begins after the end of the one before it."""
    found = chain[:1]
    for last, (i, j, length) in pairwise(chain):
        behind = max(end(last)[0] - i, end(last)[1] - j, 0)
        found.append((i + behind, j + behind, length - behind))
    return found


def parts(block: list[Run]) -> list[list[Run]]:
    found = [block[:1]]
    for last, run in pairwise(block):
        is_wide = max(run[0] - end(last)[0], run[1] - end(last)[1]) > 12
        found += [[run]] if is_wide else []
        found[-1] += [] if is_wide else [run]
    return found


def spots(block: list[Run]) -> tuple[set[int], set[int]]:
    """The units of both texts that the parts of a block take."""
    lefts, rights = set[int](), set[int]()
    for part in parts(block):
        lefts |= set(range(part[0][0], end(part[-1])[0]))
        rights |= set(range(part[0][1], end(part[-1])[1]))
    return lefts, rights


def claimed(chains: list[list[Run]], left: Units, right: Units, parameters: AlignmentParameters) -> list[list[Run]]:
    free = set(range(len(left))), set(range(len(right)))
    blocks = []
    for chain in chains:
        stretches = free_stretches(chain, *free)
        for stretch in stretches:
            take(free, stretch)
        for stretch in stretches:
            block = extended(stretch, left, right, free, parameters)
            if units_of(block) >= parameters.min_crumb:
                take(free, block)
                blocks.append(block)
            else:
                give_back(free, block)
    return blocks


def take(free: tuple[set[int], set[int]], block: list[Run]) -> None:
    for side, those in zip(free, spots(block), strict=True):
        side.difference_update(those)


def give_back(free: tuple[set[int], set[int]], block: list[Run]) -> None:
    for side, those in zip(free, spots(block), strict=True):
        side.update(those)


def free_stretches(chain: list[Run], free_left: set[int], free_right: set[int]) -> list[list[Run]]:
    whole_left, whole_right = range(chain[0][0], end(chain[-1])[0]), range(chain[0][1], end(chain[-1])[1])
    if free_left.issuperset(whole_left) and free_right.issuperset(whole_right):
        return [chain]
    found: list[list[Run]] = []
    for run in chain:
        pairs = {
            (run[0] + k, run[1] + k) for k in range(run[2]) if run[0] + k in free_left and run[1] + k in free_right
        }
        for i, j in sorted(pairs):
            if (i - 1, j - 1) in pairs:
                continue
            last = end(found[-1][-1]) if found else (i, j)
            is_one = free_left.issuperset(range(last[0], i)) and free_right.issuperset(range(last[1], j))
            found += [] if found and is_one else [[]]
            found[-1].append((i, j, on_from(pairs, i, j)))
    return found


def extended(
    block: list[Run], left: Units, right: Units, free: tuple[set[int], set[int]], parameters: AlignmentParameters
) -> list[Run]:
    if units_of(block) < parameters.gram:
        return block
    (first_left, first_right, _), (left_end, right_end) = block[0], end(block[-1])
    after = grown(on(left, left_end, free[0]), on(right, right_end, free[1]), parameters)
    before = grown(back(left, first_left, free[0]), back(right, first_right, free[1]), parameters)
    turned = [(first_left - end(run)[0], first_right - end(run)[1], run[2]) for run in reversed(before)]
    return [*turned, *block, *((left_end + i, right_end + j, length) for i, j, length in after)]


def on(units: Units, start: int, free: set[int]) -> Units:
    stop = start
    while stop in free:
        stop += 1
    return units[start:stop]


def back(units: Units, start: int, free: set[int]) -> Units:
    first = start
    while first - 1 in free:
        first -= 1
    return units[first:start][::-1]


def grown(left: Units, right: Units, parameters: AlignmentParameters = DEFAULT_ALIGNMENT) -> list[Run]:
    runs: list[Run] = []
    i = j = 0
    while True:
        equal = equal_from(left, right, i, j)
        if equal:
            runs.append((i, j, equal))
            i, j = end(runs[-1])
        step = continuation(left[i : i + parameters.reach], right[j : j + parameters.reach])
        if not step:
            return runs
        runs += [(i + run[0], j + run[1], run[2]) for run in step]
        i, j = end(runs[-1])


def equal_from(left: Units, right: Units, i: int, j: int) -> int:
    count = 0
    while i + count < len(left) and j + count < len(right) and left[i + count] == right[j + count]:
        count += 1
    return count


def maximal_runs(left: Units, right: Units, shortest: int) -> list[Run]:
    starts = [
        (i, j)
        for i in range(len(left))
        for j in range(len(right))
        if left[i] == right[j] and not (i and j and left[i - 1] == right[j - 1])
    ]
    return [(i, j, length) for i, j in starts if (length := equal_from(left, right, i, j)) >= shortest]


def longest_runs(left: Units, right: Units, shortest: int, drift: int) -> list[Run]:
    apart_by = len(left) - len(right)
    allowed = range(min(0, apart_by) - drift, max(0, apart_by) + drift + 1)
    runs = [run for run in maximal_runs(left, right, shortest) if run[0] - run[1] in allowed]
    return sorted(sorted(runs, key=lambda run: (-run[2], abs(run[0] - run[1]), run[0] - run[1], run[0]))[:48])


def continuation(left: Units, right: Units) -> list[Run]:
    width = min(len(left), len(right))
    straight = [run for run in maximal_runs(left, right, 1) if run[0] == run[1]]
    runs = [run for run in longest_runs(left, right, 3, width) if run[0] != run[1]] + straight
    return best_way(sorted(runs), mismatch=0.4, shift=1.5, needed=3.0)


def between(left: Units, right: Units, parameters: AlignmentParameters = DEFAULT_ALIGNMENT) -> list[Run]:
    return best_way(longest_runs(left, right, 4, parameters.max_drift), mismatch=0.0, shift=1.0, needed=0.0)


def best_way(runs: list[Run], *, mismatch: float, shift: float, needed: float) -> list[Run]:
    scores: list[float] = []
    ways: list[list[Run]] = []
    for i, j, length in runs:
        best = length - mismatch * max(i, j) - (shift if i != j else 0.0)
        way: list[Run] = []
        for score, other in zip(scores, ways, strict=True):
            gaps = i - end(other[-1])[0], j - end(other[-1])[1]
            behind = max(-gaps[0], -gaps[1], 0)
            more = length - behind - mismatch * (max(gaps) + behind) - (shift if gaps[0] != gaps[1] else 0.0)
            if behind < length and score + more > best:
                best, way = score + more, other
        scores.append(best)
        ways.append([*way, (i, j, length)])
    if not runs or max(scores) < needed:
        return []
    return apart(ways[scores.index(max(scores))])


def passages(
    claims: list[list[Run]], left: Units, right: Units, parameters: AlignmentParameters = DEFAULT_ALIGNMENT
) -> list[list[Run]]:
    heavy = [block for block in claims if units_of(block) >= parameters.min_matched]
    blocks = [block for block in joined(heavy, left, right, parameters) if weight(block) >= parameters.min_matched]
    if 2 * sum(map(units_of, blocks)) < min(len(left), len(right)):
        return blocks
    crumbs = [block for block in claims if block not in heavy and weight(block) >= parameters.min_crumb]
    return blocks + [one for one in crumbs if not any(overlap(one, other) for other in blocks)]


def weight(block: list[Run]) -> float:
    longer = max(end(block[-1])[0] - block[0][0], end(block[-1])[1] - block[0][1])
    return units_of(block) - 0.4 * (longer - units_of(block))


def overlap(one: list[Run], other: list[Run]) -> bool:
    return any(one[0][side] < end(other[-1])[side] and other[0][side] < end(one[-1])[side] for side in (0, 1))


def joined(blocks: list[list[Run]], left: Units, right: Units, parameters: AlignmentParameters) -> list[list[Run]]:
    every = sorted((part, number) for number, block in enumerate(blocks) for part in parts(block))
    by_right = sorted(every, key=lambda item: item[0][0][1])
    found: list[list[Run]] = []
    for place, (part, number) in enumerate(every):
        bridge: list[Run] | None = None
        if place and by_right.index(every[place - 1]) + 1 == by_right.index((part, number)):
            is_one = every[place - 1][1] == number
            bridge = [] if is_one else bridged(found[-1][-1], part[0], left, right, parameters)
        if bridge is None:
            found.append(part)
        else:
            found[-1] = [*found[-1], *bridge, *part]
    return found


def bridged(one: Run, other: Run, left: Units, right: Units, parameters: AlignmentParameters) -> list[Run] | None:
    (i, j), gaps = end(one), (other[0] - end(one)[0], other[1] - end(one)[1])
    if max(gaps) > parameters.max_bridge or abs(gaps[0] - gaps[1]) > parameters.max_gap:
        return None
    runs = between(left[i : other[0]], right[j : other[1]], parameters)
    if max(gaps) > parameters.max_gap and units_of(runs) < parameters.bridge_share * max(gaps):
        return None
    return [(i + a, j + b, length) for a, b, length in runs]
