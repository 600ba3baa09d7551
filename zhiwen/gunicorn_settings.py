"""How gunicorn serves the admin: `gunicorn --config python:zhiwen.gunicorn_settings "zhiwen.serving:app()"`.

What another installation needs otherwise goes into GUNICORN_CMD_ARGS, such as `--workers 4`.
"""

from zhiwen import working_folder

# gunicorn puts the working folder first of the places that it imports from.
working_folder.leave_out()

from pathlib import Path  # noqa: E402
from typing import Any, Final  # noqa: E402

from admin.serve import THREADS  # noqa: E402
from zhiwen.wiring import settings_of_this_process  # noqa: E402

_SETTINGS: Final = settings_of_this_process()
_MEMORY: Final = Path("/dev/shm")  # noqa: S108  # a file without a name, by which a process shows that it lives

bind: Final = f"[{_SETTINGS.host}]:{_SETTINGS.port}" if ":" in _SETTINGS.host else f"{_SETTINGS.host}:{_SETTINGS.port}"
workers: Final = 2
threads: Final = THREADS
"""Of each worker; its engine has one connection more."""
worker_class: Final = "gthread"
timeout: Final = 120
"""The slowest page is bounded by the desk's limit for statements, and an export by its rows."""
graceful_timeout: Final = 10
keepalive: Final = 5
worker_tmp_dir: Final = str(_MEMORY) if _MEMORY.is_dir() else None
"""A heartbeat on a disk that is busy would look like a worker that hangs."""
control_socket_disable: Final = True
proc_name: Final = "zhiwen-admin"


def post_fork(server: Any, worker: Any) -> None:  # as gunicorn calls it
    """It has put the folder there once more since, and at each reload."""
    working_folder.leave_out()
