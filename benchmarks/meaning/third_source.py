"""Relations with their common source stored: pairs that took from a third text, and planted copies of one of them.

Asks as `zhiwen check` does. Of two translations of one article, and of two retellings, one is stored with the source
and the other is asked; of an article with its translation, both are stored and a disguised copy of the translation is
asked.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from random import Random
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from benchmarks.corpus.model import Article, Language, Material
from benchmarks.disguises.blocks import text_of, whole
from benchmarks.disguises.characters import homophones, traditional
from benchmarks.disguises.combined import combined, combined_hard
from benchmarks.disguises.excerpts import excerpt
from benchmarks.disguises.frames import in_host
from benchmarks.disguises.kit import Arrangement, Kit, disguised, kit_for
from benchmarks.disguises.order import shuffle_paragraphs, shuffle_sentences
from benchmarks.disguises.words import synonyms, word_edits
from fingerprint.compute import fingerprint_text
from matcher.comparison.check import check, compared_with
from matcher.meaning.encoders.encoder import Encoder
from matcher.retellings.check_by_meaning import OpenSearch, check_by_meaning
from matcher.retellings.opening import MeaningOfStore
from matcher.worker.encoding import encode_store
from storage.engine import transaction
from storage.pages.saving import save_pages
from storage.records.pages import FingerprintedArticle, NewArticle
from storage.types import FoundBy, Relation

if TYPE_CHECKING:
    from sqlalchemy import Engine

PLANTED: Final = 160
"""Planted copies, spread evenly over the disguises."""
HOSTS: Final = 200
SECOND, RETOLD, COPIED = "second translation", "retold twice", "copied"

DISGUISES: Final[Mapping[str, Arrangement]] = {
    "unchanged": disguised(),
    "homophones": disguised(homophones(0.15)),
    "traditional script": disguised(traditional),
    "synonyms": disguised(synonyms(0.6)),
    "15 % of the words edited": disguised(word_edits(0.15)),
    "30 % of the words edited": disguised(word_edits(0.30)),
    "sentences shuffled": shuffle_sentences,
    "paragraphs shuffled": shuffle_paragraphs,
    "half": disguised(excerpt(0.5)),
    "a quarter": disguised(excerpt(0.25)),
    "half, edited": disguised(excerpt(0.5), word_edits(0.15)),
    "half in another article": lambda block, kit, rng: in_host((excerpt(0.5)(block, kit, rng),), kit, rng),
    "several disguises": combined,
    "half in another article, five disguises": combined_hard,
}
"""What a copier of a translation does to it."""

Record: TypeAlias = Mapping[str, Any]
Encode: TypeAlias = Callable[[], OpenSearch]
"""Encodes the texts of the store, and returns the search by meaning."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A text that shares something with the page `pair`; `third`: the page of the common source."""

    kind: str
    disguise: str
    text: str
    pair: str
    third: str


@dataclass(frozen=True, slots=True)
class ThirdSourceResult:
    """By kind and disguise, how many were found and how many of these have the relation that they should have."""

    asked: Counter[tuple[str, str]] = field(default_factory=Counter)
    found: Counter[tuple[str, str]] = field(default_factory=Counter)
    right: Counter[tuple[str, str]] = field(default_factory=Counter)


def measure(
    engine: "Engine",
    encode: Encode,
    records: Mapping[str, Sequence[Record]],
    *,
    seed: int,
    planted: int = PLANTED,
    background: int = HOSTS,
    progress: Callable[[str, int, int], None] | None = None,
) -> ThirdSourceResult:
    """Fill an empty store, ask about all pairs and copies, and count. `records`: by file name, see docs/quality.md.

    `background`: other articles that are stored. The same records and seed make the same questions.
    """
    rng = Random(f"{seed}/third source")  # repeatable, nothing secret
    articles = [Article(one["url"], "", one["text"]) for one in records["zh_articles"]]
    rng.shuffle(articles)
    stored, asked = _pairs(records)
    kit = kit_for(Material(Language.CHINESE, (), tuple(articles[:HOSTS])))
    for more_stored, more_asked in (_retold(records), _planted(records, kit, planted, rng)):
        stored |= more_stored
        asked += more_asked
    stored |= {one.id: one.text for one in articles[HOSTS : HOSTS + background]}
    with transaction(engine) as session:
        save_pages(session, [FingerprintedArticle(_article(*one), fingerprint_text(one[1])) for one in stored.items()])
    open_search = encode()
    result = ThirdSourceResult()
    for number, one in enumerate(asked):
        _ask(engine, open_search, one, result)
        if progress is not None:
            progress("asking", number + 1, len(asked))
    return result


def search_of(engine: "Engine", encoder: Encoder) -> OpenSearch:
    """Encode the texts of the store, and return the search by meaning."""
    encode_store(engine, encoder, should_stop=lambda: False)
    return MeaningOfStore(encoder)


def _pairs(records: Mapping[str, Sequence[Record]]) -> tuple[dict[str, str], list[Asked]]:
    """Return the second translations whose original is there: what is stored by URL, and what is asked."""
    stored: dict[str, str] = {}
    asked: list[Asked] = []
    for number, one in enumerate(records["zh_second_translations"]):
        if not isinstance(one.get("en_a"), str):
            continue
        pair, third = _url("translation", number), _url("original", number)
        stored |= {pair: one["zh_a"], third: one["en_a"]}
        asked.append(Asked(SECOND, "", one["zh_b"], pair, third))
    return stored, asked


def _retold(records: Mapping[str, Sequence[Record]]) -> tuple[dict[str, str], list[Asked]]:
    sources = {one["id"]: one["text"] for one in records["zh_retold_sources"]}
    by_kind = {(one["source"], one["kind"]): one["text"] for one in records["zh_retold"]}
    stored: dict[str, str] = {}
    asked: list[Asked] = []
    for source, text in sources.items():
        first, again = by_kind.get((source, "retold")), by_kind.get((source, "retold-b"))
        if first is not None and again is not None:
            pair, third = _url("retold", len(asked)), _url("source", len(asked))
            stored |= {pair: first, third: text}
            asked.append(Asked(RETOLD, "", again, pair, third))
    return stored, asked


def _planted(
    records: Mapping[str, Sequence[Record]], kit: Kit, count: int, rng: Random
) -> tuple[dict[str, str], list[Asked]]:
    """Return copies of translations whose originals are stored, each of another article."""
    stored: dict[str, str] = {}
    asked: list[Asked] = []
    translations = list(records["en_zh_translations"])
    rng.shuffle(translations)
    for number, one in enumerate(translations[:count]):
        pair, third = _url("wording", number), _url("english", number)
        stored |= {pair: one["zh"], third: one["en"]}
        disguise = list(DISGUISES)[number % len(DISGUISES)]
        copy = text_of(DISGUISES[disguise](whole(Article(pair, "", one["zh"])), kit, rng))
        asked.append(Asked(COPIED, disguise, copy, pair, third))
    return stored, asked


def _ask(engine: "Engine", open_search: OpenSearch, asked: Asked, result: ThirdSourceResult) -> None:
    key = asked.kind, asked.disguise
    result.asked[key] += 1
    with transaction(engine) as session:
        article = _article("https://query.example/a", asked.text)
        literal = check(session, article, against=compared_with(session))
        meaning = check_by_meaning(session, article, literal, open_search)
        relations = {found.pages[0].url: found.relation_with(found.pages[0]).relation for found in literal.matches}
        thirds = {found.pages[0].url: found.relation_with(found.pages[0]).third_url for found in literal.matches}
        for match in meaning.retold:
            relations[match.pages[0].url] = match.relation
            thirds[match.pages[0].url] = None if match.third is None else match.third.url
    if asked.pair not in relations:
        return
    result.found[key] += 1
    if asked.kind == COPIED:
        result.right[key] += relations[asked.pair] is Relation.COPY
    else:
        result.right[key] += thirds[asked.pair] == asked.third


def _article(url: str, text: str) -> NewArticle:
    return NewArticle(url=url, text=text, found_by=FoundBy.IMPORT, fetched_at=datetime.now(UTC))


def _url(kind: str, number: int) -> str:
    return f"https://{kind}-{number}.example/a"
