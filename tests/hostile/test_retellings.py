"""Pages of any characters are encoded and compared by meaning: nothing fails, and no mark hides a retelling."""

from pathlib import Path

import pytest
from sqlalchemy import Engine, select

from storage.engine import transaction
from storage.meaning.retelling_list import stream_retellings
from storage.models.meaning import EncodedText
from storage.records.retellings import RetellingFilter
from tests.matcher.meaning.texts import RETOLD
from tests.matcher.retellings.texts import INNOCENT
from tests.support.factories import an_article, commit
from tests.support.meaning.meaning_store import demo_articles
from zhiwen.config.settings import Settings
from zhiwen.worker.encoding import encode_as_set, state_of_layer

SOURCE = "https://balcony-garden.example/a"
LONG = 1_000_000
FILLED = {
    "one-sentence": "字" * LONG,
    "one-word": "a" * LONG,
    "no-han": "The quick brown fox jumps over the lazy dog. " * (LONG // 45),
    "full-stops": "。" * LONG,
    "right-to-left": "كتب الصحفي تقريرا طويلا عن الحياة في المدينة. " * 400,
    "innocent": f"\u202e{INNOCENT}\u202c",
}
RETELLINGS = {
    "reversed": f"\u202e{RETOLD}\u202c",
    "in-arabic": FILLED["right-to-left"] + RETOLD,
    "surrogates": "\ud800".join(RETOLD[start : start + 7] for start in range(0, len(RETOLD), 7)),
}


@pytest.fixture
def settings(clean_database_url: str, tmp_path: Path) -> Settings:
    return Settings(tmp_path, database_url=clean_database_url, secret_key="k" * 64)


def test_the_worker_compares_hostile_pages_and_finds_the_retellings_among_them(
    pgvector: None, engine: Engine, settings: Settings
) -> None:
    # One owner, so that the retellings are compared with the source and not with each other.
    pages = {**FILLED, **RETELLINGS}
    commit(engine, demo_articles())
    commit(engine, [an_article(f"https://hostile.example/{name}", text, hours=30) for name, text in pages.items()])

    done = encode_as_set(settings, engine, should_stop=lambda: False)

    assert done.failed == 0
    assert done.encoded == done.compared
    with transaction(engine) as session:
        state = state_of_layer(settings, session)
        assert state is not None
        assert (state.waiting, state.failed) == (0, 0)
        found = list(stream_retellings(session, RetellingFilter(), limit=100))
        assert max(session.scalars(select(EncodedText.passages))) < 400
    urls = {(one.copy.url, one.source.url) for one in found}
    assert urls == {(f"https://hostile.example/{name}", SOURCE) for name in RETELLINGS}
