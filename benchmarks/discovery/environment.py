"""The Python environment of the metasearch server and its index, apart from Zhiwen's own.

`python -m benchmarks.discovery.environment FOLDER` makes it.
"""

import hashlib
import subprocess
import sys
from pathlib import Path
from typing import Final

LOCK: Final = Path(__file__).parents[2] / "requirements-searxng.lock"
STAMP: Final = "installed"
"""Written at the end of an installation: the hash of the lock that it holds."""
MINUTES: Final = 10
_TOLD: Final = 2_000
"""Characters of the end of an output."""


class NotInstalled(Exception):
    """The environment cannot be made. The message says why."""


def environment(folder: Path) -> Path:
    """Return the Python of the environment in a folder, which is made if it is not there. Raises NotInstalled.

    What is in another folder than one made here is left alone.
    """
    wanted = hashlib.sha256(LOCK.read_bytes()).hexdigest() if LOCK.exists() else ""
    if not wanted:
        raise NotInstalled(f"{LOCK} is missing: the benchmark runs from a clone of the project")
    python = folder / "bin" / "python"
    if is_installed(folder):
        return python
    if folder.exists() and any(folder.iterdir()) and not (folder / "pyvenv.cfg").exists():
        raise NotInstalled(f"{folder} holds other files. Name an empty folder")
    _run(sys.executable, "-m", "venv", str(folder))
    pip = (str(python), "-m", "pip", "--disable-pip-version-check", "--no-input")
    _run(*pip, "install", "--quiet", "--no-deps", "--no-compile", "--require-hashes", "-r", str(LOCK))
    (folder / STAMP).write_text(wanted, "utf-8")
    return python


def is_installed(folder: Path) -> bool:
    """Whether a folder holds the environment of the present lock."""
    stamp = folder / STAMP
    return stamp.exists() and stamp.read_text("utf-8") == hashlib.sha256(LOCK.read_bytes()).hexdigest()


def _run(*command: str) -> None:
    try:
        ended = subprocess.run(  # noqa: S603  # fixed commands
            command, check=False, capture_output=True, text=True, timeout=MINUTES * 60
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise NotInstalled(f"{' '.join(command)}: {error}") from error
    if ended.returncode:
        raise NotInstalled(f"{' '.join(command)} failed:\n{(ended.stdout + ended.stderr)[-_TOLD:]}")


if __name__ == "__main__":
    environment(Path(sys.argv[1]).resolve())
