"""Settings for gunicorn: `gunicorn --config python:zhiwen.gunicorn_settings "zhiwen.serving:app()"`.

Override them with GUNICORN_CMD_ARGS, such as `--workers 4`.
"""

from zhiwen import tuning, working_folder

# gunicorn puts the working folder first on the import path.
working_folder.leave_out()
tuning.tune()

import gc  # noqa: E402
from pathlib import Path  # noqa: E402
from typing import Any, Final  # noqa: E402

from admin.serve import THREADS  # noqa: E402
from zhiwen.wiring import settings_of_this_process  # noqa: E402

_SETTINGS: Final = settings_of_this_process()
_MEMORY: Final = Path("/dev/shm")  # noqa: S108  # an unnamed file as heartbeat

bind: Final = f"[{_SETTINGS.host}]:{_SETTINGS.port}" if ":" in _SETTINGS.host else f"{_SETTINGS.host}:{_SETTINGS.port}"
workers: Final = 2
threads: Final = THREADS
"""Per worker; its engine has one more connection."""
worker_class: Final = "gthread"
timeout: Final = 120
"""Seconds. The slowest page is limited by the desk's statement timeout, an export by its rows."""
graceful_timeout: Final = 10
keepalive: Final = 5
worker_tmp_dir: Final = str(_MEMORY) if _MEMORY.is_dir() else None
"""In memory: on a busy disk, a delayed heartbeat would look like a worker that hangs."""
control_socket_disable: Final = True
proc_name: Final = "zhiwen-admin"


def post_fork(server: Any, worker: Any) -> None:  # as gunicorn calls it
    """Removes the working folder again: gunicorn adds it once more, also at each reload."""
    working_folder.leave_out()
    # What is loaded now is no garbage: looking for some took a quarter of the start of a worker.
    gc.disable()


def post_worker_init(worker: Any) -> None:  # as gunicorn calls it
    """Looks for garbage again, in what is made from now on."""
    gc.freeze()
    gc.enable()
