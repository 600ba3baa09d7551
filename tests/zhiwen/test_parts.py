"""Parts of backups, without a database: manifests, truncated files, retention, versions of tools."""

import hashlib
import os
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from io import BytesIO
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import make_url

from storage.backups.pg_tools import Tools, fitting
from storage.errors import BackupFailed, BackupInterrupted
from zhiwen.backups import manifest
from zhiwen.backups.archive_reader import opened
from zhiwen.backups.archive_writer import writing
from zhiwen.backups.manifest import Manifest, Part, evidence_name
from zhiwen.backups.retention import back_ups_in, delete, newest_folder, superfluous
from zhiwen.config.loading import kept_settings, load_settings
from zhiwen.config.settings import SettingsError

NOON = datetime(2026, 5, 4, 4, 0, tzinfo=UTC)
SHANGHAI = ZoneInfo("Asia/Shanghai")
DIGEST = bytes(range(32))


def a_manifest(**fields: object) -> Manifest:
    parts = {"database.dump": Part("ab" * 32, 5)}
    whole = Manifest(NOON, "0.1.0", "0016", 2, 18, 18, {"public.page": 3}, None, (), (), ("secret_key",), parts)
    return replace(whole, **fields)  # type: ignore[arg-type]  # of its own fields


def quietly(_what: str, _done: int, _whole: int) -> None:
    pass


def check(path: Path) -> None:
    with opened(path) as backup:
        backup.check(progress=quietly, should_stop=lambda: False)


def make(target: Path, evidence: Path | None = None, earlier: Path | None = None) -> Path:
    """A back-up of five bytes of database and, where it is named, one file of evidence."""
    with writing(target, earlier=earlier) as writer:
        writer.dump.write_bytes(b"12345")
        writer.add_dump()
        if evidence is not None:
            assert writer.add_evidence(DIGEST, evidence)
        writer.finish(a_manifest(parts=writer.parts), target)
    return target


@pytest.fixture(params=["folder", "one.tar"])
def target(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    return tmp_path / str(request.param)


def test_a_manifest_is_read_as_it_was_written() -> None:
    whole = a_manifest(head="7:" + "0f" * 32, missing=("aa" * 32,), parts={
        "database.dump": Part("ab" * 32, 5), evidence_name(DIGEST): Part("cd" * 32, 9)})  # fmt: skip
    assert manifest.read(manifest.written(whole)) == whole
    assert whole.evidence == {DIGEST: evidence_name(DIGEST)}
    assert whole.size == 14


@given(at=st.integers(0, 700), bit=st.integers(0, 7))
def test_a_manifest_with_a_bit_flipped_is_refused_or_says_the_same(at: int, bit: int) -> None:
    data = bytearray(manifest.written(a_manifest()))
    data[at % len(data)] ^= 1 << bit
    try:
        read = manifest.read(bytes(data))
    except BackupFailed:
        return
    assert read == a_manifest()  # white space, which no hash covers


@pytest.mark.parametrize(
    "name", ["../zhiwen.toml", "/etc/passwd", "evidence/aa/" + "bb" * 32 + ".warc.gz", "secret-key"]
)
def test_a_part_that_is_none_of_ours_is_refused(name: str) -> None:
    hostile = a_manifest(parts={"database.dump": Part("ab" * 32, 5), name: Part("ab" * 32, 5)})
    with pytest.raises(BackupFailed, match="not one of a backup"):
        manifest.read(manifest.written(hostile))


def test_what_was_written_is_whole(target: Path, tmp_path: Path) -> None:
    (tmp_path / "record").write_bytes(b"answer")
    check(make(target, tmp_path / "record"))
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(".")] == []


def test_nothing_is_overwritten(target: Path) -> None:
    make(target)
    with pytest.raises(BackupFailed, match="is not overwritten"):
        make(target)
    check(target)


def test_what_appears_meanwhile_is_not_overwritten(target: Path) -> None:
    def make_slowly() -> None:
        with writing(target) as writer:
            writer.dump.write_bytes(b"12345")
            writer.add_dump()
            target.write_text("somebody else's")
            writer.finish(a_manifest(parts=writer.parts), target)

    with pytest.raises(BackupFailed, match="is not overwritten"):
        make_slowly()
    assert target.read_text() == "somebody else's"


def test_an_interrupted_one_leaves_nothing(target: Path, tmp_path: Path) -> None:
    def interrupted() -> None:
        with writing(target) as writer:
            writer.dump.write_bytes(b"12345")
            raise BackupInterrupted

    with pytest.raises(BackupInterrupted):
        interrupted()
    assert list(tmp_path.iterdir()) == []


def test_what_a_killed_one_left_goes_with_the_next_and_one_at_work_stays(target: Path, tmp_path: Path) -> None:
    left = tmp_path / ".earlier-0123abcd.partial"
    left.mkdir()
    (left / "database.dump").write_bytes(b"half")
    with writing(tmp_path / "other") as other:
        make(target)
        assert other.dump.parent.is_dir()
    assert not left.exists()


def test_a_file_that_was_cut_off_anywhere_is_refused(tmp_path: Path) -> None:
    whole = make(tmp_path / "one.tar").read_bytes()
    end_of_parts = whole.rindex(b"}") + 1
    for length in range(0, end_of_parts, 256):
        (tmp_path / "cut.tar").write_bytes(whole[:length])
        with pytest.raises(BackupFailed):
            check(tmp_path / "cut.tar")


def test_a_part_that_was_changed_is_named(target: Path) -> None:
    make(target)
    file = target / "database.dump" if target.is_dir() else target
    file.write_bytes(file.read_bytes().replace(b"12345", b"12346"))
    with pytest.raises(BackupFailed, match=r"database\.dump.*was changed"):
        check(target)


def test_a_part_that_is_missing_or_a_link_is_refused(tmp_path: Path) -> None:
    made = make(tmp_path / "folder")
    (made / "database.dump").rename(tmp_path / "elsewhere")
    with pytest.raises(BackupFailed, match=r"the file database\.dump is missing"):
        check(made)
    (made / "database.dump").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(BackupFailed, match=r"the file database\.dump is missing"):
        check(made)


def test_what_is_no_back_up_is_refused(tmp_path: Path) -> None:
    (tmp_path / "notes.tar").write_text("notes")
    (tmp_path / "empty").mkdir()
    for path in (tmp_path / "notes.tar", tmp_path / "empty", tmp_path / "nothing"):
        with pytest.raises(BackupFailed):
            check(path)


def test_evidence_is_shared_with_an_earlier_one_as_long_as_it_is_as_it_was(tmp_path: Path) -> None:
    data = b"an answer"
    digest = hashlib.sha256(data).digest()
    (tmp_path / "record").write_bytes(data)

    def one(name: str, earlier: Path | None) -> Path:
        with writing(tmp_path / name, earlier=earlier) as writer:
            writer.dump.write_bytes(b"12345")
            writer.add_dump()
            writer.add_evidence(digest, tmp_path / "record")
            writer.finish(a_manifest(parts=writer.parts), tmp_path / name)
        check(tmp_path / name)
        return tmp_path / name / evidence_name(digest)

    first = one("first", None)
    second = one("second", tmp_path / "first")
    assert second.samefile(first)
    second.write_bytes(b"rotten")
    third = one("third", tmp_path / "second")
    assert not third.samefile(second)
    assert third.read_bytes() == data


def test_a_full_disk_leaves_nothing_half(target: Path, tmp_path: Path) -> None:
    """The limit is the system's own, and holds for the child alone."""
    child = os.fork()
    if not child:
        import resource  # noqa: PLC0415
        import signal  # noqa: PLC0415

        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)  # then a write fails with an error, as on a full disk
        resource.setrlimit(resource.RLIMIT_FSIZE, (4_096, 4_096))
        try:
            with writing(target) as writer:
                writer.add("settings.toml", BytesIO(b"x" * 100_000), 100_000)
                writer.finish(a_manifest(parts=writer.parts), target)
        except BackupFailed as error:
            os._exit(7 if "Nothing is left of it" in str(error) else 8)
        os._exit(0)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7
    assert list(tmp_path.iterdir()) == []


def test_the_last_of_each_day_and_week_is_kept(tmp_path: Path) -> None:
    two_a_day = {tmp_path / f"{hours:04}": NOON - timedelta(hours=hours) for hours in range(0, 24 * 60, 12)}
    gone = superfluous(two_a_day, daily=3, weekly=2, zone=SHANGHAI, tested=())
    kept = sorted((two_a_day[path] for path in set(two_a_day) - set(gone)), reverse=True)
    # 4 May 2026 is a Monday in week 19: its last is today's, that of week 18 the night of 3 May.
    assert [at.isoformat() for at in kept] == [
        "2026-05-04T04:00:00+00:00", "2026-05-03T04:00:00+00:00", "2026-05-02T04:00:00+00:00",
    ]  # fmt: skip


def test_the_newest_and_the_newest_that_was_restored_always_stay(tmp_path: Path) -> None:
    found = {tmp_path / str(day): NOON - timedelta(days=day) for day in range(20)}
    gone = superfluous(found, daily=0, weekly=0, zone=SHANGHAI, tested=[tmp_path / "9", tmp_path / "12"])
    assert set(found) - set(gone) == {tmp_path / "0", tmp_path / "9"}


@given(
    hours=st.lists(st.integers(0, 5_000), unique=True, max_size=40), daily=st.integers(0, 9), weekly=st.integers(0, 9)
)
def test_no_more_are_kept_than_was_said_and_what_goes_was_there(hours: list[int], daily: int, weekly: int) -> None:
    found = {Path(str(hour)): NOON - timedelta(hours=hour) for hour in hours}
    gone = superfluous(found, daily=daily, weekly=weekly, zone=SHANGHAI, tested=())
    assert set(gone) <= set(found)
    assert len(found) - len(gone) <= max(1, daily + weekly)
    left = {path: at for path, at in found.items() if path not in gone}
    assert superfluous(left, daily=daily, weekly=weekly, zone=SHANGHAI, tested=()) == []


def test_only_what_is_named_like_ours_counts_as_a_back_up(tmp_path: Path) -> None:
    made = make(tmp_path / "zhiwen-20260504-040000")
    whole = make(tmp_path / "zhiwen-20260505-040000.tar")
    (tmp_path / "zhiwen-20260506-040000").mkdir()  # without a manifest
    (tmp_path / "zhiwen-20269999-040000.tar").touch()
    (tmp_path / "mine").mkdir()
    assert back_ups_in(tmp_path) == {made: NOON, whole: NOON + timedelta(days=1)}
    assert newest_folder(tmp_path) == made
    delete(made)
    delete(whole)
    assert back_ups_in(tmp_path) == {}


def test_the_oldest_tools_that_know_the_server_are_taken() -> None:
    tools = [Tools(18, Path("a")), Tools(15, Path("b")), Tools(17, Path("c"))]
    assert [fitting(tools, major).major for major in (14, 15, 16, 17, 18)] == [15, 15, 17, 17, 18]
    with pytest.raises(BackupFailed, match=r"Postgres 19 or newer, and the newest on this machine are of Postgres 18"):
        fitting(tools, 19)
    with pytest.raises(BackupFailed, match="this machine has none"):
        fitting([], 15)


def test_settings_are_kept_without_secrets_and_read_again_as_they_were(tmp_path: Path) -> None:
    (tmp_path / "zhiwen.toml").write_text('port = 8080\nallowed_networks = ["10.0.0.0/8", "::1/128"]\n')
    environ = {
        "ZHIWEN_HOME": str(tmp_path),
        "DATABASE_URL": "postgresql://u:geheim@h/d",
        "ZHIWEN_USER_AGENT": 'We "say" C:\\x',
        "ZHIWEN_SECRET_KEY": "k" * 40,
    }
    kept, left_out = kept_settings(environ)
    assert left_out == ("database_url", "secret_key")
    assert "geheim" not in kept
    assert "kkkk" not in kept

    other = tmp_path / "elsewhere"
    other.mkdir()
    (other / "zhiwen.toml").write_text(kept, encoding="utf-8")
    before, after = load_settings(environ), load_settings({"ZHIWEN_HOME": str(other)})
    assert after == replace(before, home=other, database_url=None, secret_key=None)


def test_a_password_in_a_file_is_put_into_the_address(tmp_path: Path) -> None:
    file = tmp_path / "password"
    file.write_text("p@ss:/wörd\n", encoding="utf-8")
    environ = {
        "ZHIWEN_HOME": str(tmp_path),
        "DATABASE_URL": "postgresql://zhiwen@db:5432/zhiwen",
        "ZHIWEN_DATABASE_PASSWORD_FILE": str(file),
    }
    url = load_settings(environ).database_url
    assert url is not None
    assert (make_url(url).password, make_url(url).username, make_url(url).host) == ("p@ss:/wörd", "zhiwen", "db")
    for wrong in ({"DATABASE_URL": "postgresql://u:twice@db/zhiwen"}, {"ZHIWEN_DATABASE_PASSWORD_FILE": str(tmp_path)}):
        with pytest.raises(SettingsError, match="ZHIWEN_DATABASE_PASSWORD_FILE") as caught:
            load_settings({**environ, **wrong})
        assert "twice" not in str(caught.value)
