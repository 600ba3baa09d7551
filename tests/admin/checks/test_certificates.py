"""Certificates of checks: their numbers, what the document states, who may look them up, and changed files."""

import hashlib
import io
import re
import unicodedata
from urllib.parse import urlsplit

import pytest
from flask.testing import FlaskClient
from hypothesis import given
from hypothesis import strategies as st
from pypdf import PdfReader
from sqlalchemy import Engine
from sqlalchemy import text as sql
from werkzeug.test import TestResponse

from admin.check.certificate_number import LETTERS, check_letter, new_number, read_number
from admin.web.services import Services
from storage.engine import transaction
from storage.types import AccountRole
from tests.support.checks import NUMBER, PDF, PRIVATE, a_certificate
from tests.support.desk_client import add_person, app_with, client_of_person, csrf_token, let_in, make_app
from tests.support.factories import an_article, commit, story


@given(st.integers(0, 14), st.sampled_from(LETTERS))
def test_one_wrong_letter_is_noticed(place: int, letter: str) -> None:
    drawn = "7K3F9Q2MX0RT5B8"
    wrong = drawn[:place] + letter + drawn[place + 1 :]

    assert (check_letter(wrong) == check_letter(drawn)) == (wrong == drawn)


def test_numbers_are_read_as_people_type_them() -> None:
    number = new_number()

    assert read_number(number) == number
    assert read_number(f" {number.lower().replace('-', ' ')} ") == number
    assert read_number(number.replace("-", "–").replace("0", "o").replace("1", "l")) == number
    assert len({new_number() for _ in range(1_000)}) == 1_000


@pytest.mark.parametrize(
    "typed", ["", "ZW", "ZW-" + "0" * 15, "ZW" + "零" * 16, "X" * 10_000, "ZW-7K3F-9Q2M-X0RT-5B8\0"]
)
def test_what_is_no_number_is_none(typed: str) -> None:
    assert read_number(typed) is None


@pytest.fixture
def reviewer(engine: Engine) -> FlaskClient:
    account = add_person(engine)
    with transaction(engine) as session:
        a_certificate(session, account.id)
    client = make_app(engine).test_client()
    let_in(client)
    return client


def words(answer: TestResponse) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]*>", "", answer.text))


def with_file(client: FlaskClient, data: bytes) -> TestResponse:
    form = {"csrf_token": csrf_token(client, f"/certificates/{NUMBER}"), "file": (io.BytesIO(data), "x.pdf")}
    return client.post(f"/certificates/{NUMBER}", data=form)


def test_the_number_leads_to_what_was_compared(reviewer: FlaskClient) -> None:
    answer = reviewer.get(f"/certificates?number={NUMBER.lower()}", follow_redirects=True)

    said = words(answer)
    assert answer.status_code == 200
    assert "部分重复" in said
    assert "40%" in said
    assert "已与库中 12 个站点的 8,000 篇文章比对" in said
    assert "10%，已排除：原文 1 · 引文 · 不足 50 字的片段" in said
    assert "不能证明作者身份" in said
    assert "https://ours.example/story" in answer.text
    assert reviewer.get(f"/certificates/{NUMBER}/file.pdf").data == PDF


def test_a_changed_file_is_told_by_its_hash(reviewer: FlaskClient) -> None:
    assert "逐字节一致" in with_file(reviewer, PDF).text
    assert "与出具时的证明不一致" in with_file(reviewer, PDF + b" ").text
    assert (
        "请先选择证明文件"
        in reviewer.post(
            f"/certificates/{NUMBER}", data={"csrf_token": csrf_token(reviewer, f"/certificates/{NUMBER}")}
        ).text
    )


@pytest.mark.parametrize("number", ["ZW-0000", "%00", "<script>", NUMBER[:-1] + "!", "ZW-0000-0000-0000-0000"])
def test_an_unknown_number_is_said_to_be_unknown(reviewer: FlaskClient, number: str) -> None:
    answer = reviewer.get(f"/certificates/{number}")

    assert answer.status_code == 404
    assert "<script>" not in answer.text.replace("<script src=", "")


def test_without_an_account_the_number_opens_nothing_unless_it_is_switched_on(
    engine: Engine, reviewer: FlaskClient
) -> None:
    stranger = make_app(engine).test_client()

    for path in ("/certificates", f"/certificates/{NUMBER}"):
        answer = stranger.get(path)
        assert answer.status_code == 302
        assert answer.headers["Location"].startswith("/login?next=")
    assert stranger.get(f"/certificates/{NUMBER}/file.pdf").status_code == 302


def test_whoever_has_the_number_reads_no_private_word(engine: Engine, reviewer: FlaskClient) -> None:
    services = Services(engine=engine, secret_key="for tests", public_certificates=True)
    stranger = app_with(services).test_client()

    answer = stranger.get(f"/certificates/{NUMBER}")

    assert answer.status_code == 200
    assert "部分重复" in words(answer)
    assert "8,000" in words(answer)
    assert not [word for word in (PRIVATE, "某人", "ours.example", "老桥修好了", "审核员") if word in answer.text]
    assert "逐字节一致" in with_file(stranger, PDF).text
    assert stranger.get(f"/certificates/{NUMBER}/file.pdf").status_code == 302
    assert stranger.post(f"/certificates/{NUMBER}/withdraw").status_code in (302, 400)


def test_only_its_maker_or_an_administrator_withdraws_it(engine: Engine, reviewer: FlaskClient) -> None:
    add_person(engine, name="别人")
    other = make_app(engine).test_client()
    let_in(other, name="别人")
    path = f"/certificates/{NUMBER}/withdraw"

    assert other.post(path, data={"csrf_token": csrf_token(other, "/check")}).status_code == 403
    assert reviewer.post(path, data={"csrf_token": csrf_token(reviewer, "/check")}).status_code == 302
    assert "不再有效" in reviewer.get(f"/certificates/{NUMBER}").text
    assert reviewer.post(path, data={"csrf_token": csrf_token(reviewer, "/check")}).status_code == 403


def test_guessing_numbers_is_bounded(engine: Engine, reviewer: FlaskClient) -> None:
    answers = [reviewer.get("/certificates?number=x").status_code for _ in range(62)]

    assert answers[-1] == 429


def test_a_certificate_is_issued_and_states_what_the_page_states(engine: Engine) -> None:
    """The one that is printed: text and hash read back from the PDF."""
    commit(engine, [an_article("https://ours.example/story", story(), title="老桥修好了")])
    client = client_of_person(engine)
    form = {"csrf_token": csrf_token(client, "/check"), "text": story()[:500], "title": "我的稿子"}
    address = urlsplit(client.post("/check", data=form).headers["Location"]).path

    answer = client.post(f"{address}/certificate", data={"csrf_token": form["csrf_token"], "short": "50"})

    if answer.status_code == 503:
        assert "本系统无法生成查重证明" in answer.text
        pytest.skip("no browser prints here")
    number = answer.headers["Location"].rpartition("/")[2]
    pdf = client.get(f"/certificates/{number}/file.pdf").data
    printed = squeezed("".join(page.extract_text() for page in PdfReader(io.BytesIO(pdf)).pages))
    assert number in printed
    assert hashlib.sha256(story()[:500].encode()).hexdigest() in printed
    assert [one for one in ("我的稿子", "https://ours.example/story", "四、本证明的局限") if one not in printed] == []
    assert story()[:40].replace("\n", "") not in printed, "the text is not in it"
    with transaction(engine) as session:
        assert (
            session.execute(sql("SELECT count(*) FROM audit_event WHERE act = 'certificate.issue'")).scalar_one() == 1
        )
    assert client_of_role(engine).get(f"/certificates/{number}").status_code == 200


def squeezed(text: str) -> str:
    """Without spaces, and with the characters that some fonts exchange for radicals."""
    return re.sub(r"\s", "", unicodedata.normalize("NFKC", text))


def client_of_role(engine: Engine) -> FlaskClient:
    add_person(engine, name="读者", role=AccountRole.VIEWER)
    client = make_app(engine).test_client()
    let_in(client, name="读者")
    return client
