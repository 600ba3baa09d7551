"""Documents of a case: a bundle that anybody can verify, a self-contained report, and a PDF."""

import base64
import io
import json
import re
import subprocess
import zipfile
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest
from flask.testing import FlaskClient
from pypdf import PdfReader
from sqlalchemy import Engine, event
from sqlalchemy import text as sql

from admin.evidence import bundle
from admin.web.services import Services
from crawler.browser.pdf import MAX_HTML_CHARS, NotPrinted, printed
from crawler.evidence.keeper import Keeper
from crawler.evidence.pictures import picture_in
from crawler.evidence.record_files import EvidenceFolder
from crawler.warc.writer import resource_record
from storage.engine import transaction
from storage.evidence import chain_store
from storage.evidence.hash_chain import entry_hash
from storage.records.evidence import EvidenceKind, Head
from storage.types import AccountRole, CaseQueue, LicenceTerm, Standing
from tests.support.cases import StoredCase, keep_responses, store_case
from tests.support.desk_client import COPY, SOURCE, add_person, app_with, let_in
from tests.support.evidence.evidence import AT, verified
from tests.support.requirements import needs_browser

HOSTILE = '<script>alert(1)</script>\u202e"><img src=x>'
PICTURE = b"\x89PNG\r\n\x1a\n" + bytes(64)


@pytest.fixture
def case(engine: Engine, tmp_path: Path) -> StoredCase:
    made = store_case(engine)
    keep_responses(engine, tmp_path, COPY, SOURCE)
    return made


def client_at(engine: Engine, home: Path | None, *, role: AccountRole = AccountRole.VIEWER) -> FlaskClient:
    add_person(engine, role=role)
    client = app_with(Services(engine=engine, secret_key="for tests", home=home)).test_client()
    let_in(client)
    return client


@pytest.fixture
def viewer(engine: Engine, case: StoredCase, tmp_path: Path) -> FlaskClient:
    return client_at(engine, tmp_path)


def unpacked(data: bytes, folder: Path) -> Path:
    with zipfile.ZipFile(io.BytesIO(data)) as package:
        assert package.testzip() is None
        package.extractall(folder)
    return folder


def sha256sum(folder: Path, sums: str) -> tuple[int, str]:
    """What anybody would run. The tool belongs to every system that tests run on."""
    done = subprocess.run(
        ["/usr/bin/env", "sha256sum", "-c", sums], cwd=folder, capture_output=True, text=True, check=False
    )
    return done.returncode, done.stdout


@pytest.fixture
def folder(viewer: FlaskClient, case: StoredCase, tmp_path: Path) -> Path:
    answer = viewer.get(f"/cases/{case.id}/evidence.zip")
    assert answer.headers["Content-Disposition"].startswith(f"attachment; filename=zhiwen-case-{case.id}-")
    return unpacked(answer.data, tmp_path / "bundle")


def test_a_bundle_holds_both_sides(folder: Path, case: StoredCase) -> None:
    told = json.loads((folder / "case.json").read_text("utf-8"))
    texts = {told["ours"]["text_sha256"], told["copies"][0]["text_sha256"]}

    assert (told["case"], told["ours"]["url"], told["copies"][0]["url"]) == (case.id, SOURCE.url, COPY.url)
    assert {(folder / f"texts/{name}.txt").read_text("utf-8") for name in texts} == {COPY.text, SOURCE.text}
    assert len(list((folder / "warc").iterdir())) == 2
    assert {path.name for path in folder.glob("report.*")} == {"report.zh.html", "report.en.html"}


def test_the_alignment_points_into_the_texts_of_the_bundle(folder: Path, case: StoredCase) -> None:
    found = json.loads((folder / f"alignment/{case.hit_id}.json").read_text("utf-8"))
    copy, source = (
        (folder / f"texts/{found[side]['text_sha256']}.txt").read_text("utf-8") for side in ("copy", "source")
    )
    (passage,) = found["passages"]

    assert copy[passage["left_start"] : passage["left_end"]].startswith("老桥修好了")
    assert source[passage["right_start"] : passage["right_end"]].startswith("老桥修好了")
    assert found["direction"]["confidence"] == 0.93


@pytest.mark.parametrize("sums", ["SHA256SUMS", "CHAIN.SHA256"])
def test_a_bundle_is_checked_with_the_tool_of_the_system(folder: Path, sums: str) -> None:
    status, said = sha256sum(folder, sums)

    assert (status, "FAILED" in said) == (0, False)
    assert "OK" in said


def test_the_chain_s_list_names_entries_files_and_texts(folder: Path) -> None:
    names = [line.split("  ")[1] for line in (folder / "CHAIN.SHA256").read_text().splitlines()]

    assert sorted({name.partition("/")[0] for name in names}) == ["chain", "texts", "warc"]
    assert len(names) == len(set(names)) == 6


@pytest.mark.parametrize("name", ["texts", "warc", "chain"])
def test_what_was_changed_in_a_bundle_does_not_pass(folder: Path, name: str) -> None:
    changed = next((folder / name).iterdir())
    changed.write_bytes(changed.read_bytes() + b"x")

    for sums in ("SHA256SUMS", "CHAIN.SHA256"):
        status, said = sha256sum(folder, sums)
        assert status != 0
        assert f"{name}/{changed.name}: FAILED" in said


def test_the_head_in_the_bundle_is_one_that_the_store_is_verified_by(
    engine: Engine, folder: Path, tmp_path: Path
) -> None:
    noted = re.search(r"zhiwen evidence verify --expect (\S+)", (folder / "README.txt").read_text("utf-8"))
    assert noted is not None
    head = Head.parse(noted[1])

    assert verified(engine, tmp_path, expected=head)[1] == []
    with engine.begin() as connection:
        connection.execute(sql("DELETE FROM evidence WHERE number = (SELECT max(number) FROM evidence)"))
    assert verified(engine, tmp_path, expected=head)[1] != []


def test_an_entry_is_the_bytes_that_its_hash_covers(engine: Engine, folder: Path) -> None:
    with transaction(engine) as session:
        for entry in chain_store.entries(session):
            written = (folder / f"chain/{entry.number:010}.entry").read_text("ascii")
            previous, _, body = written.partition("\n")
            assert entry_hash(bytes.fromhex(previous), body) == entry.hash


def test_the_readme_says_in_both_languages_how_to_check(folder: Path) -> None:
    readme = (folder / "README.txt").read_text("utf-8")

    assert readme.count("sha256sum -c CHAIN.SHA256") == 2
    assert "如何核验" in readme
    assert "How to check it" in readme
    assert "未包含的内容" not in readme


def test_what_is_not_in_a_bundle_is_named(engine: Engine, case: StoredCase, tmp_path: Path) -> None:
    with transaction(engine) as session:
        first = next(chain_store.entries(session))
    assert first.record is not None
    EvidenceFolder(tmp_path).remove(first.record)

    folder = unpacked(client_at(engine, tmp_path).get(f"/cases/{case.id}/evidence.zip").data, tmp_path / "bundle")

    assert f"warc/{first.record.hex()}.warc.gz: not on this machine (entry 1)" in (folder / "README.txt").read_text(
        "utf-8"
    )
    assert sha256sum(folder, "CHAIN.SHA256")[0] == 0


def test_without_a_home_the_bundle_has_no_files_and_says_so(engine: Engine, case: StoredCase, tmp_path: Path) -> None:
    folder = unpacked(client_at(engine, None).get(f"/cases/{case.id}/evidence.zip").data, tmp_path / "bundle")

    assert not (folder / "warc").exists()
    assert "未包含的内容" in (folder / "README.txt").read_text("utf-8")


def test_a_response_whose_body_stands_in_an_earlier_file_brings_that_file_along(engine: Engine, tmp_path: Path) -> None:
    made = store_case(engine)
    twin = replace(SOURCE, url="https://elsewhere.example/same")
    keep_responses(engine, tmp_path, twin, SOURCE)

    folder = unpacked(client_at(engine, tmp_path).get(f"/cases/{made.id}/evidence.zip").data, tmp_path / "bundle")

    assert len(list((folder / "warc").iterdir())) == 2
    assert sha256sum(folder, "CHAIN.SHA256")[0] == 0


def test_a_bundle_is_written_in_pieces(engine: Engine, case: StoredCase, tmp_path: Path) -> None:
    answer = client_at(engine, tmp_path).get(f"/cases/{case.id}/evidence.zip", buffered=False)
    pieces = list(answer.iter_encoded())

    assert len(pieces) > 5
    assert max(map(len, pieces)) < 3 * bundle.BLOCK_BYTES


def test_what_people_noted_among_themselves_is_not_handed_out(engine: Engine, case: StoredCase, tmp_path: Path) -> None:
    with engine.begin() as connection:
        connection.execute(sql("UPDATE \"case\" SET notes = 'unter uns gesagt'"))
    client = client_at(engine, tmp_path)
    folder = unpacked(client.get(f"/cases/{case.id}/evidence.zip").data, tmp_path / "bundle")

    handed_out = b"".join(path.read_bytes() for path in folder.rglob("*") if path.is_file())
    assert b"unter uns" not in handed_out
    assert "unter uns" not in client.get(f"/cases/{case.id}/report").text


class Reader(HTMLParser):
    """What a page would load, run or lead to."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.loaded: list[str] = []
        self.tags: set[str] = set()
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.loaded += [value or "" for name, value in attrs if name == "src" or (tag == "link" and name == "href")]


@pytest.mark.parametrize(("language", "heading"), [("zh", "文章转载情况报告"), ("en", "Report on the copying")])
def test_a_saved_report_needs_nothing_else(viewer: FlaskClient, case: StoredCase, language: str, heading: str) -> None:
    answer = viewer.get(f"/cases/{case.id}/report?language={language}&download=1")
    page = Reader(answer.text)

    assert heading in answer.text
    assert answer.headers["Content-Disposition"].endswith(f".{language}.html")
    assert page.loaded == []
    assert "style" in page.tags
    assert not page.tags & {"script", "link", "iframe", "form", "nav"}
    assert "/static/" not in answer.text


def test_a_report_says_who_what_how_much_since_when_and_how_sure(viewer: FlaskClient, case: StoredCase) -> None:
    page = viewer.get(f"/cases/{case.id}/report?language=en").text

    for said in (
        *(SOURCE.title, COPY.title, SOURCE.url, COPY.url, "王记者", "up to 28 characters", "71%", "No credit"),
        *("clearly that our article was first", "Confidence: 93%", "2026-03-01", "nothing shows which was first"),
        *("Limits of this report", "7. Method", "Head of the chain"),
    ):
        assert said in page, said
    text = re.sub(r"<[^>]*>", "", page)
    assert "老桥修好了，来往的人又多了起来" in text
    assert "老桥修好了，来往的人又多起来" in text


def test_the_report_on_the_desk_keeps_to_its_policy(viewer: FlaskClient, case: StoredCase) -> None:
    answer = viewer.get(f"/cases/{case.id}/report")

    assert "<style" not in answer.text
    assert re.search(r'href="/static/report\.[0-9a-f]{12}\.css"', answer.text)
    assert "style-src 'self'" in answer.headers["Content-Security-Policy"]


@pytest.mark.parametrize(
    ("confidence", "said"),
    [(0.55, "do not settle who was first"), (0.7, "probably first"), (0.93, "clearly that our article")],
)
def test_a_report_claims_no_more_than_is_known(
    engine: Engine, case: StoredCase, tmp_path: Path, confidence: float, said: str
) -> None:
    with engine.begin() as connection:
        connection.execute(sql("UPDATE page_match SET confidence = :c"), {"c": confidence})

    assert said in client_at(engine, tmp_path).get(f"/cases/{case.id}/report?language=en").text


def test_where_they_may_have_been_first_the_report_says_so(engine: Engine, case: StoredCase, tmp_path: Path) -> None:
    with engine.begin() as connection:
        connection.execute(sql("UPDATE page_match SET source_page_id = :id"), {"id": case.theirs.page_id})

    page = client_at(engine, tmp_path).get(f"/cases/{case.id}/report?language=en").text
    assert "their text was first" in page
    left = re.search(r'<td class="text">(.*?)</td>', page, re.S)
    assert left is not None
    assert "多了起来" in re.sub(r"<[^>]*>", "", left[1]), "theirs stays left, whoever was first"


def test_a_breach_names_the_terms(engine: Engine, tmp_path: Path) -> None:
    made = store_case(engine, standing=Standing.BREACH, broken_terms=(LicenceTerm.NO_LINK,))

    page = client_at(engine, tmp_path).get(f"/cases/{made.id}/report").text
    assert "违反授权" in page or "无链接" in page


def test_hostile_titles_and_addresses_stay_text(engine: Engine, tmp_path: Path) -> None:
    url = "https://evil.example/a?b=<script>"
    made = store_case(engine, copy=replace(COPY, title=HOSTILE, url=url, author=HOSTILE), other_key=f"host:{HOSTILE}")
    client = client_at(engine, tmp_path)

    for path in ("report", "report?download=1", "statement", "statement?as=html", "letter"):
        page = client.get(f"/cases/{made.id}/{path}").text
        assert "<script" not in page.replace("<script src=", ""), path
        assert "<img src=x" not in page, path
    folder = unpacked(client.get(f"/cases/{made.id}/evidence.zip").data, tmp_path / "bundle")
    assert "\u202e" not in (folder / "README.txt").read_text("utf-8")


def test_a_report_asks_the_database_as_often_for_many_pages_as_for_one(engine: Engine, tmp_path: Path) -> None:
    made = store_case(engine)
    client = client_at(engine, tmp_path)
    asked: list[str] = []
    event.listen(engine, "before_cursor_execute", lambda *arguments: asked.append(arguments[2]))

    client.get(f"/cases/{made.id}/report")
    first = len(asked)
    for number in range(6):
        store_case(engine, copy=replace(COPY, url=f"https://copier.example/{number}", text=COPY.text + str(number)))
    asked.clear()
    page = client.get(f"/cases/{made.id}/report").text

    assert page.count("https://copier.example/") >= 7
    assert len(asked) == first


def test_a_screenshot_is_printed_into_the_report(engine: Engine, case: StoredCase, tmp_path: Path) -> None:
    Keeper(engine, EvidenceFolder(tmp_path)).keep_content(
        PICTURE, "image/png", url=COPY.url, at=AT, kind=EvidenceKind.SCREENSHOT
    )

    page = client_at(engine, tmp_path).get(f"/cases/{case.id}/report?download=1")
    assert Reader(page.text).loaded == [f"data:image/png;base64,{base64.b64encode(PICTURE).decode()}"]


def test_pictures_come_out_of_records_whole_or_not_at_all() -> None:
    record = resource_record("https://a.example/", AT, PICTURE, "image/png").data
    other = resource_record("https://a.example/", AT, b"<svg onload=1>", "image/png").data

    assert picture_in(record, max_bytes=1_000) == PICTURE
    assert picture_in(record, max_bytes=10) is None
    assert picture_in(other, max_bytes=1_000) is None
    assert picture_in(b"", max_bytes=9) is None
    assert picture_in(b"no archive", max_bytes=9) is None


@pytest.mark.parametrize("path", ["report", "report.pdf", "evidence.zip", "letter", "statement"])
def test_what_is_not_there_cannot_be_handed_out(viewer: FlaskClient, path: str) -> None:
    assert viewer.get(f"/cases/999999/{path}").status_code == 404


@pytest.mark.parametrize(
    "path", ["report?language=de", "letter?language=../x", "statement?as=exe", "report.pdf?language=%00"]
)
def test_a_language_or_kind_that_is_none_is_not_there(viewer: FlaskClient, case: StoredCase, path: str) -> None:
    assert viewer.get(f"/cases/{case.id}/{path}").status_code == 404


def test_the_other_way_round_is_handed_out_with_a_warning(engine: Engine, tmp_path: Path) -> None:
    made = store_case(engine, queue=CaseQueue.WE_MAY_BE_COPIER)
    with engine.begin() as connection:
        connection.execute(sql("UPDATE page_match SET source_page_id = :id"), {"id": made.theirs.page_id})

    page = client_at(engine, tmp_path).get(f"/cases/{made.id}/report").text
    assert "请勿凭本报告指控对方" in page


@needs_browser
def test_a_report_is_printed_as_pdf(viewer: FlaskClient, case: StoredCase) -> None:
    answer = viewer.get(f"/cases/{case.id}/report.pdf?language=en")

    assert answer.content_type == "application/pdf"
    text = "\n".join(page.extract_text() for page in PdfReader(io.BytesIO(answer.data)).pages)
    assert "Limits of this report" in text
    assert COPY.url in text


@needs_browser
def test_what_is_printed_runs_and_loads_nothing(tmp_path: Path) -> None:
    (tmp_path / "secret.txt").write_text("SECRET WORDS")
    script = "<script>document.getElementById('a').textContent='ran'</script>"
    page = f"<p id=a>before</p>{script}<iframe src='file://{tmp_path}/secret.txt'></iframe>"

    text = PdfReader(io.BytesIO(printed(page))).pages[0].extract_text()

    assert "before" in text
    assert "ran" not in text
    assert "SECRET" not in text


def test_what_is_too_large_is_not_printed() -> None:
    with pytest.raises(NotPrinted):
        printed("a" * (MAX_HTML_CHARS + 1))


def test_without_a_browser_the_report_is_offered_instead(
    viewer: FlaskClient, case: StoredCase, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))

    answer = viewer.get(f"/cases/{case.id}/report.pdf")

    assert answer.status_code == 503
    assert "此处无法生成 PDF" in answer.text
    assert f'href="/cases/{case.id}/report?language=zh"' in answer.text
