"""News that is written anew each day from the same words: two of a kind differ in their facts, and only in these."""

from random import Random
from typing import Final

from benchmarks.corpus.model import Builder, Language, Material, Scenario, Stored
from benchmarks.corpus.word_lists import sections
from benchmarks.quality.innocents.facts import DAYS, filled
from benchmarks.quality.innocents.pages import innocent

NAMES: Final = ("city", "road", "estate", "team", "player", "company")
"""The sections of a template file that hold names; all others are kinds of news, the first line their title."""
STORED_OF_A_KIND: Final = 36
SITES: Final = 6


def template_news(family: str) -> Builder:
    """Three dozen of each kind are stored, over six sites. No two pages of a kind are of the same day."""

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
