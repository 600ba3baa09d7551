"""The real admin in a child process."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).parents[2]
STOP_TIMEOUT_S = 20


@contextmanager
def desk_process(database_url: str, home: Path | None = None) -> Iterator[tuple[str, subprocess.Popen[str]]]:
    """Its address and the process; it is ended afterwards. In `home` are the files of the evidence."""
    environment = os.environ | {"DESK_DATABASE": database_url, "DESK_HOME": str(home or "")}
    command = [sys.executable, "-m", "tests.browser.serve_desk"]
    with subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            address = process.stdout.readline().strip()
            assert address.startswith("http://127.0.0.1:"), "the desk did not start"
            yield address, process
        finally:
            process.terminate()
            process.wait(STOP_TIMEOUT_S)
