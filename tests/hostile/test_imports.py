"""M2, M3: an untrusted import folder leads to no file outside of it, and blocks no import.

L15: messages do not reveal the server's folders.
"""

import os
import socket
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from sqlalchemy import Engine

from crawler.importers.files import ImportedArticle, ImportProblem, read_articles
from crawler.importers.folders import files_of, opened, size_of
from crawler.importers.model import BadRecord
from crawler.outcomes.refusals import Refusal
from storage.engine import transaction
from storage.intake import uploads
from storage.intake.uploads import UPLOADS, FileImport
from storage.pages import pages
from storage.types import FilePlace, Rights
from tests.support.factories import STORIES, an_article, commit, story
from tests.zhiwen.commands.test_import import command, done, stored, wait_for
from zhiwen.config.settings import Settings
from zhiwen.imports.uploads import import_upload

SECRET = story(STORIES[0])


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    """An article among links out of the folder, a dangling one, one to the folder itself, a pipe and a socket."""
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "secret.txt").write_text(SECRET)
    folder = tmp_path / "sent"
    (folder / "sub").mkdir(parents=True)
    (folder / "sub" / "story.txt").write_text(story())
    (folder / "sub" / "key.txt").symlink_to(outside / "secret.txt")
    (folder / "a-dangling.txt").symlink_to(outside / "nothing.txt")
    (folder / "z-dangling.txt").symlink_to(outside / "nothing.txt")
    (folder / "inner.txt").symlink_to(folder / "sub" / "story.txt")
    (folder / "outside").symlink_to(outside)
    (folder / "round").symlink_to(folder)
    os.mkfifo(folder / "pipe.txt")
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(folder / "s.txt"))
        yield folder


REFUSED = ["a-dangling.txt", "inner.txt", "outside", "pipe.txt", "round", "s.txt", "z-dangling.txt", "sub/key.txt"]


def test_m2_m3_nothing_but_regular_files_is_read_and_the_rest_is_named(folder: Path) -> None:
    found = list(read_articles([folder], now=datetime.now(UTC)))

    assert [item.id for item in found if isinstance(item, ImportedArticle)] == ["story.txt"]
    problems = [item for item in found if isinstance(item, ImportProblem)]
    assert [os.path.relpath(problem.path, folder) for problem in problems] == REFUSED
    assert {problem.refusal for problem in problems} == {Refusal.NOT_A_FILE}
    assert str(problems[0]) == f"{folder}/a-dangling.txt: a link, which is not followed"


def test_m2_only_regular_files_are_counted_and_none_of_them_has_to_be_there_still(folder: Path) -> None:
    files = [*files_of(folder), folder / "gone.txt"]

    assert size_of(files) == len(story().encode())


def test_m2_a_file_or_folder_that_became_a_link_meanwhile_is_not_opened(folder: Path) -> None:
    with opened(folder / "sub" / "story.txt", below=folder) as file:
        assert file.read().decode() == story()
    (folder / "sub").rename(folder / "was")
    (folder / "sub").symlink_to(folder.parent / "outside")

    with pytest.raises(OSError, match=r"Not a directory|Too many levels"):
        opened(folder / "sub" / "secret.txt", below=folder)
    with pytest.raises(BadRecord, match="a link"):
        opened(folder / "was" / "key.txt", below=folder)


def test_m2_a_link_that_a_person_names_is_followed_but_no_pipe_is_waited_for(folder: Path) -> None:
    (found,) = read_articles([folder / "inner.txt"], now=datetime.now(UTC))
    assert isinstance(found, ImportedArticle)

    (problem,) = read_articles([folder / "pipe.txt"], now=datetime.now(UTC))
    assert isinstance(problem, ImportProblem)
    assert problem.refusal is Refusal.NOT_A_FILE


def test_m2_m3_the_command_names_and_counts_what_it_does_not_read(engine: Engine, folder: Path, tmp_path: Path) -> None:
    code, said = done(engine, tmp_path / "home", str(folder))

    assert code == 1
    assert "1 new pages" in said
    assert "8 not-a-file" in said
    assert f"{folder}/pipe.txt: a named pipe, not a file" in said
    assert list(stored(engine)) == [(folder / "sub" / "story.txt").as_uri()]


def test_m2_m3_a_watched_folder_goes_on_beside_them(engine: Engine, folder: Path, tmp_path: Path) -> None:
    with command(engine, tmp_path / "home", "--watch", str(folder)) as (_, said):
        wait_for(lambda: len(stored(engine)) == 1)
        wait_for(lambda: said.read_text().count("not followed") == 6)
        (folder / "next.txt").write_text(story(STORIES[1]))
        wait_for(lambda: len(stored(engine)) == 2)
        assert said.read_text().count("not followed") == 6, "each is told once"


def test_m2_m3_the_worker_imports_such_a_folder_to_its_end(engine: Engine, folder: Path, tmp_path: Path) -> None:
    record = imported(engine, Settings(home=tmp_path / "home", import_folder=folder.parent), "sent/")

    assert record.failure is None
    assert record.counters == {"new": 1, "refused/not-a-file": 8}
    assert record.bytes_in_all == len(story().encode())
    assert "sent/sub/key.txt: a link, which is not followed" in record.problems
    with transaction(engine) as session:
        assert len(list(pages.list_pages(session))) == 1


def test_m3_a_pipe_of_the_folder_is_refused_by_itself_too(engine: Engine, folder: Path, tmp_path: Path) -> None:
    record = imported(engine, Settings(home=tmp_path / "home", import_folder=folder), "pipe.txt")

    assert record.counters == {"refused/not-a-file": 1}


@pytest.mark.parametrize("place", [FilePlace.UPLOADED, FilePlace.FOLDER])
def test_l15_a_text_that_was_imported_says_nothing_of_where_its_file_lies(
    place: FilePlace, engine: Engine, tmp_path: Path
) -> None:
    settings = Settings(home=tmp_path / "home", import_folder=tmp_path / "offered")
    base, name = (
        (settings.home / UPLOADS, "uploads") if place is FilePlace.UPLOADED else (tmp_path / "offered", "folder")
    )
    (base / "ab12").mkdir(parents=True)
    # As older versions stored it, in the same file's name; and one that somebody imported from elsewhere.
    old = [(base / "ab12" / "报 道.txt").as_uri(), (tmp_path / "elsewhere.txt").as_uri()]
    commit(engine, [an_article(old[0], story()), an_article(old[1], story(STORIES[1]))])

    (base / "ab12" / "报 道.txt").write_text(story(STORIES[0]))
    record = imported(engine, settings, "ab12/报 道.txt", place=place)

    assert record.counters == {"changed": 1}, "it is the next version of the same page"
    assert set(stored(engine)) == {f"import:///{name}/ab12/%E6%8A%A5%20%E9%81%93.txt", old[1]}


def test_l15_an_address_that_is_taken_is_not_given_twice(engine: Engine) -> None:
    urls = ["file:///h/imports/a.txt", "file:///h/imports/b.txt", "import:///uploads/a.txt", "file:///h/imports2/c.txt"]
    commit(engine, [an_article(url, story(slug)) for url, slug in zip(urls, STORIES, strict=False)])

    with transaction(engine) as session:
        assert pages.rename_below(session, "file:///h/imports/", "import:///uploads/") == 1

    assert set(stored(engine)) == {urls[0], "import:///uploads/b.txt", *urls[2:]}


def imported(engine: Engine, settings: Settings, path: str, *, place: FilePlace = FilePlace.FOLDER) -> FileImport:
    with transaction(engine) as session:
        number = uploads.request_import(
            session, place=place, path=path, site_name="", rights=Rights.UNKNOWN, brought_by="王编辑"
        )
    assert import_upload(settings, engine, number, should_stop=lambda: False)
    with transaction(engine) as session:
        found = uploads.get(session, number)
    assert found is not None
    return found
