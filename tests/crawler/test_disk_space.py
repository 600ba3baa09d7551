"""Where the disk has no room, crawls and imports wait, and go on when there is some.

/proc is a file system on which nothing is free: what waits for room there waits for good.
"""

import os
import resource
import signal
import threading
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from sqlalchemy import Engine

from crawler.evidence.record_files import EvidenceFolder
from crawler.importers.model import ImportedArticle
from crawler.processes.disk_space import DiskSpace, as_text, free_bytes, from_text
from crawler.run.crawl_order import CrawlOrder
from crawler.run.crawl_process import crawl_site
from tests.fake_web import served
from tests.flow.test_crawl import LOOPBACK, PATIENCE_S, add_site, stored
from tests.support.factories import an_article, text_of
from zhiwen.imports.batches import Intake

FULL = Path("/proc")

pytestmark = pytest.mark.skipif(not FULL.is_dir(), reason="no file system here that is always full")


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """On a disk that is full, until `make_room`."""
    place = tmp_path / "place"
    place.symlink_to(FULL)
    return place


def make_room(place: Path) -> None:
    (place.parent / "roomy").mkdir()
    aside = place.with_name("aside")
    aside.symlink_to(place.parent / "roomy")
    aside.rename(place)


@pytest.fixture(scope="module")
def web() -> Iterator[str]:
    with served() as base:
        yield base


def test_it_is_short_below_the_floor_and_says_so_once(place: Path, caplog: pytest.LogCaptureFixture) -> None:
    room = DiskSpace((place,), 1)
    assert [room.is_short() for _ in range(3)] == [True] * 3
    make_room(place)
    assert [room.is_short() for _ in range(2)] == [False] * 2
    assert [record.message.partition(".")[0] for record in caplog.records] == [
        f"The disk of {place} has 0 MB left, and 0 have to stay free: crawls and imports wait",
        "There is enough disk space again; crawls and imports continue",
    ]
    assert DiskSpace((FULL,), 0).is_short() is False


def test_a_place_that_is_not_there_yet_is_on_the_disk_of_its_parent(tmp_path: Path) -> None:
    assert free_bytes(tmp_path / "not/yet") > 0
    assert from_text(as_text([tmp_path, FULL])) == (tmp_path, FULL)
    assert from_text("") == ()


def test_waiting_ends_on_request(place: Path) -> None:
    DiskSpace((place,), 1).wait(lambda: True)


def test_a_crawl_waits_for_room_and_goes_on(clean_database_url: str, web: str, place: Path) -> None:
    add_site(clean_database_url, web, start_urls=(f"{web}/many",), allow=("/many$", r"/news/10\d$"))
    seen: list[tuple[int, int]] = []

    def watch(counters: Mapping[str, int]) -> None:
        if counters.get("waits/room") and not seen:
            seen.append((counters["waits/room"], counters.get("articles/new", 0)))
            make_room(place)

    order = CrawlOrder(
        *(clean_database_url, "江城日报"),
        allowed_networks=LOOPBACK,
        answer_within_s=PATIENCE_S,
        trigger="test",
        room=DiskSpace((place,), 1),
    )
    run = crawl_site(order, on_progress=watch)

    assert seen == [(1, 0)]
    assert (run.exit_reason, run.counters["waits/room"], len(stored(clean_database_url))) == ("finished", 1, 10)


def test_an_import_waits_for_room_and_goes_on(engine: Engine, place: Path) -> None:
    articles = [an_article(f"https://a.example/{number}", text_of(number)) for number in range(3)]
    taken = [ImportedArticle(article, article.url, None, "a.jsonl") for article in articles]
    looked = threading.Event()

    def never() -> bool:
        looked.set()
        return False

    intake = Intake(engine, None, "", print, print, room=DiskSpace((place,), 1), should_stop=never)
    taking = threading.Thread(target=intake.take, args=(taken,))
    taking.start()
    assert looked.wait(PATIENCE_S)
    assert intake.tally.records == 0
    make_room(place)
    taking.join(PATIENCE_S)
    assert intake.tally.new == 3


def test_evidence_that_the_disk_cuts_off_leaves_nothing_half(tmp_path: Path) -> None:
    """The limit is the system's own, and holds for the child alone."""
    folder = EvidenceFolder(tmp_path)
    child = os.fork()
    if not child:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)  # then a write fails with an error, as on a full disk
        resource.setrlimit(resource.RLIMIT_FSIZE, (4_096, 4_096))
        try:
            folder.write(b"x" * 100_000, bytes(32))
        except OSError:
            os._exit(7)
        os._exit(0)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []
    folder.write(b"x" * 100_000, bytes(32))
    assert folder.size(bytes(32)) == folder.whole_size() == 100_000
