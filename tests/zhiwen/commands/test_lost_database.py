"""A command whose database goes away says so, without a traceback."""

import time
from pathlib import Path

from sqlalchemy import Engine, text

from storage.engine import transaction
from tests.support.processes.worker_process import PATIENCE_S, program

WAITING = text(
    "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock' LIMIT 1"
)


def waiting(engine: Engine) -> int:
    """Return the server process that waits for a lock."""
    deadline = time.monotonic() + PATIENCE_S
    while time.monotonic() < deadline:
        with transaction(engine) as session:
            if (pid := session.scalar(WAITING)) is not None:
                return int(pid)
        time.sleep(0.05)
    raise TimeoutError


def test_a_connection_that_is_ended_is_said(engine: Engine, clean_database_url: str, tmp_path: Path) -> None:
    with engine.begin() as held:
        held.execute(text("LOCK TABLE page IN ACCESS EXCLUSIVE MODE"))
        with (
            (tmp_path / "log").open("wb") as log,
            program(clean_database_url, tmp_path, "pages", log=log) as child,
            transaction(engine) as session,
        ):
            session.execute(text("SELECT pg_terminate_backend(:pid)"), {"pid": waiting(engine)})
            code = child.wait(PATIENCE_S)

    said = (tmp_path / "log").read_text("utf-8", "replace")
    assert code == 1, said
    assert said.startswith("Error: The database failed: "), said
    assert "try again" in said
    assert "Traceback" not in said
