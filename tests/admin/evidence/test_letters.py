"""Letters and statements: all cases of one copier, in a wording that a manager may change."""

import csv
import io
from dataclasses import replace
from datetime import UTC, date, datetime

import docx
import openpyxl
import pytest
from flask.testing import FlaskClient
from pypdf import PdfReader
from sqlalchemy import Engine
from sqlalchemy import text as sql
from werkzeug.test import TestResponse

from admin.cases.copier_summary import Copier
from admin.evidence.letter_formats import WRITERS, as_page, as_text, as_word
from admin.evidence.letter_templates import PLACEHOLDERS, filled, own_wording, unknown_placeholders
from admin.identity.language import LANGUAGES
from storage.cases import handout
from storage.cases.handout import CopyLine, lines_of_cases
from storage.engine import transaction
from storage.sites import owners
from storage.types import AccountRole, CaseState, Credit, LicenceTerm
from tests.support.cases import StoredCase, store_case
from tests.support.desk_client import COPY, SOURCE, add_person, client_of_person, csrf_token, let_in, make_app
from tests.support.requirements import needs_browser

HOSTILE = "=HYPERLINK(1)<script>{copier}"


def a_case(engine: Engine, number: int, state: CaseState = CaseState.CONFIRMED, **fields: object) -> StoredCase:
    """One of several cases of the same copier."""
    copy = replace(COPY, url=f"https://copier.example/{number}", text=f"{COPY.text}{number}")
    source = replace(
        SOURCE, url=f"https://county.example/{number}", text=f"{SOURCE.text}{number}", title=f"第{number}篇"
    )
    made = store_case(engine, copy=copy, source=source, **fields)
    with engine.begin() as connection:
        connection.execute(
            sql('UPDATE "case" SET state = :state, touched = true WHERE id = :id'), {"state": state, "id": made.id}
        )
    return made


@pytest.fixture
def viewer(engine: Engine) -> FlaskClient:
    return client_of_person(engine, role=AccountRole.VIEWER)


def save_as(
    client: FlaskClient, case: StoredCase, kind: str, text: str = "抬头\n\n正文", language: str = "zh"
) -> TestResponse:
    form = {
        "csrf_token": csrf_token(client, f"/cases/{case.id}/letter"),
        "text": text,
        "as": kind,
        "language": language,
    }
    return client.post(f"/cases/{case.id}/letter", data=form)


def test_a_letter_names_all_confirmed_copies_of_one_owner(engine: Engine, viewer: FlaskClient) -> None:
    first, second = a_case(engine, 1), a_case(engine, 2, CaseState.NOTIFIED)
    a_case(engine, 3, CaseState.DISMISSED)
    a_case(engine, 4, CaseState.LICENSED)
    a_case(engine, 5, CaseState.NEW)
    a_case(engine, 6, other_key="host:another.example", other_host="another.example")

    page = viewer.get(f"/cases/{first.id}/letter").text

    assert "https://copier.example/1" in page
    assert "https://copier.example/2" in page
    for number in (3, 4, 5, 6):
        assert f"https://copier.example/{number}" not in page, number
    assert "另有 1 件案件尚未判定" in page
    assert f'href="/cases/{first.id}/letter?language=zh&amp;undecided=1"' in page
    assert "https://copier.example/5" in viewer.get(f"/cases/{second.id}/letter?undecided=1").text


def test_the_case_at_hand_is_named_though_nobody_has_decided_it_and_the_letter_warns(
    engine: Engine, viewer: FlaskClient
) -> None:
    made = a_case(engine, 1, CaseState.NEW)

    page = viewer.get(f"/cases/{made.id}/letter").text

    assert "https://copier.example/1" in page
    assert "件案件尚未判定" not in page
    assert "以下案件尚未判定，仅为疑似" in page


def test_a_letter_groups_the_figures_of_a_number(viewer: FlaskClient, engine: Engine) -> None:
    made = a_case(engine, 1)
    with transaction(engine) as session:
        session.execute(sql("UPDATE case_page SET chars = 3227"))

    assert "重合 3,227 字" in viewer.get(f"/cases/{made.id}/letter?language=zh").text


def test_a_letter_is_in_the_language_that_was_chosen(engine: Engine, viewer: FlaskClient) -> None:
    made = a_case(engine, 1, broken_terms=(LicenceTerm.NO_LINK,))

    english = viewer.get(f"/cases/{made.id}/letter?language=en").text
    chinese = viewer.get(f"/cases/{made.id}/letter?language=zh").text

    assert "Notice of infringement" in english
    assert "Ours: https://county.example/1" in english
    assert "28 characters, 71% of ours · No credit · no link" in english
    assert "侵权通知书" in chinese
    assert "原文：https://county.example/1" in chinese


def test_owner_and_complaint_address_are_filled_in(engine: Engine, viewer: FlaskClient) -> None:
    with transaction(engine) as session:
        owner = owners.add_owner(session, "抄写公司", complaint_address="投诉@copier.example")
    made = a_case(engine, 1, other_key=f"owner:{owner.id}", other_owner_id=owner.id)

    page = viewer.get(f"/cases/{made.id}/letter").text

    assert "致：抄写公司\n投诉@copier.example" in page
    assert "县报社" in page


@pytest.mark.parametrize("kind", WRITERS)
def test_the_edited_letter_is_saved_as_a_file(engine: Engine, viewer: FlaskClient, kind: str) -> None:
    answer = save_as(viewer, a_case(engine, 1), kind, "抬头\n\n我改过的正文 <b>")

    assert answer.content_type == WRITERS[kind][0]
    assert answer.headers["Content-Disposition"].endswith(f".{kind}")
    if kind == "docx":
        assert [one.text for one in docx.Document(io.BytesIO(answer.data)).paragraphs] == [
            "抬头",
            "",
            "我改过的正文 <b>",
        ]
    elif kind == "txt":
        assert answer.data.decode("utf-8-sig") == "抬头\r\n\r\n我改过的正文 <b>"
    else:
        assert "我改过的正文 &lt;b&gt;" in answer.text


@pytest.mark.parametrize(("kind", "language"), [("exe", "zh"), ("docx", "de"), ("", "zh")])
def test_a_file_of_no_kind_or_language_is_refused(
    engine: Engine, viewer: FlaskClient, kind: str, language: str
) -> None:
    assert save_as(viewer, a_case(engine, 1), kind, language=language).status_code == 400


def test_a_letter_of_any_characters_can_be_written() -> None:
    wild = "\x00\x0b\ud800\ufffe 甲\n\u202e"

    assert docx.Document(io.BytesIO(as_word(wild, "zh"))).paragraphs
    assert as_text(wild, "zh").startswith(b"\xef\xbb\xbf")
    assert b"<body>" in as_page(wild, '"><script>')
    assert b'"><script>' not in as_page(wild, '"><script>')


def copier(**fields: object) -> Copier:
    known: dict[str, object] = {
        "name": "抄写公司", "complaint_address": "", "registration": "", "our_owner": "县报社", "items": (),
        "left_out": 0, "undecided": 0, "made_at": datetime(2026, 3, 1, tzinfo=UTC), "made_by": "甲",
    }  # fmt: skip
    return Copier(**(known | fields))  # type: ignore[arg-type]  # as keywords


def test_what_is_filled_in_is_not_looked_at_again() -> None:
    text = filled(
        "{copier} {owner} {unheard}",
        copier(name="{owner}"),
        (),
        today=date(2026, 3, 1),
        deadline=date(2026, 3, 11),
        head=None,
    )

    assert text == "{owner} 县报社 {unheard}"


def test_hidden_characters_of_names_are_shown() -> None:
    assert "⟪U+202E⟫" in filled(
        "{copier}", copier(name="抄\u202e写"), (), today=date(2026, 3, 1), deadline=date(2026, 3, 11), head=None
    )


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_program_s_own_wording_names_nothing_unknown_and_uses_what_matters(language: str) -> None:
    assert unknown_placeholders(own_wording(language)) == []
    for name in ("copier", "owner", "list", "deadline", "date"):
        assert f"{{{name}}}" in own_wording(language), name
    assert set(PLACEHOLDERS) >= {"address", "count", "pages", "head"}


def manager_at(engine: Engine) -> FlaskClient:
    add_person(engine, role=AccountRole.MANAGER, name="主管")
    client = make_app(engine).test_client()
    let_in(client, name="主管")
    return client


def word_anew(client: FlaskClient, body: str, **fields: str) -> TestResponse:
    form = {"csrf_token": csrf_token(client, "/letters/takedown"), "language": "zh", "act": "save", "body": body}
    return client.post("/letters/takedown", data=form | fields)


def test_a_manager_words_the_letter_again(engine: Engine) -> None:
    client, made = manager_at(engine), a_case(engine, 1)

    assert word_anew(client, "您好，{copier}：\n{list}").status_code == 302

    page = client.get(f"/cases/{made.id}/letter").text
    letter = page[page.index("<textarea") : page.index("</textarea>")]
    assert "您好，copier.example：" in letter
    assert "侵权通知书" not in letter
    assert "Notice of infringement" in client.get(f"/cases/{made.id}/letter?language=en").text
    assert "由 主管 修改" in client.get("/letters/takedown?language=zh").text
    assert word_anew(client, "", act="reset").status_code == 302
    assert "侵权通知书" in client.get(f"/cases/{made.id}/letter").text
    with engine.begin() as connection:
        acts = list(
            connection.execute(sql("SELECT act FROM audit_event WHERE act LIKE 'letter.%' ORDER BY id")).scalars()
        )
    assert acts == ["letter.change", "letter.reset"]


@pytest.mark.parametrize(
    ("body", "said"), [("{copier} {nobody}", "没有这些占位名称：nobody"), ("  ", "通知书内容不能为空")]
)
def test_a_wording_that_cannot_be_filled_is_refused_and_kept_in_the_form(engine: Engine, body: str, said: str) -> None:
    answer = word_anew(manager_at(engine), body)

    assert answer.status_code == 422
    assert said in answer.text
    assert body.strip() in answer.text


def test_an_over_long_wording_or_no_language_is_refused(engine: Engine) -> None:
    client = manager_at(engine)

    assert word_anew(client, "长" * 30_000).status_code == 413
    assert word_anew(client, "好", language="../zh").status_code == 400


def test_only_managers_word_letters(engine: Engine) -> None:
    client = client_of_person(engine, role=AccountRole.REVIEWER)
    made = a_case(engine, 1)

    assert client.get("/letters/takedown").status_code == 403
    form = {"csrf_token": csrf_token(client, f"/cases/{made.id}/letter"), "language": "zh", "body": "x"}
    assert client.post("/letters/takedown", data=form).status_code == 403
    assert "/letters/takedown" not in client.get(f"/cases/{made.id}/letter").text


def test_letters_need_their_token(engine: Engine, viewer: FlaskClient) -> None:
    made = a_case(engine, 1)

    assert viewer.post(f"/cases/{made.id}/letter", data={"text": "x", "as": "txt", "language": "zh"}).status_code == 400


def test_a_statement_lists_all_cases_of_one_owner_with_their_sums(engine: Engine, viewer: FlaskClient) -> None:
    first = a_case(engine, 1, chars=100)
    a_case(engine, 2, CaseState.DISMISSED, chars=250)
    a_case(engine, 3, CaseState.WITHDRAWN)
    a_case(engine, 4, other_key="host:another.example", other_host="another.example")

    page = viewer.get(f"/cases/{first.id}/statement").text
    table = list(
        csv.DictReader(io.StringIO(viewer.get(f"/cases/{first.id}/statement?as=csv").data.decode("utf-8-sig")))
    )

    assert "第1篇" in page
    assert "第2篇" in page
    assert "第3篇" not in page
    assert "第4篇" not in page
    assert [row["我方文章"] for row in table] == ["第2篇", "第1篇", "合计"]
    assert (table[-1]["字数"], table[-1]["页面"]) == ("350", "2")


def test_a_statement_can_be_had_in_every_format(engine: Engine, viewer: FlaskClient) -> None:
    made = a_case(engine, 1)

    page = viewer.get(f"/cases/{made.id}/statement?as=html&language=en")
    book = openpyxl.load_workbook(io.BytesIO(viewer.get(f"/cases/{made.id}/statement?as=xlsx").data))

    assert "Copies of our articles at copier.example" in page.text
    assert "/static/" not in page.text
    assert book.worksheets[0].max_row == 3


@needs_browser
def test_a_statement_is_printed(engine: Engine, viewer: FlaskClient) -> None:
    answer = viewer.get(f"/cases/{a_case(engine, 1).id}/statement?as=pdf&language=en")

    assert "copier.example" in PdfReader(io.BytesIO(answer.data)).pages[0].extract_text()


def test_pages_that_went_are_distinguished_from_those_that_stand(engine: Engine) -> None:
    made = a_case(engine, 1)
    with engine.begin() as connection:
        connection.execute(sql("UPDATE page SET gone_at = now() WHERE id = :id"), {"id": made.theirs.page_id})
    with transaction(engine) as session:
        found = lines_of_cases(session, [made.id], limit=9)

    assert found == {
        made.id: [CopyLine(made.id, "https://copier.example/1", COPY.title, 28, 0.71, Credit.NONE, (), stands=False)]
    }


def test_formulas_in_a_statement_are_text(engine: Engine, viewer: FlaskClient) -> None:
    copy, source = COPY, replace(SOURCE, title=HOSTILE)
    made = store_case(engine, copy=copy, source=source)

    answer = viewer.get(f"/cases/{made.id}/statement?as=csv&undecided=1").data.decode("utf-8-sig")

    assert f"'{HOSTILE}" in answer


def test_a_statement_holds_undecided_cases_on_request_and_its_totals_are_over_all(
    engine: Engine, viewer: FlaskClient
) -> None:
    first = a_case(engine, 1, chars=100)
    a_case(engine, 2, CaseState.NEW, chars=250)

    page, asked = (viewer.get(f"/cases/{first.id}/statement{query}").text for query in ("", "?undecided=1"))

    assert "第2篇" not in page
    assert "包括未判定的案件（1 件）" in page
    assert "第2篇" in asked
    with transaction(engine) as session:
        states = {CaseState.CONFIRMED, CaseState.NEW}
        totals = handout.totals_of_copier(session, "host:copier.example", states=states)
    assert sorted((one.state, one.cases, one.pages, one.captured, one.chars) for one in totals) == [
        (CaseState.CONFIRMED, 1, 1, 0, 100),
        (CaseState.NEW, 1, 1, 0, 250),
    ]
