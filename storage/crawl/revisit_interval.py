"""How long to wait until something is looked at again: by how often that brought news. Pure."""

import math
from typing import Final

from storage.records.crawl import History

SHARE_OF_WAIT: Final = 0.5
"""Of the mean time between two changes. At half of it 4 of 10 visits bring news; lists drop what is missed."""


def wait_s(history: History) -> float | None:
    """A share of the mean time between changes, in seconds; None where nothing is known yet.

    The estimate of Cho and Garcia-Molina: a visit tells that there was a change, not how many. So it looks at the share
    of visits without one; the additions keep the logarithm finite where all or none had one.
    """
    if not history.visits:
        return None
    unchanged = (history.visits - history.changes + 1) / (history.visits + 1.5)
    return SHARE_OF_WAIT * (history.observed_s / history.visits) / -math.log(unchanged)
