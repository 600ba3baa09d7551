"""Confidence interval of a share of few observations (pure)."""

from dataclasses import dataclass
from math import sqrt
from typing import Final

Z_95: Final = 1.959964
"""Two-sided 95 % of the normal distribution."""


@dataclass(frozen=True, slots=True)
class Share:
    """`right` of `decided`, with the ends of its 95 % interval, each 0…1."""

    right: int
    decided: int
    low: float
    high: float

    @property
    def value(self) -> float:
        return self.right / self.decided if self.decided else 0.0


def share_of(right: int, decided: int) -> Share:
    """Wilson score interval of `right` out of `decided`; 0…1 where nothing was decided.

    It stays within 0…1 and is usable from about five decisions on. E. B. Wilson, “Probable inference, the law of
    succession, and statistical inference”, JASA 22 (1927).
    """
    if decided <= 0:
        return Share(0, 0, 0.0, 1.0)
    share, z2 = right / decided, Z_95**2
    middle = share + z2 / (2 * decided)
    reach = Z_95 * sqrt(share * (1 - share) / decided + z2 / (4 * decided**2))
    scale = 1 + z2 / decided
    return Share(right, decided, max(0.0, (middle - reach) / scale), min(1.0, (middle + reach) / scale))
