"""Backup and restore of a store: all or nothing, and unchanged."""

import json
import tarfile
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from sqlalchemy import Engine, make_url, text

from crawler.evidence.record_files import EvidenceFolder
from crawler.evidence.retention import prune
from storage import migrate
from storage.backups import dump, history
from storage.backups.pg_tools import Tools, installed_tools
from storage.engine import make_engine, transaction
from storage.errors import BackupFailed, BackupInterrupted
from storage.jobs import queue
from tests.support.evidence.evidence import AT, a_response, opened_keeper, verified
from tests.support.factories import an_article, commit, text_of
from tests.support.processes.forked_program import Program
from tests.support.store.new_database import database
from tests.zhiwen.commands.test_commands import runner_on
from zhiwen.backups import manifest as backup_manifest
from zhiwen.backups.create import Made, make, note_tested
from zhiwen.backups.nightly import back_up
from zhiwen.backups.restore import Trust, restore, verify_backup
from zhiwen.config.settings import Settings
from zhiwen.worker.jobs import JobFailed, Jobs
from zhiwen.worker.scheduler import tick

LATER = AT + timedelta(days=400)
KEY = "k" * 64
OURS = Trust(KEY)


def never() -> bool:
    return False


def quietly(_what: str, _done: int, _whole: int) -> None:
    pass


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


@pytest.fixture
def filled(engine: Engine, clean_database_url: str, home: Path) -> Engine:
    """Two pages, a browser that is logged in, and two responses as evidence."""
    commit(engine, [an_article(f"https://copier.example/{number}", text_of(number)) for number in (1, 2)])
    with opened_keeper(clean_database_url, home) as keeper:
        for number in (1, 2):
            keeper.keep_capture(a_response(number), url=a_response(number).url)
    with engine.begin() as connection:
        account = "INSERT INTO account (name, password_hash, role) VALUES ('lin', 'x', 'administrator') RETURNING id"
        number = connection.execute(text(account)).scalar_one()
        connection.execute(text("INSERT INTO desk_session (account_id, token_hash) VALUES (:id, 'h')"), {"id": number})
    return engine


@pytest.fixture
def url(clean_database_url: str) -> str:
    return clean_database_url


def backed_up(engine: Engine, url: str, home: Path, target: Path) -> Made:
    environ = {"ZHIWEN_HOME": str(home), "ZHIWEN_PORT": "8080"}
    settings = Settings(home, secret_key=KEY)
    return make(settings, url, engine, target, environ=environ, progress=quietly, should_stop=never)


@pytest.fixture
def made(filled: Engine, url: str, home: Path, tmp_path: Path) -> Made:
    return backed_up(filled, url, home, tmp_path / "whole.tar")


@pytest.fixture
def elsewhere(server_url: str) -> Iterator[str]:
    """An empty database."""
    with database(server_url) as url:
        yield url


def brought_back(url: str, path: Path, home: Path, *, replace: bool = False) -> None:
    engine = make_engine(url)
    try:
        restore(url, engine, path, home=home, trust=OURS, replace=replace, progress=quietly, should_stop=never)
    finally:
        engine.dispose()


def counted(engine: Engine) -> dict[str, int]:
    with engine.connect() as connection:
        return dump.count_rows(connection)


def beside(url: str) -> list[str]:
    """Databases that a restore made beside this one."""
    name = make_url(url).database
    engine = make_engine(url)
    with engine.connect() as connection:
        found = connection.execute(
            text("SELECT datname FROM pg_database WHERE starts_with(datname, :name) AND datname <> :name"),
            {"name": name},
        )
        names = list(found.scalars())
    engine.dispose()
    return names


def test_a_store_is_the_same_on_another_machine(
    filled: Engine, made: Made, elsewhere: str, home: Path, tmp_path: Path
) -> None:
    (tmp_path / "other").mkdir()
    brought_back(elsewhere, made.path, tmp_path / "other")

    other = make_engine(elsewhere)
    before, after = counted(filled), counted(other)
    assert (after, before["public.page"]) == (before | {"public.backup": 0}, 2)
    seen, problems = verified(other, tmp_path / "other")
    assert (seen.entries, seen.files, problems) == (2, 2, [])
    assert seen.head == verified(filled, home)[0].head
    with other.connect() as connection:
        assert connection.execute(text("SELECT count(*) FROM desk_session")).scalar_one() == 0
    other.dispose()
    assert (tmp_path / "other/zhiwen.toml").read_text() == 'port = "8080"\n'
    assert beside(elsewhere) == []


def test_a_restored_file_that_is_deleted_is_missing_there(
    made: Made, elsewhere: str, home: Path, tmp_path: Path
) -> None:
    (tmp_path / "other").mkdir()
    brought_back(elsewhere, made.path, tmp_path / "other")
    next(iter((tmp_path / "other/evidence").glob("*/*.warc.gz"))).unlink()

    other = make_engine(elsewhere)
    seen, problems = verified(other, tmp_path / "other")
    other.dispose()

    assert EvidenceFolder(home).name() in EvidenceFolder(tmp_path / "other").names()
    assert (["its file is missing" in one for one in problems], seen.elsewhere.total()) == ([True], 0)


def test_one_that_can_be_restored_is_said_to_be_and_nothing_is_changed(
    filled: Engine, made: Made, url: str, home: Path
) -> None:
    before = counted(filled)
    with filled.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        # As a restore that was killed leaves it.
        connection.execute(text(f"CREATE DATABASE {make_url(url).database}_restored_0123abcd"))
    done = verify_backup(url, made.path, home=home, trust=OURS, progress=quietly, should_stop=never)
    note_tested(filled, done.manifest)
    assert (done.seen.entries, counted(filled), beside(url)) == (2, before, [])
    with transaction(filled) as session:
        newest = history.newest_tested(session)
    assert newest is not None
    assert newest.made_at == made.manifest.made_at


def test_a_store_that_holds_something_is_replaced_only_on_request(
    filled: Engine, made: Made, url: str, home: Path
) -> None:
    commit(filled, [an_article("https://copier.example/3", text_of(3))])
    with pytest.raises(BackupFailed, match="--replace"):
        brought_back(url, made.path, home)
    assert counted(filled)["public.page"] == 3
    filled.dispose()

    brought_back(url, made.path, home, replace=True)
    assert counted(filled)["public.page"] == 2
    assert beside(url) == []


def test_a_store_in_use_stays_as_it_is(filled: Engine, made: Made, url: str, home: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    with filled.connect() as connection:
        connection.execute(text("SELECT 1"))
        with pytest.raises(BackupFailed, match="in use by zhiwen"):
            brought_back(url, made.path, other, replace=True)
    assert counted(filled)["public.page"] == 2
    assert beside(url) == []
    assert list(EvidenceFolder(other).digests()) == []


def forged(made: Made, target: Path, **fields: object) -> Path:
    """A folder with the parts of a back-up and another manifest, hashed and signed as it should be."""
    with tarfile.open(made.path) as tar:
        tar.extractall(target, filter="data")
    manifest = backup_manifest.signed(replace(made.manifest, **fields), KEY)  # type: ignore[arg-type]  # of its own fields
    (target / backup_manifest.NAME).write_bytes(backup_manifest.written(manifest))
    return target


def test_what_does_not_agree_with_its_manifest_is_refused(
    filled: Engine, made: Made, url: str, home: Path, tmp_path: Path
) -> None:
    manifest = made.manifest
    cases: dict[str, tuple[dict[str, object], str]] = {
        "newer": ({"schema": "9999"}, "revision 9999, which this program does not know"),
        "rows": ({"rows": {**manifest.rows, "public.page": 7}}, r"public\.page has 2 rows instead of 7"),
        "chain": ({"head": "9:" + "00" * 32}, "the chain ends at 2"),
        "files": ({"parts": {"database.dump": manifest.parts["database.dump"]}}, "its file is missing"),
    }
    for name, (fields, message) in cases.items():
        path = forged(made, tmp_path / name, **fields)
        with pytest.raises(BackupFailed, match=message):
            verify_backup(url, path, home=home, trust=OURS, progress=quietly, should_stop=never)
    assert beside(url) == []


def test_an_interrupted_one_leaves_nothing(filled: Engine, url: str, home: Path, tmp_path: Path) -> None:
    folder = tmp_path / "backups"
    folder.mkdir()
    asked = iter(range(100))
    with pytest.raises(BackupInterrupted):
        make(Settings(home), url, filled, folder / "one.tar", environ={}, progress=quietly,
             should_stop=lambda: next(asked) > 1)  # fmt: skip
    assert list(folder.iterdir()) == []
    with transaction(filled) as session:
        assert history.newest(session) is None


def test_no_evidence_is_deleted_while_a_back_up_copies_it(filled: Engine, url: str, home: Path) -> None:
    folder = EvidenceFolder(home)
    with dump.moment(filled) as at:
        assert prune(filled, folder, now=LATER).files == 0
        assert sorted(at.evidence_files()) == list(folder.digests())
    assert prune(filled, folder, now=LATER).files == 2


def test_the_worker_makes_one_tries_it_and_deletes_what_is_over_the_bounds(
    filled: Engine, url: str, home: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "backups"
    settings = Settings(home, backup_keep_daily=1, backup_keep_weekly=0)
    folder.mkdir()
    old = backed_up(filled, url, home, folder / "zhiwen-20260101-000000")
    new = back_up(settings, url, filled, folder=folder, should_stop=never)
    assert list(folder.iterdir()) == [new]
    with transaction(filled) as session:
        newest = history.newest_tested(session)
    assert newest is not None
    assert (newest.place.endswith(str(new)), newest.made_at > old.manifest.made_at) == (True, True)


def test_the_worker_is_asked_for_one_at_once_and_then_by_the_rule(engine: Engine, tmp_path: Path) -> None:
    def asked(rule: str = "every 6 h", folder: Path | None = tmp_path) -> bool:
        with transaction(engine) as session:
            session.execute(text("TRUNCATE zhiwen_queue.procrastinate_jobs CASCADE"))
        tick(engine, Settings(tmp_path, backup_folder=folder, backup_rule=rule))
        with transaction(engine) as session:
            return any(job.task == queue.BACKUP for job in queue.list_jobs(session))

    def made(ago: timedelta) -> None:
        with transaction(engine) as session:
            history.record(session, made_at=datetime.now(UTC) - ago, place="here", size=1)

    assert (asked(), asked(folder=None)) == (True, False)
    made(timedelta(hours=7))
    assert asked()
    made(timedelta(hours=5))
    assert not asked()
    assert asked("every 4 h")
    tick(engine, Settings(tmp_path, backup_folder=tmp_path, backup_rule="every 4 h"))
    with transaction(engine) as session:
        assert sum(job.task == queue.BACKUP for job in queue.list_jobs(session)) == 1


def test_a_back_up_that_fails_is_tried_again_and_reported(engine: Engine, url: str, home: Path, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(JobFailed, match="cannot be created"):
        Jobs(Settings(home, backup_folder=tmp_path / "file/backups"), engine, url).backup()
    with engine.connect() as connection:
        assert connection.execute(text("SELECT kind FROM alert_event")).scalars().all() == ["backup-failed"]


def test_every_revision_of_the_schema_can_be_backed_up_and_is_updated(
    server_url: str, elsewhere: str, tmp_path: Path
) -> None:
    with database(server_url) as url:
        migrate.upgrade(url, "0002")
        engine = make_engine(url)
        made = backed_up(engine, url, tmp_path, tmp_path / "old.tar")
        engine.dispose()
    assert made.manifest.schema == "0002"
    brought_back(elsewhere, made.path, tmp_path / "other")
    other = make_engine(elsewhere)
    assert migrate.current(other) == migrate.head()
    other.dispose()


def test_a_database_that_holds_no_store_is_not_saved(elsewhere: str, tmp_path: Path) -> None:
    engine = make_engine(elsewhere)
    with pytest.raises(BackupFailed, match="no store yet"):
        backed_up(engine, elsewhere, tmp_path, tmp_path / "none.tar")
    engine.dispose()
    assert list(tmp_path.iterdir()) == []


def test_the_tools_that_came_along_are_found() -> None:
    assert Tools(18, installed_tools()[0].directory) == installed_tools()[0]


def test_the_commands_save_and_try_and_tell(
    program: Program, filled: Engine, url: str, home: Path, tmp_path: Path
) -> None:
    (tmp_path / "backups").mkdir()
    run = runner_on(program, url, home)
    saved = run("db", "backup", str(tmp_path / "backups"), "--json")
    said = json.loads(saved.stdout)
    assert (saved.returncode, said["evidence_files"], said["missing"]) == (0, 2, 0)
    assert "Not in the backup, because they are secret: database_url." in saved.stderr
    tried = run("db", "restore", said["path"], "--verify")
    assert (tried.returncode, tried.stdout) == (0, "")
    assert "can be restored" in tried.stderr
    listed = json.loads(run("db", "backups", "--json").stdout)
    assert listed["tested_at"] is not None
    refused = run("db", "restore", said["path"])
    assert (refused.returncode, "--replace" in refused.stderr) == (1, True)
    assert run("db", "restore", said["path"], "--verify", "--replace").returncode == 2
    assert datetime.fromisoformat(said["made_at"]) <= datetime.now(UTC)
