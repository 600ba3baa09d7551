"""A letter is sent from its page: what it says is held against the store, and all of its cases are notified at once."""

import html
import io
import re
import unicodedata
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from flask.testing import FlaskClient
from pypdf import PdfReader
from sqlalchemy import Engine, text
from werkzeug.test import TestResponse

from storage.alerts import channels
from storage.cases import actions
from storage.engine import transaction
from storage.letters import letterhead, listing
from storage.records.alerts import NewAddress
from storage.records.correspondence.letters import LetterKind, LetterRecord, LetterState, LetterTab
from storage.types import AccountRole, CaseState, NoticeChannel
from tests.admin.evidence.test_letters import a_case
from tests.support.correspondence.letters import a_picture
from tests.support.desk_client import client_of_person, csrf_token
from tests.support.requirements import needs_browser

ZONE = ZoneInfo("Asia/Shanghai")


@pytest.fixture
def client(engine: Engine) -> FlaskClient:
    return client_of_person(engine)


def mail_server_set(engine: Engine) -> int:
    with transaction(engine) as session:
        new = NewAddress("mail", "mailto://smtp.example?from=a@b.example&to=c@d.example", "c@d.example · smtp.example")
        channel = channels.add_channel(session, "法务信箱", new, language="zh")
        words = {"contact": "林律师", "mail": "legal@ours.example", "signatory": "王主任", "heading": "县报社\n法务部"}
        letterhead.set_letterhead(session, words, mail_channel_id=channel.id, outbox_minutes=10, changed_by="")
    return channel.id


def form_of(client: FlaskClient, case_id: int, query: str = "") -> dict[str, str]:
    """The fields of the page as a browser would send them."""
    page = client.get(f"/cases/{case_id}/letter{query}").text
    found = re.search(r"<textarea[^>]*name=\"text\"[^>]*>\n?(.*?)</textarea>", page, re.S)
    assert found is not None, page
    fields = {"text": html.unescape(found[1])}
    for tag in re.findall(r"<input[^>]*>", page):
        name, value = (re.search(rf'{what}="([^"]*)"', tag) for what in ("name", "value"))
        if name is not None and name[1] in ("csrf_token", "language", "key", "named", "follows", "deadline", "sent"):
            fields[name[1]] = html.unescape(value[1]) if value else ""
    return fields | {"channel": "letter", "recipient": "legal@copier.example"}


def send(client: FlaskClient, case_id: int, way: str = "mail", query: str = "", **fields: str) -> TestResponse:
    form = form_of(client, case_id, query) | {"way": way} | fields
    return client.post(f"/cases/{case_id}/letter/send", data=form)


def only_letter(engine: Engine) -> LetterRecord:
    with transaction(engine) as session:
        (letter,) = listing.list_letters(session, LetterTab.ALL, datetime.now(UTC), limit=9)
    return letter


def body_of(engine: Engine) -> str:
    letter = only_letter(engine)
    with transaction(engine) as session:
        return listing.document(session, letter.id).body


def states(engine: Engine, *ids: int) -> list[CaseState]:
    with transaction(engine) as session:
        return [actions.get_case(session, number).state for number in ids]


def acts(engine: Engine) -> list[str]:
    with engine.begin() as connection:
        asked = text("SELECT act FROM audit_event WHERE act LIKE 'letter%' ORDER BY id")
        return list(connection.execute(asked).scalars())


def test_fifty_cases_are_notified_in_two_acts_and_one_undo(engine: Engine, client: FlaskClient) -> None:
    mail_server_set(engine)
    cases = [a_case(engine, number).id for number in range(1, 51)]
    today = datetime.now(ZONE).date()

    answer = send(client, cases[0])

    assert answer.status_code == 302
    assert set(states(engine, *cases)) == {CaseState.NOTIFIED}
    letter = only_letter(engine)
    assert (letter.state, letter.channel, letter.recipient) == (
        LetterState.WAITING, NoticeChannel.MAIL, "legal@copier.example",
    )  # fmt: skip
    assert (letter.dated, letter.cases, letter.kind) == (today, 50, LetterKind.NOTICE)
    assert letter.deadline == datetime.combine(today + timedelta(days=11), datetime.min.time(), ZONE)
    assert letter.send_at is not None
    assert timedelta(minutes=9) < letter.send_at - datetime.now(UTC) < timedelta(minutes=11)
    assert letter.subject == "侵权通知书 · 县报社"
    assert "林律师" in body_of(engine)
    page = client.get(answer.location).text
    assert "收回" in page
    assert "已通知案件 50 件" in page
    again = client.post(f"/letters/{letter.id}/take-back", data={"csrf_token": csrf_token(client, answer.location)})
    assert again.status_code == 302
    assert set(states(engine, *cases)) == {CaseState.CONFIRMED}
    assert acts(engine) == ["letter.send", "letter.take-back"]


def test_undo_at_the_list_takes_the_letter_back_as_a_whole(engine: Engine, client: FlaskClient) -> None:
    cases = [a_case(engine, number).id for number in (1, 2, 3)]
    send(client, cases[0], "mark")
    with transaction(engine) as session:
        events = [(number, actions.last_decision(session, number)) for number in cases]
    form = {
        "csrf_token": csrf_token(client, "/cases"),
        "event": [f"{number}:{event.id}" for number, event in events if event is not None],
    }

    answer = client.post("/cases/undo", data=form, follow_redirects=True)

    assert "未能全部撤销" not in answer.text
    assert set(states(engine, *cases)) == {CaseState.CONFIRMED}
    assert only_letter(engine).state is LetterState.TAKEN_BACK


def test_a_letter_is_marked_as_sent_with_way_and_day(engine: Engine, client: FlaskClient) -> None:
    case = a_case(engine, 1).id
    yesterday = datetime.now(ZONE).date() - timedelta(days=1)

    send(client, case, "mark", channel="lawyer", recipient="抄写网 法务部", sent=f"{yesterday}")

    letter = only_letter(engine)
    assert (letter.state, letter.channel, letter.is_mail) == (LetterState.SENT, NoticeChannel.LAWYER, False)
    assert (letter.dated, letter.sent_at) == (yesterday, datetime.combine(yesterday, datetime.min.time(), ZONE))
    with transaction(engine) as session:
        (notice,) = actions.notices(session, case)
    assert (notice.recipient, notice.letter_id) == ("抄写网 法务部", letter.id)
    assert f"/letters/{letter.id}" in client.get(f"/cases/{case}").text
    assert acts(engine) == ["letter.mark"]


def test_the_next_step_of_a_confirmed_case_is_the_letter(engine: Engine, client: FlaskClient) -> None:
    page = client.get(f"/cases/{a_case(engine, 1).id}").text

    assert re.search(r'btn-primary" href="/cases/\d+/letter"[^>]*>发函', page)
    assert not re.search(r'btn-primary"[^>]*value="removed"', page)


def test_a_case_whose_entry_was_removed_from_the_text_is_not_notified(engine: Engine, client: FlaskClient) -> None:
    first, second, tenth = (a_case(engine, number).id for number in (1, 2, 10))
    form = form_of(client, first)
    entries = form["text"].split("\n\n")
    form["text"] = "\n\n".join(entry for entry in entries if "county.example/1\n" not in entry)

    client.post(f"/cases/{first}/letter/send", data=form | {"way": "mark"})

    assert states(engine, first, second, tenth) == [CaseState.CONFIRMED, CaseState.NOTIFIED, CaseState.NOTIFIED]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"text": "侵权通知书\n\n2026-01-01"}, "通知书没有列出任何案件"),
        ({"deadline": "2099-01-01"}, "没有写明答复期限 2099-01-01"),
        ({"deadline": "yesterday"}, "日期格式"),
        ({"sent": "2099-01-01"}, "不能晚于今天"),
        ({"recipient": " "}, "请填写收件人"),
    ],
)
def test_a_letter_that_is_not_so_does_not_leave_and_stays_in_the_form(
    engine: Engine, client: FlaskClient, change: dict[str, str], said: str
) -> None:
    case = a_case(engine, 1).id
    form = form_of(client, case) | {"way": "mark"}
    words = form["text"] + "\n我改过"

    answer = client.post(f"/cases/{case}/letter/send", data=form | {"text": words} | change)

    assert answer.status_code == 422
    if said != "日期格式":
        assert said in answer.text
    assert "text" in change or "我改过" in answer.text
    assert states(engine, case) == [CaseState.CONFIRMED]


@pytest.mark.parametrize(
    "recipient", ["a@b.example\r\nBcc: all@evil.example", "a@b.example, c@d.example", "法务部", "<script>", "a@b"]
)
def test_only_one_plain_address_gets_a_mail(engine: Engine, client: FlaskClient, recipient: str) -> None:
    mail_server_set(engine)
    case = a_case(engine, 1).id

    answer = send(client, case, recipient=recipient)

    assert answer.status_code == 422
    assert "<script>" not in answer.text
    assert states(engine, case) == [CaseState.CONFIRMED]


def test_without_a_mail_server_nothing_is_sent_by_mail(engine: Engine, client: FlaskClient) -> None:
    case = a_case(engine, 1).id

    assert "尚未设置用于发送通知书的邮件服务器" in client.get(f"/cases/{case}/letter").text
    assert send(client, case).status_code == 422


def set_state(engine: Engine, case_id: int, state: CaseState) -> None:
    with engine.begin() as connection:
        connection.execute(text('UPDATE "case" SET state = :state WHERE id = :id'), {"state": state, "id": case_id})


@pytest.mark.parametrize("state", [CaseState.DISMISSED, CaseState.LICENSED, CaseState.NOTIFIED, CaseState.REVIEWING])
def test_a_case_that_somebody_else_moved_meanwhile_stops_the_letter(
    engine: Engine, client: FlaskClient, state: CaseState
) -> None:
    first, second = a_case(engine, 1).id, a_case(engine, 2).id
    form = form_of(client, first) | {"way": "mark"}
    set_state(engine, second, state)

    answer = client.post(f"/cases/{first}/letter/send", data=form)

    assert answer.status_code == 422
    assert f"#{second}" in answer.text
    assert states(engine, first) == [CaseState.CONFIRMED]


def test_a_page_that_no_letter_may_name_cannot_be_written_in(engine: Engine, client: FlaskClient) -> None:
    first, second = a_case(engine, 1), a_case(engine, 2)
    form = form_of(client, first.id) | {"way": "mark"}
    with engine.begin() as connection:
        connection.execute(text("UPDATE page SET gone_at = now() WHERE id = :id"), {"id": second.theirs.page_id})

    answer = client.post(f"/cases/{first.id}/letter/send", data=form)

    assert answer.status_code == 422
    assert "https://copier.example/2" in answer.text
    assert states(engine, first.id, second.id) == [CaseState.CONFIRMED, CaseState.CONFIRMED]


@pytest.mark.parametrize(
    "claim", ["我方已对上述页面取证。", f"证据链末端：7:{'ab' * 32}", "We took screenshots of all pages."]
)
def test_captures_that_the_store_does_not_have_cannot_be_claimed(
    engine: Engine, client: FlaskClient, claim: str
) -> None:
    case = a_case(engine, 1).id
    form = form_of(client, case) | {"way": "mark"}

    answer = client.post(f"/cases/{case}/letter/send", data=form | {"text": f"{form['text']}\n\n{claim}"})

    assert answer.status_code == 422
    assert states(engine, case) == [CaseState.CONFIRMED]


def test_no_letter_where_we_may_be_the_copier_and_none_about_undecided_cases(
    engine: Engine, client: FlaskClient
) -> None:
    confirmed, new, other = a_case(engine, 1).id, a_case(engine, 2, CaseState.NEW).id, a_case(engine, 3).id
    form = form_of(client, confirmed) | {"way": "mark"}
    with engine.begin() as connection:
        connection.execute(text("UPDATE \"case\" SET queue = 'we-may-be-copier' WHERE id = :id"), {"id": other})

    assert client.post(f"/cases/{other}/letter/send", data=form).status_code == 409
    assert client.post(f"/cases/{new}/letter/send", data=form_of(client, new) | {"way": "mark"}).status_code == 422
    assert states(engine, confirmed, new, other) == [CaseState.CONFIRMED, CaseState.NEW, CaseState.CONFIRMED]


def test_the_same_form_sent_twice_is_one_letter(engine: Engine, client: FlaskClient) -> None:
    case = a_case(engine, 1, CaseState.NOTIFIED).id
    form = form_of(client, case) | {"way": "mark"}

    first, second = (client.post(f"/cases/{case}/letter/send", data=form) for _ in range(2))

    assert first.location == second.location
    assert only_letter(engine).cases == 1


def test_viewers_read_letters_and_send_none(engine: Engine) -> None:
    viewer = client_of_person(engine, role=AccountRole.VIEWER)
    case = a_case(engine, 1).id
    page = viewer.get(f"/cases/{case}/letter").text

    assert 'name="way"' not in page
    assert viewer.post(f"/cases/{case}/letter/send", data=form_of(viewer, case) | {"way": "mark"}).status_code == 403
    assert viewer.get("/letters").status_code == 200


def paper(pdf: bytes) -> str:
    """All words of a PDF without the numbers at the foot of its pages."""
    pages = PdfReader(io.BytesIO(pdf)).pages
    words = (squeezed(page.extract_text()) for page in pages)
    return "".join(
        found.removeprefix(foot) if found.startswith(foot) else found.removesuffix(foot)
        for found, foot in zip(words, (f"{number}/{len(pages)}" for number in range(1, len(pages) + 1)), strict=True)
    )


RADICALS = str.maketrans("⻚⻓⻔⻋⻅⻉⻛⻜⻢⻥⻦⻨⻩⻰⻳⻬⻮⻄⻆⻤⻣⺠", "页长门车见贝风飞马鱼鸟麦黄龙龟齐齿西角鬼骨民")
"""Where a font draws a radical and a character alike, a PDF may name either; NFKC knows only some of them."""


def squeezed(said: str) -> str:
    """Without blanks, and with the radicals by which a PDF may write characters put back."""
    return re.sub(r"\s", "", unicodedata.normalize("NFKC", said).translate(RADICALS))


@needs_browser
@pytest.mark.parametrize("language", ["zh", "en"])
def test_the_pdf_is_the_stored_letter_to_the_character(engine: Engine, client: FlaskClient, language: str) -> None:
    mail_server_set(engine)
    with transaction(engine) as session:
        letterhead.set_seal(session, a_picture(), changed_by="")
    case = a_case(engine, 1).id
    a_case(engine, 2)

    send(client, case, query=f"?language={language}")

    letter = only_letter(engine)
    body = body_of(engine)
    pdf = client.get(f"/letters/{letter.id}/letter.pdf").data
    assert paper(pdf).removeprefix("县报社法务部") == squeezed(body)
    assert len(PdfReader(io.BytesIO(pdf)).pages[-1].images) == 1
    plain = client.get(f"/letters/{letter.id}/letter.txt").data.decode("utf-8-sig").replace("\r\n", "\n")
    assert plain == body
