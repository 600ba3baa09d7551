"""Imports by the command: resumed after a kill, watching folders, feeds from a server, refusals by reason."""

import gzip
import json
import os
import signal
import socketserver
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from sqlalchemy import Engine, text

from crawler.warc.writer import response_record
from storage.engine import transaction
from storage.pages import pages
from storage.records.pages import PageRecord
from tests.fake_web import served
from tests.fake_web.pages import article
from tests.support.evidence.evidence import a_response
from tests.support.factories import a_site, text_of
from tests.support.processes.running_program import Running, running
from zhiwen.imports.batches import BATCH

PATIENCE_S = 300


@contextmanager
def command(engine: Engine, home: Path, *arguments: str) -> Iterator[tuple[Running, Path]]:
    """An import as a child process, which no test leaves behind, and the file with what it says."""
    url = engine.url.render_as_string(hide_password=False)
    own = {"DATABASE_URL": url, "ZHIWEN_HOME": str(home), "ZHIWEN_ALLOWED_NETWORKS": "127.0.0.0/8"}
    environment = {**os.environ, **own, "ZHIWEN_ENCODER": "off"}
    with TemporaryDirectory() as folder:
        said = Path(folder, "said")
        with running("import", *arguments, environment=environment, stderr=said) as child:
            yield child, said


def done(engine: Engine, home: Path, *arguments: str) -> tuple[int, str]:
    with command(engine, home, *arguments) as (child, said):
        return child.wait(PATIENCE_S), said.read_text()


def stored(engine: Engine) -> dict[str, PageRecord]:
    with transaction(engine) as session:
        return {page.url: page for page in pages.list_pages(session)}


def wait_for(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE_S
    while not condition():
        assert time.monotonic() < deadline, "waited in vain"
        time.sleep(0.05)


def lines(count: int, *, start: int = 0) -> str:
    records = (
        {"url": f"http://a.example/{number}", "text": text_of(number, chars=150)}
        for number in range(start, start + count)
    )
    return "".join(json.dumps(record) + "\n" for record in records)


def killed_half_way(engine: Engine, home: Path, *arguments: str) -> int:
    """Starts an import, kills it once something is stored, and says how much that was."""
    with command(engine, home, *arguments) as (child, _):
        wait_for(lambda: len(stored(engine)) > 0)
        child.kill()
    return len(stored(engine))


def test_an_import_killed_at_any_moment_goes_on_at_the_record(engine: Engine, tmp_path: Path) -> None:
    count = 8 * BATCH
    path = tmp_path / "a.jsonl.gz"
    path.write_bytes(gzip.compress(lines(count).encode()))

    before = killed_half_way(engine, tmp_path, str(path))
    assert 0 < before < count
    code, said = done(engine, tmp_path, str(path))

    assert (code, len(stored(engine))) == (0, count)
    assert f"Stored {count - before} new pages and 0 new versions; 0 were known already" in said
    assert f"; {count} were known already" in done(engine, tmp_path, str(path))[1]


def test_a_folder_goes_on_at_the_file_and_record_where_it_was(engine: Engine, tmp_path: Path) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    for number in range(4):
        (folder / f"{number}.jsonl").write_text(lines(2 * BATCH, start=number * 2 * BATCH))

    before = killed_half_way(engine, tmp_path, str(folder))
    code, said = done(engine, tmp_path, str(folder))

    assert (code, len(stored(engine))) == (0, 8 * BATCH)
    assert f"Stored {8 * BATCH - before} new pages and 0 new versions; 0 were known already" in said


def test_a_file_that_changed_since_is_read_from_its_beginning(engine: Engine, tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text(lines(8 * BATCH))
    before = killed_half_way(engine, tmp_path, str(path))
    path.write_text(lines(3))

    assert f"Stored 0 new pages and 0 new versions; {min(3, before)} were known" in done(engine, tmp_path, str(path))[1]


def test_a_folder_is_watched(engine: Engine, tmp_path: Path) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    (folder / "a.html").write_text(article(1))
    (folder / "b.html.part").write_text(article(2))

    with command(engine, tmp_path, "--watch", str(folder)) as (child, said):
        wait_for(lambda: len(stored(engine)) == 1)
        (folder / "c.jsonl").write_text(lines(3))
        wait_for(lambda: len(stored(engine)) == 4)
        child.send_signal(signal.SIGINT)
        assert child.wait(PATIENCE_S) == 0
        told = said.read_text()

    assert "a.html: imported" in told
    assert "Stored 4 new pages" in told


def test_what_was_taken_in_is_not_read_again_by_the_next_watch(engine: Engine, tmp_path: Path) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    (folder / "a.jsonl").write_text(lines(3))
    watched_until(3, engine, tmp_path, folder)
    (folder / "b.jsonl").write_text(lines(3, start=100))

    said = watched_until(6, engine, tmp_path, folder)

    assert "Stored 3 new pages and 0 new versions; 0 were known already" in said


def watched_until(count: int, engine: Engine, home: Path, folder: Path) -> str:
    """What a watch says that is ended once so many pages are stored."""
    with command(engine, home, "--watch", str(folder)) as (child, said):
        wait_for(lambda: len(stored(engine)) == count)
        child.send_signal(signal.SIGINT)
        child.wait(PATIENCE_S)
        return said.read_text()


def test_an_archive_s_pages_belong_to_the_site_of_their_host(engine: Engine, tmp_path: Path) -> None:
    with transaction(engine) as session:
        a_site(session, "copier")
    path = tmp_path / "a.warc.gz"
    records = [
        response_record(a_response(1, body=article(1).encode())),
        response_record(a_response(2, body="<p>第2篇</p>".encode())),
    ]
    path.write_bytes(b"".join(record.data for record in records))

    code, said = done(engine, tmp_path, str(path))

    assert code == 0
    assert "Skipped pages that are not articles: 1 too-short." in said
    (page,) = stored(engine).values()
    assert (page.url, page.site_name) == ("https://copier.example/1", "copier")


def test_refusals_are_named_up_to_a_bound_and_counted_by_reason(engine: Engine, tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text("{}\n" * 50 + "[\n" + lines(1))

    code, said = done(engine, tmp_path, str(path))

    assert code == 1
    assert said.count('"url" is missing') == 20
    assert "51 records were refused (50 unusable-url, 1 broken-markup)" in said
    assert len(stored(engine)) == 1


@contextmanager
def feed_at() -> Iterator[str]:
    with served() as base:
        yield f"{base}/feed"


def test_a_feed_is_imported_from_its_address(engine: Engine, tmp_path: Path) -> None:
    with feed_at() as url:
        code, said = done(engine, tmp_path, url, "--site", "mine", "--rights", "own")

    assert code == 0, said
    (page,) = stored(engine).values()
    assert (page.url.endswith("/undated"), page.site_name) == (True, "mine")


class Silent(socketserver.BaseRequestHandler):
    """Hangs up on everybody; `asked` counts those."""

    asked = 0

    def handle(self) -> None:
        Silent.asked += 1


def test_a_host_that_does_not_answer_is_not_asked_for_every_entry_of_a_feed(engine: Engine, tmp_path: Path) -> None:
    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), Silent) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        base = f"http://127.0.0.1:{server.server_address[1]}"
        items = "".join(f"<item><title>{n}</title><link>{base}/{n}</link></item>" for n in range(9))
        feed = tmp_path / "feed.xml"
        feed.write_text(f"<rss version='2.0'><channel><title>a</title>{items}</channel></rss>")
        code, said = done(engine, tmp_path, str(feed))
        server.shutdown()

    assert code == 1
    assert "6 unreachable, 3 broken-response" in said
    assert 0 < Silent.asked < 9


def test_a_feed_that_cannot_be_had_is_named(engine: Engine, tmp_path: Path) -> None:
    code, said = done(engine, tmp_path, "http://127.0.0.1:9/feed.xml")

    assert code == 1
    assert "http://127.0.0.1:9/feed.xml" in said
    with engine.connect() as connection:
        assert connection.execute(text("SELECT count(*) FROM import_progress")).scalar_one() == 0
