"""More texts that are asked for the fit of the score alone: parts of copies in other articles, and stored articles.

The kinds that goals are set for have few texts: 28 rewritten, 12 condensed, 14 second translations. What is made of
these is near to them, so it is no part of a goal. A fit is cross-validated over the sources, which both have in common.
"""

from collections.abc import Iterable, Iterator, Sequence
from random import Random
from typing import Final, TypeVar

from benchmarks.meaning.probes import Kind, Probe, Stored
from matcher.meaning.sentences import Sentence, sentences_of

TIMES: Final = 2
"""Parts that are made of each text."""
PART: Final = 3
"""Of a rewritten text, one sentence in so many is a part; and so many are kept where sentences are dropped."""
QUARTER: Final = 4
FEWEST_SENTENCES: Final = 3

_T = TypeVar("_T")


def fit_probes(
    known: Sequence[Probe], hosts: Sequence[Stored], stored: Sequence[Stored], most: int, rng: Random
) -> Iterator[Probe]:
    """Yield probes of the kinds that are only fitted on.

    `known`: probes of the benchmark; `hosts`: articles in Chinese that are not stored; `stored`: articles of the
    background, of which `most` are asked against the others, and as many short texts inside a host.
    """
    rewritten = [probe for probe in known if probe.kind in (Kind.RETOLD, Kind.RETOLD_AGAIN)]
    if hosts:
        yield from _parts(rewritten, PART, Kind.PART_OF_RETOLD, hosts, rng)
        second = [probe for probe in known if probe.kind is Kind.SECOND]
        yield from _parts(second, QUARTER, Kind.PART_OF_SECOND, hosts, rng)
        for probe in _some((probe for probe in known if probe.kind is Kind.SHORT), most, rng):
            yield _made(probe, Kind.SHORT_INSIDE, _inside(probe.text, rng.choice(hosts), rng))
    for probe in rewritten:
        sentences = sentences_of(probe.text)
        count = max(FEWEST_SENTENCES, len(sentences) // PART)
        if len(sentences) > count:
            kept = sorted(rng.sample(sentences, count))
            yield _made(probe, Kind.DROPPED, "".join(probe.text[start:end] for start, end in kept))
    for item in _some(stored, most, rng):
        yield Probe(f"stored/{item.id}", Kind.STORED, item.title, item.text)


def _parts(probes: Iterable[Probe], share: int, kind: Kind, hosts: Sequence[Stored], rng: Random) -> Iterator[Probe]:
    """Yield parts of each text, each inside another article."""
    for probe in probes:
        sentences = sentences_of(probe.text)
        for number in range(TIMES):
            part = _part(probe.text, sentences, share, rng)
            if part:
                yield _made(probe, kind, _inside(part, rng.choice(hosts), rng), number)


def _part(text: str, sentences: Sequence[Sentence], share: int, rng: Random) -> str:
    """Return sentences in a row, one in `share` of all; empty if there are too few."""
    count = max(FEWEST_SENTENCES, len(sentences) // share)
    if len(sentences) <= count:
        return ""
    first = rng.randrange(len(sentences) - count + 1)
    return text[sentences[first].start : sentences[first + count - 1].end]


def _inside(part: str, host: Stored, rng: Random) -> str:
    paragraphs = host.text.split("\n")
    place = rng.randrange(len(paragraphs) + 1)
    return "\n".join((*paragraphs[:place], part, *paragraphs[place:]))


def _made(probe: Probe, kind: Kind, text: str, number: int = 0) -> Probe:
    return Probe(f"{kind}/{number}/{probe.id}", kind, "", text, probe.source)


def _some(items: Iterable[_T], most: int, rng: Random) -> list[_T]:
    shuffled = list(items)
    rng.shuffle(shuffled)
    return shuffled[:most]
