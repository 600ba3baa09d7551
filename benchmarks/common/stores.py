"""Databases of benchmarks, each in a folder of its own, temporary or kept."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from storage import migrate
from storage.embedded import server
from storage.embedded.start import ServerOptions
from storage.engine import make_engine, transaction
from storage.records.sites import SiteSettings
from storage.sites import sites

if TYPE_CHECKING:
    from sqlalchemy import Engine

GRACE_S: Final = 60.0


@contextmanager
def opened(home: Path, *, fsync: bool = False) -> Iterator[tuple[str, "Engine"]]:
    """The address of the current store in `home` and an engine on it. Its server is stopped at the end."""
    url = server.ensure_running(home, options=ServerOptions(grace_s=GRACE_S, fsync=fsync))
    try:
        migrate.upgrade(url)
        engine = make_engine(url)
        try:
            yield url, engine
        finally:
            engine.dispose()
    finally:
        server.stop(home)
        server.release(home)


def add_whole_site(engine: "Engine", name: str, address: str) -> None:
    """Adds a site that is crawled without delay or page limit."""
    settings = SiteSettings(name, (f"{address}/",), (urlsplit(address).netloc,), delay_s=0.0, page_budget=10_000_000)
    with transaction(engine) as session:
        sites.add_site(session, settings)
