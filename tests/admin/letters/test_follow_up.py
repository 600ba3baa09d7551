"""What follows a letter: lists, answers, reminders, withdrawal; and the letter settings."""

import io
import re
from datetime import UTC, datetime, timedelta

import pytest
from flask.testing import FlaskClient
from PIL import Image
from sqlalchemy import Engine, text

from admin.letters.seal import MOST_BYTES, SIDE, BadPicture, seal_of
from storage.accounts import accounts
from storage.accounts.api_tokens import TokenScope
from storage.engine import transaction
from storage.letters import letterhead
from storage.records.correspondence.letters import LetterKind, LetterState
from storage.types import AccountRole, CaseState
from tests.admin.evidence.test_letters import a_case
from tests.admin.letters.test_sending import acts, form_of, mail_server_set, only_letter, send, states
from tests.support.api_tokens import bearer, token_of
from tests.support.correspondence.letters import a_picture
from tests.support.desk_client import NAME, client_of_person, csrf_token


@pytest.fixture
def client(engine: Engine) -> FlaskClient:
    return client_of_person(engine)


def sent(engine: Engine, client: FlaskClient, *, days_over: int = 0) -> tuple[int, int]:
    """A case and the letter that names it, whose term is over since so many days."""
    case = a_case(engine, 1).id
    send(client, case, "mark")
    letter = only_letter(engine).id
    if days_over:
        with engine.begin() as connection:
            over = datetime.now(UTC) - timedelta(days=days_over)
            connection.execute(text("UPDATE letter SET deadline = :over"), {"over": over})
    return case, letter


def act(client: FlaskClient, letter: int, what: str, **fields: str) -> int:
    form = {"csrf_token": csrf_token(client, f"/letters/{letter}")} | fields
    return client.post(f"/letters/{letter}/{what}", data=form).status_code


def test_the_list_opens_where_something_is_to_be_done(engine: Engine, client: FlaskClient) -> None:
    assert "这里没有通知书" in client.get("/letters").text
    _, letter = sent(engine, client, days_over=2)

    page = client.get("/letters").text

    assert re.search(r'aria-current="page">逾期未答复', page)
    assert f"follows={letter}" in page
    assert f"/letters/{letter}" in client.get("/letters?tab=all").text
    assert client.get("/letters?tab=%00nonsense&page=x").status_code == 200


def test_a_reminder_follows_a_letter_without_an_answer_and_names_what_still_stands(
    engine: Engine, client: FlaskClient
) -> None:
    case, first = sent(engine, client, days_over=2)
    a_case(engine, 2)

    page = client.get(f"/cases/{case}/letter?follows={first}").text
    assert "催告函" in page
    assert "编号" in page
    assert "https://county.example/1" in page
    assert "https://county.example/2" not in page
    assert send(client, case, "mark", query=f"?follows={first}").status_code == 302

    with engine.begin() as connection:
        rows = connection.execute(text("SELECT kind, follows_id FROM letter ORDER BY id")).all()
    assert [tuple(row) for row in rows] == [(LetterKind.NOTICE, None), (LetterKind.REMINDER, first)]
    assert states(engine, case) == [CaseState.NOTIFIED]
    assert client.get(f"/cases/{case}/letter?follows={first}").status_code == 409
    assert act(client, first, "take-back") == 302
    assert "无法收回" in client.get(f"/letters/{first}").text or states(engine, case) == [CaseState.NOTIFIED]


def test_there_is_no_reminder_before_the_term_is_over_and_a_second_letter_after_an_answer(
    engine: Engine, client: FlaskClient
) -> None:
    case, letter = sent(engine, client)
    assert client.get(f"/cases/{case}/letter?follows={letter}").status_code == 409

    assert act(client, letter, "reply", kind="counter-notice", reply="我方有授权") == 302

    assert "再次致函" in client.get(f"/cases/{case}/letter?follows={letter}").text
    assert "反通知" in client.get("/letters?tab=answered").text
    assert "我方有授权" in client.get(f"/cases/{case}").text
    assert client.get(f"/cases/{case}/letter?follows=987654321").status_code == 404
    assert act(client, letter, "reply", kind="nonsense", reply="x") == 400
    assert act(client, letter, "reply", kind="other", reply=" ") == 400


def test_a_letter_is_withdrawn_with_a_reason(engine: Engine, client: FlaskClient) -> None:
    case, letter = sent(engine, client)

    assert act(client, letter, "withdraw", note=" ") == 400
    assert act(client, letter, "withdraw", note="发错了") == 302

    assert states(engine, case) == [CaseState.CONFIRMED]
    assert "发错了" in client.get(f"/letters/{letter}").text
    assert act(client, letter, "withdraw", note="再来") == 404
    assert acts(engine) == ["letter.mark", "letter.withdraw"]


def test_a_mail_that_left_is_not_taken_back(engine: Engine, client: FlaskClient) -> None:
    mail_server_set(engine)
    case = a_case(engine, 1).id
    send(client, case)
    letter = only_letter(engine).id
    assert re.search(r"发送时间 <time", client.get(f"/letters/{letter}").text)
    with engine.begin() as connection:
        connection.execute(text("UPDATE letter SET state = 'unknown', problem = 'x'"))

    assert act(client, letter, "take-back") == 302
    page = client.get(f"/letters/{letter}").text
    assert "无法收回" in page
    assert "是否送达不明" in page
    assert states(engine, case) == [CaseState.NOTIFIED]
    assert act(client, letter, "arrived") == 302
    assert only_letter(engine).state is LetterState.SENT
    assert act(client, letter, "send-again") == 302
    assert only_letter(engine).state is LetterState.SENT


def test_the_api_lists_the_letters_of_a_case(engine: Engine, client: FlaskClient) -> None:
    case, letter = sent(engine, client)
    with transaction(engine) as session:
        account = accounts.account_by_name(session, NAME)
    assert account is not None
    headers = bearer(token_of(engine, account, [TokenScope.READ]))
    other = client.application.test_client()

    found = other.get(f"/api/v1/cases/{case}/letters", headers=headers).get_json()["items"]

    assert [(one["id"], one["state"], one["kind"], one["cases"]) for one in found] == [(letter, "sent", "notice", 1)]
    assert found[0]["sha256"] == only_letter(engine).sha256.hex()
    assert found[0]["answers"] == []
    assert [term["kind"] for term in found[0]["terms"]] == ["answer"]
    assert other.get("/api/v1/cases/987654321/letters", headers=headers).status_code == 404

    day = f"{only_letter(engine).dated:%Y-%m-%d}"
    noted = {"law": "us-dmca", "dated": "", "received": "", "provider_received": day}
    assert act(client, letter, "reply", kind="other", reply="已收到", **noted) == 302
    assert act(client, letter, "reply", kind="counter-notice", reply="我方有授权", **noted) == 302
    came = other.get(f"/api/v1/letters/{letter}/answers", headers=headers).get_json()
    assert [(one["kind"], one["words"], one["law"]) for one in came["items"]] == [
        ("counter-notice", "我方有授权", "us-dmca"), ("other", "已收到", "us-dmca")
    ]  # fmt: skip
    (term,) = came["terms"]
    assert (term["kind"], term["counted_from"]) == ("restored", "provider")
    assert came["items"][0]["provider_received"] < term["first"] < term["last"]
    whole = other.get(f"/api/v1/letters/{letter}", headers=headers).get_json()
    (listed,) = other.get(f"/api/v1/cases/{case}/letters", headers=headers).get_json()["items"]
    assert whole == listed
    assert (whole["answers"], whole["terms"], whole["reply_kind"]) == (came["items"], came["terms"], "counter-notice")
    for path in ("/api/v1/letters/987654321", "/api/v1/letters/987654321/answers"):
        assert other.get(path, headers=headers).status_code == 404
        assert other.get(path).status_code == 401


def save_settings(client: FlaskClient, **fields: object) -> int:
    form = {"csrf_token": csrf_token(client, "/letters/settings"), "outbox_minutes": "15", "mail_channel": ""}
    return client.post("/letters/settings", data=form | fields, content_type="multipart/form-data").status_code


def test_administrators_alone_set_who_writes_letters(engine: Engine) -> None:
    manager = client_of_person(engine, role=AccountRole.MANAGER)
    form = {"csrf_token": csrf_token(manager, "/cases"), "outbox_minutes": "0"}

    assert manager.get("/letters/settings").status_code == 403
    assert manager.post("/letters/settings", data=form).status_code == 403


def test_the_letterhead_is_stored_and_the_seal_is_encoded_again(engine: Engine) -> None:
    client = client_of_person(engine, role=AccountRole.ADMINISTRATOR)
    channel = mail_server_set(engine)

    picture = (io.BytesIO(a_picture("JPEG") + b"<script>"), "x.png")
    assert (
        save_settings(client, organisation="县报社", contact="<b>林</b>", seal=picture, mail_channel=str(channel))
        == 302
    )

    with transaction(engine) as session:
        known, seal = letterhead.letterhead(session), letterhead.seal(session)
    assert (known.organisation, known.contact, known.outbox_minutes) == ("县报社", "<b>林</b>", 15)
    assert known.mail_channel_id == channel
    assert seal is not None
    assert seal.startswith(b"\x89PNG")
    assert b"script" not in seal
    assert client.get("/letters/settings/seal.png").data == seal
    page = client.get("/letters/settings").text
    assert "<b>林" not in page
    assert save_settings(client, no_seal="1") == 302
    assert client.get("/letters/settings/seal.png").status_code == 404
    assert acts(engine)[-4:] == ["letterhead.edit", "letterhead.seal"] * 2


@pytest.mark.parametrize(
    "fields",
    [
        {"outbox_minutes": "-1"}, {"outbox_minutes": "1441"}, {"outbox_minutes": "ten"}, {"mail_channel": "987654321"},
        {"mail": "a@b.example\r\nBcc: c@d.example"}, {"seal": (io.BytesIO(b"<svg/>"), "x.svg")},
    ],
)  # fmt: skip
def test_settings_that_cannot_be_are_refused(engine: Engine, fields: dict[str, object]) -> None:
    client = client_of_person(engine, role=AccountRole.ADMINISTRATOR)

    assert save_settings(client, **fields) == 400
    with transaction(engine) as session:
        assert letterhead.letterhead(session).changed_at is None


def bomb() -> bytes:
    file = io.BytesIO()
    Image.new("1", (9_000, 9_000)).save(file, "PNG")
    return file.getvalue()


@pytest.mark.parametrize(
    "content",
    [b"", b"GIF89a" + bytes(99), a_picture("GIF"), a_picture("BMP"), a_picture()[:40], b"\x89PNG\r\n\x1a\n" + bytes(60),
     bytes(MOST_BYTES + 1), bomb(), "图".encode() * 100],
)  # fmt: skip
def test_what_is_no_small_png_or_jpeg_is_no_seal(content: bytes) -> None:
    with pytest.raises(BadPicture):
        seal_of(content)


@pytest.mark.parametrize("form", ["PNG", "JPEG"])
def test_a_seal_is_made_small(form: str) -> None:
    with Image.open(io.BytesIO(seal_of(a_picture(form, (3_000, 1_500))))) as found:
        assert (found.format, found.size, found.mode) == ("PNG", (SIDE, SIDE // 2), "RGBA")
        assert found.info == {}


def test_a_form_that_was_not_made_by_the_page_is_refused(engine: Engine, client: FlaskClient) -> None:
    case = a_case(engine, 1).id
    form = form_of(client, case) | {"way": "mark"}

    for wrong in ({"key": "x"}, {"way": "post"}, {"language": "de"}, {"channel": "owl"}, {"named": "1:new," * 400}):
        assert client.post(f"/cases/{case}/letter/send", data=form | wrong).status_code == 400, wrong
    for strange in ("", "x:y", f"{case}", f"{case}:nonsense", "9" * 30 + ":new"):
        assert client.post(f"/cases/{case}/letter/send", data=form | {"named": strange}).status_code == 422, strange
    assert client.post(f"/cases/{case}/letter/send", data=form | {"text": "长" * 400_001}).status_code == 413


def test_answers_are_kept_with_their_dates_and_set_terms(engine: Engine, client: FlaskClient) -> None:
    _, letter = sent(engine, client)
    with engine.begin() as connection:
        connection.execute(text("UPDATE letter SET dated = '2026-05-01'"))

    def reply(words: str, **fields: str) -> int:
        return act(client, letter, "reply", kind="counter-notice", reply=words, **fields)

    assert reply("我方有授权", law="cn", received="2026-06-02", dated="2026-06-01") == 302
    assert "第十六、十七条" in client.get(f"/letters/{letter}").text
    assert reply("We object", law="us-dmca", received="2026-06-03", provider_received="2026-06-02") == 302

    page = client.get(f"/letters/{letter}").text
    assert "2026-06-16 – 2026-06-23" in page  # ten and fourteen business days, 19 June is a holiday
    assert page.index("We object") < page.index("我方有授权")
    assert "落款 2026-06-01" in page
    assert "2026-06-16 – 2026-06-23" in client.get("/letters?tab=answered").text
    assert reply("x", law="us-dmca", received="2099-01-01") == 400
    assert reply("x", law="us-dmca", received="2026-06-03", dated="2026-06-04") == 400
    assert reply("x", law="us-dmca", received="2026-04-30") == 400
    assert reply("x", law="us-dmca", received="2026-02-30") == 400
    assert reply("x", law="mars") == 400


def test_a_deadline_on_a_rest_day_ends_on_the_next_working_day_and_unknown_years_are_unconfirmed(
    engine: Engine, client: FlaskClient
) -> None:
    _, letter = sent(engine, client)
    with engine.begin() as connection:
        connection.execute(text("UPDATE letter SET deadline = '2026-10-05T00:00:00+08:00'"))
    page = client.get(f"/letters/{letter}").text
    assert "2026-10-08" in page
    assert "所载日期为休息日" in page
    assert "2026-10-08" in client.get("/letters?tab=all").text

    with engine.begin() as connection:
        connection.execute(text("UPDATE letter SET deadline = '2099-10-02T00:00:00+08:00'"))
    assert "未确认" in client.get(f"/letters/{letter}").text


def test_the_analysis_counts_letters_by_addressee(engine: Engine, client: FlaskClient) -> None:
    assert "尚无通知书" in client.get("/analysis/letters").text
    _, letter = sent(engine, client)
    with engine.begin() as connection:
        connection.execute(text("UPDATE letter SET recipient = 'Legal@<b>copier</b>.example'"))
    act(client, letter, "reply", kind="refused", reply="不删")

    page = client.get("/analysis/letters?days=30").text

    assert "&lt;b&gt;copier&lt;/b&gt;.example" in page
    assert "数量少" in page
    assert client.get("/analysis/letters?days=%00").status_code == 200
