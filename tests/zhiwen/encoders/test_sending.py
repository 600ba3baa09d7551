"""What is not public reaches an endpoint only if the user says so: seen from the endpoint's side."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from storage.engine import make_engine
from tests.support.factories import an_article, commit
from tests.support.meaning.embeddings_endpoint import SIZE, seen, served
from zhiwen.cli import zhiwen
from zhiwen.demo.articles import articles


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with served() as found:
        yield found


@pytest.fixture
def store(clean_database_url: str) -> str:
    engine = make_engine(clean_database_url)
    many = [*articles("original").values(), *articles("innocent").values()][:32]
    commit(engine, [an_article(f"many{number}", article.text) for number, article in enumerate(many)])
    engine.dispose()
    return clean_database_url


def _compared(store: str, address: str, folder: Path, **settings: str) -> Result:
    (folder / "a.txt").write_text("江水昨夜上涨两米，三个村庄的居民连夜撤离，村长说天亮前水退不了。" * 5, "utf-8")
    (folder / "b.txt").write_text(
        "The river rose by two metres last night, said the head of the village. " * 9, "utf-8"
    )
    environment = {
        "DATABASE_URL": store,
        "ZHIWEN_HOME": str(folder),
        "ZHIWEN_ENCODER": f"{address}/good",
        "ZHIWEN_ENCODER_MODEL": "labse",
        "ZHIWEN_ENCODER_SIZE": str(SIZE),
        **settings,
    }
    arguments = ["compare", str(folder / "a.txt"), str(folder / "b.txt"), "--meaning", "--json"]
    return CliRunner(env=environment).invoke(zhiwen, arguments, prog_name="zhiwen")


def test_drafts_are_not_sent_unless_the_user_says_so(store: str, address: str, tmp_path: Path) -> None:
    refused = _compared(store, address, tmp_path)

    assert refused.exit_code == 1
    assert "would send the text to labse@127.0.0.1" in refused.stderr
    assert "ZHIWEN_ENCODER_SENDS_UNPUBLISHED=on" in refused.stderr
    assert seen(address) == []

    allowed = _compared(store, address, tmp_path, ZHIWEN_ENCODER_SENDS_UNPUBLISHED="on")

    assert allowed.exit_code == 0, allowed.output
    assert json.loads(allowed.stdout)["meaning"]["encoder"] == f"labse@{address.removeprefix('http://')} {SIZE}"
    assert any("江水昨夜" in text for one in seen(address) for text in one["json"]["input"])


def test_an_endpoint_that_is_away_is_an_error_and_no_traceback(store: str, tmp_path: Path) -> None:
    done = _compared(store, "http://127.0.0.1:9", tmp_path, ZHIWEN_ENCODER_SENDS_UNPUBLISHED="on")
    assert (done.exit_code, done.stdout) == (1, "")
    assert "The embeddings endpoint 127.0.0.1:9 cannot be reached" in done.stderr
