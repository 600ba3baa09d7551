"""`evidence` and `suspect`, as commands on a store of their own."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import Engine, text

from storage.engine import make_engine, transaction
from storage.pages import pages
from storage.records.pages import PageRecord
from storage.types import FoundBy
from tests.crawler.importers.test_saved_pages import mhtml
from tests.fake_web import served
from tests.fake_web.pages import SENTENCES, article, list_with_story
from tests.support.evidence.evidence import a_response, opened_keeper
from tests.support.processes.forked_program import Program
from tests.support.requirements import needs_browser
from tests.zhiwen.commands.test_commands import Run, runner_on

TEXT = "".join(SENTENCES)


@pytest.fixture(scope="module")
def web() -> Iterator[str]:
    with served() as base:
        yield base


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


@pytest.fixture
def run(program: Program, clean_database_url: str, home: Path) -> Run:
    return runner_on(program, clean_database_url, home)


def stored(url: str) -> dict[str, PageRecord]:
    engine = make_engine(url)
    with transaction(engine) as session:
        found = {page.url: page for page in pages.list_pages(session)}
    engine.dispose()
    return found


def files(home: Path) -> list[Path]:
    return sorted((home / "evidence").glob("*/*.warc.gz"))


def entries(run: Run, url: str) -> list[dict[str, object]]:
    return [json.loads(line) for line in run("evidence", "list", url, "--json").stdout.splitlines()]


def test_a_suspect_is_fetched_kept_and_stored_by_hand(
    run: Run, home: Path, web: str, clean_database_url: str, tmp_path: Path
) -> None:
    (tmp_path / "urls.txt").write_text(f"# two more\n{web}/gbk\n\n{web}/nothing\n")
    opened = {"ZHIWEN_ALLOWED_NETWORKS": "127.0.0.0/8"}

    one = run("suspect", "add", f"{web}/news/1", "--by", "林岸", **opened)
    more = run("suspect", "add", "--list", str(tmp_path / "urls.txt"), **opened)

    assert (one.returncode, more.returncode) == (0, 1)
    assert f"{web}/nothing: gone; the server says that the page does not exist (any more)" in more.stderr
    found = stored(clean_database_url)
    assert set(found) == {f"{web}/news/1", f"{web}/gbk"}
    assert {page.found_by for page in found.values()} == {FoundBy.HAND}
    assert len(files(home)) == 3
    said = json.loads(str(entries(run, f"{web}/news/1")[0]["body"]))
    assert (said["kind"], said["peer"], said["whom"]) == ("captured", "127.0.0.1", "林岸")


def test_who_has_seen_a_page_that_looks_like_a_list_is_believed(
    run: Run, home: Path, clean_database_url: str, tmp_path: Path
) -> None:
    (tmp_path / "a.html").write_text(list_with_story(4), encoding="utf-8")
    arguments = ("suspect", "add", "--page", str(tmp_path / "a.html"), "--url", "https://b.example/all")

    doubted = run(*arguments)

    assert doubted.returncode == 1
    assert "a list of articles" in doubted.stderr
    assert "--as-article" in doubted.stderr
    assert (stored(clean_database_url), files(home)) == ({}, [])

    assert run(*arguments, "--as-article").returncode == 0
    assert set(stored(clean_database_url)) == {"https://b.example/all"}
    assert [entry["kind"] for entry in entries(run, "https://b.example/all")] == ["given"]


def test_the_submitter_of_a_page_is_kept_with_it(run: Run, clean_database_url: str, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text(TEXT, encoding="utf-8")
    arguments = ("--text", str(tmp_path / "a.txt"), "--url", "https://closed.example/1", "--by", "甲")

    assert run("suspect", "add", *arguments).returncode == 0

    engine = make_engine(clean_database_url)
    with engine.connect() as connection:
        found = connection.exec_driver_sql("SELECT url, found_by, found_by_whom FROM page").one()
    engine.dispose()
    assert tuple(found) == ("https://closed.example/1", "hand", "甲")


def test_a_saved_page_says_itself_where_it_is_from(run: Run, clean_database_url: str, tmp_path: Path) -> None:
    (tmp_path / "a.mhtml").write_bytes(mhtml())
    (tmp_path / "b.html").write_text(article(2), encoding="utf-8")

    assert run("suspect", "add", "--page", str(tmp_path / "a.mhtml")).returncode == 0
    nameless = run("suspect", "add", "--page", str(tmp_path / "b.html"))
    assert (nameless.returncode, "--url" in nameless.stderr) == (1, True)
    assert run("suspect", "add", "--page", str(tmp_path / "b.html"), "--url", "https://b.example/2").returncode == 0

    assert set(stored(clean_database_url)) == {"https://a.example/1", "https://b.example/2"}
    assert [entry["kind"] for entry in entries(run, "https://b.example/2")] == ["given"]
    assert run("evidence", "verify").returncode == 0


def test_pasted_text_comes_from_standard_input_too(run: Run, clean_database_url: str) -> None:
    arguments = ("suspect", "add", "--text", "-", "--url", "https://closed.example/1", "--title", "题")

    first = run(*arguments, given=TEXT.encode("gb18030"))
    again = run(*arguments, given=TEXT.encode("gb18030"))

    assert (first.returncode, again.returncode) == (0, 0)
    assert "is known with this text" in again.stderr
    assert stored(clean_database_url)["https://closed.example/1"].title == "题"


@pytest.mark.parametrize(
    "arguments",
    [(), ("--text", "-"), ("https://a.example/", "--text", "-"), ("https://a.example/", "--url", "https://b.example/")],
)
def test_a_suspect_is_one_thing(run: Run, arguments: tuple[str, ...]) -> None:
    assert run("suspect", "add", *arguments).returncode == 2


@pytest.mark.parametrize("content", [b"", b"\x00" * 500, bytes(range(256)) * 50])
def test_what_is_no_text_is_not_taken(run: Run, content: bytes) -> None:
    done = run("suspect", "add", "--text", "-", "--url", "https://a.example/", given=content)

    assert done.returncode == 1


def test_evidence_is_verified_and_a_change_shows(run: Run, home: Path) -> None:
    for number in (1, 2):
        run("suspect", "add", "--text", "-", "--url", f"https://a.example/{number}", given=f"{number}{TEXT}".encode())
    good = run("evidence", "verify")
    noted = good.stdout.split()[1]

    assert (good.returncode, noted[:2]) == (0, "2:")
    assert run("evidence", "verify", "--expect", noted).returncode == 0
    assert run("evidence", "verify", "--expect", noted.replace("2:", "3:")).returncode == 1
    assert run("evidence", "verify", "--expect", "x").returncode == 2
    files(home)[0].write_bytes(b"changed")

    bad = run("evidence", "verify", "--json")
    assert bad.returncode == 1
    found = json.loads(bad.stdout)
    assert (found["problems"], "its file was changed" in found["first_problems"][0]) == (1, True)


def test_a_machine_without_the_files_names_the_one_that_keeps_them(run: Run, home: Path, tmp_path: Path) -> None:
    url = "https://a.example/1"
    run("suspect", "add", "--text", "-", "--url", url, given=TEXT.encode())
    elsewhere = {"ZHIWEN_HOME": str(tmp_path / "another")}
    name = (home / "evidence/names").read_text().strip()

    seen = run("evidence", "verify", **elsewhere)
    strict = run("evidence", "verify", "--all-folders", **elsewhere)

    assert seen.returncode == 0
    assert f"1 files are kept on other machines and were not checked ({name} 1)" in seen.stderr
    assert "The evidence on this machine is unchanged." in seen.stderr
    assert "its file is missing" not in seen.stderr
    assert (strict.returncode, "its file is missing" in strict.stderr) == (1, True)
    assert f"kept on another machine: {name}" in run("evidence", "list", url, **elsewhere).stdout


def test_rules_are_set_by_site_and_files_pruned(run: Run, home: Path, tmp_path: Path) -> None:
    url = "https://a.example/1"
    (tmp_path / "a.jsonl").write_text(json.dumps({"url": url, "text": TEXT}))
    run("import", str(tmp_path / "a.jsonl"), "--site", "theirs")
    run("suspect", "add", "--text", "-", "--url", url, given=TEXT.encode())

    assert run("evidence", "prune").returncode == 0
    assert len(files(home)) == 1
    said = run("evidence", "keep", "theirs", "--what", "raw", "--days", "0").stderr
    assert "Evidence kept of theirs: raw, for 0 days." in said
    run("evidence", "prune")

    assert files(home) == []
    assert run("evidence", "verify").returncode == 0
    assert [entry["file"] for entry in entries(run, url)] == [None]
    assert run("evidence", "keep", "theirs", "--days", "1", "--for-good").returncode == 2
    assert run("evidence", "keep", "nosuch", "--days", "1").returncode == 1


def test_pages_are_captured_on_request_and_a_failure_is_kept(run: Run, home: Path, web: str) -> None:
    done = run("evidence", "capture", f"{web}/news/1", "http://10.0.0.1/", ZHIWEN_ALLOWED_NETWORKS="127.0.0.0/8")

    assert done.returncode == 1
    assert len(files(home)) == 1
    (failed,) = entries(run, "http://10.0.0.1/")
    assert json.loads(str(failed["body"]))["why"] == "blocked-address"


def test_a_screenshot_that_cannot_be_made_is_said(run: Run, home: Path, web: str) -> None:
    opened = {"ZHIWEN_ALLOWED_NETWORKS": "127.0.0.0/8", "PATH": ""}

    done = run("evidence", "capture", "--screenshot", f"{web}/news/1", **opened)

    assert (done.returncode, "no screenshot: no Chromium is installed." in done.stderr) == (0, True)
    assert len(files(home)) == 1


@needs_browser
def test_a_screenshot_is_in_the_chain(run: Run, web: str) -> None:
    run("evidence", "capture", "--screenshot", f"{web}/news/1", ZHIWEN_ALLOWED_NETWORKS="127.0.0.0/8")

    assert [entry["kind"] for entry in entries(run, f"{web}/news/1")] == ["captured", "screenshot"]
    assert run("evidence", "verify").returncode == 0


@needs_browser
def test_a_page_is_recorded_and_signed_by_the_key_that_the_command_shows(run: Run, home: Path, web: str) -> None:
    said = run("evidence", "capture", "--record", f"{web}/news/1", ZHIWEN_ALLOWED_NETWORKS="127.0.0.0/8").stderr
    found = entries(run, f"{web}/news/1")
    assert ([entry["kind"] for entry in found], "(recorded)" in said) == (["captured", "recorded"], True)

    shown = json.loads(run("evidence", "key", "--json").stdout)
    signatures = json.loads(str(found[1]["body"]))["signatures"]
    assert [key for key, _ in signatures] == [shown["id"]] == [key["id"] for key in shown["keys"]]
    renewed = run("evidence", "key", "--new")
    assert f"{shown['id']}: first, announced in entry 2" in renewed.stderr
    assert "replaced by entry 4" in renewed.stderr
    assert "-----BEGIN PUBLIC KEY-----" in renewed.stdout
    checked = run("evidence", "verify", "--json")
    assert (checked.returncode, json.loads(checked.stdout)["recorded"]) == (0, 1)

    (home / "evidence-key").write_text("no key")
    broken = run("evidence", "key")
    assert (broken.returncode, "delete it: the next use makes a new key" in broken.stderr) == (1, True)


def test_pages_whose_evidence_is_not_theirs_are_listed(run: Run, home: Path, web: str, clean_database_url: str) -> None:
    opened = {"ZHIWEN_ALLOWED_NETWORKS": "127.0.0.0/8"}
    run("suspect", "add", f"{web}/news/1", **opened)
    assert "All pages have evidence of their own." in run("evidence", "mismatched").stderr

    # As if an earlier version had kept the bytes of another page.
    with opened_keeper(clean_database_url, home) as keeper:
        page = stored(clean_database_url)[f"{web}/news/1"]
        with transaction(keeper.engine) as session:
            body = pages.text_body(session, page.text_id) or ""
            run_sql(keeper.engine, "DELETE FROM evidence")
        keeper.keep_version(a_response(1), url=page.url, text=body)

    listed = run("evidence", "mismatched", "--json")
    (found,) = [json.loads(line) for line in listed.stdout.splitlines()]
    assert (found["url"], found["entry"]) == (f"{web}/news/1", 1)
    assert "its file of https://copier.example/1" in found["problem"]
    assert run("evidence", "verify").returncode == 1

    # The same page once more proves the same text; the entry stays, and verify goes on to name it.
    run("evidence", "capture", f"{web}/news/1", **opened)
    assert run("evidence", "mismatched", "--json").stdout == ""


def run_sql(engine: Engine, statement: str) -> None:
    with engine.begin() as connection:
        connection.execute(text(statement))
