"""Supervision of the process of a crawl: its output is kept, and it is ended if it uses too much."""

import subprocess
import sys
from pathlib import Path

import pytest
from sqlalchemy import Engine

from crawler.processes.watched_process import HEAD_BYTES, TAIL_BYTES, ProcessOutput, ending_with_block, resident_bytes
from crawler.run.crawl_order import CrawlOrder
from crawler.run.crawl_process import crawl_site
from crawler.run.run_watch import OUT_OF_MEMORY, OUT_OF_TIME, Bounds
from storage.crawl import logs, runs
from storage.engine import transaction
from storage.records.crawl import RunRecord
from tests.fake_web import served
from tests.flow.test_crawl import LOOPBACK, PATIENCE_S, add_site

LINE = "line {:06}\n"


def said(code: str) -> tuple[str, int]:
    process = subprocess.Popen([sys.executable, "-c", code], stderr=subprocess.PIPE)
    with ending_with_block(process):
        assert process.stderr is not None
        listener = ProcessOutput(process.stderr)
        process.wait(PATIENCE_S)
        listener.close()
        return listener.text()


def test_what_a_process_says_is_kept_whole_where_it_is_little() -> None:
    assert said("import sys; sys.stderr.write('安静\\n')") == ("安静\n", 0)


def test_of_a_process_that_says_much_the_beginning_and_the_end_are_kept_in_whole_lines() -> None:
    lines = 40_000
    text, left_out = said(f"import sys\nfor n in range({lines}): sys.stderr.write('line %06d\\n' % n)")

    head, mark, tail = text.partition("[…]\n")
    assert mark
    assert head.startswith(LINE.format(0))
    assert tail.endswith(LINE.format(lines - 1))
    assert len(head) <= HEAD_BYTES
    assert len(tail) <= TAIL_BYTES
    assert {len(line) for line in (head + tail).splitlines()} == {len(LINE.format(0)) - 1}
    assert len(head) + len(tail) + left_out == lines * len(LINE.format(0))


def test_a_process_that_still_runs_ends_with_the_block() -> None:
    process = subprocess.Popen([sys.executable, "-c", "import sys; sys.stdin.read()"], stdin=subprocess.PIPE)
    with ending_with_block(process):
        assert process.poll() is None
    assert process.returncode == -9


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="only Linux tells the memory of processes")
def test_the_memory_of_a_process_is_reported_and_of_none_is_nothing() -> None:
    process = subprocess.Popen(
        [sys.executable, "-c", "x = b'1' * 80_000_000; print(1, flush=True); input()"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    with ending_with_block(process):
        assert process.stdout is not None
        process.stdout.readline()
        assert resident_bytes(process.pid) > 80_000_000
    process.stdout.close()
    assert resident_bytes(process.pid) == 0


def crawled(url: str, bounds: Bounds) -> RunRecord:
    return crawl_site(
        CrawlOrder(
            url, "江城日报", allowed_networks=LOOPBACK, answer_within_s=PATIENCE_S, trigger="test", bounds=bounds
        )
    )


def test_a_crawl_past_its_bounds_is_ended_and_the_next_goes_on(engine: Engine, clean_database_url: str) -> None:
    with served() as web:
        add_site(clean_database_url, web, start_urls=(f"{web}/list",), allow=("/news/", "/list"))
        bounds = (Bounds(time_s=0.0), Bounds(memory_bytes=1_000_000), Bounds())

        ended = [crawled(clean_database_url, each) for each in bounds]

    assert [run.exit_reason for run in ended] == [OUT_OF_TIME, OUT_OF_MEMORY, "finished"]
    with transaction(engine) as session:
        assert [run.exit_reason for run in runs.list_runs(session)] == ["finished", OUT_OF_MEMORY, OUT_OF_TIME]
        log = logs.get(session, ended[-1].id)
    assert log is not None
    assert f"new: {web}/news/3\n" in log.text
    assert log.most_memory > 10_000_000
