"""Processes forked from one that has loaded their libraries: they start wherever temporary files are kept."""

import os
import subprocess
import sys
from pathlib import Path

SAYS = """
import tempfile
from crawler.processes.fork_server import children
child = children("json").Process(target=print, args=("forked",))
child.start(); child.join()
print(child.exitcode, tempfile.gettempdir())
"""

SAYS_WHOSE = """
import os, sys
from crawler.processes import fork_server

def forked_from():
    print(os.getppid() == parent, fork_server.children() is here, flush=True)

parent = os.getpid()
fork_server.from_this_process()
here = fork_server.children("colorsys")
print("colorsys" in sys.modules, flush=True)
child = here.Process(target=forked_from)
child.start(); child.join()
"""


def test_they_start_where_the_folder_for_temporary_files_has_a_long_name_and_leave_nothing(tmp_path: Path) -> None:
    long = tmp_path / ("x" * 90)
    long.mkdir()
    before = set(Path("/tmp").glob("pymp-*"))  # noqa: S108  # where their sockets are made then

    done = subprocess.run(
        [sys.executable, "-c", SAYS], env=os.environ | {"TMPDIR": str(long)}, capture_output=True, text=True, check=True
    )

    assert done.stdout.split() == ["forked", "0", str(long)]
    assert list(long.iterdir()) == []
    assert not {made for made in set(Path("/tmp").glob("pymp-*")) - before if _is_left(made)}  # noqa: S108


def test_a_program_that_only_loads_and_forks_loads_at_once_and_is_forked_itself_but_none_of_its_forks() -> None:
    done = subprocess.run([sys.executable, "-c", SAYS_WHOSE], capture_output=True, text=True, check=True)

    assert done.stdout.split() == ["True", "True", "False"]


def _is_left(folder: Path) -> bool:
    """Of other tests' processes there may be some that live."""
    return folder.is_dir() and not any(folder.iterdir())
