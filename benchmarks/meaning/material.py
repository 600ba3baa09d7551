"""Reads the texts of the data folder and makes probes and a store of them.

The files are described in docs/quality.md; nobody but their owner may pass them on, so none is part of the project.
"""

import gzip
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any, Final, TypeAlias

from benchmarks.meaning.fit_material import fit_probes
from benchmarks.meaning.probes import Kind, Material, Probe, Stored

FILES: Final = {
    "zh_articles": ("url", "text"),
    "en_articles": ("url", "text"),
    "en_zh_translations": ("id", "en", "zh"),
    "zh_second_translations": ("id", "zh_a", "zh_b"),
    "zh_llm_rewrites": ("id", "rewritten", "human"),
    "zh_retold_sources": ("id", "text"),
    "zh_retold": ("id", "source", "kind", "text"),
    "zh_hard_negative_pairs": ("id", "text_a", "text_b"),
}
"""Files NAME.jsonl.gz, and the fields that each record must have."""
GRAM: Final = 24
MOST_SHARED: Final = 0.2
"""Share of its grams of 24 characters that an article of the background may share with the probes and their sources."""
PARAGRAPHS: Final = 3
FEWEST_PARAGRAPHS: Final = 5
SHORTEST_SHORT: Final = 50
_PARAGRAPH_CHARS: Final = {"zh": 40, "en": 120}
_NO_WORD: Final = re.compile(r"[\W_]+")
_RETOLD_KINDS: Final = {
    "retold": Kind.RETOLD,
    "retold-b": Kind.RETOLD_AGAIN,
    "condensed": Kind.CONDENSED,
    "half": Kind.HALF,
    "translated": Kind.TRANSLATED_BY_MACHINE,
    "independent": Kind.INDEPENDENT,
}

Record: TypeAlias = Mapping[str, Any]
Records: TypeAlias = Mapping[str, Sequence[Record]]


class DataMissing(Exception):  # reads as what it says
    """A file of the data folder is missing or cannot be read; the message names it."""


@dataclass(frozen=True, slots=True)
class Sizes:
    """`articles`: stored texts at most; None: all. `translations`, `paragraphs`, `ordinary`, `hard_negatives`, `short`:
    most probes of these kinds; of the rarer kinds all are asked. `kept`: translated articles, and as many short texts,
    of which any are stored; None: all. `fitted_on`: stored articles, and as many short texts in other articles, that
    are asked for the fit alone, with all other kinds of it; 0: nothing is.
    """

    articles: int | None = None
    translations: int = 200
    paragraphs: int = 200
    ordinary: int = 500
    hard_negatives: int = 400
    short: int = 413
    kept: int | None = None
    fitted_on: int = 0


@dataclass(slots=True)
class _Collected:
    stored: list[Stored] = field(default_factory=list)
    probes: list[Probe] = field(default_factory=list)


def read_records(folder: Path) -> dict[str, list[Record]]:
    """Return the records of each file of the folder. Raises DataMissing."""
    return {name: list(_records(folder / f"{name}.jsonl.gz", fields)) for name, fields in FILES.items()}


def make_material(records: Records, sizes: Sizes, seed: int) -> Material:
    """Return store and probes. The same records, sizes and seed make the same ones."""
    rng = Random(seed)  # repeatable, nothing secret
    found = _Collected()
    for add in (_retellings, _second_translations, _short_texts, _hard_negatives):
        add(records, sizes, rng, found)
    translated = _translations(records, sizes, rng, found)
    background, left_out = _background(records, found, rng)
    asked, kept = background[: sizes.ordinary], background[sizes.ordinary :]
    found.probes += [Probe(item.id, Kind.ORDINARY, item.title, item.text) for item in asked]
    found.probes += _paragraphs(translated, asked or kept, sizes, rng)
    if sizes.articles is not None:
        kept = kept[: max(0, sizes.articles - len(found.stored))]
    if sizes.fitted_on:
        hosts = [host for host in asked or kept if _language(host.text) == "zh"]
        found.probes += fit_probes(found.probes, hosts, kept, sizes.fitted_on, rng)
    read = {name: len(items) for name, items in records.items()}
    return Material((*found.stored, *kept), tuple(found.probes), left_out, read)


def _records(path: Path, fields: Sequence[str]) -> Iterator[Record]:
    try:
        with gzip.open(path, "rt", encoding="utf-8") as lines:
            for number, line in enumerate(lines, start=1):
                record = json.loads(line)
                missing = [name for name in fields if not isinstance(record.get(name), str)]
                if missing:
                    message = f"{path}, line {number}: no field {', '.join(missing)}."
                    raise DataMissing(message)
                yield record
    except FileNotFoundError as error:
        message = f"{path} is missing. docs/quality.md describes the files that this benchmark needs."
        raise DataMissing(message) from error
    except (OSError, EOFError, ValueError, AttributeError) as error:
        message = f"{path} cannot be read: {error}"
        raise DataMissing(message) from error


def _retellings(records: Records, _sizes: Sizes, _rng: Random, found: _Collected) -> None:
    for item in records["zh_retold_sources"]:
        found.stored.append(Stored(f"source/{item['id']}", item.get("title", ""), item["text"]))
    for item in records["zh_retold"]:
        kind = _RETOLD_KINDS.get(item["kind"])
        if kind is not None:
            source = f"source/{item['source']}"
            found.probes.append(Probe(f"retold/{item['id']}", kind, item.get("title", ""), item["text"], source))


def _second_translations(records: Records, _sizes: Sizes, _rng: Random, found: _Collected) -> None:
    for item in records["zh_second_translations"]:
        found.stored.append(Stored(f"first/{item['id']}", "", item["zh_a"]))
        found.probes.append(Probe(f"second/{item['id']}", Kind.SECOND, "", item["zh_b"], f"first/{item['id']}"))


def _short_texts(records: Records, sizes: Sizes, rng: Random, found: _Collected) -> None:
    """Every text is stored, and a part of the rewritten ones asked."""
    items = [item for item in records["zh_llm_rewrites"] if len(item["rewritten"]) >= SHORTEST_SHORT][: sizes.kept]
    for item in items:
        found.stored.append(Stored(f"short/{item['id']}", "", item["human"]))
    for item in _some(items, sizes.short, rng):
        found.probes.append(Probe(f"rewritten/{item['id']}", Kind.SHORT, "", item["rewritten"], f"short/{item['id']}"))


def _hard_negatives(records: Records, sizes: Sizes, rng: Random, found: _Collected) -> None:
    """An article whose translation is stored is no innocent: it is not asked."""
    translated: set[int] = set()
    for item in records["en_zh_translations"]:
        translated.update(_grams(item["en"]), _grams(item["zh"]))
    for item in _some(records["zh_hard_negative_pairs"], sizes.hard_negatives, rng):
        name = f"beside/{item['id']}"
        found.stored.append(Stored(name, "", item["text_b"]))
        if _is_among(translated, item["text_a"]):
            continue
        found.probes.append(Probe(f"negative/{item['id']}", Kind.HARD_NEGATIVE, "", item["text_a"], name))


def _translations(records: Records, sizes: Sizes, rng: Random, found: _Collected) -> list[Probe]:
    """Store one language of every article, each in turn, and return the other ones, of which a part is asked."""
    probes = []
    for number, item in enumerate(records["en_zh_translations"][: sizes.kept]):
        asked, kept = ("en", "zh") if number % 2 else ("zh", "en")
        kind = Kind.TRANSLATED_TO_CHINESE if asked == "zh" else Kind.TRANSLATED_TO_ENGLISH
        source = f"{kept}/{item['id']}"
        found.stored.append(Stored(source, "", item[kept]))
        probes.append(Probe(f"{asked}/{item['id']}", kind, "", item[asked], source))
    rng.shuffle(probes)
    found.probes += probes[: sizes.translations]
    # Others than those asked whole, as far as there are any.
    return [*probes[sizes.translations :], *probes[: sizes.translations]]


def _paragraphs(translated: Sequence[Probe], hosts: Sequence[Stored], sizes: Sizes, rng: Random) -> Iterator[Probe]:
    """Put three paragraphs of a translation into an article of the same language that is not stored."""
    by_language: dict[str, list[Stored]] = {"zh": [], "en": []}
    for host in hosts:
        by_language[_language(host.text)].append(host)
    made = 0
    for probe in translated:
        language = "zh" if probe.kind is Kind.TRANSLATED_TO_CHINESE else "en"
        own = [part for part in probe.text.split("\n") if len(part.strip()) > _PARAGRAPH_CHARS[language]]
        if made == sizes.paragraphs or not by_language[language] or len(own) < FEWEST_PARAGRAPHS:
            continue
        made += 1
        at = rng.randrange(len(own) - PARAGRAPHS + 1)
        others = rng.choice(by_language[language]).text.split("\n")
        place = rng.randrange(len(others) + 1)
        text = "\n".join((*others[:place], *own[at : at + PARAGRAPHS], *others[place:]))
        kind = Kind.PARAGRAPHS_CHINESE if language == "zh" else Kind.PARAGRAPHS_ENGLISH
        yield Probe(f"paragraphs/{probe.id}", kind, "", text, probe.source)


def _background(records: Records, found: _Collected, rng: Random) -> tuple[list[Stored], int]:
    """Return the articles that share little with a probe or its source, in random order, and how many do share."""
    known: set[int] = set()
    for text in (*(item.text for item in found.stored), *(probe.text for probe in found.probes)):
        known.update(_grams(text))
    for item in records["en_zh_translations"]:
        known.update(_grams(item["en"]), _grams(item["zh"]))
    kept = []
    left_out = 0
    for item in (*records["zh_articles"], *records["en_articles"]):
        if _is_among(known, item["text"]):
            left_out += 1
        else:
            kept.append(Stored(item["url"], item.get("title", ""), item["text"]))
    rng.shuffle(kept)
    return kept, left_out


def _is_among(known: Set[int], text: str) -> bool:
    """Return whether a text shares more grams with the known ones than innocents do."""
    grams = set(_grams(text))
    return len(grams & known) > MOST_SHARED * len(grams)


def _grams(text: str) -> Iterator[int]:
    letters = _NO_WORD.sub("", text.lower())
    return (hash(letters[start : start + GRAM]) for start in range(len(letters) - GRAM + 1))


def _language(text: str) -> str:
    han = sum("\u3400" <= char <= "\u9fff" for char in text)
    return "zh" if 5 * han > len(text) else "en"


def _some(items: Iterable[Record], most: int, rng: Random) -> list[Record]:
    shuffled = list(items)
    rng.shuffle(shuffled)
    return shuffled[:most]
