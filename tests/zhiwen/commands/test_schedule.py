"""`schedule` and `jobs` on the command line, and what the desk puts into the queue."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from crawler.spider.link_filter import entry
from storage.crawl import frontier, logs, runs
from storage.engine import make_engine, transaction
from storage.jobs import queue
from storage.records.crawl import UrlKind
from storage.records.sites import SiteSettings
from storage.sites import sites
from zhiwen.cli import zhiwen
from zhiwen.serving import enqueue


class Desk:
    """The program in this process, on a store of its own with one site."""

    def __init__(self, url: str, home: Path) -> None:
        self.engine = make_engine(url)
        self._environment = {"DATABASE_URL": url, "ZHIWEN_HOME": str(home)}
        with transaction(self.engine) as session:
            sites.add_site(session, SiteSettings("paper", ("https://paper.example/",), ("paper.example",)))

    def __call__(self, *arguments: str) -> Result:
        return CliRunner().invoke(zhiwen, arguments, prog_name="zhiwen", env=self._environment)

    def rows(self, *arguments: str) -> list[dict[str, object]]:
        done = self(*arguments, "--json")
        assert done.exit_code == 0, done.output
        return [json.loads(line) for line in done.stdout.splitlines()]


@pytest.fixture
def desk(clean_database_url: str, tmp_path: Path) -> Iterator[Desk]:
    found = Desk(clean_database_url, tmp_path / "home")
    yield found
    found.engine.dispose()


def test_a_schedule_is_set_shown_paused_and_taken_away(desk: Desk) -> None:
    assert desk("schedule", "set", "paper", "every 6 h", "--jitter", "30").exit_code == 0
    (row,) = desk.rows("schedule", "list")
    assert {name: row[name] for name in ("site", "rule", "time_zone", "jitter_s", "paused", "last_at")} == {
        "site": "paper", "rule": "every 6 h", "time_zone": "Asia/Shanghai", "jitter_s": 1800, "paused": False,
        "last_at": None,
    }  # fmt: skip

    assert "is paused" in desk("schedule", "set", "paper", "--pause").output
    assert [row["paused"] for row in desk.rows("schedule", "list")] == [True]
    assert "next at" in desk("schedule", "set", "paper", "--resume").output
    assert "30 6 * * 1-5 (UTC)" in desk("schedule", "set", "paper", "30 6 * * 1-5", "--time-zone", "UTC").output
    assert "has no schedule" in desk("schedule", "set", "paper", "--remove").output
    assert desk.rows("schedule", "list") == []


def test_a_rule_is_tried_without_being_kept(desk: Desk) -> None:
    tried = desk("schedule", "set", "paper", "30 6 * * *", "--time-zone", "UTC", "--dry-run")

    assert [line[-5:] for line in tried.stdout.splitlines()] == ["06:30"] * 5
    assert desk.rows("schedule", "list") == []
    assert desk("schedule", "set", "paper", "adaptive 5 min to 6 h").exit_code == 0
    assert [row["rule"] for row in desk.rows("schedule", "list")] == ["adaptive 5 min to 6 h"]


def test_what_a_crawl_would_ask_for_is_reported_and_not_asked_for(desk: Desk) -> None:
    (first,) = desk.rows("crawl", "--dry-run")
    with transaction(desk.engine) as session:
        site_id = sites.get_site(session, "paper").id
        urls = [f"https://paper.example/{number}" for number in range(3)]
        frontier.add_urls(session, site_id, [entry(url, UrlKind.ARTICLE) for url in urls])

    (second,) = desk.rows("crawl", "paper", "--dry-run")

    assert (first["entries"], first["due"], first["requests"]) == (["https://paper.example/"], {}, 1)
    assert (second["due"], second["requests"], sorted(second["first"])) == ({"article": 3}, 4, urls)  # type: ignore[call-overload]
    assert "3 × article" in desk("crawl", "--dry-run").output
    assert desk.rows("runs") == []
    assert desk("crawl", "--json").exit_code == 2


WRONG = [
    (["paper"], "Give a rule"),
    (["paper", "every 6 h", "--pause"], "Give a rule"),
    (["paper", "--pause", "--jitter", "3"], "Give a rule"),
    (["paper", "now and then"], "is no schedule"),
    (["paper", "every 6 h", "--time-zone", "Mars"], "must be a time zone"),
    (["paper", "--pause", "--dry-run"], "needs a rule"),
    (["paper", "now and then", "--dry-run"], "is no schedule"),
]


@pytest.mark.parametrize(("arguments", "said"), WRONG, ids=[" ".join(arguments) for arguments, _ in WRONG])
def test_what_makes_no_schedule_is_wrong_usage(desk: Desk, arguments: list[str], said: str) -> None:
    done = desk("schedule", "set", *arguments)

    assert done.exit_code == 2
    assert said in done.output
    assert desk.rows("schedule", "list") == []


@pytest.mark.parametrize("arguments", [["nosuch", "every 6 h"], ["paper", "--pause"]])
def test_what_is_not_there_fails_and_says_the_way_out(desk: Desk, arguments: list[str]) -> None:
    done = desk("schedule", "set", *arguments)

    assert done.exit_code == 1
    assert "zhiwen s" in done.output


def test_a_crawl_is_asked_for_once_and_shown_until_it_is_dropped(desk: Desk) -> None:
    first = desk("schedule", "run-now", "paper")
    assert "No worker is running" in first.output
    assert "is queued already" in desk("schedule", "run-now", "paper").output

    (row,) = desk.rows("jobs")
    assert (row["task"], row["state"], row["attempts"], row["error"]) == ("crawl", "waiting", 0, None)
    assert "paper" in desk("jobs").output
    assert desk("jobs", "--retry", str(row["id"])).exit_code == 1  # it was not set aside
    assert desk("jobs", "--drop", str(row["id"])).exit_code == 0
    assert desk.rows("jobs") == []
    assert desk("jobs", "--drop", str(row["id"])).exit_code == 1


def test_the_desk_puts_a_crawl_into_the_queue(desk: Desk) -> None:
    number = enqueue(desk.engine, queue.CRAWL, site="paper")

    assert enqueue(desk.engine, queue.CRAWL, site="paper") is None
    (row,) = desk.rows("jobs")
    assert (row["id"], row["arguments"]) == (
        number,
        {"site": "paper", "trigger": "desk", "max_pages": None, "revisit": False},
    )
    assert enqueue(desk.engine, queue.MATCH) is not None


def test_what_a_run_said_is_shown_by_its_number(desk: Desk) -> None:
    with transaction(desk.engine) as session:
        run_id = runs.start_run(session, sites.get_site(session, "paper").id, trigger="test")
    assert "There is no log of run 1" in desk("runs", "--log", str(run_id)).output
    with transaction(desk.engine) as session:
        logs.keep(session, run_id, "new: https://paper.example/1\n", bytes_left_out=7, most_memory=1)

    shown = desk("runs", "--log", str(run_id))

    assert shown.stdout == "new: https://paper.example/1\n"
    assert "7 bytes in the middle are left out" in shown.stderr
    assert [row["run_id"] for row in desk.rows("runs", "--log", str(run_id))] == [run_id]
    assert "no run 999" in desk("runs", "--log", "999").output
