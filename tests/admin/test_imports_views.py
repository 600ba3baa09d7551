"""Import of files at the desk: accepted and refused files, and progress."""

import io
from pathlib import Path

import pytest
from flask.testing import FlaskClient
from sqlalchemy import Engine
from werkzeug.test import TestResponse

from admin.hooks.upload_limits import LARGEST_UPLOAD
from admin.imports.views import NAME_CHARS
from admin.web.services import Services
from storage.accounts import audit_log
from storage.accounts.audit_log import AuditFilter
from storage.engine import transaction
from storage.intake import uploads
from storage.intake.uploads import UPLOADS, FileImport
from storage.types import AccountRole, FileFailure, FilePlace, Rights
from tests.support.desk_client import NAME, add_person, app_with, client_of_person, csrf_token, let_in

LINE = b'{"url": "https://county.example/1", "text": "x"}\n'


def a_desk(engine: Engine, home: Path, folder: Path | None, role: AccountRole = AccountRole.MANAGER) -> FlaskClient:
    app = app_with(
        Services(engine=engine, secret_key="for tests", home=home, import_folder=folder, enqueue=lambda *_, **__: None)
    )
    add_person(engine, role=role)
    client = app.test_client()
    let_in(client)
    return client


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "offered"
    folder.mkdir()
    return folder


@pytest.fixture
def manager(engine: Engine, tmp_path: Path, folder: Path) -> FlaskClient:
    return a_desk(engine, tmp_path / "home", folder)


def known(engine: Engine) -> list[FileImport]:
    with transaction(engine) as session:
        return uploads.newest(session)


def upload(client: FlaskClient, *files: tuple[bytes, str], whose: str = "ours", site: str = "县报") -> TestResponse:
    token = csrf_token(client, "/account")
    data = {
        "csrf_token": token,
        "whose": whose,
        "site": site,
        "file": [(io.BytesIO(body), name) for body, name in files],
    }
    return client.post("/imports", data=data)


def take(client: FlaskClient, entry: str, whose: str = "others", site: str = "") -> TestResponse:
    form = {"csrf_token": csrf_token(client, "/account"), "entry": entry, "whose": whose, "site": site}
    return client.post("/imports/folder", data=form)


def test_what_is_uploaded_is_kept_for_the_worker_and_noted(
    manager: FlaskClient, engine: Engine, tmp_path: Path
) -> None:
    answer = upload(manager, (LINE, "articles.jsonl"), (b"<p>x", "文章/../第一篇.html"))

    assert answer.location == "/imports"
    second, first = known(engine)
    assert [first.name, second.name] == ["articles.jsonl", "第一篇.html"]
    assert (first.place, first.rights, first.site_name, first.brought_by) == (
        FilePlace.UPLOADED, Rights.OWN, "县报", NAME,
    )  # fmt: skip
    assert (tmp_path / "home" / UPLOADS / first.path).read_bytes() == LINE
    page = manager.get("/imports").text
    assert "排队中" in page
    assert "后台任务未运行" in page, "no worker is there to read it"
    with transaction(engine) as session:
        events = audit_log.list_events(session, AuditFilter(act="import"), limit=5)
    assert [(event.subject, dict(event.detail)) for event in events] == [
        (name, {"site": "县报", "rights": "own"}) for name in ("第一篇.html", "articles.jsonl")
    ]


def test_the_same_name_of_the_same_site_gets_the_same_place(manager: FlaskClient, engine: Engine) -> None:
    for site in ("县报", "县报", "晚报"):
        upload(manager, (LINE, "a.jsonl"), site=site)

    evening, county = known(engine)
    assert evening.path != county.path


@pytest.mark.parametrize(
    ("name", "kept"),
    [
        ("../../etc/passwd.txt", "passwd.txt"),
        (".hidden.txt", "hidden.txt"),
        ("a\x00b\u202e.txt", "ab.txt"),
        ("长" * 300 + ".txt", "长" * (NAME_CHARS - 4) + ".txt"),
    ],
)
def test_a_name_cannot_lead_elsewhere(
    manager: FlaskClient, engine: Engine, tmp_path: Path, name: str, kept: str
) -> None:
    assert upload(manager, (b"x", name)).status_code == 302

    (record,) = known(engine)
    assert record.name == kept
    assert [path.name for path in (tmp_path / "home" / UPLOADS).rglob("*.txt")] == [kept]


@pytest.mark.parametrize(
    ("files", "whose", "site", "said"),
    [
        ([], "ours", "县报", "请先选择文件"),
        ([(b"x", "letter.docx")], "ours", "县报", "不支持这类文件：letter.docx"),
        ([(b"x", "page.html.gz")], "ours", "县报", "不支持这类文件"),
        ([(b"x", "a.txt")] * 51, "others", "", "每次最多 50 个文件"),
        ([(b"x", "a.txt")], "ours", "", "属于我方哪个站点"),
    ],
)
def test_what_cannot_be_imported_is_refused_whole(
    manager: FlaskClient, engine: Engine, files: list[tuple[bytes, str]], whose: str, site: str, said: str
) -> None:
    answer = upload(manager, *files, whose=whose, site=site)

    assert answer.status_code == 422
    assert said in answer.text
    assert known(engine) == []


def test_more_than_the_bound_is_not_taken(manager: FlaskClient, engine: Engine) -> None:
    environment = {"CONTENT_LENGTH": str(LARGEST_UPLOAD + 1), "wsgi.input": io.BytesIO()}

    answer = manager.post("/imports", content_type="multipart/form-data; boundary=x", environ_overrides=environment)

    assert answer.status_code == 413
    assert known(engine) == []


def test_only_the_folder_that_is_offered_can_be_taken_from(
    manager: FlaskClient, engine: Engine, folder: Path, tmp_path: Path
) -> None:
    (folder / "2026").mkdir()
    (folder / "articles.csv").write_text("url,text\n")
    (folder / "notes.docx").write_text("x")
    (folder / ".hidden.txt").write_text("x")
    (tmp_path / "secret.txt").write_text("x")
    (folder / "link.txt").symlink_to(tmp_path / "secret.txt")
    (folder / "elsewhere").symlink_to(tmp_path)

    page = manager.get("/imports").text

    assert [name for name in ("2026/", "articles.csv") if f'value="{name}"' in page] == ["2026/", "articles.csv"]
    assert not [name for name in ("notes.docx", ".hidden.txt", "link.txt", "elsewhere") if name in page]
    for made_up in ("../secret.txt", "link.txt", "elsewhere/", "/etc/passwd", ""):
        assert take(manager, made_up).status_code == 422, made_up
    assert take(manager, "2026/").location == "/imports"
    (record,) = known(engine)
    assert (record.place, record.path, record.rights) == (FilePlace.FOLDER, "2026/", Rights.UNKNOWN)


def test_how_far_it_is_and_what_was_refused_is_reported(manager: FlaskClient, engine: Engine) -> None:
    upload(manager, (LINE, "a.jsonl"))
    number = known(engine)[0].id
    with transaction(engine) as session:
        uploads.begin(session, number, size=200)
        uploads.note(
            session, number, bytes_read=50, counters={"new": 7, "refused/too-short": 3, "passed/list-page": 2},
            problems=["a.jsonl, line 4: <b>too short</b>"],
        )  # fmt: skip

    part = manager.get("/imports/progress").text
    assert "已读取 25%" in part
    assert "data-ended" not in part
    assert "正在导入文件" in manager.get("/").text
    page = manager.get(f"/imports/{number}").text
    assert "新页面 <b>7</b>" in page
    assert "line 4: &lt;b&gt;too short" in page

    with transaction(engine) as session:
        uploads.end(session, number, failure=FileFailure.DENIED)
    assert "data-ended" in manager.get("/imports/progress").text
    assert "无权读取该文件" in manager.get(f"/imports/{number}").text
    assert manager.get("/imports/987654321").status_code == 404


def test_the_first_hour_takes_files_where_one_s_articles_are_asked_for(manager: FlaskClient) -> None:
    page = manager.get("/").text

    assert 'action="/imports"' in page
    assert 'name="whose" value="ours"' in page


def test_a_viewer_reads_how_far_imports_are_and_brings_nothing(engine: Engine, tmp_path: Path, folder: Path) -> None:
    viewer = a_desk(engine, tmp_path, folder, AccountRole.VIEWER)

    assert "主管可以从文件导入文章" in viewer.get("/imports").text
    assert upload(viewer, (LINE, "a.jsonl")).status_code == 403


def test_a_desk_without_a_home_says_how_files_are_imported(engine: Engine) -> None:
    manager = client_of_person(engine, role=AccountRole.MANAGER)

    assert "zhiwen import" in manager.get("/imports").text
    assert upload(manager, (LINE, "a.jsonl")).status_code == 501
    assert take(manager, "a").status_code == 501
