"""Crawled titles that a spreadsheet would run as a formula (bug 7): one guard for desk and command line."""

import csv
import io

import pytest
from sqlalchemy import Engine

from admin.exports.formula_guard import defused
from admin.exports.writers import Table, write_csv
from matcher.cases.hit_status import HitStanding
from storage.engine import transaction
from storage.matches import hits as match_hits
from storage.records.matches import HitRecord
from tests.support.desk_client import COPY, Side, store_hit
from zhiwen.output.json_shapes import CSV_COLUMNS, csv_row

BEFORE = {
    "nothing": "",
    "a blank": " ",
    "an ideographic blank": "\u3000",
    "a no-break space": "\u00a0",
    "a zero-width space": "\u200b",
    "a byte order mark": "\ufeff",
    "a word joiner": "\u2060",
    "a soft hyphen": "\u00ad",
    "a bidi override": "\u202e",
    "an isolate": "\u2066",
    "a Mongolian separator": "\u180e",
    "a combining joiner": "\u034f",
    "a Hangul filler": "\u3164",
    "a tab": "\t",
    "a carriage return": "\r",
    "a line feed": "\n",
    "a next line": "\u0085",
    "many of them": " \u200b\u3000\ufeff ",
}
SIGNS = ("=", "+", "-", "@", "＝", "＋", "－", "＠", "﹦", "﹢", "﹣", "﹫", "⁼", "⁺", "⁻", "\N{MINUS SIGN}")
HARMLESS = ("老桥修好了", "1+1=2", "“=1”", "（＝）", "a@b.example", "—— 完", "'=1", "…", "", " 老桥 ")


@pytest.mark.parametrize("before", BEFORE.values(), ids=BEFORE)
@pytest.mark.parametrize("sign", SIGNS)
def test_bug_7_a_sign_behind_what_shows_nothing_is_text(before: str, sign: str) -> None:
    title = f'{before}{sign}HYPERLINK("https://evil.example/","点此")'

    assert defused(title) == f"'{title}"


@pytest.mark.parametrize("control", ["\t", "\r", "\n"])
def test_bug_7_a_control_by_which_a_cell_is_left_is_text(control: str) -> None:
    assert defused(f"{control}老桥") == f"'{control}老桥"


@pytest.mark.parametrize("title", HARMLESS)
def test_other_titles_stay_as_they_are(title: str) -> None:
    assert defused(title) == title


def test_bug_7_the_command_line_writes_what_the_desk_writes(engine: Engine) -> None:
    """The CSV of `zhiwen matches` knew fewer disguises of a formula than the desk's."""
    hostile = [f"{before}{sign}1+1" for before in BEFORE.values() for sign in ("=", "＝", "＠")]
    with transaction(engine) as session:
        for number, title in enumerate(hostile):
            url = f"https://copier.example/{number}"
            store_hit(session, copy=Side(url, f"{COPY.text}{number}", title=title))
        found = match_hits.list_hits(session, limit=len(hostile))
    by_url = {row["copy_url"]: row["copy_title"] for row in _read_back(found)}
    assert len(by_url) == len(hostile)

    for hit in found:
        assert by_url[hit.copy.url] == f"'{hit.copy.title}"
        assert by_url[hit.copy.url] == _at_the_desk(hit.copy.title)


def _read_back(hits: list[HitRecord]) -> list[dict[str, str]]:
    file = io.StringIO(newline="")
    csv.writer(file).writerows([CSV_COLUMNS, *(csv_row(hit, HitStanding()) for hit in hits)])
    return list(csv.DictReader(io.StringIO(file.getvalue(), newline="")))


def _at_the_desk(title: str) -> str:
    file = io.BytesIO()
    write_csv(Table("t", ("title",), ("title",), [[title]], {}, 1), file)
    return list(csv.reader(io.StringIO(file.getvalue().decode("utf-8-sig"), newline="")))[1][0]
