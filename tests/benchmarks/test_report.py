"""Reports are written as they are shown, and options of a command are handed over as values."""

import json
from dataclasses import dataclass
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from benchmarks.common.report import Picture, Report, Table, as_markdown, this_machine, write
from zhiwen.commands.bench.common import Output, grouped, output_options, publish

REPORT = Report(
    name="small",
    title="Small",
    header=("One line.", "Another."),
    tables=(Table(("step", "ms"), [("a | b", "1.5")], "Steps"), Table(("alone",), [("x",)])),
    value={"steps": 1},
    notes=("a: the first step",),
    picture=Picture("line", (2.0, 2.0), lambda figure: figure.add_subplot().plot([1, 2])),
    files={"more.txt": "more"},
)


def test_markdown_has_header_tables_and_notes() -> None:
    assert as_markdown(REPORT) == (
        "# Small\n\nOne line.\nAnother.\n\n## Steps\n\n| step | ms |\n| --- | ---: |\n| a \\| b | 1.5 |\n\n"
        "| alone |\n| --- |\n| x |\n\n* a: the first step\n"
    )


def test_a_report_is_written_with_its_picture_and_further_files(tmp_path: Path) -> None:
    written = write(REPORT, tmp_path / "new")

    assert {path.name for path in written} == {"small.json", "small.md", "more.txt", "line.png", "line.svg"}
    assert all(path.stat().st_size for path in written)
    assert json.loads((tmp_path / "new/small.json").read_text("utf-8")) == REPORT.value


def test_a_result_says_what_it_ran_on() -> None:
    assert set(this_machine()) == {"version", "python", "machine", "cores", "load"}


@dataclass(frozen=True)
class Wish:
    pages: int
    seed: int


@click.command()
@click.option("--pages", type=int, default=3)
@click.option("--seed", type=int, default=5)
@click.option("--loud", is_flag=True)
@output_options("nothing")
@grouped(Wish, "wish")
def shown(*, wish: Wish, loud: bool, output: Output) -> None:
    click.echo(f"{wish} {loud} {output}")


@click.command()
@output_options("the report")
def published(*, output: Output) -> None:
    publish(REPORT, output)


def test_options_come_as_values() -> None:
    answer = CliRunner().invoke(shown, ["--seed", "7", "--json"])

    assert answer.output == "Wish(pages=3, seed=7) False Output(as_json=True, out=None)\n"


@pytest.mark.parametrize(("arguments", "said"), [(["--json"], '{"steps": 1}\n'), ([], "One line.\nAnother.\n")])
def test_a_report_is_printed_as_json_or_as_tables(arguments: list[str], said: str) -> None:
    assert CliRunner().invoke(published, arguments).stdout.startswith(said)


def test_a_folder_that_cannot_be_written_is_an_error_with_its_name(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")

    answer = CliRunner().invoke(published, ["--out", str(tmp_path / "file" / "below")])

    assert answer.exit_code == 1
    assert "below cannot be written" in answer.output
