"""Encoding by meaning in the worker, at the terminal, in backups; with the encoder of the extra `meaning`."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner
from sqlalchemy import Engine, func, select, text

from matcher.meaning.encoders.use_encoder import UniversalSentenceEncoder
from matcher.meaning.layer import layer_state
from storage.engine import make_engine, transaction
from storage.jobs import queue
from storage.matches import backlog
from storage.meaning import background, encodings
from storage.models.meaning import PASSAGE_VECTOR, EncodedText
from tests.support.factories import an_article, commit, text_of
from tests.support.store.new_database import database
from zhiwen.backups.create import make
from zhiwen.backups.restore import Trust, restore, verify_backup
from zhiwen.cli import zhiwen
from zhiwen.config.settings import Settings
from zhiwen.diagnostics.database_checks import examine_meaning
from zhiwen.diagnostics.doctor import State
from zhiwen.worker import encoding
from zhiwen.worker.jobs import Jobs
from zhiwen.worker.scheduler import tick

_ENCODER = UniversalSentenceEncoder()
LABEL = f"{_ENCODER.name} {_ENCODER.version}"
TEXTS = 32


@pytest.fixture
def store(pgvector: None, engine: Engine) -> Engine:
    """Short texts, one passage each: the encoder has little to do."""
    commit(engine, [an_article(f"a{n}", text_of(n, chars=90)) for n in range(TEXTS)])
    return engine


@pytest.fixture
def settings(clean_database_url: str, tmp_path: Path) -> Settings:
    return Settings(tmp_path, database_url=clean_database_url, secret_key="k" * 64)


def quietly(_what: str, _done: int, _whole: int) -> None:
    pass


def never() -> bool:
    return False


def waiting_jobs(engine: Engine) -> list[str]:
    with transaction(engine) as session:
        return [job.task for job in queue.list_jobs(session)]


def encoded(engine: Engine) -> int:
    with transaction(engine) as session:
        return layer_state(session, LABEL).encoded


def test_the_worker_encodes_what_waits(store: Engine, settings: Settings, clean_database_url: str) -> None:
    tick(store, settings)
    assert queue.ENCODE in waiting_jobs(store)

    jobs = Jobs(settings, store, clean_database_url)
    jobs.encode()  # pages wait for comparison, but fewer than a batch

    assert encoded(store) == TEXTS
    with transaction(store) as session:
        assert not encoding.is_due(settings, session)


def test_while_pages_wait_for_comparison_the_worker_encodes_one_batch(
    store: Engine, settings: Settings, clean_database_url: str
) -> None:
    commit(store, [an_article(f"b{n}", text_of(100 + n, chars=60)) for n in range(encoding.MATCHING_FIRST)])
    with transaction(store) as session:
        assert backlog.waiting(session) >= encoding.MATCHING_FIRST

    Jobs(settings, store, clean_database_url).encode()

    assert 0 < encoded(store) < TEXTS
    assert queue.ENCODE not in waiting_jobs(store)
    with transaction(store) as session:
        assert encoding.is_due(settings, session)


def test_status_and_doctor_say_how_far_it_is(store: Engine, settings: Settings) -> None:
    def told() -> dict[str, object]:
        environment = {"DATABASE_URL": str(settings.database_url), "ZHIWEN_HOME": str(settings.home)}
        shown = CliRunner().invoke(zhiwen, ["status", "--json"], env=environment)
        found: dict[str, object] = json.loads(shown.stdout)["meaning"]
        return found

    def finding() -> tuple[State, str]:
        with transaction(store) as session:
            (found,) = examine_meaning(encoding.state_of_layer(settings, session), is_built_in=False)
        return found.state, found.says

    before, warned = told(), finding()
    encoding.encode_as_set(settings, store, should_stop=never)

    assert (before["encoded"], before["waiting"]) == (0, TEXTS)
    assert "No text is encoded" in str(before["problem"])
    assert warned[0] is State.WARN
    assert told() == {
        "encoder": LABEL,
        "encoded": TEXTS,
        "compared": TEXTS,
        "failed": 0,
        "waiting": 0,
        "rebuilding": False,
        "problem": None,
    }
    assert finding() == (State.OK, f"All {TEXTS} texts are encoded by {LABEL}.")


def test_recompute_encodes_all_texts_again(store: Engine, settings: Settings) -> None:
    encoding.encode_as_set(settings, store, should_stop=never)
    with transaction(store) as session:
        before = background.serving_id(session, LABEL)
    environment = {"DATABASE_URL": str(settings.database_url), "ZHIWEN_HOME": str(settings.home)}

    result = CliRunner().invoke(zhiwen, ["recompute", "--meaning"], env=environment)

    assert result.exit_code == 0, result.output
    assert f"Encoded {TEXTS} texts by meaning" in result.output
    with transaction(store) as session:
        assert background.serving_id(session, LABEL) not in (None, before)


@pytest.fixture
def other_url(server_url: str) -> Iterator[str]:
    with database(server_url) as url:
        yield url


def test_a_backup_keeps_the_vectors_and_their_index_is_made_again(
    store: Engine, settings: Settings, other_url: str, tmp_path: Path
) -> None:
    encoding.encode_as_set(settings, store, should_stop=never)
    target, trust = tmp_path / "saved.tar", Trust("k" * 64)
    url = str(settings.database_url)
    make(settings, url, store, target, environ={}, progress=quietly, should_stop=never)

    verify_backup(url, target, home=tmp_path, trust=trust, progress=quietly, should_stop=never)
    other = make_engine(other_url)
    restore(
        other_url, other, target, home=tmp_path / "b", trust=trust, replace=False, progress=quietly, should_stop=never
    )

    with transaction(other) as session:
        state = layer_state(session, LABEL)
        passages = session.scalar(select(func.sum(EncodedText.passages)))
        assert session.scalar(select(func.count()).select_from(PASSAGE_VECTOR)) == passages
    assert (state.encoded, state.has_extension, state.is_indexed) == (TEXTS, False, False)
    assert "pgvector" in str(state.problem())
    with transaction(other) as session:
        number = background.serving_id(session, LABEL)
        assert number is not None
        assert not encodings.is_any_waiting(session, number)
        assert session.execute(text("SELECT count(*) FROM pg_extension WHERE extname = 'vector'")).scalar_one() == 0
    other.dispose()


def test_without_pgvector_nothing_is_encoded_and_the_doctor_says_how_to_get_it(
    store: Engine, settings: Settings
) -> None:
    """As on a server of one's own that lacks it: a role that is no superuser cannot create it either."""
    with transaction(store) as session:
        state = layer_state(session, LABEL)
    without = type(state)(LABEL, has_extension=False, is_available=False, texts=TEXTS)

    (found,) = examine_meaning(without, is_built_in=False)

    assert found.state is State.WARN
    assert "CREATE EXTENSION vector" in found.mend
    assert "pgvector" in str(without.problem())
