"""Lists as files: the rows of the filter, nothing that a spreadsheet would run, and a word where rows are left out."""

import csv
import io
import json
from dataclasses import replace
from datetime import UTC, datetime

import openpyxl
import pytest
from flask.testing import FlaskClient
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import Engine

from admin.export_lists import HITS, LISTS, PAGE_CHUNK, SITES
from admin.exports import downloads
from admin.exports.formula_guard import defused
from admin.exports.writers import WRITERS, Cell, Table, write_csv, write_json, write_xlsx
from storage.crawl import runs
from storage.engine import transaction
from storage.pages import saving
from storage.records.pages import FingerprintedArticle
from storage.sites import sites
from storage.types import AccountRole, Credit, MatchKind, SiteRole
from tests.support.cases import store_case
from tests.support.desk_client import COPY, client_of_person, store_hit
from tests.support.factories import a_fingerprint, a_site, an_article

HOSTILE = '=HYPERLINK("https://evil.example/","点此")'
AT = datetime(2026, 3, 1, 1, 30, tzinfo=UTC)


def a_table(*rows: tuple[Cell, ...], bound: int = 100) -> Table:
    return Table("表", ("a", "b"), ("甲", "乙"), rows, {"时区": "UTC"}, bound, cut_words, countable=3)


def cut_words(beyond: int, is_least: bool) -> str:
    return f"还有{'至少' if is_least else ''}{beyond}行"


def written(kind: str, table: Table) -> bytes:
    file = io.BytesIO()
    WRITERS[kind][1](table, file)
    return file.getvalue()


def csv_rows(data: bytes) -> list[list[str]]:
    return list(csv.reader(io.StringIO(data.decode("utf-8-sig"), newline="")))


def sheet_rows(data: bytes) -> list[tuple[object, ...]]:
    book = openpyxl.load_workbook(io.BytesIO(data))
    return [tuple(cell.value for cell in row) for row in book.worksheets[0].iter_rows()]


def test_csv_begins_with_the_mark_by_which_excel_knows_utf_8() -> None:
    data = written("csv", a_table(("桥", 1)))

    assert data.startswith(b"\xef\xbb\xbf")
    assert csv_rows(data) == [["甲", "乙"], ["桥", "1"]]


@pytest.mark.parametrize(
    "text", [HOSTILE, "+1", "-1+1", "@SUM(A1)", "\t=1", "\r=1", " =1", "\u200b=1", "\ufeff=1", "＝1+1", "＠A1"]
)
def test_a_formula_in_csv_is_text(text: str) -> None:
    _, first = csv_rows(written("csv", a_table(("x", text))))[1]

    assert first.startswith("'")
    assert first.removeprefix("'") == text


@given(st.text())
def test_a_text_is_either_as_it_was_or_defused(text: str) -> None:
    assert defused(text) in (text, f"'{text}")
    assert not defused(text).startswith(("=", "+", "-", "@", "\t", "\r"))


def test_a_negative_number_is_a_number_and_no_formula() -> None:
    assert csv_rows(written("csv", a_table(("x", -3))))[1] == ["x", "-3"]


def test_a_formula_in_a_spreadsheet_is_text() -> None:
    book = openpyxl.load_workbook(io.BytesIO(written("xlsx", a_table((HOSTILE, "=1+1"), ("#N/A", "plain")))))
    cells = [cell for row in list(book.worksheets[0].iter_rows())[1:] for cell in row]

    assert [(cell.value, cell.data_type) for cell in cells] == [
        *((HOSTILE, "s"), ("=1+1", "s")),
        *(("#N/A", "s"), ("plain", "s")),
    ]


@given(st.lists(st.tuples(st.text(max_size=30), st.none() | st.integers(-5, 5) | st.booleans()), max_size=4))
def test_whatever_was_crawled_can_be_written(rows: list[tuple[Cell, ...]]) -> None:
    table = a_table(*rows)

    assert len(csv_rows(written("csv", table))) == len(rows) + 1
    assert len(json.loads(written("json", table))["rows"]) == len(rows)
    assert len(sheet_rows(written("xlsx", table))) == len(rows) + 1


def test_a_text_too_long_for_a_cell_is_cut() -> None:
    rows = sheet_rows(written("xlsx", a_table(("字" * 40_000, 1))))

    assert len(str(rows[1][0])) == 32_767


@pytest.mark.parametrize("writer", [write_csv, write_json, write_xlsx])
def test_what_is_beyond_the_bound_is_left_out_and_reported(writer: object) -> None:
    kind = next(name for name, (_, own) in WRITERS.items() if own is writer)
    all_rows = [("w", 1), ("x", 2), ("y", 3), ("z", 4)]
    files = [written(kind, a_table(*all_rows, bound=bound)) for bound in (4, 2, 1)]

    if kind == "json":
        found = [json.loads(data) for data in files]
        told = [(one["left_out"], one["left_out_rows"], one["left_out_is_least"]) for one in found]
        assert told == [(False, 0, False), (True, 2, False), (True, 3, True)]
        assert [len(one["rows"]) for one in found] == [4, 2, 1]
    else:
        rows = [csv_rows(data) if kind == "csv" else sheet_rows(data) for data in files]
        assert [[row[0] for row in one] for one in rows] == [
            ["甲", "w", "x", "y", "z"],
            ["甲", "w", "x", "还有2行"],
            ["甲", "w", "还有至少3行"],
        ]


def test_the_file_of_a_list_says_how_many_rows_fit_beyond_it(engine: Engine, viewer: FlaskClient) -> None:
    app = viewer.application
    with app.test_request_context("/", headers={"Accept-Language": "en"}), transaction(engine) as session:
        answer = downloads.answer(SITES, "csv", {}, session, bound=1)
        total = len(sites.list_sites(session))
        answer.direct_passthrough = False
        rows = csv_rows(answer.get_data())

    assert len(rows) == 3
    assert str(total - 1) in rows[-1][0]


def test_the_second_sheet_says_what_the_first_is() -> None:
    book = openpyxl.load_workbook(io.BytesIO(written("xlsx", a_table((AT, 1)))))

    assert book.worksheets[0]["A2"].value == AT.replace(tzinfo=None)
    assert [cell.value for cell in book.worksheets[1][1]] == ["时区", "UTC"]


@pytest.fixture
def viewer(engine: Engine) -> FlaskClient:
    with transaction(engine) as session:
        store_hit(session, copy=replace(COPY, title=HOSTILE))
        other = replace(COPY, url="https://other.example/b", text="另一篇。" * 9, site="别的网", owner="别的公司")
        store_hit(session, copy=other, kind=MatchKind.NEAR, credit=Credit.LINKED, passages=(), score=0.4)
        site = a_site(session, "跑过的站", role=SiteRole.WATCHED)
        run = runs.start_run(session, site.id, trigger="hand")
        runs.finish_run(session, run, exit_reason="finished", counters={"pages/fetched": 7}, refusal_samples={})
    return client_of_person(engine, role=AccountRole.VIEWER)


@pytest.mark.parametrize("name", [one.name for one in LISTS])
@pytest.mark.parametrize("kind", WRITERS)
def test_every_list_can_be_had_in_every_format(viewer: FlaskClient, name: str, kind: str) -> None:
    answer = viewer.get(f"/exports/{name}.{kind}")

    assert answer.status_code == 200
    assert answer.content_type == WRITERS[kind][0]
    assert answer.headers["Content-Disposition"].startswith(f"attachment; filename={name}-")
    assert answer.data


def test_the_filters_of_the_list_are_those_of_its_file(viewer: FlaskClient) -> None:
    everything = json.loads(viewer.get("/exports/hits.json").data)
    near = json.loads(viewer.get("/exports/hits.json?kind=near&page=7").data)

    assert [row["copy_title"] for row in everything["rows"]] == [HOSTILE, COPY.title]
    assert [row["copy_owner"] for row in near["rows"]] == ["别的公司"]
    assert set(near["rows"][0]) == {column.key for column in HITS.columns}
    assert near["about"]["筛选: kind"] == "near"
    assert "筛选: page" not in near["about"]


def test_times_are_in_the_zone_of_the_reader(viewer: FlaskClient) -> None:
    _, *rows = csv_rows(viewer.get("/exports/hits.csv?kind=near").data)
    row = json.loads(viewer.get("/exports/hits.json?kind=near").data)["rows"][0]

    assert row["copy_published_at"] == "2026-03-01T09:30:00+08:00"
    assert "2026-03-01 09:30:00+08:00" in rows[0]


def test_lists_link_to_their_files_with_the_filters_that_are_set(viewer: FlaskClient) -> None:
    page = viewer.get("/hits?kind=near").text

    assert 'href="/exports/hits.csv?kind=near"' in page
    assert "/exports/sites.xlsx" in viewer.get("/sites").text
    assert "/exports/runs.json?site=" in viewer.get("/runs?site=跑过的站").text
    assert 'href="/exports/pages.csv?text=%E8%80%81%E6%A1%A5"' in viewer.get("/pages?text=老桥").text


def test_cases_are_exported_as_the_list_shows_them(engine: Engine) -> None:
    made = store_case(engine)
    client = client_of_person(engine, role=AccountRole.VIEWER)

    (row,) = json.loads(client.get("/exports/cases.json?tab=all&text=老桥").data)["rows"]
    _, cells = csv_rows(client.get("/exports/cases.csv?tab=all").data)

    assert (row["id"], row["state"], row["copier"], row["characters"]) == (made.id, "new", "copier.example", 28)
    assert cells[1] == "新案件", "people get words, programs codes"
    assert json.loads(client.get("/exports/cases.json?tab=all&text=没有").data)["rows"] == []
    assert 'href="/exports/cases.xlsx?tab=all"' in client.get("/cases?tab=all").text


def test_pages_are_exported_over_the_end_of_a_chunk(engine: Engine) -> None:
    found = [an_article(f"https://many.example/{number}", f"第{number}篇") for number in range(PAGE_CHUNK + 3)]
    made = [FingerprintedArticle(one, a_fingerprint()) for one in found]
    with transaction(engine) as session:
        saving.save_pages(session, made)
    client = client_of_person(engine, role=AccountRole.VIEWER)

    rows = json.loads(client.get("/exports/pages.json").data)["rows"]
    assert {row["url"] for row in rows} == {article.url for article in found}
    assert len(rows) == len(found)


def test_what_the_look_up_left_out_is_reported_too() -> None:
    table = replace(a_table(("x", 1)), is_cut=True)

    assert json.loads(written("json", table))["left_out"] is True
    assert csv_rows(written("csv", table))[-1] == ["还有至少0行"]


@pytest.mark.parametrize("path", ["/exports/accounts.csv", "/exports/hits.exe", "/exports/hits", "/exports/.csv"])
def test_what_is_no_list_is_not_there(viewer: FlaskClient, path: str) -> None:
    assert viewer.get(path).status_code == 404


def test_who_is_not_logged_in_gets_nothing(engine: Engine, viewer: FlaskClient) -> None:
    stranger = viewer.application.test_client()

    answer = stranger.get("/exports/hits.csv")
    assert answer.status_code == 302
    assert b"https://" not in answer.data
