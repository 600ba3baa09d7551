"""A bounded fuzz of every parser that a stranger's bytes reach: by number of inputs, so that it is the same everywhere.

`zhiwen bench fuzz` does the same for longer. What it once found stands below by name.
"""

import contextlib
import hashlib
import json
import os
import signal
import time
import tracemalloc
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.fuzz.dictionaries import tokens
from benchmarks.fuzz.model import CPU_S, Kind, Parser, Plan
from benchmarks.fuzz.mutations import input_of
from benchmarks.fuzz.report import lines, report_of, rows
from benchmarks.fuzz.run import run_fuzz
from storage.errors import BackupFailed
from zhiwen.backups import manifest
from zhiwen.commands.bench.fuzz import every_parser

PARSERS = {parser.name: parser for parser in every_parser()}
SEED = 20260301
INPUTS = 120
"""Of the slowest parsers, and up to ten times as many of the others: 15,360 in all, a minute of one core."""


def nobody_listens(_what: str, _done: int, _whole: int) -> None:
    """The progress of a test is of no interest."""


@pytest.mark.parametrize("name", PARSERS)
def test_no_spoilt_input_raises_hangs_or_takes_a_gigabyte(name: str, tmp_path: Path) -> None:
    """H1, H2, M7, L14 and whatever is like them."""
    result = run_fuzz([PARSERS[name]], Plan(SEED, inputs=INPUTS), folder=tmp_path, progress=nobody_listens)

    assert result.inputs == INPUTS * PARSERS[name].share
    assert not list(lines(result)), f"the inputs are in {tmp_path}"


@pytest.mark.parametrize("name", PARSERS)
def test_what_a_parser_begins_with_it_can_read(name: str) -> None:
    """Else the fuzz would only ever see how it refuses."""
    parser = PARSERS[name]
    read = 0
    for seed in parser.seeds:
        try:
            parser.read(seed)
        except parser.refusals:
            continue
        read += 1
    assert read > len(parser.seeds) / 2


@given(st.binary(max_size=2_000), st.sampled_from(sorted(PARSERS)))
def test_any_bytes_are_read_or_refused(data: bytes, name: str) -> None:
    parser = PARSERS[name]
    with contextlib.suppress(*parser.refusals):
        parser.read(data)


@given(st.recursive(st.none() | st.booleans() | st.floats() | st.integers() | st.text(), st.lists))
def test_any_json_is_no_manifest_and_says_so(value: object) -> None:
    with pytest.raises(BackupFailed):
        manifest.read(json.dumps(value).encode())


def test_a_manifest_that_is_nested_without_end_is_refused() -> None:
    """Found by the fuzz: a RecursionError."""
    with pytest.raises(BackupFailed):
        manifest.read(b'{"format": 1, "parts": ' + b"[" * 100_000)


def test_a_manifest_with_a_number_beyond_all_numbers_is_refused() -> None:
    """Its hash may well be right: whoever makes a back-up can compute it."""
    said = json.loads(PARSERS["manifest of a back-up"].seeds[0])
    del said["sha256"]
    said["postgres"] = float("inf")
    spelled = json.dumps(said, ensure_ascii=True, sort_keys=True, separators=(",", ":"))
    own = hashlib.sha256(spelled.encode()).hexdigest()
    with pytest.raises(BackupFailed):
        manifest.read(json.dumps(said | {"sha256": own}).encode())


def test_reading_a_small_back_up_makes_no_room_for_a_large_one() -> None:
    """Found by the fuzz: a gigabyte was asked for to read a manifest of a kilobyte."""
    parser = PARSERS["back-up"]
    tracemalloc.start()
    try:
        with pytest.raises(BackupFailed):
            parser.read(parser.seeds[0].replace(b'"program"', b'"progrom"'))
        assert tracemalloc.get_traced_memory()[1] < 20_000_000
    finally:
        tracemalloc.stop()


def test_dictionaries_are_read_with_their_escapes_and_factors() -> None:
    assert tokens("any")[:2] == (b"\x00", b"\xff")
    assert b'{"url":' in tokens("record")
    assert b"[" * 2_000 in tokens("record")
    assert b"\\ud800" in tokens("record")
    assert "昨天".encode() in tokens("date")


def test_the_same_seed_and_number_make_the_same_input() -> None:
    parser = PARSERS["page"]
    made = [input_of(parser, SEED, number) for number in range(300)]

    assert made == [input_of(parser, SEED, number) for number in range(300)]
    assert made != [input_of(parser, SEED + 1, number) for number in range(300)]
    assert len(set(made)) > 200
    assert max(map(len, made)) == 1_000_000


def _raises(data: bytes) -> None:
    if len(data) % 2:
        raise ZeroDivisionError(len(data))


def _spins(_data: bytes) -> None:
    while True:
        pass


def _eats(_data: bytes) -> None:
    bytearray(2 << 30)


def _dies(_data: bytes) -> None:
    os.kill(os.getpid(), signal.SIGSEGV)


BROKEN = Parser("broken", _raises, (b"0", b"1"), (b"x",))


def test_a_parser_that_raises_is_reported_with_its_inputs(tmp_path: Path) -> None:
    result = run_fuzz([BROKEN], Plan(1, inputs=40), folder=tmp_path, progress=nobody_listens)

    (failure,) = result.failures
    assert (failure.kind, failure.where.split(" in ")[0]) == (Kind.TRACEBACK, "ZeroDivisionError")
    assert result.parsers[0].inputs == 40
    assert 1 < result.parsers[0].counts[f"traceback: {failure.where}"] < 40
    kept = tmp_path / "broken" / f"traceback-{failure.number}.bin"
    assert kept.read_bytes() == input_of(BROKEN, 1, failure.number)
    assert "ZeroDivisionError" in kept.with_suffix(".txt").read_text()
    value = report_of(result).value
    assert isinstance(value, dict)
    assert value["failed"]
    assert [row[0] for row in rows(result)] == ["broken", "all"]


def test_what_a_parser_promises_to_refuse_is_no_failure() -> None:
    promised = replace(BROKEN, refusals=(ZeroDivisionError,))
    assert not run_fuzz([promised], Plan(1, inputs=40), progress=nobody_listens).failures


@pytest.mark.parametrize(("read", "kind"), [(_spins, Kind.HANG), (_eats, Kind.MEMORY), (_dies, Kind.DIED)])
def test_a_parser_that_hangs_eats_or_dies_is_reported_and_the_next_input_read(
    read: object, kind: Kind, tmp_path: Path
) -> None:
    bad = Parser("bad", read, (b"0",))  # type: ignore[arg-type]  # one of three functions of the same shape
    result = run_fuzz([bad], Plan(1, inputs=2), folder=tmp_path, progress=nobody_listens)

    assert result.parsers[0].inputs == 2
    assert [failure.kind for failure in result.failures] == [kind]
    assert sum(result.parsers[0].counts.values()) == 2
    if kind is Kind.HANG:
        assert result.parsers[0].cpu_s < 4 * CPU_S
        assert "_spins" in result.failures[0].where


def test_a_fuzz_by_minutes_ends_and_goes_round_all_parsers() -> None:
    parsers = [replace(BROKEN, name=name, refusals=(ZeroDivisionError,)) for name in ("one", "other", "third")]
    began = time.monotonic()
    result = run_fuzz(parsers, Plan(1, minutes=0.05, processes=2), progress=nobody_listens)

    assert all(parser.inputs > 0 for parser in result.parsers)
    assert result.seconds <= time.monotonic() - began
