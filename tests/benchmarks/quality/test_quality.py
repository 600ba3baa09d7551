"""The quality benchmark at small size, on articles of our own: everything but the numbers of a real corpus."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from benchmarks.common.report import write
from benchmarks.common.workers import Workers
from benchmarks.corpus.articles import Corpus, read_corpus, split
from benchmarks.corpus.model import Expected, Language
from benchmarks.quality.baselines.method import Baseline
from benchmarks.quality.baselines.table import METHODS
from benchmarks.quality.request import Request
from benchmarks.quality.run import Input, run_quality
from benchmarks.quality.scenarios.families import FAMILIES
from benchmarks.quality.scenarios.pair_files import PairFile, PlacedPair, read_pairs, read_placed
from benchmarks.quality.scenarios.scenes import set_up
from benchmarks.quality.scoring import report
from benchmarks.quality.scoring.result import QualityResult
from storage.engine import make_engine
from tests.support.benchmarks.corpus import write_corpus
from tests.support.benchmarks.tasks import refuse
from tests.support.store.new_database import database

CHINESE, ENGLISH = 110, 62
PER_FAMILY = 2
"""Every family has its floor also here: of two copies none may be missed."""
INNOCENTS = ("ordinary", "same-subject", "template-news")
"""Kinds of innocents for which a corpus of this size is enough; the others are measured on a large one."""
ASKED = [item.name for item in FAMILIES if item.expected is Expected.COPY or item.name.endswith(INNOCENTS)]
REQUEST = Request(seed=7, per_family=PER_FAMILY, innocents=12, only=frozenset(ASKED))
COPIES = [family for family in FAMILIES if family.expected is Expected.COPY and family.floor is not None]


def half_done(stored: Sequence[str], asked: Sequence[str], workers: Workers) -> Iterator[Baseline]:
    """A method that gives one result and then breaks, as packages do."""
    yield Baseline("half done", "names nothing", tuple(() for _ in asked), 1.0)
    raise OverflowError(f"{len(stored)} texts\nare too many")


def broken_in_a_process(stored: Sequence[str], asked: Sequence[str], workers: Workers) -> Iterator[Baseline]:
    for _ in workers.map(refuse, ["one", "two", "three"]):
        yield Baseline("never", "", ())


FAILING = (("half", half_done), ("broken", broken_in_a_process))
COMPARED = frozenset({"zh-frame", "zh-words-15", "zh-passage-120", "en-excerpt-50", "zh-ordinary", "zh-wire"})
"""Families that the other methods are asked, too: they take more time than ours."""


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    path = tmp_path_factory.mktemp("corpus") / "articles.jsonl"
    return read_corpus([write_corpus(path, chinese=CHINESE, english=ENGLISH)])


@pytest.fixture(scope="module")
def pairs(corpus: Corpus, tmp_path_factory: pytest.TempPathFactory) -> PairFile:
    """Four articles against themselves with a new end, and four against other articles."""
    texts = [article.text for article in corpus.by_language[Language.CHINESE]][:8]
    path = tmp_path_factory.mktemp("pairs") / "own.jsonl"
    records = [
        {"id": f"revised {number}", "label": "revised", "text_a": text + "\n后记另写。", "text_b": text + "\n完。"}
        for number, text in enumerate(texts[:4])
    ] + [
        {"id": f"other {number}", "label": "hard-negative", "text_a": one, "text_b": f"{other}\n（另一篇）"}
        for number, (one, other) in enumerate(zip(texts[4:6], texts[6:8], strict=True))
    ]
    path.write_text("\n".join(json.dumps(record) for record in records), encoding="utf-8")
    return read_pairs(path)


@pytest.fixture(scope="module")
def placed(corpus: Corpus, tmp_path_factory: pytest.TempPathFactory) -> tuple[PlacedPair, ...]:
    """One English article whose middle stands in another."""
    host, source = (article.text for article in corpus.by_language[Language.ENGLISH][5:7])
    folder = tmp_path_factory.mktemp("placed")
    documents = [{"id": "copy", "text": host[:500] + source[300:900] + host[500:]}, {"id": "source", "text": source}]
    passages = [{"copy_start": 500, "copy_end": 1_100, "source_start": 300, "source_end": 900}]
    (folder / "docs.jsonl").write_text("\n".join(map(json.dumps, documents)), encoding="utf-8")
    (folder / "pairs.jsonl").write_text(
        json.dumps({"id": "one", "copy": "copy", "source": "source", "passages": passages}), encoding="utf-8"
    )
    return read_placed(folder / "pairs.jsonl", folder / "docs.jsonl")


@pytest.fixture(scope="module")
def result(
    corpus: Corpus, pairs: PairFile, placed: tuple[PlacedPair, ...], server_url: str, template_url: str
) -> Iterator[QualityResult]:
    given = Input(corpus, FAMILIES, (pairs,), {"own": placed}, FAILING)
    yield from measured(given, REQUEST, server_url, template_url)


@pytest.fixture(scope="module")
def compared(corpus: Corpus, server_url: str, template_url: str) -> Iterator[QualityResult]:
    given = Input(corpus, FAMILIES, baselines=METHODS)
    yield from measured(given, replace(REQUEST, only=COMPARED), server_url, template_url)


def measured(given: Input, request: Request, server_url: str, template_url: str) -> Iterator[QualityResult]:
    with database(server_url, template=template_url) as url:
        engine = make_engine(url)
        *earlier, result = run_quality(engine, url, given, request, progress=lambda *_: None)
        assert len(earlier) == len(given.baselines)
        assert all(one.methods == result.methods[: len(one.methods)] for one in earlier)
        yield result
        engine.dispose()


def test_every_floor_is_reached(result: QualityResult) -> None:
    assert report.floors_missed(result) == []
    assert [family.name for family in result.ours.families] == ASKED
    assert all(family.probes >= 1 for family in result.ours.families)


def test_what_is_named_is_a_source(result: QualityResult) -> None:
    precision = result.ours.precision
    assert precision.share is not None
    assert precision.share >= 0.98
    assert precision.right >= len(COPIES) * PER_FAMILY


def test_passages_are_where_they_were_put(result: QualityResult) -> None:
    assert result.passages.true >= len(COPIES)
    assert result.passages.pooled_precision >= 0.97
    assert result.passages.pooled_recall >= 0.95
    assert result.passages.granularity <= 1.1


def test_known_methods_are_asked_the_same_and_find_less(compared: QualityResult) -> None:
    names = [method.name for method in compared.methods[1:]]
    assert names == ["simhash", "MinHash 0.5", "MinHash 0.2", "TF-IDF cosine", "datagrand2016 DNA", "winnowing"]
    families = compared.ours.families
    assert {family.name for family in families} == COMPARED
    probes = {family.name: family.probes for family in families if family.expected is not Expected.NO_CASE}
    for method in compared.methods[1:]:
        assert {family.name: family.probes for family in method.families} == probes
        assert method.recall is not None
        assert compared.ours.recall is not None
        assert method.recall <= compared.ours.recall
    assert next(method for method in compared.methods if method.name == "MinHash 0.2").recall
    assert compared.failed == ()
    assert report.floors_missed(compared) == []


def test_a_method_that_fails_is_named_with_its_reason_and_costs_no_other_result(result: QualityResult) -> None:
    (half, broken) = result.failed
    (found,) = result.methods[1:]

    assert (found.name, found.recall) == ("half done", 0.0)
    assert (half.name, broken.name) == ("half", "broken")
    assert half.reason == "OverflowError: are too many"
    assert broken.reason.startswith("ValueError: no ")
    shown = report.report_of(result)
    assert f"The method half failed: {half.reason}" in shown.header
    assert isinstance(shown.value, dict)
    assert shown.value["failed"][0] == {"name": "half", "reason": half.reason}


def test_real_pairs_are_distinguished(result: QualityResult) -> None:
    assert [(found.label, found.pairs, found.as_expected) for found in result.pairs] == [
        ("revised", 4, 4),
        ("hard-negative", 2, 2),
    ]


def test_a_passage_with_known_ends_is_found_to_a_few_characters(result: QualityResult) -> None:
    (found,) = result.real_passages
    assert found.missed == ()
    assert found.score.plagdet >= 0.95


def test_bytes_are_counted_for_every_index(result: QualityResult) -> None:
    assert {"fingerprint", "toast", "ix_fingerprint_seeds", "ix_fingerprint_slices", "pk_fingerprint"} <= set(
        result.sizes.parts
    )
    assert result.sizes.total > result.sizes.texts * 100
    assert result.sizes.text_bytes > result.sizes.texts * 300


def test_candidates_are_counted(result: QualityResult) -> None:
    assert 1 <= result.candidates.median <= result.candidates.p95 <= result.candidates.largest


def test_the_report_names_every_family_and_is_json(result: QualityResult, tmp_path: Path) -> None:
    written = write(report.report_of(result), tmp_path / "new")
    assert {path.name for path in written} == {
        *("quality.json", "quality.md", "misses.jsonl", "false.jsonl"),
        *("precision-recall.png", "precision-recall.svg"),
    }
    assert all(path.stat().st_size for path in written if path.suffix != ".jsonl")
    shape = json.loads((tmp_path / "new/quality.json").read_text(encoding="utf-8"))
    assert {family["name"] for family in shape["methods"][0]["families"]} == set(REQUEST.only)
    assert shape["floors_missed"] == []
    page = (tmp_path / "new/quality.md").read_text(encoding="utf-8")
    assert all(f"| {name} |" in page for name in ASKED)


def test_the_same_seed_builds_the_same_and_another_seed_another(corpus: Corpus) -> None:
    families = [family for family in FAMILIES if family.name in ("zh-words-15", "en-passage-300")]
    scenes = [set_up(corpus, families, (), Request(seed=seed, per_family=3, innocents=1)) for seed in (1, 1, 2)]
    assert scenes[0] == scenes[1]
    assert scenes[0].questions != scenes[2].questions


def test_what_is_stored_and_what_is_held_out_is_the_whole_corpus_once(corpus: Corpus) -> None:
    for language, articles in corpus.by_language.items():
        material = split(articles, language, seed=3)
        assert sorted(item.id for item in material.stored + material.held) == sorted(item.id for item in articles)
        assert 0.8 <= len(material.stored) / len(articles) <= 0.85


def test_articles_are_distinguished_by_language_and_repeated_ones_left_away(tmp_path: Path) -> None:
    texts = [
        "The harbour was closed and the painter went home along the quay. " * 3,
        "码头关了，画师沿着河岸回家。" * 9,
    ]
    lines = [
        {"url": f"https://a.invalid/{number}", "text": text} for number, text in enumerate([*texts, texts[0], "x"])
    ]
    path = tmp_path / "few.jsonl"
    path.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    found = read_corpus([path])
    assert [len(found.by_language[language]) for language in (Language.CHINESE, Language.ENGLISH)] == [1, 1]
    assert (found.repeated, found.refused, found.is_enough) == (1, 1, False)
