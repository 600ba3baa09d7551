"""Lines of the log: what they are about stands in each, secrets in none, as text and as JSON."""

import io
import json
import logging
from collections.abc import Iterator
from contextvars import copy_context
from pathlib import Path
from threading import Thread

import pytest
from sqlalchemy import Engine

from storage import log_context
from tests.support.desk_client import client_of_person
from tests.support.processes.worker_process import stop, until, worker
from zhiwen.config.loading import load_settings
from zhiwen.logs import secrets_of

SECRETS = ("p:ss/wörd", "0123456789abcdef0123456789abcdef", "metrics-token-of-ours")


@pytest.fixture
def written(request: pytest.FixtureRequest) -> Iterator[tuple[logging.Logger, io.StringIO]]:
    """A logger that writes in the way that the test is given."""
    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    handler.setFormatter(log_context.formatter(request.param, SECRETS))
    # One that nobody else listens to: pytest would report its records, and cannot send half a character.
    logger = logging.Logger("zhiwen.test")  # noqa: LOG001
    logger.addHandler(handler)
    yield logger, stream
    handler.close()


both = pytest.mark.parametrize("written", ["text", "json"], indirect=True)
as_json = pytest.mark.parametrize("written", ["json"], indirect=True)
as_text = pytest.mark.parametrize("written", ["text"], indirect=True)
Written = tuple[logging.Logger, io.StringIO]


@as_json
def test_a_line_for_programs_says_what_it_is_about(written: Written) -> None:
    logger, stream = written
    with log_context.about(job=7, task="crawl", site=None):
        with log_context.about(page=12, url="https://a.example/老桥"):
            logger.warning("read %s of %s", 1, 2, extra={"run": 5})
        logger.info("on")

    first, second = (json.loads(line) for line in stream.getvalue().splitlines())

    assert first.pop("time").endswith("+00:00")
    assert first == {
        "level": "WARNING",
        "logger": "zhiwen.test",
        "message": "read 1 of 2",
        "job": 7,
        "task": "crawl",
        "page": 12,
        "url": "https://a.example/老桥",
        "run": 5,
    }
    assert (second["job"], second["message"]) == (7, "on")
    assert "page" not in second


@as_text
def test_a_line_for_people_names_it_in_brackets(written: Written) -> None:
    logger, stream = written
    with log_context.about(run=5, site="县\n报"):
        logger.info("done")

    assert stream.getvalue().endswith("INFO zhiwen.test: done [run=5 site=县\ufffd报]\n")


@both
def test_what_scrapy_says_of_a_request_names_its_address(written: Written) -> None:
    class Request:
        url = "https://a.example/1"

        def __str__(self) -> str:
            return "<GET>"

    logger, stream = written
    logger.error("Error processing %(request)s", {"request": Request()})

    assert "https://a.example/1" in stream.getvalue()


@both
@pytest.mark.parametrize(
    "said",
    [
        "connecting to postgresql://zhiwen:p:ss/wörd@db.example/zhiwen",
        "connecting to postgresql://zhiwen:anything-at-all@db.example/zhiwen",
        "signed with 0123456789abcdef0123456789abcdef",
        "Authorization: Bearer metrics-token-of-ours",
        "GET https://chat.example/send?access_token=abc-def-ghi&timestamp=1",
        "{'password': 'hunter22', 'name': 'lin'}",
        "secret = 'hunter22'",
    ],
)
def test_no_line_holds_a_secret(written: Written, said: str) -> None:
    logger, stream = written
    try:
        raise RuntimeError(said)
    except RuntimeError:
        logger.exception("failed: %s", said, extra={"about": {"deep": [said]}})

    text = stream.getvalue()
    for secret in (*SECRETS, "anything-at-all", "abc-def-ghi", "hunter22"):
        assert secret not in text
        assert json.dumps(secret)[1:-1] not in text
    assert log_context.HIDDEN in text


@both
def test_what_is_no_secret_stays(written: Written) -> None:
    logger, stream = written
    plain = "https://a.example:8080/token/of?page=2 and user@host: the password of no one, tokens: none"
    logger.info("%s", plain.replace("password of", "password was lost by"))

    assert "https://a.example:8080/token/of?page=2" in stream.getvalue().replace("\\/", "/")
    assert log_context.HIDDEN not in stream.getvalue()


@as_json
def test_another_thread_is_reported_by_handing_the_context_over(written: Written) -> None:
    logger, stream = written
    with log_context.about(job=7):
        around = copy_context()
        for target in (lambda: logger.info("alone"), lambda: around.run(logger.info, "told")):
            thread = Thread(target=target)
            thread.start()
            thread.join()

    alone, told = (json.loads(line) for line in stream.getvalue().splitlines())
    assert ("job" in alone, told["job"]) == (False, 7)


@as_json
def test_text_that_is_no_text_still_makes_a_line(written: Written) -> None:
    logger, stream = written
    logger.info("%s", "\ud800\x00\n", extra={"odd": object(), "many": {1, 2}})

    assert json.loads(stream.getvalue())["message"] == "\ud800\x00\n"


def test_the_secrets_of_the_settings_are_known(tmp_path: Path) -> None:
    settings = load_settings(
        {
            "ZHIWEN_HOME": str(tmp_path),
            "DATABASE_URL": "postgresql://zhiwen:p%3Ass@db.example/zhiwen",
            "ZHIWEN_SECRET_KEY": "k" * 32,
            "ZHIWEN_METRICS_TOKEN": "t" * 16,
        }
    )

    assert secrets_of(settings) == {"p%3Ass", "p:ss", "k" * 32, "t" * 16}
    assert secrets_of(load_settings({"ZHIWEN_HOME": str(tmp_path)})) == set()


def test_a_worker_writes_every_line_for_programs_where_it_is_asked_to(
    engine: Engine, clean_database_url: str, tmp_path: Path
) -> None:
    kept = tmp_path / "log"
    kept.touch()
    as_asked = {"ZHIWEN_LOG_FORMAT": "json"}
    with worker(clean_database_url, tmp_path, log=kept, settings=as_asked) as child:
        until(engine, lambda: "is done: watch" in kept.read_text(encoding="utf-8"))
        assert stop(child) == 0

    lines = [json.loads(line) for line in kept.read_text(encoding="utf-8").splitlines()]
    assert {line["part"] for line in lines} == {"worker"}
    assert ("watch", True) in {(line["task"], isinstance(line["job"], int)) for line in lines if "job" in line}


def test_a_request_at_the_desk_is_reported_by_its_route_and_numbers(
    caplog: pytest.LogCaptureFixture, engine: Engine
) -> None:
    client = client_of_person(engine)
    caplog.clear()
    with caplog.at_level(logging.INFO, "admin.hooks.request_log"):
        client.get("/runs/12345?token=hidden-thing")
        client.get("/password/hidden-thing")
        client.get("/healthz")

    told = [record for record in caplog.records if record.name == "admin.hooks.request_log"]
    assert [record.getMessage() for record in told] == ["GET /runs/<key:run_id>: 404", told[1].getMessage()]
    assert vars(told[0])["method"] == "GET"
    assert isinstance(vars(told[0])["account"], int)
    assert "hidden-thing" not in "".join(map(str, (vars(record) for record in told)))
