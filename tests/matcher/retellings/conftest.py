"""One store for all tests of retellings, encoded once; tests that write roll back."""

from collections.abc import Iterator

import pytest
from sqlalchemy import Engine
from sqlalchemy.orm import Session

from matcher.meaning.encoders.encoder import Encoder
from matcher.meaning.encoders.kept_vectors import KeptVectors
from matcher.meaning.encoders.use_encoder import UniversalSentenceEncoder
from matcher.retellings.opening import MeaningOfStore
from matcher.retellings.search import MeaningSearch
from storage.engine import make_engine
from tests.support.meaning.meaning_store import store_of
from tests.support.store.new_database import database


@pytest.fixture(scope="package")
def encoder() -> Encoder:
    return KeptVectors(UniversalSentenceEncoder())


@pytest.fixture(scope="package")
def encoded_engine(pgvector: None, server_url: str, template_url: str, encoder: Encoder) -> Iterator[Engine]:
    """The demo's articles, encoded."""
    with database(server_url, template=template_url) as url:
        engine = make_engine(url)
        store_of(engine, encoder)
        yield engine
        engine.dispose()


@pytest.fixture(scope="package")
def open_search(encoder: Encoder) -> MeaningOfStore:
    return MeaningOfStore(encoder)


@pytest.fixture
def stored(encoded_engine: Engine) -> Iterator[Session]:
    """A session inside a transaction that is never committed."""
    with encoded_engine.connect() as connection, connection.begin() as outer:
        with Session(connection, join_transaction_mode="create_savepoint", expire_on_commit=False) as session:
            yield session
        outer.rollback()


@pytest.fixture
def search(stored: Session, open_search: MeaningOfStore) -> MeaningSearch:
    return open_search(stored)
