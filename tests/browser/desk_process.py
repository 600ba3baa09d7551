"""The real admin in a child process, forked from one that has imported it: what a desk costs is mostly its imports."""

from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Final

from admin.serve import serve
from admin.web.services import Services
from crawler.processes import fork_server
from storage.engine import make_engine
from tests.support.desk_client import app_with, make_app

CHILDREN: Final = fork_server.children(__name__)
# Made where this module is imported, so that each child has it already.
make_app(make_engine("postgresql+psycopg2://nowhere/none"))

START_TIMEOUT_S: Final = 60
STOP_TIMEOUT_S: Final = 20


@contextmanager
def desk_process(database_url: str, home: Path | None = None) -> Iterator[tuple[str, BaseProcess]]:
    """Its address and the process; it is ended afterwards. In `home` are the files of the evidence."""
    ours, theirs = CHILDREN.Pipe(duplex=False)
    process = CHILDREN.Process(target=_serve, args=(database_url, home, theirs))
    process.start()
    theirs.close()
    try:
        assert ours.poll(START_TIMEOUT_S), "the desk did not start"
        yield ours.recv(), process
    finally:
        process.terminate()
        process.join(STOP_TIMEOUT_S)
        process.close()
        ours.close()


def _serve(database_url: str, home: Path | None, started: Connection) -> None:
    """On a free port of loopback, whose address is sent."""
    app = app_with(Services(engine=make_engine(database_url), secret_key="for tests", home=home))
    serve(app, "127.0.0.1", 0, on_ready=started.send)
