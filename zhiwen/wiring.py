"""The one composition root: settings → database → what the commands call."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from storage import migrate
from storage.embedded import server
from storage.embedded.start import ServerOptions
from storage.engine import check_server, make_engine
from zhiwen.config.loading import load_settings
from zhiwen.config.settings import Settings

if TYPE_CHECKING:
    from sqlalchemy import Engine


def settings_of_this_process() -> Settings:
    """Raises SettingsError."""
    return load_settings(os.environ, warn=lambda message: print(message, file=sys.stderr))


def database_url(settings: Settings) -> str:
    """The address of a database that runs: the one that was named, else the built-in one, started if need be."""
    if settings.database_url is not None:
        return settings.database_url
    options = ServerOptions(grace_s=settings.postgres_grace_s, fsync=settings.postgres_fsync)
    return server.ensure_running(settings.home, options=options)


@contextmanager
def opened_server(settings: Settings, *, statement_timeout_ms: int = 0) -> Iterator[tuple[str, "Engine"]]:
    """The address of a database that answers and an engine on it, whatever its tables; released at the end.

    Raises StorageError with the way out.
    """
    url = database_url(settings)
    engine = make_engine(url, statement_timeout_ms=statement_timeout_ms)
    try:
        check_server(engine)
        yield url, engine
    finally:
        engine.dispose()
        if settings.database_url is None:
            server.release(settings.home)


@contextmanager
def opened_store(settings: Settings, *, statement_timeout_ms: int = 0) -> Iterator["Engine"]:
    """An engine on a database whose schema is current; released at the end.

    An empty database and the built-in one are brought up to date by themselves; another one only on request, since
    a migration may need a quiet hour. Raises StorageError with the way out.
    """
    with opened_server(settings, statement_timeout_ms=statement_timeout_ms) as (url, engine):
        revision = migrate.current(engine)
        if revision != migrate.head() and (revision is None or settings.database_url is None):
            migrate.upgrade(url)
        migrate.require_current(engine)
        yield engine
