"""An agency's story on many sites, also on one of ours; some removed its credit. No copy of it is a case."""

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Final

from benchmarks.corpus.model import Article, Builder, Expected, Language, Material, Probe, Scenario, Stored
from benchmarks.corpus.shares import Bearers, bearers, drawn
from benchmarks.corpus.word_lists import sections
from benchmarks.quality.innocents.facts import DAYS, filled
from benchmarks.quality.innocents.pages import page_text
from storage.types import Rights, SiteRole

WATCHED_SITES: Final = 24
CREDITED_SHARE: Final = 0.6
PROBES_A_STORY: Final = 8


@dataclass(frozen=True, slots=True)
class _Text:
    """The text of the agency. Sites that remove the credit remove the dateline too: it names the agency."""

    dateline: str
    story: str


def wire_stories(family: str) -> Builder:
    """Each story is on WATCHED_SITES sites and on one of ours; probes are further copies, found or not."""

    def build(material: Material, rng: Random, wanted: int) -> Scenario:
        language = material.language
        known = bearers(material, Bearers.WIRE)
        chosen = rng.sample(known, max(1, min(len(known), wanted // PROBES_A_STORY)))
        texts = {story.id: _Text(_dateline(language, rng), page_text(story)) for story in chosen}
        stored = {
            story.id: tuple(_stored(family, number, story, texts[story.id], language, rng))
            for number, story in enumerate(chosen)
        }
        probes = (
            _probe(family, number, texts[story.id], stored[story.id], language, rng)
            for number, story in enumerate(drawn(tuple(chosen), wanted, rng))
        )
        return Scenario(tuple(probes), tuple(copy for copies in stored.values() for copy in copies))

    return build


def _dateline(language: Language, rng: Random) -> str:
    names = sections(f"templates-{language}.txt")
    line = rng.choice(sections(f"phrases-{language}.txt")["dateline"])
    return filled(line, names, rng, day=rng.randrange(DAYS), in_words=language is Language.ENGLISH)


def _stored(family: str, number: int, story: Article, text: _Text, language: Language, rng: Random) -> Iterator[Stored]:
    ours = f"{family}-ours"
    credit, page = _credited(text, language, rng)
    yield Stored(f"https://{ours}.test/{number}", page, ours, story.title, SiteRole.ORIGINAL, Rights.AGENCY, (credit,))
    for place in range(WATCHED_SITES):
        site = f"{family}-{place:02}"
        url = f"https://{site}.test/{number}"
        if rng.random() < CREDITED_SHARE:
            credit, page = _credited(text, language, rng)
            yield Stored(url, page, site, story.title, rights=Rights.AGENCY, credit_lines=(credit,))
        else:
            yield Stored(url, text.story, site, story.title)


def _probe(family: str, number: int, text: _Text, stored: tuple[Stored, ...], language: Language, rng: Random) -> Probe:
    page = _credited(text, language, rng)[1] if rng.random() < CREDITED_SHARE else text.story
    ids = frozenset(copy.id for copy in stored)
    return Probe(f"{family}/{number}", family, language, page, Expected.NO_CASE, stored[0].title, ids)


def _credited(text: _Text, language: Language, rng: Random) -> tuple[str, str]:
    """A credit line, and the page with the agency's name at its head and the line at its end."""
    credit = rng.choice(sections(f"phrases-{language}.txt")["credit"])
    return credit, f"{text.dateline} {text.story}\n{credit}"
