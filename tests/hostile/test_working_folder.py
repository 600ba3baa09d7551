"""H3: no Python file of the folder in which a command is started is run, by it or by a child of it."""

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from functools import cache
from importlib.metadata import packages_distributions
from pathlib import Path
from typing import Final
from urllib.request import urlopen

import pytest
from sqlalchemy import Engine

from storage.crawl import runs
from storage.engine import transaction
from storage.jobs import queue
from tests.fake_web.pages import article
from tests.support.factories import a_site, an_article, commit, story
from tests.support.processes.worker_process import PATIENCE_S, environment, until
from tests.support.requirements import needs_browser
from zhiwen.working_folder import leave_out

BIN: Final = Path(sys.executable).parent
PROGRAM: Final = str(BIN / "zhiwen")
OURS: Final = ("admin", "benchmarks", "crawler", "fingerprint", "matcher", "migrations", "storage", "zhiwen")
MARK: Final = "import os\nos.close(os.open({there!r} + '/' + {name!r}, os.O_CREAT))\n"
"""What each hostile file does when it is run. There is nothing else in it, so that its importer mostly dies."""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """One article, and a Python file for every module that a program could look for: the interpreter's, those of
    all packages that are installed, and ours.
    """
    folder, there = tmp_path / "sent", tmp_path / "was-run"
    folder.mkdir()
    there.mkdir()
    (folder / "story.html").write_text(article(1))
    for name in hostile_names():
        (folder / f"{name}.py").write_text(MARK.format(there=str(there), name=name))
    return folder


@cache
def hostile_names() -> frozenset[str]:
    names = {*sys.stdlib_module_names, *packages_distributions(), *OURS, "sitecustomize", "usercustomize"}
    return frozenset(name for name in names - {"os"} if name.isidentifier())


def were_run(folder: Path) -> list[str]:
    return sorted(mark.name for mark in (folder.parent / "was-run").iterdir())


def run(engine: Engine, folder: Path, *command: str, **more: str) -> "subprocess.CompletedProcess[str]":
    settings = environment(engine.url.render_as_string(hide_password=False), folder.parent / "home", **more)
    return subprocess.run(
        command, cwd=folder, env=settings, capture_output=True, text=True, timeout=PATIENCE_S, check=False
    )


def filled(engine: Engine, web: str) -> None:
    """A store with an article to compare with, a site to crawl, and two addresses of channels where nobody listens."""
    commit(engine, [an_article("stored", story())])
    with transaction(engine) as session:
        a_site(session, "江城日报", host=web.removeprefix("http://"))


COMMANDS: Final[Mapping[str, tuple[str, ...]]] = {
    "import": ("import", "."),
    "check a file": ("check", "story.html"),
    "check an address": ("check", "{web}/news/1"),
    "compare": ("compare", "story.html", "{web}/news/2"),
    "suspect": ("suspect", "add", "{web}/news/1"),
    "capture": ("evidence", "capture", "{web}/news/1"),
    "crawl": ("crawl", "江城日报"),
    "add a site": ("site", "add", "{web}/", "--name", "新站", "--yes"),
    "back up": ("db", "backup", "{home}/saved.tar"),
    "doctor": ("doctor",),
    "match": ("match",),
    "rematch": ("rematch",),
}


@pytest.mark.parametrize("name", COMMANDS)
def test_h3_no_command_runs_what_lies_where_it_is_started(name: str, engine: Engine, folder: Path, web: str) -> None:
    filled(engine, web)

    done = run(engine, folder, PROGRAM, *(part.format(web=web, home=folder.parent) for part in COMMANDS[name]))

    assert were_run(folder) == [], done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("name", ["import", "check an address", "crawl"])
@pytest.mark.parametrize("way", ["an empty entry of PYTHONPATH", "-m"])
def test_h3_nor_do_their_children_however_they_are_started(
    name: str, way: str, engine: Engine, folder: Path, web: str
) -> None:
    filled(engine, web)
    for file in folder.glob("*.py"):
        # What Python itself loads before any line of ours is beyond our reach in both ways.
        if file.stem not in ("resource", "xxhash", "brotli", "lxml", "scrapy", "twisted", "regex"):
            file.unlink()
    started = (sys.executable, "-m", "zhiwen") if way == "-m" else (PROGRAM,)

    arguments = [part.format(web=web, home=folder.parent) for part in COMMANDS[name]]
    done = run(engine, folder, *started, *arguments, PYTHONPATH=":/nowhere" if way != "-m" else "/nowhere")

    assert were_run(folder) == [], done.stderr


@needs_browser
def test_h3_nor_does_a_screenshot(engine: Engine, folder: Path, web: str) -> None:
    done = run(engine, folder, PROGRAM, "evidence", "capture", "--screenshot", f"{web}/news/1")

    assert were_run(folder) == []
    assert "(screenshot)" in done.stderr


STARTING: Final = {
    "document": "from crawler.importers.document_process import read_in_child as r; print(r('一段文字'.encode()).text)",
    "look": "from zhiwen.preview.site_preview import preview_page as l\n"
    "print(l(settings, web + '/news/1', None, 'UTC').title)",
    "alert": "from zhiwen.alerts.sender_client import Sender\n"
    "s = Sender(settings).__enter__(); print(s.send(order).is_sent)",
    "demo": "from zhiwen.demo.server import serving as s\nwith s() as web: print(sorted(web))",
    "tree": "ProcessTree({'x': ['--version']}, on_line=lambda line: (print(line), stop.set())).run(stop)",
    "picture": "from crawler.browser.pdf import printed as p; print(p('<p>x').startswith(b'%PDF'))",
}
"""Each way of starting a Python, with nothing in the environment that would keep it out of the folder."""
BEFORE: Final = """
import ipaddress, sys, threading
from pathlib import Path
from admin.alerts.orders import Order
from zhiwen.config.settings import Settings
from zhiwen.process_tree import ProcessTree
web, stop = sys.argv[1], threading.Event()
settings = Settings(home=Path(sys.argv[2]), allowed_networks=(ipaddress.ip_network("127.0.0.0/8"),))
order = Order("webhook", web + "/news/1", "s", "k", "2026-03-01T00:00:00+00:00", "x", "y", {})
"""
SAID: Final = {"document": "一段文字", "look": "渡口札记之1", "demo": "copier", "tree": "zhiwen 0.", "picture": "True"}


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=needs_browser if name == "picture" else ()) for name in STARTING]
)
def test_h3_each_child_is_started_out_of_reach_by_itself(name: str, engine: Engine, folder: Path, web: str) -> None:
    done = run(engine, folder, sys.executable, "-P", "-c", BEFORE + STARTING[name], web, str(folder.parent))

    assert were_run(folder) == [], done.stderr
    assert SAID.get(name, "False") in done.stdout, done.stderr


@pytest.mark.parametrize("command", [("up", "--port", "0"), ("worker",)])
def test_h3_nor_does_what_runs_on(command: tuple[str, ...], engine: Engine, folder: Path, web: str) -> None:
    filled(engine, web)
    with transaction(engine) as session:
        queue.defer_crawl(session, "江城日报", trigger="desk")

    def is_crawled() -> bool:
        with transaction(engine) as session:
            return any(one.ended_at is not None for one in runs.list_runs(session))

    settings = environment(engine.url.render_as_string(hide_password=False), folder.parent / "home")
    with (folder.parent / "log").open("wb") as log:
        child = subprocess.Popen([PROGRAM, *command], cwd=folder, env=settings, stderr=log, start_new_session=True)
    try:
        until(engine, is_crawled)
        child.send_signal(signal.SIGINT)
        child.wait(PATIENCE_S)
    finally:
        child.kill()
        child.wait()

    assert were_run(folder) == []


@pytest.mark.parametrize(
    "command", [("serve", "--port", "0"), ("demo", "--port", "0"), ("gunicorn",)], ids=["serve", "demo", "gunicorn"]
)
def test_h3_nor_does_the_desk(command: tuple[str, ...], engine: Engine, folder: Path) -> None:
    started = [PROGRAM, *command]
    if command == ("gunicorn",):
        # It looks for its settings in the folder itself, before any line of ours.
        (folder / "zhiwen.py").unlink()
        (folder / "admin.py").unlink()
        started = [str(BIN / "gunicorn"), "--config", "python:zhiwen.gunicorn_settings", "zhiwen.serving:app()"]
    # One worker: what a second one loads is the same.
    more = {"ZHIWEN_PORT": "0", "GUNICORN_CMD_ARGS": "--workers 1"}
    settings = environment(engine.url.render_as_string(hide_password=False), folder.parent / "home", **more)
    said = folder.parent / "log"
    with said.open("wb") as log:
        child = subprocess.Popen(started, cwd=folder, env=settings, stdout=log, stderr=log, start_new_session=True)
    try:
        end = time.monotonic() + PATIENCE_S
        while not (found := re.search(r"(?:admin is at|Listening at:) (http://[\w.]+:\d+)", said.read_text())):
            assert child.poll() is None, said.read_text()
            assert time.monotonic() < end, said.read_text()
            time.sleep(0.2)
        with urlopen(f"{found[1]}/login", timeout=PATIENCE_S) as answer:  # noqa: S310  # our own child
            assert answer.status == 200
        child.send_signal(signal.SIGTERM)
        child.wait(PATIENCE_S)
    finally:
        child.kill()
        child.wait()

    assert were_run(folder) == [], said.read_text()


def test_h3_the_place_that_the_program_itself_lies_in_stays(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    root = str(Path(__file__).parents[2])
    monkeypatch.setattr(sys, "path", ["", root, "/usr/lib/x"])
    monkeypatch.setenv("PYTHONPATH", f"{os.pathsep}rel{os.pathsep}/abs")
    monkeypatch.setenv("PYTHONSAFEPATH", "")
    monkeypatch.chdir(tmp_path)

    leave_out()

    assert sys.path == [root, "/usr/lib/x"]
    assert (os.environ["PYTHONPATH"], os.environ["PYTHONSAFEPATH"]) == ("/abs", "1")
