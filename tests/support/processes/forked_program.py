"""The program as processes of its own, each forked from one that has imported it already.

What a process of it costs is mostly its imports. Here they are done once; everything else is as it would be: each
command has its own process, standard streams, environment and exit code. As a module this is the process that forks.
"""

import atexit
import gc
import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import NoReturn

LIMIT_S = 120
ROOT = Path(__file__).resolve().parents[3]
IMPORTED_LATE = (
    "matcher.worker.backlog",
    "matcher.explanation.explain",
    "matcher.measures.table",
    "crawler.extraction.extract",
    "storage.migrate",
    "psycopg2",
)


@dataclass(frozen=True, slots=True)
class Program:
    """Starts commands one after the other."""

    forker: "subprocess.Popen[str]"

    def start(
        self, arguments: Sequence[str], *, given: bytes, environment: Mapping[str, str]
    ) -> "subprocess.CompletedProcess[bytes]":
        with tempfile.TemporaryDirectory() as folder:
            streams = [Path(folder, name) for name in ("stdin", "stdout", "stderr")]
            streams[0].write_bytes(given)
            request = {"arguments": arguments, "streams": list(map(str, streams)), "environment": dict(environment)}
            assert self.forker.stdin is not None
            assert self.forker.stdout is not None
            self.forker.stdin.write(json.dumps(request) + "\n")
            self.forker.stdin.flush()
            answer = self.forker.stdout.readline()
            assert answer, "the forking process has ended"
            output, errors = (path.read_bytes() for path in streams[1:])
            return subprocess.CompletedProcess(arguments, int(answer), output, errors)


@contextmanager
def forking_program() -> Iterator[Program]:
    """A process that has imported the program; it ends with the block."""
    command = [sys.executable, "-m", "tests.support.processes.forked_program"]
    with subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as forker:
        yield Program(forker)


def share_all_that_is_loaded() -> None:
    """To be called before forks: makes once what each would make for itself."""
    from sqlalchemy.orm import configure_mappers  # noqa: PLC0415  # whoever imports this module may need none of it

    from fingerprint.compiling import compile_all  # noqa: PLC0415  # as above

    configure_mappers()
    compile_all()
    # A collection in a fork would touch, and so copy, every object.
    gc.collect()
    gc.freeze()


def _serve() -> None:
    from zhiwen.cli import COMMANDS, main  # noqa: PLC0415  # the tests that import this module need none of it

    for name in (*(f"zhiwen.commands.{module}" for module, _ in COMMANDS.values()), *IMPORTED_LATE):
        import_module(name)
    share_all_that_is_loaded()
    for line in iter(sys.stdin.readline, ""):
        request = json.loads(line)
        child = os.fork()
        if not child:
            signal.alarm(LIMIT_S)
            take(request["streams"], request["environment"])
            end_as(main, request["arguments"])
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)


def end_as(main: Callable[[Sequence[str]], object], arguments: Sequence[str]) -> NoReturn:
    """Ends as a process does, but for taking down, one by one, all objects that were loaded."""
    code = 1
    try:
        main(arguments)
    except SystemExit as ending:
        code = ending.code if isinstance(ending.code, int) else int(ending.code is not None)
    except BaseException:
        traceback.print_exc()
    finally:
        threading._shutdown()  # type: ignore[attr-defined]  # waits for threads, as the interpreter does
        atexit._run_exitfuncs()
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


def take(streams: Sequence[str], environment: Mapping[str, str]) -> None:
    """Takes the streams and the environment of the process that this one is to be."""
    for number, (path, flags) in enumerate(zip(streams, (os.O_RDONLY, *2 * [os.O_WRONLY | os.O_CREAT]), strict=True)):
        opened = os.open(path, flags, 0o600)
        os.dup2(opened, number)
        os.close(opened)
    # What was read ahead from the forking process's standard input is not this process's.
    sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115  # a descriptor, open to the end
    os.environ.clear()
    os.environ.update(environment)


if __name__ == "__main__":
    _serve()
