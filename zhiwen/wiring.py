"""The composition root: opens the database and builds the services of commands and worker from the settings."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from storage import migrate
from storage.embedded import server
from storage.embedded.start import ServerOptions
from storage.engine import check_server, make_engine, make_replica_engine
from storage.postgres.replica import Replica
from zhiwen.config.loading import load_settings
from zhiwen.config.settings import Settings

if TYPE_CHECKING:
    from pathlib import Path

    from sqlalchemy import Engine
    from sqlalchemy.orm import Session

    from crawler.evidence.keeper import Keeper
    from crawler.evidence.page_capture import Capturer
    from crawler.extraction.article import PageReader
    from crawler.fetch.fetch import Fetched
    from crawler.outcomes.refusals import Refusal
    from matcher.cases.case_rule import CaseRule
    from matcher.meaning.encoders.encoder import Encoder
    from matcher.retellings.check_by_meaning import OpenSearch
    from matcher.retellings.search import MeaningSearch


def settings_of_this_process() -> Settings:
    """Raises SettingsError."""
    return load_settings(os.environ, warn=lambda message: print(message, file=sys.stderr))


def database_url(settings: Settings) -> str:
    """The address of a running database: the one of the settings, else the built-in one, started if necessary."""
    if settings.database_url is not None:
        return settings.database_url
    options = ServerOptions(grace_s=settings.postgres_grace_s, fsync=settings.postgres_fsync)
    return server.ensure_running(settings.home, options=options)


@contextmanager
def opened_server(settings: Settings, *, statement_timeout_ms: int = 0) -> Iterator[tuple[str, "Engine"]]:
    """The address of a database that answers and an engine on it, at any schema; released at the end.

    Raises StorageError with the remedy.
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

    An empty database and the built-in one are upgraded automatically; another one only on request, since a migration
    may need a quiet hour. Raises StorageError with the remedy.
    """
    with opened_server(settings, statement_timeout_ms=statement_timeout_ms) as (url, engine):
        revision = migrate.current(engine)
        if revision != migrate.head() and (revision is None or settings.database_url is None):
            migrate.upgrade(url)
        migrate.require_current(engine)
        yield engine


@contextmanager
def opened_replica(settings: Settings, engine: "Engine") -> Iterator[Replica | None]:
    """The replica of the settings, for work that only reads; None without one. `engine`: on the primary."""
    if settings.replica_url is None or settings.database_url is None:
        yield None
        return
    on_replica = make_replica_engine(settings.replica_url)
    try:
        yield Replica(engine, on_replica, settings.replica_lag_s)
    finally:
        on_replica.dispose()


def case_rule(settings: Settings) -> "CaseRule":
    """The rule for the size at which a copy becomes a case."""
    from matcher.cases.case_rule import CaseRule  # noqa: PLC0415  # loads the dictionaries

    return CaseRule(min_chars=settings.case_min_chars, min_share=settings.case_min_share)


def encoder_of(settings: Settings) -> "Encoder | None":
    """The encoder of the settings for texts of the store, nothing loaded yet; None if there is none."""
    from matcher.meaning.encoders.encoder import EncoderUnavailable  # noqa: PLC0415
    from zhiwen.encoders.choice import encoder_for_texts  # noqa: PLC0415

    try:
        return encoder_for_texts(settings)
    except EncoderUnavailable:
        return None


def require_vectors(settings: Settings, engine: "Engine") -> bool:
    """Has pgvector created in the database where this installation may. Returns whether it is there."""
    from storage.embedded.extension import create_vector  # noqa: PLC0415
    from storage.meaning.vector_index import create_extension  # noqa: PLC0415

    return create_vector(settings.home) if settings.database_url is None else create_extension(engine)


def meaning_of(settings: Settings) -> "OpenSearch":
    """Opens searches by meaning for texts that may be drafts; the encoder is loaded when the first one is compared, and
    kept.
    """
    from matcher.retellings.opening import MeaningOfStore  # noqa: PLC0415  # loads NumPy
    from zhiwen.encoders.choice import encoder_for_drafts  # noqa: PLC0415

    known: list[MeaningOfStore] = []

    def open_search(session: "Session") -> "MeaningSearch":
        if not known:
            known.append(MeaningOfStore(encoder_for_drafts(settings)))
        return known[0](session)

    return open_search


def fetch_page(settings: Settings, url: str, *, in_browser: bool = False) -> "Fetched | Refusal":
    """Fetches a page with the settings' networks and user agent. Blocks until it is there."""
    from crawler.fetch.fetch import fetch  # noqa: PLC0415  # few commands fetch

    networks, agent = settings.allowed_networks, settings.user_agent
    return fetch(url, allowed_networks=networks, user_agent=agent, in_browser=in_browser)


def keeper_of(engine: "Engine", home: "Path") -> "Keeper":
    """Appends to the evidence of this home."""
    from crawler.evidence.keeper import Keeper  # noqa: PLC0415  # as above
    from crawler.evidence.record_files import EvidenceFolder  # noqa: PLC0415

    return Keeper(engine, EvidenceFolder(home))


def capturer_of(settings: Settings, engine: "Engine", read_page: "PageReader") -> "Capturer":
    """Fetches pages and keeps the responses as evidence."""
    from crawler.evidence.page_capture import Capturer  # noqa: PLC0415  # as above

    networks, agent = settings.allowed_networks, settings.user_agent
    return Capturer(keeper_of(engine, settings.home), read_page, networks, agent)
