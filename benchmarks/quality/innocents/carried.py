"""Set pieces that many unrelated pages carry: disclaimers, the footer of a site, a public statement as a quotation."""

from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Final, TypeAlias

from benchmarks.corpus.model import Builder, Language, Material, Scenario, Stored
from benchmarks.corpus.shares import Bearers, bearers, drawn, hosts
from benchmarks.corpus.word_lists import sections
from benchmarks.quality.innocents.pages import bodies, halves, innocent, page_text, unrelated

Join: TypeAlias = Callable[[str, str, Language, Random], str]
"""A body and the set piece as one page."""


MIN_STORED_EACH: Final = 24
"""In a small corpus fewer wordings are used, so that each is still carried by many."""


@dataclass(frozen=True, slots=True)
class Carried:
    """How a set piece is spread over the store."""

    section: str
    """Under which heading of the phrases its wordings stand."""
    bearers: Bearers
    stored_each: int
    """How many pages carry each wording, if the corpus holds enough articles."""
    sites: int
    """Over how many sites these stand; each wording has sites of its own."""


DISCLAIMER: Final = Carried("disclaimer", Bearers.DISCLAIMER, stored_each=64, sites=10)
FOOTER: Final = Carried("footer", Bearers.FOOTER, stored_each=32, sites=1)
STATEMENT: Final = Carried("statement", Bearers.STATEMENT, stored_each=30, sites=12)


def carried(family: str, spread: Carried, join: Join) -> Builder:
    """Each probe is another unrelated article that carries one of the pieces."""

    def build(material: Material, rng: Random, wanted: int) -> Scenario:
        language = material.language
        known = sections(f"phrases-{language}.txt")[spread.section]
        texts = bodies(bearers(material, spread.bearers), spread.stored_each * len(known), rng)
        pieces = known[: max(1, len(texts) // MIN_STORED_EACH)]
        stored = []
        for number, body in enumerate(texts):
            which, place = number % len(pieces), number // len(pieces)
            site = f"{family}-{which}-{place % spread.sites}"
            text = join(body, pieces[which], language, rng)
            stored.append(Stored(f"https://{site}.test/{number}", text, site))
        probes = (
            innocent(family, number, language, join(page_text(host), pieces[number % len(pieces)], language, rng))
            for number, host in enumerate(drawn(unrelated(hosts(material), texts), wanted, rng))
        )
        return Scenario(tuple(probes), tuple(stored))

    return build


def below(body: str, piece: str, language: Language, rng: Random) -> str:
    return f"{body}\n{piece}"


def quoted(body: str, piece: str, language: Language, rng: Random) -> str:
    """In quotation marks, after words that say who said it, in the middle of the page."""
    intro = rng.choice(sections(f"phrases-{language}.txt")["intro"])
    before, after = halves(body, language)
    quotation = f"{intro}“{piece}”" if language is Language.CHINESE else f"{intro} “{piece}”"
    return f"{before.rstrip()}\n{quotation}\n{after.lstrip()}"
