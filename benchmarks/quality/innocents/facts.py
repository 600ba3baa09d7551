"""Set phrases with facts: weather, prices, results. The words stay, names and numbers are drawn anew."""

import re
from collections.abc import Mapping
from random import Random
from typing import Final

_SLOT = re.compile(r"\{([^{}]+)\}")
MONTH_NAMES: Final = (
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
)
PAGE_WIDE: Final = ("city", "company")
"""Names of what the page is about."""
DECIMALS: Final = {"d": 1, "f": 4}
DAYS: Final = 12 * 28
"""Days of a year on which pages are dated; the last ones of long months are not used."""


def filled(template: str, names: Mapping[str, tuple[str, ...]], rng: Random, *, day: int, in_words: bool) -> str:
    """The template with its slots filled.

    `{a/b/c}` is one of the wordings, `{n:3-28}` a whole number, `{d:0.5-9}` one with a decimal, `{f:6.1-7.3}` one with
    four; `{month}` and `{date}` are those of the day (0 to DAYS - 1), the month as a name if `in_words`. Anything else
    is a list of names: `{city}` is the same all over the page, the next `{player}` is another one.
    """
    if not 0 <= day < DAYS:
        message = f"a day is a number from 0 to {DAYS - 1}, not {day}"
        raise ValueError(message)
    month = MONTH_NAMES[day // 28] if in_words else str(day // 28 + 1)
    known = {"month": month, "date": str(day % 28 + 1)}
    unused = {heading: rng.sample(entries, len(entries)) for heading, entries in names.items()}

    def fill(slot: re.Match[str]) -> str:
        content = slot[1]
        if content in known:
            return known[content]
        if content in unused:
            name = unused[content].pop()
            if content in PAGE_WIDE:
                known[content] = name
            return name
        return _number(content, rng) if ":" in content else rng.choice(content.split("/"))

    return _SLOT.sub(fill, template)


def _number(content: str, rng: Random) -> str:
    kind, _, bounds = content.partition(":")
    low, high = bounds.split("-")
    if kind == "n":
        return str(rng.randint(int(low), int(high)))
    return f"{rng.uniform(float(low), float(high)):.{DECIMALS[kind]}f}"
