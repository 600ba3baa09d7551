"""A hundred cases of every state and kind; each document about them is read back and compared with the store.

All letters and reports, all statements and exports; every third letter as Word, text and page, every fourth bundle;
of the PDFs, which take a browser some seconds each, a sample.
"""

import csv
import hashlib
import html
import io
import json
import re
import unicodedata
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import docx
import openpyxl
import pytest
from flask.testing import FlaskClient
from pypdf import PdfReader
from sqlalchemy import Engine, text

from admin.app import create_app
from admin.evidence.letter_drafts import DEADLINE_DAYS
from admin.exports.formula_guard import defused
from admin.hooks.template_filters import percent
from admin.web.rendering.invisible_characters import marked
from admin.web.services import Services
from crawler.browser.pdf import printed
from storage.engine import make_engine
from storage.records.case_states import WAITING_STATES
from storage.types import AccountRole, CaseQueue, CaseState
from tests.support.desk_client import add_person, csrf_token, let_in
from tests.support.document_world import CASES, COPIERS, KnownCase, KnownPage, World
from tests.support.requirements import needs_browser
from tests.support.store.new_database import database

ZONE = ZoneInfo("Asia/Shanghai")
LETTERED = frozenset({CaseState.CONFIRMED, CaseState.NOTIFIED, CaseState.REAPPEARED})
UNDECIDED = frozenset({CaseState.NEW, CaseState.REVIEWING})
LANGUAGES = ("zh", "en")
SETTING = ("原创发布", "original publisher")
CERTAINTIES = {
    "surely": ("现有线索明确指向我方在先", "show clearly that our article"),
    "probably": ("现有线索表明我方很可能在先", "was probably first"),
    "none": ("现有线索不足以判断先后", "do not settle who was first"),
    "theirs": ("请勿凭本报告指控对方", "Do not accuse anyone on the basis of this report"),
}


BOUNDS = ((0.4, "theirs"), (0.5999, "none"), (0.8499, "probably"))
"""Up to which confidence that ours was first a report says no more than this."""
OUR_TITLES = 'SELECT c.id, v.title FROM "case" c JOIN page_version v ON v.page_id = our_page_id AND is_current'


@dataclass(frozen=True)
class Desk:
    engine: Engine
    client: FlaskClient
    cases: list[KnownCase]

    def rows(self, statement: str, **values: object) -> list[Mapping[str, Any]]:
        with self.engine.begin() as connection:
            return [dict(row) for row in connection.execute(text(statement), values).mappings()]

    def row(self, statement: str, **values: object) -> Mapping[str, Any]:
        (found,) = self.rows(statement, **values)
        return found

    def head(self) -> str:
        last = self.row("SELECT number, hash FROM evidence ORDER BY number DESC LIMIT 1")
        return f"{last['number']}:{bytes(last['hash']).hex()}"

    def page(self, case: KnownCase, page: KnownPage) -> Mapping[str, Any]:
        asked = "SELECT * FROM case_page WHERE case_id = :case AND their_page_id = :page"
        return self.row(asked, case=case.id, page=page.page_id)


@pytest.fixture(scope="module")
def desk(server_url: str, template_url: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desk]:
    home = tmp_path_factory.mktemp("home")
    with database(server_url, template=template_url) as url:
        engine = make_engine(url)
        cases = World(engine, home).build()
        add_person(engine, role=AccountRole.REVIEWER)
        client = create_app(Services(engine=engine, secret_key="for tests", home=home)).test_client()
        let_in(client)
        yield Desk(engine, client, cases)
        engine.dispose()


def language_of(case: KnownCase) -> str:
    return LANGUAGES[case.id % 2]


def words_of(page: str) -> str:
    """The words of a page, blanks joined."""
    return " ".join(html.unescape(re.sub(r"<[^>]*>", "", page)).split())


def today() -> date:
    return datetime.now(ZONE).date()


def test_the_world_has_every_state_and_kind(desk: Desk) -> None:
    pages = [page for case in desk.cases for page in case.pages]

    assert len(desk.cases) == CASES
    assert {case.state for case in desk.cases} == set(CaseState)
    assert {case.queue for case in desk.cases} == set(CaseQueue)
    assert {len(case.pages) for case in desk.cases} == {1, 2, 4}
    assert {page.is_kept for page in pages} == {page.is_gone for page in pages} == {True, False}
    assert {page.is_theirs_first for page in pages} == {page.is_licensed for page in pages} == {True, False}
    assert {case.has_letter for case in desk.cases} == {True, False}


def the_letter(desk: Desk, case: KnownCase) -> str:
    answer = desk.client.get(f"/cases/{case.id}/letter?language={language_of(case)}")
    assert answer.status_code == 200, case
    found = re.search(r"<textarea[^>]*>\n?(.*?)</textarea>", answer.text, re.S)
    assert found is not None
    return html.unescape(found[1])


def named_in(desk: Desk, case: KnownCase) -> list[tuple[KnownCase, KnownPage]]:
    """Cases that the letter about a case must name: the copier's decided cases and the case itself."""
    same = [one for one in desk.cases if one.copier == case.copier and one.has_letter]
    wanted = [one for one in same if one.state in LETTERED or one.id == case.id]
    return [(one, page) for one in wanted for page in one.pages if page.may_be_named]


def test_there_is_a_letter_exactly_where_it_would_be_true(desk: Desk) -> None:
    status = {case.id: desk.client.get(f"/cases/{case.id}/letter").status_code for case in desk.cases}

    assert status == {case.id: 200 if case.has_letter else 409 for case in desk.cases}


def test_letters_name_and_claim_what_the_store_has(desk: Desk) -> None:
    head, said = desk.head(), {"all": 0, "some": 0, "none": 0}
    for case in (one for one in desk.cases if one.has_letter):
        letter, named = the_letter(desk, case), named_in(desk, case)
        places = {marked(page.url): page for _, page in named}
        theirs = dict(re.findall(r"^   (?:转载：|Theirs: )(.*)\n(.*)$", letter, re.M))
        assert sorted(theirs) == sorted(places), case.id
        for its_case, page in named:
            about = theirs[marked(page.url)]
            _check_line(desk, its_case, page, about)
        said[_check_claim(letter, [page for _, page in named], head)] += 1
        counts = (len({one.id for one, _ in named}), len(named))
        told = re.search(r"转载了其中 (\d+) 篇，共 (\d+) 个|below\. (\d+) of them .* (\d+) of your pages", letter, re.S)
        assert told is not None
        assert tuple(int(one) for one in told.groups() if one) == counts
        assert str(today()) in letter.splitlines()
        assert str(today() + timedelta(days=DEADLINE_DAYS)) in letter
    assert all(said.values()), said


def _check_line(desk: Desk, case: KnownCase, page: KnownPage, about: str) -> None:
    """What the letter says of a page: characters, share, and whether and when it was captured."""
    stored = desk.page(case, page)
    assert re.search(rf"(?<!\d){stored['chars']:,}(?!\d)", about), (about, stored["chars"])
    assert percent(stored["our_share"]) in about
    captured = re.search(r"(?:已取证|captured) (\d{4}-\d\d-\d\d)", about)
    assert (captured is not None) is page.is_kept, (about, page.capture)
    if captured is not None:
        at = desk.row("SELECT max(at) AS at FROM evidence WHERE url = :url AND record IS NOT NULL", url=page.url)["at"]
        assert captured[1] == str(at.astimezone(ZONE).date())


def _check_claim(letter: str, pages: Sequence[KnownPage], head: str) -> str:
    kept = sum(page.is_kept for page in pages)
    of_all = "我方已对上述页面取证" in letter or "The pages were captured" in letter
    of_some = re.search(r"注明“已取证”的 (\d+) 个|marked “captured” \((\d+)\)", letter)
    assert of_all is (kept == len(pages)), (kept, len(pages))
    assert (of_some is not None) is (0 < kept < len(pages))
    if of_some is not None:
        assert int(of_some[1] or of_some[2]) == kept
    assert (head in letter) is (kept > 0)
    return "all" if of_all else "some" if of_some else "none"


def test_a_letter_is_the_same_in_every_kind_of_file(desk: Desk) -> None:
    token = csrf_token(desk.client, "/cases")
    for case in [one for one in desk.cases if one.has_letter][::3]:
        letter = the_letter(desk, case)
        form = {"csrf_token": token, "text": letter, "language": language_of(case), "sure": "1"}
        files = {kind: desk.client.post(f"/cases/{case.id}/letter", data=form | {"as": kind}).data for kind in
                 ("docx", "txt", "html")}  # fmt: skip
        paragraphs = [one.text for one in docx.Document(io.BytesIO(files["docx"])).paragraphs]
        page = re.search(r"<body>(.*)</body>", files["html"].decode(), re.S)

        assert files["txt"].decode("utf-8-sig").replace("\r\n", "\n").strip() == letter.strip()
        assert "\n".join(paragraphs).strip() == letter.strip()
        assert page is not None
        assert html.unescape(page[1]).strip() == letter.strip()


def test_a_letter_on_undecided_cases_is_refused_without_a_tick(desk: Desk) -> None:
    token = csrf_token(desk.client, "/cases")
    for case in (one for one in desk.cases if one.has_letter):
        form = {"csrf_token": token, "text": "x", "language": "zh", "as": "txt"}
        answer = desk.client.post(f"/cases/{case.id}/letter", data=form)
        assert answer.status_code == (422 if case.state in UNDECIDED else 200), case


def test_reports_say_what_the_store_has(desk: Desk) -> None:
    for case in desk.cases:
        page = desk.client.get(f"/cases/{case.id}/report?download=1&language={language_of(case)}").text
        words, joined = words_of(page), re.sub(r"\s", "", words_of(page))
        stored = [desk.page(case, one) for one in case.pages]
        assert all(word not in words for word in SETTING), case
        assert [digest for digest in hashes_of(desk, case) if digest not in joined] == []
        for one, row in zip(case.pages, stored, strict=True):
            assert re.sub(r"\s", "", marked(one.url)) in joined
            for figure in (f"{row['chars']:,}", percent(row["our_share"]), percent(row["their_share"])):
                assert figure in words, (case, figure)
        kept = sum(one.is_kept for one in case.pages)
        assert f"{kept}/{len(case.pages)}" in joined
        assert f"{max(row['chars'] for row in stored):,}" in words
        _check_certainty(case, words)
        _check_dates(desk, case, words)


def _check_certainty(case: KnownCase, words: str) -> None:
    """The report states the confidence of its least certain page, and no page has a lower one."""
    known = [page.ours_first for page in case.pages]
    worst = next((name for bound, name in BOUNDS if min(known) <= bound), "surely")
    said = {name for name, both in CERTAINTIES.items() if any(one in words for one in both)}
    assert worst in said, (known, said)
    ranks = list(CERTAINTIES)
    assert max(map(ranks.index, said)) == ranks.index(worst), (known, said)


def _check_dates(desk: Desk, case: KnownCase, words: str) -> None:
    asked = "SELECT published_at FROM page_version WHERE page_id = :id AND is_current"
    for page in case.pages:
        at = desk.row(asked, id=page.page_id)["published_at"].astimezone(ZONE)
        assert f"{at:%Y-%m-%d %H:%M}" in words
    for entry in entries_of(desk, case):
        assert f"{entry['at'].astimezone(ZONE):%Y-%m-%d %H:%M:%S}" in words
    assert str(today()) in words


def entries_of(desk: Desk, case: KnownCase) -> list[Mapping[str, Any]]:
    return desk.rows("SELECT * FROM evidence WHERE url = ANY(:urls)", urls=[page.url for page in case.pages])


def hashes_of(desk: Desk, case: KnownCase) -> list[str]:
    """Files, texts and entries of their pages; the texts that were judged; the end of the chain."""
    named = [
        bytes(entry[name]) for entry in entries_of(desk, case) for name in ("record", "text", "hash") if entry[name]
    ]
    asked = "SELECT sha256 FROM text JOIN case_page ON their_text_id = text.id WHERE case_id = :id"
    return [
        *(digest.hex() for digest in named),
        *(bytes(row["sha256"]).hex() for row in desk.rows(asked, id=case.id)),
        desk.head(),
    ]


def test_statements_add_up_to_the_store(desk: Desk) -> None:
    for copier in range(COPIERS):
        mine = [one for one in desk.cases if one.copier == copier and one.queue is CaseQueue.COPIED]
        listed = [one for one in mine if one.state is not CaseState.WITHDRAWN]
        path = f"/cases/{mine[0].id}/statement?undecided=1"
        page = words_of(desk.client.get(path).text)
        table = list(csv.DictReader(io.StringIO(desk.client.get(f"{path}&as=csv").data.decode("utf-8-sig"))))
        book = openpyxl.load_workbook(io.BytesIO(desk.client.get(f"{path}&as=xlsx").data)).worksheets[0]
        sheet = list(book.iter_rows(min_row=2, values_only=True))
        stored = {one.id: desk.row('SELECT * FROM "case" WHERE id = :id', id=one.id) for one in listed}
        standing = [page for one in listed for page in one.pages if not page.is_gone]
        most = sum(max(desk.page(one, page)["chars"] for page in one.pages) for one in listed)

        assert {int(row["案件"]) for row in table[:-1]} == {row[0] for row in sheet[:-1]} == set(stored)
        for row, cells in zip(table[:-1], sheet[:-1], strict=True):
            case = stored[int(row["案件"])]
            assert (int(row["字数"]), float(row["占原文比例"])) == (case["chars"], round(case["our_share"], 4))
            assert datetime.fromisoformat(row["立案时间"]) == case["opened_at"].replace(microsecond=0)
            assert cells[-1] == case["opened_at"].astimezone(ZONE).replace(tzinfo=None, microsecond=0)
        assert (int(table[-1]["字数"]), sheet[-1][5]) == (most, most)
        assert f"{most:,}" in page
        assert f"{sum(page.is_kept for page in standing)} / {len(standing)} 个页面已取证" in page


def test_bundles_hold_what_the_store_has(desk: Desk) -> None:
    for case in desk.cases[::4]:
        answer = desk.client.get(f"/cases/{case.id}/evidence.zip")
        with zipfile.ZipFile(io.BytesIO(answer.data)) as package:
            files = {name: package.read(name) for name in package.namelist()}
        told, readme = json.loads(files["case.json"]), files["README.txt"].decode()
        for line in files["SHA256SUMS"].decode().splitlines():
            digest, name = line.split("  ", 1)
            assert hashlib.sha256(files[name]).hexdigest() == digest
        kept = sum(page.is_kept for page in case.pages)
        assert (told["state"], told["list"], told["chain_head"]) == (case.state.value, case.queue.value, desk.head())
        assert f"{len(case.pages)} 个转载页面中 {kept} 个已取证" in readme
        assert readme.count("a capture of ") == len(case.pages) - kept
        assert str(today()) in readme
        by_url = {one["url"]: one for one in told["copies"]}
        for page in case.pages:
            row, said = desk.page(case, page), by_url[page.url]
            shares = (said["characters"], said["share_of_ours"], said["share_of_theirs"])
            assert shares == (row["chars"], row["our_share"], row["their_share"])
            assert (said["capture"]["state"] == "kept") is page.is_kept
            direction = json.loads(files[said["alignment"]])["direction"]
            assert max(direction["confidence"], 1 - direction["confidence"]) == pytest.approx(
                max(page.ours_first, 1 - page.ours_first), abs=1e-3
            )
            assert all(word not in reason for word in SETTING for reason in direction["reasons"])


NOT_DONE = {*WAITING_STATES, CaseState.CONFIRMED}
"""Of cases where we may be the copier: ours stands until it is taken down or allowed."""


@pytest.mark.parametrize("tab", ["all", "copier"])
def test_exports_have_the_figures_of_the_store(desk: Desk, tab: str) -> None:
    queue = CaseQueue.COPIED if tab == "all" else CaseQueue.WE_MAY_BE_COPIER
    rows_of_queue = desk.rows('SELECT * FROM "case" WHERE queue = :queue', queue=queue)
    stored = {row["id"]: row for row in rows_of_queue if tab == "all" or row["state"] in NOT_DONE}
    titles = {row["id"]: row["title"] for row in desk.rows(OUR_TITLES)}
    files = {kind: desk.client.get(f"/exports/cases.{kind}?tab={tab}").data for kind in ("csv", "json", "xlsx")}
    table = list(csv.reader(io.StringIO(files["csv"].decode("utf-8-sig"), newline="")))
    rows = {one["id"]: one for one in json.loads(files["json"])["rows"]}
    sheet = list(openpyxl.load_workbook(io.BytesIO(files["xlsx"])).worksheets[0].iter_rows(min_row=2, values_only=True))
    keys = list(next(iter(rows.values())))

    assert rows.keys() == {int(row[0]) for row in table[1:]} == {row[0] for row in sheet} == stored.keys()
    for line, cells in zip(table[1:], sheet, strict=True):
        csv_row, case = dict(zip(keys, line, strict=True)), stored[int(line[0])]
        json_row = rows[case["id"]]
        assert int(csv_row["characters"]) == json_row["characters"] == case["chars"]
        assert float(csv_row["share_of_ours"]) == json_row["share_of_ours"] == round(case["our_share"], 4)
        assert json_row["state"] == case["state"]
        assert datetime.fromisoformat(csv_row["opened_at"]) == case["opened_at"].replace(microsecond=0)
        assert datetime.fromisoformat(json_row["opened_at"]) == case["opened_at"]
        assert csv_row["our_title"] == defused(titles[case["id"]])
        assert json_row["our_title"] == titles[case["id"]]
        assert dict(zip(keys, cells, strict=True))["characters"] == case["chars"]
        _check_deadline(csv_row["deadline"], json_row["deadline"], case["deadline"])


def _check_deadline(in_csv: str, in_json: str | None, stored: datetime | None) -> None:
    """The store has the midnight after it; people name the last day that counts."""
    if stored is None:
        assert (in_csv, in_json) == ("", None)
        return
    last = (stored - timedelta(seconds=1)).astimezone(ZONE)
    assert datetime.fromisoformat(in_csv) == datetime.fromisoformat(str(in_json)) == last
    assert in_csv[:10] == str(last.date())


@needs_browser
def test_a_sample_is_the_same_on_paper(desk: Desk) -> None:
    sample = sorted(desk.cases, key=lambda case: -len(case.pages))[:3]
    for case in sample:
        pdf = desk.client.get(f"/cases/{case.id}/report.pdf?language={language_of(case)}").data
        joined = paper(pdf)
        assert [digest for digest in hashes_of(desk, case) if digest not in joined] == []
        assert [one.url for one in case.pages if squeezed(marked(one.url)) not in joined] == []
        assert all(f"{desk.page(case, one)['chars']:,}" in joined for one in case.pages)
    statement = paper(desk.client.get(f"/cases/{sample[0].id}/statement?as=pdf&language=en").data)
    assert str(today()) in statement


@needs_browser
def test_a_letter_printed_by_a_browser_is_the_letter(desk: Desk) -> None:
    case = next(one for one in desk.cases if one.has_letter and one.state in LETTERED)
    token, letter = csrf_token(desk.client, "/cases"), the_letter(desk, case)
    form = {"csrf_token": token, "text": letter, "language": language_of(case), "as": "html"}
    joined = paper(printed(desk.client.post(f"/cases/{case.id}/letter", data=form).data.decode()))

    for _, page in named_in(desk, case):
        assert squeezed(marked(page.url)) in joined
    assert (desk.head() in joined) is (desk.head() in letter)
    assert f"{today()}" in joined


def paper(pdf: bytes) -> str:
    return squeezed("".join(page.extract_text() for page in PdfReader(io.BytesIO(pdf)).pages))


def squeezed(said: str) -> str:
    """Without blanks, and with the radicals by which a PDF may write characters put back."""
    return re.sub(r"\s", "", unicodedata.normalize("NFKC", said))
