"""`up`: worker and admin as children of one process, started again when they die, stopped together."""

import re
import signal
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import psutil
from sqlalchemy import Engine

from storage.engine import transaction
from storage.jobs import queue
from tests.support.processes.worker_process import PATIENCE_S, program, until
from zhiwen.process_tree import ProcessTree

if TYPE_CHECKING:
    import subprocess

ADDRESS = re.compile(r"http://127\.0\.0\.1:\d+/")
CODE = re.compile(r"enter the code ([0-9A-Z]{4}-[0-9A-Z]{4}-[0-9A-Z]{4})")
CSRF = re.compile(r'name="csrf_token" value="([^"]+)"')


@contextmanager
def up(url: str, home: Path, log: Path) -> Iterator["subprocess.Popen[bytes]"]:
    with log.open("wb") as file, program(url, home, "up", "--port", "0", log=file) as child:
        yield child


def answers(log: Path) -> bool:
    """Whether the admin answers where the log says it is."""
    found = ADDRESS.search(log.read_text("utf-8"))
    if found is None:
        return False
    try:
        with urllib.request.urlopen(found.group(), timeout=20) as answer:  # noqa: S310  # our own child
            return bool(answer.status == 200)
    except urllib.error.HTTPError as error:
        return error.code < 500
    except OSError:
        return False


def children(parent: int) -> list[psutil.Process]:
    return [one for one in psutil.Process(parent).children() if "zhiwen.child" in one.cmdline()]


def starts(log: Path) -> int:
    return log.read_text("utf-8").count("The worker is running")


def all_gone(processes: list[psutil.Process]) -> bool:
    return not any(one.is_running() and one.status() != psutil.STATUS_ZOMBIE for one in processes)


def change_a_setting(log: Path) -> None:
    """In the browser of somebody who has only the log: the first account, a setting, and a job for the worker."""
    found = ADDRESS.search(log.read_text("utf-8"))
    code = CODE.search(log.read_text("utf-8"))
    assert found is not None
    assert code is not None
    browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())

    def send(path: str, form_at: str, **fields: str) -> str:
        with browser.open(found.group() + form_at, timeout=20) as page:
            token = CSRF.search(page.read().decode())
        assert token is not None
        sent = urllib.parse.urlencode({"csrf_token": token[1], **fields}).encode()
        with browser.open(found.group() + path, sent, timeout=20) as answer:
            return str(answer.read().decode())

    page = send("first-account", "first-account", code=code[1], name="lin", password="a bridge and a teahouse")
    assert 'aria-current="step"' in page
    send("settings", "settings", case_min_chars="240")
    # The worker reads the settings when a job begins.
    send("settings/text-index", "settings")


def test_everything_runs_until_ctrl_c_and_what_dies_is_started_again(
    engine: Engine, clean_database_url: str, tmp_path: Path
) -> None:
    log = tmp_path / "log"
    with up(clean_database_url, tmp_path, log) as child:
        until(engine, lambda: answers(log) and starts(log) == 1)
        with transaction(engine) as session:
            assert queue.has_workers(session)
        change_a_setting(log)
        until(engine, lambda: log.read_text("utf-8").count("settings of the desk: case_min_chars is 240") == 2)
        (worker,) = (one for one in children(child.pid) if "worker" in one.cmdline())

        worker.kill()
        until(engine, lambda: starts(log) == 2)
        running = children(child.pid)
        child.send_signal(signal.SIGINT)

        assert child.wait(PATIENCE_S) == 0
        assert all_gone(running)
    said = log.read_text("utf-8")
    assert "worker ended (exit code -9)" in said
    assert "Everything has stopped." in said


def test_where_up_is_killed_its_children_stop(engine: Engine, clean_database_url: str, tmp_path: Path) -> None:
    log = tmp_path / "log"
    with up(clean_database_url, tmp_path, log) as child:
        until(engine, lambda: answers(log) and starts(log) == 1)
        running = children(child.pid)
        assert len(running) == 2
        child.kill()

        until(engine, lambda: all_gone(running))


def test_a_command_that_cannot_run_is_reported_and_tried_again_ever_later() -> None:
    said: list[str] = []
    stop = threading.Event()
    tree = ProcessTree({"bad": ["no-such-command"]}, on_line=said.append)
    thread = threading.Thread(target=tree.run, args=(stop,))
    thread.start()
    _wait(lambda: sum("ended (exit code 2)" in line for line in said) == 2)
    stop.set()
    thread.join(PATIENCE_S)

    assert not thread.is_alive()
    assert [line.rpartition("in ")[2] for line in said if "ended" in line] == ["2 s", "4 s"]
    assert any("No such command" in line and line.startswith("   bad | ") for line in said)


def _wait(claim: Callable[[], bool]) -> None:
    end = time.monotonic() + PATIENCE_S
    while not claim():
        assert time.monotonic() < end
        time.sleep(0.1)
