"""The command line as others use it: a process, its stdout, its stderr and its exit code."""

import csv
import io
import json
import os
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import cast

import pytest
from click.testing import CliRunner

from tests.support.disguises import swap_homophones
from tests.support.processes.forked_program import Program
from tests.support.store.new_database import database
from zhiwen.cli import COMMANDS, zhiwen
from zhiwen.demo.articles import articles

Run = Callable[..., "subprocess.CompletedProcess[str]"]


def runner_on(program: Program, database_url: str, home: Path) -> Run:
    def runner(*arguments: str, given: bytes = b"", **environment: str) -> "subprocess.CompletedProcess[str]":
        own = {"DATABASE_URL": database_url, "ZHIWEN_HOME": str(home), "ZHIWEN_ENCODER": "off"}
        variables = {**os.environ, **own}
        done = program.start(arguments, given=given, environment=variables | environment)
        out, err = done.stdout.decode("utf-8"), done.stderr.decode("utf-8")
        assert "Traceback" not in err, err
        return subprocess.CompletedProcess(done.args, done.returncode, out, err)

    return runner


@pytest.fixture
def run(program: Program, clean_database_url: str, tmp_path: Path) -> Run:
    """The program on an empty store of the test's own."""
    return runner_on(program, clean_database_url, tmp_path / "home")


@pytest.fixture(scope="module")
def originals() -> list[str]:
    return [article.text for article in articles("original").values()][:6]


def written(path: Path, records: list[dict[str, str]]) -> str:
    path.write_text("".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records), "utf-8")
    return str(path)


def fill(run: Run, folder: Path, originals: list[str]) -> Run:
    """Six originals on a site of ours, and an edited copy of the first on another host; matched."""
    ours = [{"url": f"http://ours.test/{number}", "text": text} for number, text in enumerate(originals)]
    copy = originals[0].replace("的", "之")
    theirs = [{"url": "http://copier.test/a", "text": copy, "title": "抄来的"}]
    assert run("import", written(folder / "ours.jsonl", ours), "--site", "ours", "--rights", "own").returncode == 0
    assert run("import", written(folder / "theirs.jsonl", theirs)).returncode == 0
    assert run("match").returncode == 0
    return run


@pytest.fixture(scope="module")
def store(
    program: Program,
    server_url: str,
    template_url: str,
    tmp_path_factory: pytest.TempPathFactory,
    originals: list[str],
) -> Iterator[Run]:
    """A filled store that no test changes."""
    folder = tmp_path_factory.mktemp("store")
    with database(server_url, template=template_url) as url:
        yield fill(runner_on(program, url, folder / "home"), folder, originals)


@pytest.fixture
def own_store(run: Run, tmp_path: Path, originals: list[str]) -> Run:
    """A filled store for a test that changes it."""
    return fill(run, tmp_path, originals)


def rows(text: str) -> list[dict[str, object]]:
    return [json.loads(line) for line in text.splitlines()]


def test_the_overview_of_the_program_as_installed_names_every_command() -> None:
    done = subprocess.run([sys.executable, "-m", "zhiwen", "--help"], capture_output=True, text=True, check=False)

    assert done.returncode == 0
    assert all(f"  {name} " in done.stdout for name in COMMANDS)


def test_former_names_of_commands_and_options_still_work() -> None:
    def said(*arguments: str) -> str:
        return CliRunner().invoke(zhiwen, arguments, prog_name="zhiwen").output

    assert "Usage: zhiwen site manners" in said("site", "manners", "--help")
    assert "manners" not in said("site", "--help")
    assert "Choose one of --days and --forever" in said("evidence", "keep", "a", "--for-good", "--days", "1")
    assert "--for-good" not in said("evidence", "keep", "--help")


@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_every_command_has_help(name: str) -> None:
    done = CliRunner().invoke(zhiwen, [name, "--help"], prog_name="zhiwen")

    assert done.exit_code == 0
    assert f"Usage: zhiwen {name}" in done.output


def test_an_unknown_command_is_wrong_usage(run: Run) -> None:
    assert run("chekc").returncode == 2


def test_matches_lists_the_copy_with_its_source(store: Run) -> None:
    done = store("matches", "--json")

    [hit] = rows(done.stdout)
    assert (hit["copy"]["url"], hit["source"]["url"]) == ("http://copier.test/a", "http://ours.test/0")  # type: ignore[index]
    assert hit["kind"] == "near"
    assert hit["credit"] == "none"
    assert done.returncode == 0


def test_matches_as_csv_has_a_line_a_copy(store: Run) -> None:
    found = list(csv.DictReader(io.StringIO(store("matches", "--csv").stdout)))

    assert [row["copy_url"] for row in found] == ["http://copier.test/a"]


def test_a_title_cannot_become_a_formula_in_a_spreadsheet(run: Run, tmp_path: Path, originals: list[str]) -> None:
    records = [
        {"url": "http://a.test/1", "text": originals[0], "title": "=HYPERLINK(1)"},
        {"url": "http://b.test/1", "text": originals[0], "title": "@SUM(1)"},
    ]
    run("import", written(tmp_path / "two.jsonl", records))
    run("match")

    [row] = csv.DictReader(io.StringIO(run("matches", "--csv").stdout))
    assert sorted((row["copy_title"], row["source_title"])) == ["'=HYPERLINK(1)", "'@SUM(1)"]


def test_filters_choose_which_matches_are_listed(store: Run) -> None:
    assert rows(store("matches", "--json", "--text", "copier.test").stdout)
    assert rows(store("matches", "--json", "--role", "original").stdout)
    assert not rows(store("matches", "--json", "--credit", "linked").stdout)
    assert not rows(store("matches", "--json", "--kind", "scrambled").stdout)


def test_a_rematch_finds_what_matching_found_and_says_so(own_store: Run) -> None:
    before = own_store("matches", "--json").stdout

    done = own_store("rematch", "--anew")

    assert (done.returncode, done.stdout) == (0, "")
    assert "Copies known: 1." in done.stderr
    assert own_store("matches", "--json").stdout == before


def test_who_lacks_what_spark_needs_is_shown_how_to_get_it(run: Run) -> None:
    done = run("rematch", "--engine", "spark", PATH="/nowhere", JAVA_HOME="")

    assert done.returncode == 1
    assert "zhiwen[spark]" in done.stderr or "default-jre-headless" in done.stderr


def test_check_answers_in_the_agreed_shape(store: Run, originals: list[str]) -> None:
    done = store("check", "-", "--json", given=originals[0].encode())

    [answer] = rows(done.stdout)
    assert answer["verdict"] == "copy"
    assert set(answer) == {"id", "chars", "elapsed_ms", "verdict", "compared_with", "cut", "matches"}
    assert set(answer["compared_with"]) == {"texts", "sites", "newest"}  # type: ignore[call-overload]
    best = answer["matches"][0]  # type: ignore[index]
    assert best["url"] == "http://ours.test/0"
    assert set(best) >= {
        *("url", "page_id", "kind", "score", "query_share", "stored_share", "longest", "simhash_distance"),
        *("shared_slices", "shared_seeds", "direction", "credit", "passages"),
    }
    assert set(best["direction"]) == {"origin", "confidence", "reasons"}
    passage = best["passages"][0]
    assert set(passage) >= {"query_start", "query_end", "stored_start", "stored_end", "similarity", "differences"}
    assert set(passage["differences"]) == {
        *("homophone", "variant", "lookalike", "edited", "inserted", "deleted", "moved"),
    }
    assert originals[0][passage["query_start"] : passage["query_end"]].strip()


def test_check_stores_nothing(store: Run, originals: list[str]) -> None:
    before = store("status", "--json").stdout
    store("check", "-", given=originals[3].encode())

    assert store("status", "--json").stdout == before


def test_check_gives_one_result_for_each_record_of_a_file(store: Run, tmp_path: Path, originals: list[str]) -> None:
    records = [{"id": "whole", "text": originals[1]}, {"text": "太短"}]

    done = store("check", written(tmp_path / "both.jsonl", records), "--json")

    assert [(row["id"], row["verdict"]) for row in rows(done.stdout)] == [("whole", "copy"), ("2", "cannot_judge")]


def test_check_of_a_file_or_folder_without_texts_fails(store: Run, tmp_path: Path) -> None:
    (tmp_path / "empty.jsonl").write_bytes(b"")
    (tmp_path / "empty").mkdir()

    for source in ("empty.jsonl", "empty"):
        done = store("check", str(tmp_path / source))
        assert (done.returncode, done.stdout) == (1, "")
        assert f"{source} holds no text to check" in done.stderr


def test_check_on_an_empty_store_says_what_to_do(run: Run) -> None:
    done = run("check", "-", given="随便一段文字".encode())

    assert done.returncode == 1
    assert "nothing to compare with" in done.stderr
    assert done.stdout == ""


def test_a_text_of_ones_own_is_original(store: Run) -> None:
    own = articles("innocent")
    text = next(iter(own.values())).text

    [answer] = rows(store("check", "-", "--json", given=text.encode()).stdout)

    assert answer["verdict"] == "original"


def test_why_not_names_the_gates(store: Run) -> None:
    done = store("why-not", "http://ours.test/0", "http://ours.test/1", "--json")

    [answer] = rows(done.stdout)
    assert answer["match"] is False
    assert "never accuse each other" in " ".join(answer["because"])  # type: ignore[arg-type]
    assert store("why-not", "http://ours.test/0", "http://copier.test/a").returncode == 0


def test_why_not_of_an_unknown_page_says_so(store: Run) -> None:
    done = store("why-not", "http://ours.test/0", "http://nowhere.test/")

    assert done.returncode == 1
    assert "http://nowhere.test/" in done.stderr


def test_compare_shows_what_two_files_share(run: Run, tmp_path: Path, originals: list[str]) -> None:
    (tmp_path / "a.txt").write_text(originals[0], "utf-8")
    (tmp_path / "b.txt").write_text(originals[1] + originals[0][:200], "utf-8")

    [answer] = rows(run("compare", str(tmp_path / "a.txt"), str(tmp_path / "b.txt"), "--json").stdout)

    passages = cast("list[dict[str, int]]", answer["passages"])
    assert len(passages) == 1
    [passage] = passages
    assert passage["a_start"] == 0
    assert passage["a_end"] >= 195


def test_fingerprint_prints_what_is_asked_for(run: Run, originals: list[str]) -> None:
    [shape] = rows(run("fingerprint", "-", "--json", given=originals[0].encode()).stdout)
    [decimal] = rows(run("fingerprint", "-", "--range", "10", "--json", given=originals[0].encode()).stdout)

    assert len(str(shape["simhash"])) == 16
    assert all(isinstance(item, str) and len(item) == 20 for item in decimal["slices"])  # type: ignore[attr-defined]


def test_wrong_parameters_of_a_fingerprint_are_wrong_usage(run: Run) -> None:
    assert run("fingerprint", "-", "--range", "7", given=b"x").returncode == 2


def test_importing_again_changes_nothing(own_store: Run, tmp_path: Path) -> None:
    before = own_store("status", "--json").stdout
    done = own_store("import", str(tmp_path / "ours.jsonl"), "--site", "ours")

    assert "Stored 0 new pages and 0 new versions; 6 were known already" in done.stderr
    assert own_store("status", "--json").stdout == before


def test_bad_lines_are_named_and_the_good_ones_kept(run: Run, tmp_path: Path, originals: list[str]) -> None:
    good = json.dumps({"url": "http://a.test/1", "text": originals[0]}).encode()
    lines = [
        good,
        b"{not json",
        b'{"url": "http://a.test/2"}',
        b"\xff\xfe\x00",
        b"[1]",
        b"",
        good.replace(b"/1", b"/9"),
    ]
    path = tmp_path / "mixed.jsonl"
    path.write_bytes(b"\n".join(lines))

    done = run("import", str(path))

    assert done.returncode == 1
    assert all(f"line {number}" in done.stderr for number in (2, 3, 4, 5))
    assert [row["url"] for row in rows(run("pages", "--json").stdout)] == ["http://a.test/1", "http://a.test/9"]


def test_a_binary_file_is_refused_by_name(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "picture.html"
    path.write_bytes(bytes(range(256)) * 64)

    done = run("import", str(path))

    assert done.returncode == 1
    assert "picture.html" in done.stderr


def test_a_path_that_is_not_there_is_named(run: Run) -> None:
    done = run("import", "/nowhere/at/all.jsonl")

    assert done.returncode == 1
    assert "/nowhere/at/all.jsonl" in done.stderr


def test_a_database_that_does_not_answer_is_named_without_its_password(run: Run) -> None:
    done = run("status", DATABASE_URL="postgresql://me:hidden@127.0.0.1:1/none")

    assert done.returncode == 1
    assert "127.0.0.1:1" in done.stderr
    assert "hidden" not in done.stderr


def test_settings_that_make_no_sense_are_refused(run: Run) -> None:
    done = run("status", ZHIWEN_PORT="many")

    assert done.returncode == 1
    assert "ZHIWEN_PORT" in done.stderr


def test_sites_and_owners_are_kept_and_edited(own_store: Run) -> None:
    assert own_store("owner", "add", "报社", "--registration", "京ICP备1号").returncode == 0
    assert own_store("owner", "add", "报社").returncode == 1
    assert own_store("site", "edit", "ours", "--owner", "报社", "--delay", "3").returncode == 0
    [shown] = rows(own_store("site", "show", "ours", "--json").stdout)
    assert (shown["owner"], shown["delay_s"], shown["role"]) == ("报社", 3.0, "original")
    assert own_store("site", "pause", "ours").returncode == 0
    assert own_store("site", "edit", "ours").returncode == 2
    slow = own_store("site", "edit", "ours", "--deny", "/(?:a|aa)+$")
    assert (slow.returncode, "it takes too long on some addresses" in slow.stderr) == (1, True)
    assert own_store("site", "show", "unknown").returncode == 1


def test_removing_a_site_asks_and_keeps_what_cases_refer_to(own_store: Run) -> None:
    assert own_store("site", "remove", "ours", given=b"theirs\n").returncode == 1
    before = rows(own_store("matches", "--json").stdout)

    removed = own_store("site", "remove", "ours", given=b"ours\n")

    assert removed.returncode == 0
    assert "part of cases" in removed.stderr
    kept = [row for row in before if row["case_id"] is not None]
    assert kept
    assert rows(own_store("matches", "--json").stdout) == kept


def test_two_pages_with_the_same_text_are_one_match(run: Run, tmp_path: Path, originals: list[str]) -> None:
    records = [{"url": f"http://host{number}.test/x", "text": originals[2]} for number in range(4)]
    run("import", written(tmp_path / "same.jsonl", records))
    run("match")

    [answer] = rows(run("check", "-", "--json", given=originals[2].encode()).stdout)

    [found] = cast("list[dict[str, object]]", answer["matches"])
    assert (found["kind"], found["other_pages"]) == ("identical", 3)
    pages = cast("list[dict[str, object]]", found["pages"])
    assert [page["url"] for page in pages] == [record["url"] for record in records], "every page, not one and a count"
    assert pages[0] | {"url": found["url"], "page_id": found["page_id"]} == pages[0]


def test_up_to_fifty_pages_of_a_text_are_named_and_the_others_counted(
    run: Run, tmp_path: Path, originals: list[str]
) -> None:
    records = [{"url": f"http://host{number}.test/x", "text": originals[2]} for number in range(60)]
    run("import", written(tmp_path / "same.jsonl", records))

    [answer] = rows(run("check", "-", "--json", given=originals[2].encode()).stdout)

    [found] = cast("list[dict[str, object]]", answer["matches"])
    assert (len(cast("list[object]", found["pages"])), found["other_pages"]) == (50, 59)


def test_an_account_is_added_once(run: Run) -> None:
    done = run("user", "add", "mei", "--generate")
    [made] = rows(done.stdout)

    assert len(str(made["password"])) >= 10
    assert run("user", "add", "mei", "--generate").returncode == 1
    assert run("user", "add", "kai", given=b"short\nshort\n").returncode == 1


def test_a_private_address_is_refused_with_the_way_out(store: Run) -> None:
    done = store("check", "http://127.0.0.1:9/")

    assert done.returncode == 1
    assert "ZHIWEN_ALLOWED_NETWORKS" in done.stderr


def test_a_site_that_cannot_be_looked_at_is_not_added(run: Run) -> None:
    done = run("site", "add", "http://169.254.169.254/", "--yes")

    assert done.returncode == 1
    assert "private network" in done.stderr
    assert run("site", "list", "--json").stdout == ""


def test_a_port_in_use_is_named(run: Run) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])

        done = run("serve", "--port", port)

    assert done.returncode == 1
    assert port in done.stderr


def test_a_draft_with_the_slips_of_a_writer_is_not_the_origin_of_our_article(store: Run, originals: list[str]) -> None:
    """D5: 的 written 地 twenty-seven times made the draft the origin of our own article, at 90 %."""
    slipped = originals[1].replace("的", "地", 27)
    disguised = swap_homophones(originals[1], share=0.15, seed=4)

    for draft, words in ((slipped, "registered as"), (disguised, "they break words of -")):
        found = json.loads(store("check", "-", "--json", given=draft.encode()).stdout)
        (said,) = [match["direction"] for match in found["matches"] if match["url"] == "http://ours.test/1"]
        assert said["origin"] == "stored"
        assert words in said["reasons"][0]
