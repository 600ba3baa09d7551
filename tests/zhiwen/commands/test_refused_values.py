"""Values of commands that nothing can be done with: refused before the store is opened, or without a traceback."""

from pathlib import Path

import click
import pytest
from click.testing import CliRunner
from sqlalchemy import Engine, text
from sqlalchemy.exc import DataError

from crawler.importers.model import Limits, explained
from crawler.outcomes.refusals import Refusal
from storage.postgres.refused_value import refused_value
from zhiwen.cli import zhiwen
from zhiwen.output.number_types import NumberRange

TOO_MANY = str(2**63)


@pytest.mark.parametrize(
    "arguments",
    [
        ["runs", "--limit", TOO_MANY],
        ["matches", "--limit", TOO_MANY],
        ["discover", "hosts", "--limit", TOO_MANY],
        ["discover", "articles", "--articles", TOO_MANY],
        ["crawl", "--max-pages", TOO_MANY],
        ["site", "edit", "mine", "--max-pages", str(2**31)],
        ["site", "edit", "mine", "--delay", "nan"],
        ["site", "edit", "mine", "--delay", "inf"],
        ["site", "edit", "mine", "--time-zone", "No/Such"],
        ["site", "politeness", "mine", "--max-megabytes", TOO_MANY],
        ["evidence", "keep", "mine", "--days", str(2**31)],
        ["matches", "--min-share", "nan"],
        ["matches", "--min-score", "NaN"],
    ],
    ids=" ".join,
)
def test_a_value_out_of_range_is_wrong_usage_and_names_its_option(arguments: list[str]) -> None:
    done = CliRunner().invoke(zhiwen, arguments)

    assert done.exit_code == 2, done.output
    assert arguments[-2] in done.output


@pytest.mark.parametrize("written", ["0", "0.5", "1", "-0.0"])
def test_a_number_within_the_bounds_is_taken(written: str) -> None:
    assert NumberRange(0, 1).convert(written, None, None) == float(written)


@pytest.mark.parametrize("written", ["nan", "-nan", "inf", "-inf", "", "1e400", "\ud800", "0x1"])
def test_what_is_no_number_within_the_bounds_is_refused(written: str) -> None:
    with pytest.raises(click.BadParameter):
        NumberRange(0, 1).convert(written, None, None)


def test_a_value_that_the_database_cannot_store_is_named(engine: Engine) -> None:
    with engine.connect() as connection, pytest.raises(DataError) as raised:
        connection.execute(text("SELECT 3000000000::integer"))

    assert "integer out of range" in (refused_value(raised.value) or "")


def test_a_text_in_another_encoding_is_named() -> None:
    with pytest.raises(UnicodeEncodeError) as raised:
        "Example \udcff Media".encode()

    assert refused_value(raised.value) == (
        "The text 'Example \\udcff Media' is not valid UTF-8. Give it in the encoding of this terminal."
    )


def test_a_bug_stays_a_bug() -> None:
    assert refused_value(ValueError("x")) is None


def test_a_page_without_text_is_not_said_to_be_shorter_than_nothing() -> None:
    assert explained(Refusal.TOO_SHORT, Limits(shortest_article=0)) == "it has no text"
    assert "50 word characters" in explained(Refusal.TOO_SHORT, Limits(shortest_article=50))


@pytest.mark.parametrize("content", [b"\xf7\xff", "网址".encode("gb18030"), b"https://www.example.com/\xed\xa0\x80"])
def test_a_list_of_addresses_in_another_encoding_is_wrong_usage(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "urls.txt").write_bytes(content)

    done = CliRunner().invoke(zhiwen, ["suspect", "add", "--list", str(tmp_path / "urls.txt")])

    assert done.exit_code == 2, done.output
    assert "urls.txt' is not a text in UTF-8" in done.output
