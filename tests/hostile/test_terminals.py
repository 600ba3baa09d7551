"""Names of files, ids of records and stored texts must not speak to the terminal that shows them."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import Engine

from tests.support.factories import an_article, commit, story
from tests.support.processes.forked_program import Program
from tests.zhiwen.commands.test_commands import runner_on
from zhiwen.output.control_characters import escaped, harmless

RED, TITLE, C1, BACKWARDS = "\x1b[31mid\x07", "\x1b]0;PWNED\x07", "\x9b31m", "\u202egnp.exe"
COMMANDS = set("\x1b\x07\x7f\x9b\u202e")


@given(st.text())
def test_l9_harmless_text_keeps_its_length_and_has_no_command(text: str) -> None:
    found = harmless(text)
    assert len(found) == len(text)
    assert not COMMANDS & set(found)
    found.encode()
    assert harmless(found) == found


@pytest.mark.parametrize("text", ["第一行\n\t第二行　缩进", "e\u0301 👩\u200d👩\u200d👧 ，。「」"])
def test_l9_what_people_write_stays(text: str) -> None:
    assert harmless(text) == text


@given(st.text())
def test_l9_escaped_json_means_the_same(text: str) -> None:
    line = escaped(json.dumps({"id": text}, ensure_ascii=False))
    assert json.loads(line) == {"id": text}
    assert not COMMANDS & set(line)


def test_l9_no_command_prints_ids_and_names_of_files_raw(
    program: Program, engine: Engine, clean_database_url: str, tmp_path: Path
) -> None:
    commit(engine, [an_article("https://ours.example/story", story())])
    records = tmp_path / "records.jsonl"
    ids = (RED, TITLE, C1, BACKWARDS)
    records.write_text("".join(json.dumps({"id": one, "text": story()}) + "\n" for one in ids), "utf-8")
    hostile = tmp_path / f"{TITLE}{C1}.html"
    hostile.write_text("<html>", "utf-8")
    broken = tmp_path / f"{RED}.jsonl"
    broken.write_text(f'{{"url": "{RED}"\n', "utf-8")
    run = runner_on(program, clean_database_url, tmp_path / "home")
    for arguments in (
        ("check", str(records)),
        ("check", str(records), "--json"),
        ("check", str(hostile)),
        ("check", str(tmp_path / f"none {RED}")),
        ("import", str(hostile), str(broken)),
        ("import", str(tmp_path / f"none {RED}")),
        (f"{RED}",),
        ("site", "show", RED),
    ):
        done = run(*arguments)
        assert not COMMANDS & set(done.stdout + done.stderr), (arguments, done.stderr)
        assert done.stdout or done.stderr
