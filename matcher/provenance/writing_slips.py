"""Writing slips: characters that writers mix up in both directions, which say nothing about direction.

The groups are those of school grammars and editors' lists of common errors (的地得, 在再, 做作, 他她它, …). A disguise
replaces characters of all kinds, and few of its pairs are among these.
"""

from functools import cache
from itertools import permutations
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

from fingerprint.characters.tables import tables

Points: TypeAlias = npt.NDArray[np.uint32]

_GROUP_LIST: Final = """
    的地得 在再 做作 他她它 那哪呐 象像 帐账 以已 即既 带戴 坐座 份分 需须 练炼 至致止 订定 么嘛吗 粘黏 撒洒
    付副幅 振震 厉历 竞竟 侯候后 纪记 唯惟 决绝 察查 交缴 度渡 反返 负赋 连联 两俩 辨辩辫 于与 形型 原源 近进
    只支枝 合和 常长 蓝篮 拨拔 部布 象相
"""
GROUPS: Final = tuple(_GROUP_LIST.split())

_POINT_BITS: Final = np.uint64(32)


def slips_between(one: Points, other: Points) -> Points:
    """Return for each pair of characters the one that stands for both if writers confuse them; else 0.

    Code points of characters as published, in either script.
    """
    fold = tables().fold
    pairs, common = _slips()
    wanted = fold.take(one).astype(np.uint64) << _POINT_BITS | fold.take(other)
    places = np.minimum(pairs.searchsorted(wanted), len(pairs) - 1)
    return np.where(pairs.take(places) == wanted, common.take(places), 0).astype(np.uint32)


def slip_between(one: str, other: str) -> str | None:
    """Return the same for two characters; None instead of 0.

    >>> slip_between("地", "的"), slip_between("它", "她"), slip_between("桥", "乔")
    ('的', '他', None)
    """
    found = int(slips_between(np.array([ord(one)], dtype=np.uint32), np.array([ord(other)], dtype=np.uint32))[0])
    return chr(found) if found else None


@cache
def _slips() -> tuple[npt.NDArray[np.uint64], Points]:
    """Return all pairs of confused characters, each as one number, ascending; and what stands for each."""
    # A pair of two groups has the first one's.
    common = {
        ord(one) << int(_POINT_BITS) | ord(other): ord(group[0])
        for group in reversed(GROUPS)
        for one, other in permutations(group, 2)
    }
    ordered = sorted(common)
    pairs, first = np.array(ordered, dtype=np.uint64), np.array([common[pair] for pair in ordered], dtype=np.uint32)
    pairs.setflags(write=False)
    first.setflags(write=False)
    return pairs, first
