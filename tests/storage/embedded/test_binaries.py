"""The copy of the server's programs, where there is no place for it."""

import os
from pathlib import Path

import pytest

from storage.embedded.binaries import INSTALLATION, copy_programs
from storage.errors import HomeUnusable


def package_in(folder: Path) -> Path:
    programs = folder / "package" / INSTALLATION / "bin"
    programs.mkdir(parents=True)
    (programs / "postgres").write_bytes(b"x")
    return folder / "package"


def test_programs_are_copied_whole(tmp_path: Path) -> None:
    copy_programs(package_in(tmp_path), tmp_path / "place" / "postgres-1")

    assert [path.name for path in (tmp_path / "place").iterdir()] == ["postgres-1"]
    assert len(list((tmp_path / "place").rglob("postgres"))) == 1


def test_a_file_that_cannot_be_copied_leaves_nothing_and_is_explained(tmp_path: Path) -> None:
    """As on a full disk: the copy fails with a list of files."""
    package = package_in(tmp_path)
    os.mkfifo(package / INSTALLATION / "bin" / "psql")

    with pytest.raises(HomeUnusable, match=r"place: .*named pipe.*ZHIWEN_HOME"):
        copy_programs(package, tmp_path / "place" / "postgres-1")

    assert list((tmp_path / "place").iterdir()) == []


def test_a_place_that_cannot_be_made_is_explained(tmp_path: Path) -> None:
    (tmp_path / "place").write_bytes(b"")

    with pytest.raises(HomeUnusable, match="Not a directory"):
        copy_programs(package_in(tmp_path), tmp_path / "place" / "postgres-1")
