"""Set phrases with facts (weather, prices, results), and news made of them: two of a kind differ only in facts."""

import re
from collections.abc import Mapping
from random import Random
from typing import Final

from benchmarks.corpus.model import Builder, Language, Material, Scenario, Stored
from benchmarks.corpus.word_lists import sections
from benchmarks.quality.innocents.pages import innocent

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
"""Names of the subject of a page."""
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


NAMES: Final = ("city", "road", "estate", "team", "player", "company")
"""The sections of a template file that hold names; all others are kinds of news, the first line their title."""
STORED_OF_A_KIND: Final = 36
SITES: Final = 6


def template_news(family: str) -> Builder:
    """Three dozen of each kind are stored, over six sites. No two pages of a kind have the same date."""

    def build(material: Material, rng: Random, wanted: int) -> Scenario:
        kinds = kinds_of_news(material.language)
        days = {kind: rng.sample(range(DAYS), DAYS) for kind in kinds}
        stored = [
            _stored(family, number, material.language, kind, days[kind].pop(), rng)
            for kind in kinds
            for number in range(STORED_OF_A_KIND)
        ]
        probes = []
        for number in range(min(wanted, len(kinds) * (DAYS - STORED_OF_A_KIND))):
            kind = kinds[number % len(kinds)]
            title, text = news(kind, material.language, rng, day=days[kind].pop())
            probes.append(innocent(family, number, material.language, text, title=title))
        return Scenario(tuple(probes), tuple(stored))

    return build


def kinds_of_news(language: Language) -> tuple[str, ...]:
    return tuple(heading for heading in sections(f"templates-{language}.txt") if heading not in NAMES)


def news(kind: str, language: Language, rng: Random, *, day: int) -> tuple[str, str]:
    """Title and text of a page of that day (a number below DAYS); the text begins with the title."""
    phrases = sections(f"templates-{language}.txt")
    names = {heading: phrases[heading] for heading in NAMES if heading in phrases}
    in_words = language is Language.ENGLISH
    text = filled("\n".join(phrases[kind]), names, rng, day=day, in_words=in_words)
    return text.partition("\n")[0], text


def _stored(family: str, number: int, language: Language, kind: str, day: int, rng: Random) -> Stored:
    title, text = news(kind, language, rng, day=day)
    site = f"{family}-{number % SITES}"
    return Stored(f"https://{site}.test/{kind}/{number}", text, site, title)
