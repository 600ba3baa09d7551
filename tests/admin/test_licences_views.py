"""Owners and licences at the desk."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest
from flask.testing import FlaskClient
from sqlalchemy import Engine
from werkzeug.test import TestResponse

from admin.licences.views import standing
from storage.accounts import audit_log
from storage.accounts.audit_log import AuditFilter
from storage.cases import account_owners, licences
from storage.engine import make_engine, transaction
from storage.records.cases import LicenceRecord, LicenceTerms
from storage.sites import owners
from storage.types import AccountRole, Credit
from tests.support.desk_client import client_of_person, csrf_token, store_hit
from tests.support.factories import an_article, save, text_of

OURS, THEIRS = "县报社", "抄写公司"
FORM = {"whose": "owner", "owner": OURS, "copier": THEIRS, "requires": "linked", "delay": "2",
        "first": "2026-03-01", "last": "2026-03-31", "columns": "/news/\nsport", "notes": "合同 12 号"}  # fmt: skip


@pytest.fixture
def desk_engine(clean_database_url: str) -> Iterator[Engine]:
    engine = make_engine(clean_database_url)
    with transaction(engine) as session:
        store_hit(session)
    yield engine
    engine.dispose()


@pytest.fixture
def manager(desk_engine: Engine) -> FlaskClient:
    return client_of_person(desk_engine, role=AccountRole.MANAGER)


def send(client: FlaskClient, path: str, **form: str) -> TestResponse:
    return client.post(path, data={"csrf_token": csrf_token(client, "/account"), **form})


def stored(engine: Engine) -> list[LicenceRecord]:
    with transaction(engine) as session:
        return licences.list_licences(session)


def test_a_licence_is_added_as_the_form_says_it(manager: FlaskClient, desk_engine: Engine) -> None:
    assert send(manager, "/licences", **FORM).location == "/licences"

    terms = stored(desk_engine)[0].terms
    assert terms == LicenceTerms(
        owner=OURS,
        copier=THEIRS,
        columns=("/news/", "sport"),
        requires=Credit.LINKED,
        delay_days=2,
        # Days are those of the viewer, in Shanghai.
        valid_from=datetime(2026, 2, 28, 16, tzinfo=UTC),
        valid_until=datetime(2026, 3, 31, 16, tzinfo=UTC),
        notes="合同 12 号",
    )
    page = manager.get("/licences").text
    for shown in ("2026-03-01", "2026-03-31", "原文链接", "合同 12 号"):
        assert shown in page
    with transaction(desk_engine) as session:
        event = audit_log.list_events(session, AuditFilter(act="licence"), limit=1)[0]
    assert (event.act, event.subject) == ("licence.add", f"#{stored(desk_engine)[0].id} {OURS} → {THEIRS}")


@pytest.mark.parametrize(
    ("changes", "status", "words"),
    [
        ({"owner": ""}, 400, "请填写授权哪些文章"),
        ({"copier": OURS}, 400, "无需授权"),
        ({"whose": "article", "article": "javascript:alert(1)"}, 400, "不是网址"),
        ({"last": "2026-02-01"}, 400, "截止日早于起始日"),
        ({"first": "soon"}, 400, "不是有效日期"),
        ({"last": "9999-12-31"}, 400, "不是有效日期"),
        ({"delay": "-1"}, 400, "等待天数"),
        ({"delay": "1e9"}, 400, "等待天数"),
        ({"owner": "nobody"}, 400, "没有这个主体"),
        ({"copier": "nobody"}, 400, "没有这个主体"),
        ({"whose": "moon"}, 400, "无法理解"),
        ({"requires": "x"}, 400, "无法理解"),
        ({"columns": "\n".join(map(str, range(101)))}, 400, "每项最多 100 行"),
        ({"notes": "x" * 3_000}, 413, "内容过大"),
    ],
)
def test_what_makes_no_licence_is_refused_with_the_reason(
    manager: FlaskClient, desk_engine: Engine, changes: dict[str, str], status: int, words: str
) -> None:
    answer = send(manager, "/licences", **(FORM | changes))

    assert answer.status_code == status
    assert words in answer.text
    assert stored(desk_engine) == []


def test_the_very_same_licence_is_refused(manager: FlaskClient, desk_engine: Engine) -> None:
    send(manager, "/licences", **FORM)

    assert send(manager, "/licences", **FORM).status_code == 409
    assert len(stored(desk_engine)) == 1


def test_a_licence_for_one_article_or_an_author_to_anyone(manager: FlaskClient, desk_engine: Engine) -> None:
    send(
        manager, "/licences", **(FORM | {"whose": "article", "article": "HTTPS://County.example/bridge", "copier": ""})
    )
    send(manager, "/licences", **(FORM | {"whose": "author", "author": "<b>王记者</b>", "first": "", "last": ""}))

    found = [licence.terms for licence in stored(desk_engine)]
    assert (found[0].article_url, found[0].copier) == ("https://county.example/bridge", None)
    assert (found[1].author, found[1].valid_from, found[1].valid_until) == ("<b>王记者</b>", None, None)
    assert "<b>王" not in manager.get("/licences").text


def test_a_licence_is_taken_back(manager: FlaskClient, desk_engine: Engine) -> None:
    send(manager, "/licences", **FORM)
    path = f"/licences/{stored(desk_engine)[0].id}/remove"

    assert send(manager, path).location == "/licences"
    assert stored(desk_engine) == []
    assert send(manager, path).status_code == 404


def test_how_a_licence_stands_today() -> None:
    now = datetime.now(UTC)

    def licence(start: int | None, end: int | None) -> LicenceRecord:
        at = [None if days is None else now + timedelta(days=days) for days in (start, end)]
        return LicenceRecord(1, 1, 2, LicenceTerms(owner=OURS, valid_from=at[0], valid_until=at[1]))

    stands = [standing(licence(*term)) for term in ((None, None), (-9, 90), (-9, 9), (-9, -1), (1, 9))]
    assert stands == ["valid", "valid", "ending", "expired", "waiting"]


def test_owners_are_added_listed_and_changed(manager: FlaskClient, desk_engine: Engine) -> None:
    answer = send(manager, "/owners", name="新社", registration="京ICP备1号", complaint_address="a@b.example", notes="")
    assert answer.location.startswith("/owners/")
    assert "京ICP备1号" in manager.get("/owners").text

    send(manager, answer.location, registration="<b>京ICP备2号</b>", complaint_address="", notes="记\0下")
    with transaction(desk_engine) as session:
        owner = owners.get_owner(session, "新社")
    assert (owner.registration, owner.complaint_address, owner.notes) == ("<b>京ICP备2号</b>", "", "记 下")
    assert "<b>京" not in manager.get(answer.location).text
    for name, status in (("", 400), ("x" * 201, 400), ("新社", 409)):
        assert send(manager, "/owners", name=name).status_code == status
    assert manager.get("/owners/999999").status_code == 404


def test_a_viewer_reads_owners_and_licences_without_their_forms(desk_engine: Engine) -> None:
    viewer = client_of_person(desk_engine, role=AccountRole.VIEWER)
    with transaction(desk_engine) as session:
        owner = owners.get_owner(session, OURS)

    for path in ("/owners", f"/owners/{owner.id}", "/licences", "/sites"):
        answer = viewer.get(path)
        assert answer.status_code == 200
        assert 'method="post"' not in answer.text.partition("<main")[2]


def test_accounts_on_platforms_are_listed_and_assigned_to_an_owner(manager: FlaskClient, desk_engine: Engine) -> None:
    with transaction(desk_engine) as session:
        address = "https://mp.weixin.qq.com/s/a"
        save(session, an_article(address, text_of(90), account="weixin:a<b", account_name="新社<i>"))
        owners.add_owner(session, "新社<i>")

    page = manager.get("/owners").text

    assert "weixin:a&lt;b" in page
    assert 'value="新社&lt;i&gt;"' in page  # the owner of that name is proposed
    assert send(manager, "/owners/accounts", account="weixin:a<b", owner="新社<i>").status_code == 302
    assert send(manager, "/owners/accounts", account="weixin:a<b", owner="无名氏").status_code == 404
    assert send(manager, "/owners/accounts", account="weixin:none", owner="新社<i>").status_code == 404
    with transaction(desk_engine) as session:
        (account,) = account_owners.list_accounts(session)
        assert account.owner_name == "新社<i>"
