"""`bench quality` on the command line: what it refuses, and that it leaves nothing behind when it is interrupted."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

from benchmarks.quality.scenarios.pair_files import PairsNotReadable, read_pairs, read_placed
from tests.support.benchmarks.corpus import write_corpus

WAIT_S = 300


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_corpus(tmp_path_factory.mktemp("corpus") / "articles.jsonl", chinese=100, english=0)


def _environment(folder: Path) -> dict[str, str]:
    (folder / "scratch").mkdir()
    return os.environ | {"ZHIWEN_HOME": str(folder / "home"), "TMPDIR": str(folder / "scratch")}


def _run(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "zhiwen", "bench", "quality", *arguments]
    return subprocess.run(
        command, env=_environment(folder), capture_output=True, text=True, check=False, timeout=WAIT_S
    )


def test_a_corpus_that_is_too_small_is_refused(tmp_path: Path) -> None:
    few = tmp_path / "few.jsonl"
    few.write_text(json.dumps({"url": "https://a.invalid/1", "text": "船靠岸了。" * 30}), encoding="utf-8")
    done = _run(tmp_path, "--corpus", str(few))
    assert done.returncode == 1
    assert "too few articles" in done.stderr


def test_a_family_that_does_not_exist_is_wrong_usage_and_the_others_are_named(tmp_path: Path, corpus: Path) -> None:
    done = _run(tmp_path, "--corpus", str(corpus), "--only", "zh-dances")
    assert done.returncode == 2
    assert "zh-dances" in done.stderr
    assert "zh-words-15" in done.stderr


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        ("{", "cannot be read"),
        ("[1]", "line 1: not a JSON object"),
        ('{"id": "1", "label": "x", "text_a": "", "text_b": "b"}', "line 1: id, label, text_a and text_b"),
        ('{"id": "1", "label": "x", "text_a": 5, "text_b": "b"}', "line 1: id, label, text_a and text_b"),
    ],
)
def test_pairs_that_cannot_be_read_are_named_with_their_fault(tmp_path: Path, line: str, fault: str) -> None:
    pairs = tmp_path / "pairs.jsonl"
    pairs.write_text(line, encoding="utf-8")
    with pytest.raises(PairsNotReadable, match=rf"pairs\.jsonl.*{fault}"):
        read_pairs(pairs)


@pytest.mark.parametrize("passage", [{"copy_start": 0, "copy_end": 4, "source_start": 0, "source_end": 9}, {}, 5])
def test_passages_outside_their_texts_are_refused(tmp_path: Path, passage: object) -> None:
    documents, pairs = tmp_path / "docs.jsonl", tmp_path / "pairs.jsonl"
    documents.write_text('{"id": "a", "text": "12345"}', encoding="utf-8")
    pairs.write_text(json.dumps({"id": 1, "copy": "a", "source": "a", "passages": [passage]}), encoding="utf-8")
    with pytest.raises(PairsNotReadable, match=r"pairs\.jsonl, line 1"):
        read_placed(pairs, documents)


def test_a_file_that_cannot_be_read_is_reported_in_a_sentence(tmp_path: Path, corpus: Path) -> None:
    pairs = tmp_path / "pairs.jsonl.gz"
    pairs.write_bytes(b"no gzip")
    done = _run(tmp_path, "--corpus", str(corpus), "--pairs", str(pairs))
    assert done.returncode == 1
    assert done.stderr.startswith("Error: ")
    assert "pairs.jsonl.gz cannot be read" in done.stderr


def test_json_is_json_and_the_store_is_gone_at_the_end(tmp_path: Path, corpus: Path) -> None:
    asked = ("--only", "zh-passage-300", "--per-family", "2", "--no-baselines", "--check-floors", "--json")
    done = _run(tmp_path, "--corpus", str(corpus), *asked)
    assert done.returncode == 0, done.stderr
    shape = json.loads(done.stdout)
    assert [family["name"] for family in shape["methods"][0]["families"]] == ["zh-passage-300"]
    assert shape["ran_on"]["seed"] == 20260301
    assert list((tmp_path / "scratch").iterdir()) == []


def test_interrupted_while_it_stores_it_leaves_no_process_and_no_folder(tmp_path: Path, corpus: Path) -> None:
    command = [sys.executable, "-m", "zhiwen", "bench", "quality", "--corpus", str(corpus), "--no-baselines"]
    command += ["--only", "zh-words-15"]
    with subprocess.Popen(command, env=_environment(tmp_path), stderr=subprocess.PIPE, text=True) as running:
        assert running.stderr is not None
        # It says so when the first batch is stored: by then the database and the other processes are at work.
        assert any(line.startswith("storing") for line in running.stderr)
        children = psutil.Process(running.pid).children(recursive=True)
        running.send_signal(signal.SIGINT)
        assert running.wait(WAIT_S) == 130
    assert children
    assert psutil.wait_procs(children, timeout=WAIT_S)[1] == []
    assert list((tmp_path / "scratch").iterdir()) == []
    assert not _servers(tmp_path)


def _servers(folder: Path) -> list[int]:
    """Of the database: its keeper is nobody's child. It goes a moment after its last user."""
    deadline = time.monotonic() + WAIT_S
    while time.monotonic() < deadline:
        found = [
            item.pid for item in psutil.process_iter(["cmdline"]) if str(folder) in " ".join(item.info["cmdline"] or ())
        ]
        if not found:
            return []
        time.sleep(0.1)
    return found
