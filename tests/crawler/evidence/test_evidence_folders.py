"""Evidence of several machines on one database: who keeps which file, and what each may delete."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from pathlib import Path

import pytest

from crawler.evidence.keeper import Keeper
from crawler.evidence.record_files import NAMES, EvidenceFolder
from crawler.evidence.retention import finish_earlier, prune
from tests.support.evidence.evidence import AT, a_response, opened_keeper, verified

LATER = AT + timedelta(days=31)
BODY = bytes(range(256)) * 400


@pytest.fixture
def near(clean_database_url: str, tmp_path: Path) -> Iterator[Keeper]:
    with opened_keeper(clean_database_url, tmp_path / "near") as keeper:
        yield keeper


@pytest.fixture
def far(clean_database_url: str, tmp_path: Path) -> Iterator[Keeper]:
    with opened_keeper(clean_database_url, tmp_path / "far") as keeper:
        yield keeper


def keep(keeper: Keeper, *numbers: int) -> None:
    for number in numbers:
        keeper.keep_capture(a_response(number), url=a_response(number).url)


def files(keeper: Keeper) -> set[bytes]:
    return set(keeper.folder.digests())


def test_each_machine_verifies_its_files_and_names_who_keeps_the_others(near: Keeper, far: Keeper) -> None:
    keep(near, 1, 2)
    keep(far, 3)

    here, problems = verified(near.engine, near.folder.path.parent)
    there, _ = verified(far.engine, far.folder.path.parent)

    assert problems == []
    assert (here.files, dict(here.elsewhere)) == (2, {far.folder.name(): 1})
    assert (there.files, dict(there.elsewhere)) == (1, {near.folder.name(): 2})


def test_a_file_of_this_machine_that_is_absent_is_missing(near: Keeper, far: Keeper) -> None:
    keep(near, 1)
    keep(far, 2)
    next(iter(near.folder.path.glob("*/*.warc.gz"))).unlink()

    _, problems = verified(near.engine, near.folder.path.parent)

    assert [problem.partition(": ")[2][:19] for problem in problems] == ["its file is missing"]


def test_gathered_files_are_checked_and_one_that_is_absent_then_is_missing(near: Keeper, far: Keeper) -> None:
    keep(near, 1)
    keep(far, 2, 3)
    kept, _ = sorted(files(far))
    near.folder.write(far.folder.read(kept) or b"", kept)
    assert verified(near.engine, near.folder.path.parent)[1] == []

    near.folder.take_over(far.folder.names())

    seen, problems = verified(near.engine, near.folder.path.parent)
    assert near.folder.names() == (near.folder.name(), far.folder.name())
    assert (seen.files, len(problems), dict(seen.elsewhere)) == (3, 1, {})


def test_a_shared_folder_has_one_name_however_many_begin_at_once(tmp_path: Path) -> None:
    with ThreadPoolExecutor(8) as pool:
        names = set(pool.map(lambda _: EvidenceFolder(tmp_path).name(), range(32)))

    assert len(names) == 1
    assert [path.name for path in (tmp_path / "evidence").iterdir()] == [NAMES]


def test_a_body_that_another_machine_holds_is_kept_here_too(near: Keeper, far: Keeper) -> None:
    first = near.keep_capture(a_response(1, body=BODY), url="https://copier.example/1")
    second = far.keep_capture(a_response(2, body=BODY), url="https://copier.example/2")
    third = far.keep_capture(a_response(3, body=BODY), url="https://copier.example/3")

    assert (first.refers, second.refers, third.refers) == (None, None, second.record)
    assert verified(far.engine, far.folder.path.parent)[1] == []


def test_a_limit_of_space_deletes_only_files_of_its_own_machine(near: Keeper, far: Keeper) -> None:
    keep(near, 1, 2)
    keep(far, 3, 4)

    done = prune(far.engine, far.folder, now=AT + timedelta(hours=1), most_bytes=1)

    assert (done.files, len(files(near)), files(far)) == (2, 2, set())
    assert verified(near.engine, near.folder.path.parent)[1] == []


def test_what_one_machine_decided_to_delete_each_deletes_itself(near: Keeper, far: Keeper) -> None:
    keep(near, 1)
    keep(far, 2)

    prune(near.engine, near.folder, now=LATER)
    assert (files(near), len(files(far))) == (set(), 1)
    assert finish_earlier(far.engine, far.folder) == 1

    seen, problems = verified(far.engine, far.folder.path.parent)
    assert (problems, seen.removed, dict(seen.elsewhere), files(far)) == ([], 2, {}, set())
