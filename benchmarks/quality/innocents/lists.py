"""List pages: titles, dates and first lines of many stored articles, and a link to each."""

import re
from dataclasses import replace
from random import Random
from typing import Final

from benchmarks.corpus.model import Article, Builder, Language, Material, Scenario
from benchmarks.corpus.shares import sources
from benchmarks.corpus.word_lists import sections
from benchmarks.quality.innocents.facts import filled
from benchmarks.quality.innocents.pages import innocent

ENTRIES: Final = (20, 30)
TEASER_CHARS: Final = {Language.CHINESE: (40, 80), Language.ENGLISH: (80, 200)}
_RULE_OR_SPACE = re.compile(r"[=\-#*!\s]+")


def list_pages(family: str) -> Builder:
    """List pages as probes, with the listed articles as sources: to report these as copied is wrong."""

    def build(material: Material, rng: Random, wanted: int) -> Scenario:
        known = sources(material)
        probes = []
        for number in range(wanted):
            chosen = rng.sample(known, min(len(known), rng.randint(*ENTRIES)))
            page = innocent(family, number, material.language, _page(chosen, material.language, rng))
            probes.append(replace(page, sources=frozenset(article.id for article in chosen)))
        return Scenario(tuple(probes))

    return build


def _page(articles: list[Article], language: Language, rng: Random) -> str:
    phrases = sections(f"phrases-{language}.txt")
    head, foot = (
        filled(rng.choice(phrases[kind]), {}, rng, day=0, in_words=False) for kind in ("list-head", "list-foot")
    )
    more, chars = rng.choice(phrases["more"]), rng.randint(*TEASER_CHARS[language])
    entries = (f"{article.title}\n{_date(rng)}\n{teaser(article, chars, language)}……{more}" for article in articles)
    return "\n".join([head, *entries, foot])


def teaser(article: Article, chars: int, language: Language) -> str:
    """The first characters below the title, in one line; in English up to the end of a word."""
    below = _RULE_OR_SPACE.sub(" ", article.text.removeprefix(article.title)).strip()
    cut = below[:chars]
    return cut.rpartition(" ")[0] or cut if language is Language.ENGLISH else cut


def _date(rng: Random) -> str:
    return f"{rng.randint(2015, 2026)}-{rng.randint(1, 12):02}-{rng.randint(1, 28):02}"
