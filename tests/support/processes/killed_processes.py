"""Parts of the program that are killed in the middle: each in a process forked from one that has imported them already.

A doomed process kills itself with SIGKILL when so many moments have passed: before a statement is sent to the database,
after it was answered, before a commit. So the moment is chosen by a seed and not by how busy the machine is, and lies
where it hurts. As a module this is the process that forks.
"""

import json
import multiprocessing
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import cycle
from pathlib import Path
from typing import Any

from storage.pages import backlog_entry
from tests.support.processes.forked_program import ROOT, share_all_that_is_loaded

LIMIT_S = 600
NEVER = 1 << 62


@dataclass(frozen=True, slots=True)
class Doom:
    """Runs parts of the program on one store, one after the other, each until its moment."""

    forker: "subprocess.Popen[str]"
    url: str
    home: Path

    def run(self, part: str, moments: int = NEVER, **arguments: Any) -> tuple[int, str]:
        """The exit code (-9: killed), and what the process said."""
        said = self.home / "said"
        said.write_bytes(b"")
        request = {"part": part, "url": self.url, "home": str(self.home), "moments": moments, "said": str(said)}
        assert self.forker.stdin is not None
        assert self.forker.stdout is not None
        self.forker.stdin.write(json.dumps({**request, "arguments": arguments}) + "\n")
        self.forker.stdin.flush()
        answer = self.forker.stdout.readline()
        assert answer, "the forking process has ended"
        return int(answer), said.read_text("utf-8", "replace")


@contextmanager
def forking() -> Iterator["subprocess.Popen[str]"]:
    """The process that forks; it ends with the block."""
    command = [sys.executable, "-m", "tests.support.processes.killed_processes"]
    with subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as forker:
        try:
            yield forker
        finally:
            forker.kill()


def _match(url: str, _home: Path) -> None:
    """Compares everything again and again."""
    from sqlalchemy import select  # noqa: PLC0415  # see the module's own words

    from matcher.worker.backlog import work_off  # noqa: PLC0415
    from storage.engine import make_engine, transaction  # noqa: PLC0415
    from storage.models.pages import PageVersion  # noqa: PLC0415

    engine = make_engine(url)
    while True:
        with transaction(engine) as session:
            backlog_entry.enqueue(session, session.scalars(select(PageVersion.id)).all())
        work_off(engine, should_stop=lambda: False)


def _rematch(url: str, home: Path) -> None:
    """Goes on with a sweep, four texts at a time, and then begins another."""
    from matcher.cases.case_rule import DEFAULT_RULE  # noqa: PLC0415
    from matcher.worker.rematch import rematch  # noqa: PLC0415
    from storage.engine import make_engine  # noqa: PLC0415

    engine = make_engine(url)
    while True:
        rematch(
            engine, home / "rematch", rule=DEFAULT_RULE, anew=False, block=4,
            should_stop=lambda: False, tell=lambda *_: None,
        )  # fmt: skip


def _work(url: str, home: Path) -> None:
    """A worker that looks at the clock five times a second."""
    from storage.engine import make_engine  # noqa: PLC0415
    from zhiwen.config.settings import Settings  # noqa: PLC0415
    from zhiwen.worker.worker import Worker  # noqa: PLC0415

    Worker(Settings(home, database_url=url), make_engine(url), url, tick_s=0.2).run()


def _decide(url: str, _home: Path, *, cases: list[int]) -> None:
    """A reviewer who takes cases up and puts them back, and says what was answered."""
    from storage.engine import make_engine  # noqa: PLC0415
    from tests.support.desk_client import csrf_token, log_in, make_app  # noqa: PLC0415

    client = make_app(make_engine(url)).test_client()
    assert log_in(client).status_code == 302
    token = csrf_token(client, "/account")
    for case_id in cycle(cases):
        for expected, to in (("new", "reviewing"), ("reviewing", "new")):
            form = {"csrf_token": token, "to": to, "expected": expected}
            if client.post(f"/cases/{case_id}/move", data=form).status_code == 302:
                print(f"answered {case_id} {to}", flush=True)


def _crawl(
    url: str, home: Path, *, site: str, run_id: int, poison: str = "", revisit: bool = False, evidence: bool = False
) -> None:
    """The process of a crawl. Whoever is reading when the page at `poison` comes dies, as of a parser that crashes."""
    from pydispatch import dispatcher  # type: ignore[import-untyped]  # noqa: PLC0415  # without types
    from scrapy import signals  # noqa: PLC0415

    from crawler.network.public_addresses import ALLOWED_NETWORKS_SETTING  # noqa: PLC0415
    from crawler.run import crawl_order, crawl_program  # noqa: PLC0415
    from crawler.spider import run_settings  # noqa: PLC0415
    from crawler.spider.crawl_store import DATABASE_URL_SETTING  # noqa: PLC0415

    os.environ |= {
        DATABASE_URL_SETTING: url,
        crawl_order.SITE_VARIABLE: site,
        run_settings.RUN_ID_SETTING: str(run_id),
        run_settings.TRIGGER_SETTING: "test",
        run_settings.REVISIT_SETTING: "1" if revisit else "",
        ALLOWED_NETWORKS_SETTING: "127.0.0.0/8",
        **({run_settings.HOME_SETTING: str(home)} if evidence else {}),
    }

    def kill_readers(response: Any) -> None:
        if poison and response.url.endswith(poison):
            for reader in multiprocessing.active_children():
                reader.kill()
                reader.join()

    dispatcher.connect(kill_readers, signals.response_received, sender=dispatcher.Any)
    crawl_program.main()


def _discover(url: str, home: Path, *, service: str) -> None:
    """A search for copies of all articles of ours that are due."""
    from crawler.web_search.searxng import SearXNG  # noqa: PLC0415
    from storage.engine import make_engine  # noqa: PLC0415
    from zhiwen.config.loading import load_settings  # noqa: PLC0415
    from zhiwen.web_search.discovery import discover  # noqa: PLC0415
    from zhiwen.web_search.opening import opened_fetcher  # noqa: PLC0415
    from zhiwen.web_search.plan import PlannedService, SearchPlan  # noqa: PLC0415

    settings = load_settings(
        {
            "ZHIWEN_HOME": str(home),
            "DATABASE_URL": url,
            "ZHIWEN_ALLOWED_NETWORKS": "127.0.0.0/8",
            "ZHIWEN_ENCODER": "off",
        }
    )
    plan, engine = SearchPlan((PlannedService(SearXNG.at("one", service)),)), make_engine(url)
    with opened_fetcher(settings, engine) as fetcher:
        discover(engine, plan, fetcher, articles=100, should_stop=lambda: False)


PARTS: dict[str, Callable[..., None]] = {
    "match": _match,
    "rematch": _rematch,
    "work": _work,
    "decide": _decide,
    "crawl": _crawl,
    "discover": _discover,
}


def _doom(moments: int) -> None:
    """From now on the process counts, and dies when as many moments have passed."""
    from sqlalchemy import Engine, event  # noqa: PLC0415

    left = moments

    def count(*_: object, **__: object) -> None:
        nonlocal left
        left -= 1
        if left == 0:
            os.kill(os.getpid(), signal.SIGKILL)

    for name in ("before_cursor_execute", "after_cursor_execute", "commit"):
        event.listen(Engine, name, count)


def _serve() -> None:
    import admin.app  # noqa: F401, PLC0415
    import crawler.run.crawl_program  # noqa: F401, PLC0415
    import matcher.worker.rematch  # noqa: F401, PLC0415
    import tests.support.desk_client  # noqa: F401, PLC0415
    import zhiwen.web_search.discovery  # noqa: PLC0415
    import zhiwen.web_search.opening  # noqa: PLC0415
    import zhiwen.worker.worker  # noqa: F401, PLC0415

    share_all_that_is_loaded()
    for line in iter(sys.stdin.readline, ""):
        request = json.loads(line)
        child = os.fork()
        if not child:
            _become(request)
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)


def _become(request: dict[str, Any]) -> None:
    signal.alarm(LIMIT_S)
    # Nothing comes in, and it never ends: who reads it takes the other side for alive.
    ours, others = socket.socketpair()
    os.dup2(ours.fileno(), 0)
    others.detach()
    said = os.open(request["said"], os.O_WRONLY | os.O_APPEND)
    os.dup2(said, 1)
    os.dup2(said, 2)
    code = 1
    try:
        _doom(request["moments"])
        PARTS[request["part"]](request["url"], Path(request["home"]), **request["arguments"])
        code = 0
    except BaseException:
        import traceback  # noqa: PLC0415

        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


if __name__ == "__main__":
    _serve()
