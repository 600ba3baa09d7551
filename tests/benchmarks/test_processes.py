"""Descendants of a process, as the benchmarks count what they take."""

import os
import signal
import subprocess
import sys

from benchmarks.common.processes import children, cpu_seconds, parent_of


def test_children_are_found_with_their_children_and_no_others() -> None:
    shell = ["sh", "-c", "sleep 600 & echo $!; wait"]
    with subprocess.Popen(shell, stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout is not None
        grandchild = int(child.stdout.readline())
        try:
            assert children(child.pid) == [grandchild]
            assert children(grandchild) == []
            assert {child.pid, grandchild} <= set(children(os.getpid()))
            assert parent_of(child.pid) == os.getpid()
            assert cpu_seconds(os.getpid()) >= cpu_seconds(child.pid) >= 0
        finally:
            os.kill(grandchild, signal.SIGKILL)


def test_a_process_that_has_ended_has_no_children() -> None:
    with subprocess.Popen([sys.executable, "-c", ""]) as ended:
        ended.wait()
    assert children(ended.pid) == []
