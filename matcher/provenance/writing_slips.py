"""Writing slips: characters that writers mix up in both directions, which say nothing about direction.

The groups are those of school grammars and editors' lists of common errors (的地得, 在再, 做作, 他她它, …). A disguise
replaces characters of all kinds, and few of its pairs are among these.
"""

from functools import lru_cache
from itertools import combinations
from typing import Final

from fingerprint.normalize import canonicalize

KNOWN_PAIRS: Final = 4_096
"""Pairs whose answer is cached; a disguise repeats a few hundred."""

_GROUP_LIST: Final = """
    的地得 在再 做作 他她它 那哪呐 象像 帐账 以已 即既 带戴 坐座 份分 需须 练炼 至致止 订定 么嘛吗 粘黏 撒洒
    付副幅 振震 厉历 竞竟 侯候后 纪记 唯惟 决绝 察查 交缴 度渡 反返 负赋 连联 两俩 辨辩辫 于与 形型 原源 近进
    只支枝 合和 常长 蓝篮 拨拔 部布 象相
"""
GROUPS: Final = tuple(_GROUP_LIST.split())

_COMMON: Final = {
    frozenset(pair): group[0] for group in reversed(GROUPS) for pair in combinations(group, 2)
}  # a pair of two groups has the first one's


@lru_cache(maxsize=KNOWN_PAIRS)
def slip_between(one: str, other: str) -> str | None:
    """Return the character that stands for both if writers confuse the two, in either script; else None.

    >>> slip_between("地", "的"), slip_between("它", "她"), slip_between("桥", "乔")
    ('的', '他', None)
    """
    return _COMMON.get(frozenset((canonicalize(one).text, canonicalize(other).text)))
