"""The revisit interval, from the history of visits and changes. Pure."""

import math
from typing import Final

from storage.records.crawl import History

SHARE_OF_WAIT: Final = 0.5
"""Share of the mean time between changes. At one half, 4 of 10 visits find news; lists drop what is missed."""


def wait_s(history: History) -> float | None:
    """The wait until the next visit in seconds: a share of the mean time between changes; None if never visited.

    The estimator of Cho and Garcia-Molina: a visit shows whether there was a change, not how many, so it uses the share
    of visits without a change. The added constants keep the logarithm finite if all or none had one.
    """
    if not history.visits:
        return None
    unchanged = (history.visits - history.changes + 1) / (history.visits + 1.5)
    return SHARE_OF_WAIT * (history.observed_s / history.visits) / -math.log(unchanged)
