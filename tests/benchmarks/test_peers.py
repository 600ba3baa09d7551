"""`bench peers`: what each peer finds, and the table of a small run."""

import json
import random
from pathlib import Path

import pytest
from click.testing import CliRunner
from sqlalchemy import Engine

from benchmarks.corpus.articles import read_corpus
from benchmarks.peers.peer import Peer
from benchmarks.peers.report import COLUMNS, report_of
from benchmarks.peers.run import GROUPS, families, group_of, part_of, run_peers
from benchmarks.peers.suffix_array import SUFFIX_ARRAY
from benchmarks.peers.table import LEFT_OUT, PEERS, missing
from benchmarks.quality.request import Request
from tests.support.benchmarks.corpus import write_corpus
from tests.support.factories import text_of
from zhiwen.commands.bench.peers import peers

TEXTS = tuple(text_of(number, chars=800) for number in range(20))
RUN = 60


@pytest.mark.parametrize("peer", PEERS, ids=lambda peer: peer.name)
def test_each_finds_a_text_that_it_knows_and_no_other(peer: Peer) -> None:
    index = peer.build(TEXTS)

    assert set(index.found(TEXTS[7])) == {7}
    assert set(index.found(text_of(99, chars=800))) == set()


@pytest.mark.parametrize("peer", PEERS, ids=lambda peer: peer.name)
def test_each_takes_any_text(peer: Peer) -> None:
    index = peer.build(("", "短", "\ud800" * 100, *TEXTS[:2]))

    for text in ("", "短", "\udfff" * 100):
        index.found(text)


def test_the_suffix_array_knows_exactly_which_texts_share_a_run() -> None:
    chance = random.Random(4711)  # noqa: S311  # repeatable, nothing secret
    texts = [_spliced(chance) for _ in range(30)]
    index = SUFFIX_ARRAY.build(texts)

    for query in texts[:10]:
        runs = {query[start : start + RUN] for start in range(len(query) - RUN + 1)}
        assert set(index.found(query)) == {
            number for number, text in enumerate(texts) if any(run in text for run in runs)
        }


def _spliced(chance: random.Random) -> str:
    """Pieces of the texts, of about the length of a run: many share one of 59 characters, or of 61."""
    pieces = []
    for _ in range(6):
        start, length = chance.randrange(40), chance.randrange(RUN - 3, RUN + 4)
        pieces.append(chance.choice(TEXTS[:4])[start : start + length])
    return "".join(pieces)


def test_a_package_that_is_not_installed_is_named() -> None:
    absent = Peer("another", "", "no_such_package", SUFFIX_ARRAY.build)

    named = missing((*PEERS, absent))

    assert named[0].name == "no_such_package"
    assert "not installed" in named[0].reason
    assert named[1:] == LEFT_OUT


def test_every_family_of_copies_is_asked_but_those_of_popular_stories() -> None:
    names = {family.name for family in families()}

    assert {"zh-words-15", "zh-passage-60", "en-mosaic", "zh-ordinary"} <= names
    assert not any("popular" in name for name in names)
    assert {group_of(family) for family in families()} == set(GROUPS)


def test_a_corpus_that_is_too_small_is_refused(tmp_path: Path) -> None:
    few = tmp_path / "few.jsonl"
    few.write_text(json.dumps({"url": "https://a.invalid/1", "text": "船靠岸了。" * 30}), encoding="utf-8")

    done = CliRunner().invoke(peers, ["--corpus", str(few)])

    assert done.exit_code == 1
    assert "too few articles (1)" in done.output


def test_the_table_has_a_row_for_each_method(engine: Engine, clean_database_url: str, tmp_path: Path) -> None:
    corpus = part_of(read_corpus([write_corpus(tmp_path / "articles.jsonl", chinese=100, english=0)]), 80)
    wanted = ("zh-frame", "zh-words-5", "zh-passage-300", "zh-ordinary")
    chosen = [family for family in families() if family.name in wanted]

    result = run_peers(
        engine, clean_database_url, corpus, Request(1, 2, 5), progress=lambda *_: None, chosen=chosen
    )  # fmt: skip

    by_name = {line.name: line for line in result.lines}
    assert list(by_name) == [*(peer.name for peer in PEERS), "Zhiwen"]
    assert all(line.index_s > 0 and line.query_ms > 0 for line in result.lines)
    for name in ("suffix array", "Zhiwen"):
        assert (by_name[name].shares["copies"], by_name[name].shares["passage-300"]) == (1.0, 1.0)
    assert (result.probes["copies"], result.probes["passage-300"], result.probes["passage-60"]) == (4, 2, 0)
    report = report_of(result, seed=1)
    assert [len(row) for row in report.tables[0].rows] == [len(COLUMNS)] * len(result.lines)
    assert any(line.startswith("Left out: infini-gram") for line in report.header)
    assert isinstance(report.value, dict)
    assert report.value["ran_on"]["cores"] >= 1
