"""Time stamps of the chain's heads: asked of a real server, kept, and checked without it."""

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import text

from crawler.evidence import timestamps
from crawler.evidence.timestamps import StampFailed, checked, stamp
from storage.engine import transaction
from storage.evidence import chain_store
from storage.evidence.timestamps import all_stamps
from storage.records.evidence import Head
from tests.support.evidence.evidence import a_response, opened_keeper, verified
from tests.support.evidence.timestamp_authority import NOW, Authority, served
from zhiwen.config.settings import Settings
from zhiwen.worker.timestamping import stamp_head

HEAD = Head(7, bytes(range(32)))


@pytest.fixture(scope="module")
def asked() -> Iterator[Authority]:
    with served(Authority()) as authority:
        yield authority


@pytest.fixture
def by(asked: Authority, tmp_path: Path) -> timestamps.Authority:
    asked.refuses, asked.answers_another = 0, False
    pem = tmp_path / "root.pem"
    pem.write_bytes(asked.root_pem)
    return timestamps.authority(asked.url, pem)


@pytest.fixture
def settings(asked: Authority, by: timestamps.Authority, tmp_path: Path) -> Settings:
    return Settings(tmp_path, time_stamp_url=asked.url, time_stamp_certificates=tmp_path / "root.pem")


def test_a_head_is_stamped_and_the_stamp_holds_without_the_authority(by: timestamps.Authority) -> None:
    got = stamp(HEAD, by)

    assert got.at == NOW
    assert checked(HEAD, got.response, by.pem) == NOW


def test_a_stamp_is_of_one_head_alone(by: timestamps.Authority) -> None:
    got = stamp(HEAD, by)

    for other in (Head(8, HEAD.hash), Head(7, bytes(32))):
        with pytest.raises(StampFailed, match="does not hold"):
            checked(other, got.response, by.pem)


def test_another_authority_of_the_same_name_is_not_believed(by: timestamps.Authority) -> None:
    got = stamp(HEAD, by)

    with pytest.raises(StampFailed, match="does not hold"):
        checked(HEAD, got.response, Authority().root_pem.decode())


@pytest.mark.parametrize("place", [40, 200, -1])
def test_a_stamp_that_was_tampered_with_does_not_hold(by: timestamps.Authority, place: int) -> None:
    bad = bytearray(stamp(HEAD, by).response)
    bad[place] ^= 1

    with pytest.raises(StampFailed):
        checked(HEAD, bytes(bad), by.pem)


def test_a_refusal_is_reported(asked: Authority, by: timestamps.Authority) -> None:
    asked.refuses = 2
    with pytest.raises(StampFailed, match="refused the time stamp"):
        stamp(HEAD, by)


def test_an_answer_to_another_question_is_reported(asked: Authority, by: timestamps.Authority) -> None:
    asked.answers_another = True
    with pytest.raises(StampFailed, match="nonce is not ours"):
        stamp(HEAD, by)


def test_certificates_that_ran_out_before_the_stamp_prove_nothing(tmp_path: Path) -> None:
    with served(Authority(at=NOW + timedelta(days=90))) as late:
        (tmp_path / "root.pem").write_bytes(late.root_pem)
        with pytest.raises(StampFailed, match="does not hold"):
            stamp(HEAD, timestamps.authority(late.url, tmp_path / "root.pem"))


@pytest.mark.parametrize("url", ["http://127.0.0.1:1/", "file:///etc/passwd"])
def test_an_authority_that_cannot_be_asked_is_named(by: timestamps.Authority, url: str) -> None:
    with pytest.raises(StampFailed, match=url):
        stamp(HEAD, timestamps.Authority(url, by.certificates))


def test_without_a_root_nobody_is_asked(asked: Authority, tmp_path: Path) -> None:
    with pytest.raises(StampFailed, match="cannot be read"):
        timestamps.authority(asked.url, tmp_path / "none.pem")


def test_stamps_are_kept_and_verified_with_the_chain(
    clean_database_url: str, tmp_path: Path, settings: Settings
) -> None:
    with opened_keeper(clean_database_url, tmp_path) as keeper:
        assert stamp_head(settings, keeper.engine) is None  # no chain yet
        keeper.keep_capture(a_response(1), url="https://copier.example/1")
        first = stamp_head(settings, keeper.engine)
        assert stamp_head(settings, keeper.engine) is None  # nothing new
        keeper.keep_capture(a_response(2), url="https://copier.example/2")

        seen, problems = verified(keeper.engine, tmp_path)

        assert (seen.stamps, problems) == (1, [])
        assert seen.stamped == first
        assert first is not None
        assert first.head.number == 1
        with transaction(keeper.engine) as session:
            assert (all_stamps(session), chain_store.head(session) != first.head) == ([first], True)


TAMPERED = {
    "UPDATE time_stamp SET response = set_byte(response, 300, get_byte(response, 300) # 1)": "time stamp",
    "UPDATE time_stamp SET stamped_at = stamped_at - interval '1 day'": "is listed otherwise",
    "UPDATE time_stamp SET hash = sha256('other')": "its hash is not the one that was stamped",
    "UPDATE time_stamp SET number = 9": "it was stamped and is not there",
}


@pytest.mark.parametrize(("statement", "said"), TAMPERED.items(), ids=TAMPERED.values())
def test_a_stamp_that_was_changed_in_the_store_is_a_problem(
    clean_database_url: str, tmp_path: Path, settings: Settings, statement: str, said: str
) -> None:
    with opened_keeper(clean_database_url, tmp_path) as keeper:
        keeper.keep_capture(a_response(1), url="https://copier.example/1")
        stamp_head(settings, keeper.engine)
        with keeper.engine.begin() as connection:
            connection.execute(text(statement))

        seen, problems = verified(keeper.engine, tmp_path)

    assert (seen.stamped, len(problems)) == (None, 1)
    assert said in problems[0]


def test_without_an_authority_the_way_out_is_reported(clean_database_url: str, tmp_path: Path) -> None:
    with opened_keeper(clean_database_url, tmp_path) as keeper, pytest.raises(StampFailed, match="TIME_STAMP_URL"):
        stamp_head(Settings(tmp_path), keeper.engine)
