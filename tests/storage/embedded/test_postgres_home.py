"""Tests of tests.support.processes.postgres_home.py: whoever runs the tests must not lose memory by it."""

import contextlib
from pathlib import Path

import pytest

from tests.support.processes.postgres_home import shared_home

TOO_MUCH = 1 << 60


@pytest.fixture
def memory(tmp_path: Path) -> Path:
    made = tmp_path / "memory"
    made.mkdir()
    return made


def folder(tmp_path: Path, name: str) -> Path:
    made = tmp_path / name
    made.mkdir()
    return made


def test_it_is_in_memory_where_there_is_room_and_goes_with_its_last_user(tmp_path: Path, memory: Path) -> None:
    run = folder(tmp_path, "run")
    with shared_home(run, memory=memory, room_bytes=0) as home:
        with shared_home(run, memory=memory, room_bytes=TOO_MUCH) as same:
            assert same == home
            assert home.resolve().parent == memory
        assert home.is_dir()

    assert not home.exists()
    assert not list(memory.iterdir())


@pytest.mark.parametrize("missing", [False, True])
def test_it_is_on_the_disk_where_there_is_no_room(tmp_path: Path, memory: Path, missing: bool) -> None:
    if missing:
        memory.rmdir()
    with shared_home(tmp_path, memory=memory, room_bytes=0 if missing else TOO_MUCH) as home:
        assert home.is_dir()
        assert home.resolve().parent == tmp_path.resolve()

    assert not home.exists()


def test_a_folder_that_was_left_is_used_again(tmp_path: Path, memory: Path) -> None:
    for room in (0, TOO_MUCH, 0):
        (tmp_path / "server").symlink_to(memory / "swept")
        with shared_home(tmp_path, memory=memory, room_bytes=room) as home:
            assert home.is_dir()


def test_what_killed_tests_left_in_memory_is_swept_and_what_others_use_stays(tmp_path: Path, memory: Path) -> None:
    killed, deleted, running = (folder(tmp_path, name) for name in ("killed", "deleted", "running"))
    for left in (killed, deleted):
        made = memory / f"zhiwen-tests-{left.name}"
        made.mkdir()
        (made / "data").write_bytes(b"much")
        (made / "lock").symlink_to(left / "server.lock")
    (killed / "server.lock").touch()
    deleted.rmdir()
    (memory / "somebody else's").mkdir()

    with contextlib.ExitStack() as stack:
        used = stack.enter_context(shared_home(running, memory=memory, room_bytes=0)).resolve()
        mine = stack.enter_context(shared_home(folder(tmp_path, "run"), memory=memory, room_bytes=0)).resolve()

        assert {path.name for path in memory.iterdir()} == {used.name, mine.name, "somebody else's"}
