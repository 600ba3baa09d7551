"""Import jobs of files uploaded at the desk: completed, continued after an interruption, or refused with a reason."""

import json
from pathlib import Path

import pytest
from sqlalchemy import Engine

from storage.engine import transaction
from storage.intake import uploads as intake_uploads
from storage.intake.uploads import UPLOADS, FileImport
from storage.jobs import queue
from storage.pages import pages
from storage.sites import sites
from storage.types import FileFailure, FilePlace, Rights, SiteRole
from tests.support.factories import story, text_of
from zhiwen.config.settings import Settings
from zhiwen.imports.batches import BATCH
from zhiwen.imports.uploads import import_upload
from zhiwen.worker.jobs import Jobs


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    folder = tmp_path / "offered"
    folder.mkdir()
    return Settings(home=tmp_path / "home", import_folder=folder)


def brought(engine: Engine, path: str, *, place: FilePlace = FilePlace.FOLDER, site: str = "县报") -> int:
    with transaction(engine) as session:
        return intake_uploads.request_import(
            session, place=place, path=path, site_name=site, rights=Rights.OWN, brought_by="王编辑"
        )


def record(engine: Engine, number: int) -> FileImport:
    with transaction(engine) as session:
        found = intake_uploads.get(session, number)
    assert found is not None
    return found


def never() -> bool:
    return False


def lines(count: int, *, broken: int = 0) -> str:
    good = [{"url": f"https://county.example/{number}", "text": text_of(number)} for number in range(count)]
    return "".join(json.dumps(one) + "\n" for one in good) + "{\n" * broken


def test_what_was_uploaded_is_stored_counted_and_deleted(engine: Engine, settings: Settings) -> None:
    uploads = settings.home / UPLOADS / "ab12"
    uploads.mkdir(parents=True)
    (uploads / "articles.jsonl").write_text(lines(3, broken=1))
    number = brought(engine, "ab12/articles.jsonl", place=FilePlace.UPLOADED)

    assert import_upload(settings, engine, number, should_stop=never)

    found = record(engine, number)
    assert (found.failure, found.share, found.stored) == (None, 1.0, 3)
    assert found.counters == {"new": 3, "refused/broken-markup": 1}
    assert [problem.partition(":")[0] for problem in found.problems] == ["articles.jsonl, line 4"]
    assert found.ended_at is not None
    assert not uploads.exists()
    with transaction(engine) as session:
        site = sites.get_site(session, "县报")
        assert {page.site_name for page in pages.list_pages(session)} == {"县报"}
    assert (site.settings.role, site.settings.rights) == (SiteRole.ORIGINAL, Rights.OWN)


def test_a_folder_is_taken_with_its_folders_and_stays(engine: Engine, settings: Settings) -> None:
    assert settings.import_folder is not None
    (settings.import_folder / "2026").mkdir()
    (settings.import_folder / "2026" / "story.txt").write_text(story())
    number = brought(engine, "2026/")

    assert import_upload(settings, engine, number, should_stop=never)

    found = record(engine, number)
    assert (found.name, found.stored, found.bytes_in_all) == ("2026/", 1, len(story().encode()))
    assert (settings.import_folder / "2026" / "story.txt").exists()


def test_an_interrupted_import_goes_on_where_it_was_and_counts_on(engine: Engine, settings: Settings) -> None:
    assert settings.import_folder is not None
    (settings.import_folder / "many.jsonl").write_text(lines(BATCH + 5))
    number = brought(engine, "many.jsonl")

    assert not import_upload(settings, engine, number, should_stop=lambda: True)

    half = record(engine, number)
    assert (half.ended_at, half.stored) == (None, BATCH)
    assert 0 < half.share <= 1
    assert import_upload(settings, engine, number, should_stop=never)
    whole = record(engine, number)
    assert whole.counters == {"new": BATCH + 5}, "nothing is read twice"


@pytest.mark.parametrize(
    ("path", "failure"),
    [("gone.jsonl", FileFailure.GONE), ("../secret.txt", FileFailure.OUTSIDE), ("link", FileFailure.OUTSIDE)],
)
def test_what_cannot_be_read_is_reported_and_done_with(
    engine: Engine, settings: Settings, path: str, failure: FileFailure
) -> None:
    assert settings.import_folder is not None
    secret = settings.import_folder.parent / "secret.txt"
    secret.write_text(story())
    (settings.import_folder / "link").symlink_to(secret)
    number = brought(engine, path)

    assert import_upload(settings, engine, number, should_stop=never)

    found = record(engine, number)
    assert (found.failure, found.stored) == (failure, 0)
    assert found.ended_at is not None
    assert secret.exists()


def test_a_folder_that_is_offered_no_more_is_reported(engine: Engine, tmp_path: Path) -> None:
    number = brought(engine, "a.jsonl")

    assert import_upload(Settings(home=tmp_path), engine, number, should_stop=never)
    assert record(engine, number).failure is FileFailure.NO_FOLDER
    assert import_upload(Settings(home=tmp_path), engine, 987_654, should_stop=never), "its row is gone: nothing to do"


def test_the_same_file_is_under_way_once(engine: Engine, settings: Settings) -> None:
    first, again = brought(engine, "a.jsonl"), brought(engine, "a.jsonl")
    other = brought(engine, "b.jsonl")

    assert first == again != other
    with transaction(engine) as session:
        waiting = [job.arguments for job in queue.list_jobs(session) if job.task == queue.IMPORT]
    assert waiting == [{"number": other}, {"number": first}]

    import_upload(settings, engine, first, should_stop=never)
    assert brought(engine, "a.jsonl") not in {first, other}, "once it is done, it can be brought anew"


def test_after_the_import_what_is_new_is_compared(engine: Engine, settings: Settings) -> None:
    assert settings.import_folder is not None
    (settings.import_folder / "a.jsonl").write_text(lines(1))
    number = brought(engine, "a.jsonl")

    Jobs(settings, engine, engine.url.render_as_string(hide_password=False)).import_upload(number=number)

    with transaction(engine) as session:
        assert queue.MATCH in {job.task for job in queue.list_jobs(session)}
    assert record(engine, number).stored == 1
