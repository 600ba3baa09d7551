"""`db index-text` as others use it."""

from pathlib import Path

import pytest

from storage.engine import make_engine, transaction
from storage.pages import text_index
from tests.support.processes.forked_program import Program
from tests.zhiwen.commands.test_commands import Run, runner_on


@pytest.fixture
def run(program: Program, clean_database_url: str, tmp_path: Path) -> Run:
    return runner_on(program, clean_database_url, tmp_path / "home")


def is_on(url: str) -> bool:
    engine = make_engine(url)
    try:
        with transaction(engine) as session:
            found = text_index.state(session)
        return found is not None and found.is_ready
    finally:
        engine.dispose()


def test_the_index_is_switched_on_and_off(run: Run, clean_database_url: str) -> None:
    on = run("db", "index-text", "on")
    assert (on.returncode, on.stdout, is_on(clean_database_url)) == (0, "", True)
    assert "MB" in on.stderr

    off, again = run("db", "index-text", "off"), run("db", "index-text", "off")
    assert (off.returncode, again.returncode, is_on(clean_database_url)) == (0, 0, False)
    assert "Dropped the index" in off.stderr
    assert "There was no index" in again.stderr


def test_anything_else_is_wrong_usage(run: Run) -> None:
    assert run("db", "index-text", "maybe").returncode == 2
