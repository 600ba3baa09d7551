"""Scenarios of copies: of one article, of a part of one, of several."""

from collections.abc import Iterator
from random import Random
from typing import Final

from benchmarks.corpus.model import Article, Builder, Expected, Language, Material, Probe, Scenario
from benchmarks.corpus.shares import drawn, sources
from benchmarks.disguises.blocks import Block, own, spans_of, text_of, whole
from benchmarks.disguises.excerpts import passage, run_of_sentences
from benchmarks.disguises.frames import embedded
from benchmarks.disguises.kit import Arrangement, Kit, kit_for
from benchmarks.disguises.segmentation import opening

MAX_COPY_CHARS: Final = 3_000
"""A copy holds at most so much of the beginning of its source, which is stored whole."""
MOSAIC_SOURCES: Final = (3, 5)
MOSAIC_PART_CHARS: Final = (150, 400)


def copies(family: str, arrange: Arrangement, *, titled: bool = True) -> Builder:
    """Each probe is the beginning of one source, arranged; it keeps the source's title, or takes its own first line."""

    def build(material: Material, rng: Random, wanted: int) -> Scenario:
        kit = kit_for(material)
        chosen = drawn(sources(material), wanted, rng)
        blocks = (arrange(opening(whole(source), MAX_COPY_CHARS).stripped(), kit, rng) for source in chosen)
        return Scenario(tuple(_probes(family, kit.language, blocks, chosen, titled=titled)))

    return build


def passages(family: str, chars: int) -> Builder:
    """Each probe is a held-out article with so many characters of one source inside it."""

    def build(material: Material, rng: Random, wanted: int) -> Scenario:
        kit = kit_for(material)
        chosen = drawn(sources(material), wanted, rng)
        blocks = (embedded(passage(whole(source), chars, kit.language, rng), kit, rng) for source in chosen)
        return Scenario(tuple(_probes(family, kit.language, blocks, chosen, titled=False)))

    return build


def mosaics(family: str, *, own_text: bool) -> Builder:
    """Each probe is made of sentences from three to five sources, with or without own text between them."""

    def build(material: Material, rng: Random, wanted: int) -> Scenario:
        kit = kit_for(material)
        known = sources(material)
        probes = []
        for number in range(wanted):
            chosen = rng.sample(known, min(len(known), rng.randint(*MOSAIC_SOURCES)))
            blocks = tuple(_mosaic(chosen, kit, rng, own_text=own_text))
            ids = frozenset(source.id for source in chosen)
            probes.append(probe_of(family, number, kit.language, blocks, sources=ids))
        return Scenario(tuple(probes))

    return build


def probe_of(
    family: str, number: int, language: Language, blocks: tuple[Block, ...], *, sources: frozenset[str], title: str = ""
) -> Probe:
    return Probe(
        id=f"{family}/{number}",
        family=family,
        language=language,
        text=text_of(blocks),
        expected=Expected.COPY,
        title=title,
        sources=sources,
        spans=spans_of(blocks),
    )


def _probes(
    family: str, language: Language, pages: Iterator[tuple[Block, ...]], chosen: list[Article], *, titled: bool
) -> Iterator[Probe]:
    for number, (source, blocks) in enumerate(zip(chosen, pages, strict=True)):
        title = source.title if titled else text_of(blocks).partition("\n")[0]
        yield probe_of(family, number, language, blocks, sources=frozenset([source.id]), title=title)


def _mosaic(chosen: list[Article], kit: Kit, rng: Random, *, own_text: bool) -> Iterator[Block]:
    for number, source in enumerate(chosen):
        if number:
            yield own("\n")
        if own_text:
            yield own(_own_sentences(kit, rng) + "\n")
        yield run_of_sentences(whole(source), rng.randint(*MOSAIC_PART_CHARS), kit.language, rng)
    if own_text:
        yield own("\n" + _own_sentences(kit, rng))


def _own_sentences(kit: Kit, rng: Random) -> str:
    host = own(rng.choice(kit.hosts).text)
    return run_of_sentences(host, rng.randint(*MOSAIC_PART_CHARS), kit.language, rng).text
