"""A notice is begun, completed, consented to, signed and sent; no other path sends it."""

import io
import re
import zipfile

import pytest
from flask.testing import FlaskClient
from sqlalchemy import Engine, text
from werkzeug.test import TestResponse

from admin.letters.signing import WORDINGS
from storage.accounts.api_tokens import TokenScope
from storage.alerts import channels
from storage.engine import transaction
from storage.letters import letterhead, listing, statements
from storage.records.alerts import NewAddress
from storage.records.correspondence.letters import LetterState
from storage.records.correspondence.notices import NoticeForm
from storage.types import AccountRole, CaseState, Credit
from tests.admin.evidence.test_letters import a_case
from tests.admin.letters.test_sending import acts, form_of, only_letter, states
from tests.support.api_tokens import bearer, token_of
from tests.support.correspondence.notices import INPUTS, SENDER
from tests.support.desk_client import add_person, client_of_person, csrf_token, let_in, make_app

SIGNED = {"statement_1": "1", "statement_2": "1", "signer": "Lin Wang"}


@pytest.fixture
def client(engine: Engine) -> FlaskClient:
    return client_of_person(engine)


def letterhead_set(engine: Engine, *, mail: bool = False, **words: str) -> None:
    known = {name: getattr(SENDER, name) for name in letterhead.WORDS} | words
    with transaction(engine) as session:
        channel = None
        if mail:
            new = NewAddress("mail", "mailto://smtp.example?from=a@b.example&to=c@d.example", "c@d.example")
            channel = channels.add_channel(session, "法务", new, language="zh").id
        letterhead.set_letterhead(session, known, mail_channel_id=channel, outbox_minutes=10, changed_by="")


def begin(client: FlaskClient, case_id: int, form: str = "dmca", **inputs: str) -> str:
    """The address of a new draft that is filled in."""
    token = csrf_token(client, f"/cases/{case_id}/notices")
    path = client.post(f"/cases/{case_id}/notices", data={"csrf_token": token, "form": form}).location
    page = client.get(path).text
    cases = re.findall(r'name="case" value="(\d+)" checked', page)
    client.post(path, data={"csrf_token": token, "case": cases} | INPUTS | inputs)
    return str(path)


def fields_of(client: FlaskClient, path: str) -> dict[str, str]:
    """The hidden fields of the form that sends."""
    page = client.get(path).text
    found = {name: re.search(rf'name="{name}" value="([^"]*)"', page) for name in ("csrf_token", "key", "seen")}
    return {name: match[1] for name, match in found.items() if match} | {
        "recipient": "dmca@host.example",
        "channel": "form",
    }


def send(client: FlaskClient, path: str, way: str = "mark", **fields: str) -> TestResponse:
    known = fields_of(client, path)
    return client.post(f"{path}/send", data={"key": "0" * 32} | known | {"way": way} | fields)


def count_letters(engine: Engine) -> int:
    with engine.begin() as connection:
        return int(connection.execute(text("SELECT count(*) FROM letter")).scalar_one())


def test_a_notification_is_signed_sent_and_kept_with_its_statements(engine: Engine, client: FlaskClient) -> None:
    letterhead_set(engine)
    first, second = a_case(engine, 1).id, a_case(engine, 2).id
    path = begin(client, first)
    page = client.get(path).text
    assert 'name="statement_1" value="1" autocomplete="off" required>' in page
    assert not re.search(r'name="statement_\d"[^>]*checked', page)
    assert 'value="Lin' not in page
    assert page.count("data-copy=") > 8

    answer = send(client, path, **SIGNED)

    assert answer.status_code == 302
    letter = only_letter(engine)
    assert (letter.form, letter.state, letter.cases, letter.language) == (NoticeForm.DMCA, LetterState.SENT, 2, "en")
    assert states(engine, first, second) == [CaseState.NOTIFIED, CaseState.NOTIFIED]
    with transaction(engine) as session:
        kept = statements.statements_of(session, letter.id)
        body = listing.document(session, letter.id).body
    assert tuple(one.wording for one in kept) == WORDINGS[NoticeForm.DMCA]
    assert {one.signer for one in kept} == {"Lin Wang"}
    assert "/s/ Lin Wang" in body
    assert acts(engine)[-1:] == ["letter.mark"]
    shown = client.get(answer.location).text
    assert "under penalty of perjury" in shown
    assert "Lin Wang" in shown
    assert send(client, path, **SIGNED).status_code in (400, 422)
    packet = zipfile.ZipFile(io.BytesIO(client.get(f"/letters/{letter.id}/notice.zip").data))
    assert packet.read("addresses-001.txt").decode().splitlines() == [
        "https://copier.example/1", "https://copier.example/2",
    ]  # fmt: skip
    assert {"notice.txt", "notice.docx", "originals-001.txt", "addresses-by-work.txt"} <= set(packet.namelist())


@pytest.mark.parametrize(
    "lacking",
    [
        {},
        {"statement_1": "1", "signer": "Lin Wang"},
        {"statement_2": "1", "signer": "Lin Wang"},
        {"statement_1": "1", "statement_2": "1"},
        {"statement_1": "1", "statement_2": "1", "signer": " . 1"},
        {"statement_1": "", "statement_2": "1", "signer": "Lin Wang"},
    ],
)
def test_no_way_sends_without_both_statements_and_the_name(
    engine: Engine, client: FlaskClient, lacking: dict[str, str]
) -> None:
    letterhead_set(engine, mail=True)
    path = begin(client, a_case(engine, 1).id)

    answers = [send(client, path, way, **lacking) for way in ("mark", "mail")]

    assert [answer.status_code for answer in answers] == [422, 422]
    assert count_letters(engine) == 0


def test_a_mail_that_is_unknown_is_sent_again_only_with_new_ticks(engine: Engine, client: FlaskClient) -> None:
    letterhead_set(engine, mail=True)
    answer = send(client, begin(client, a_case(engine, 1).id), "mail", **SIGNED)
    letter = only_letter(engine)
    assert letter.state is LetterState.WAITING
    with engine.begin() as connection:
        connection.execute(text("UPDATE letter SET state = 'failed'"))
    page = client.get(answer.location).text
    again = {"csrf_token": csrf_token(client, answer.location)}
    assert 'name="statement_2"' in page

    assert client.post(f"/letters/{letter.id}/send-again", data=again).status_code == 422
    assert only_letter(engine).state is LetterState.FAILED
    assert client.post(f"/letters/{letter.id}/send-again", data=again | SIGNED).status_code == 302
    assert only_letter(engine).state is LetterState.WAITING


def test_neither_a_list_of_cases_nor_a_key_nor_the_api_sends_a_notice(engine: Engine, client: FlaskClient) -> None:
    letterhead_set(engine)
    case = a_case(engine, 1).id
    path = begin(client, case)

    assert not re.search(r'name="way"[^>]*data-key', client.get(path).text)
    app = client.application
    sending = {
        rule.rule for rule in app.url_map.iter_rules() if "POST" in (rule.methods or ()) and "letter" in rule.rule
    }
    assert not any(rule.startswith("/api") for rule in sending)
    plain = client.get(f"/cases/{case}/letter").text
    assert 'name="statement_1"' not in plain
    assert count_letters(engine) == 0


def test_missing_elements_are_named_with_where_to_fill_them_in(engine: Engine, client: FlaskClient) -> None:
    letterhead_set(engine, identity="", telephone="")
    path = begin(client, a_case(engine, 1).id, "regulation", ip_address="")

    page = client.get(path).text

    missing = missing_in(page)
    assert re.findall(r"<b>([^<]+)</b>", missing) == ["有效证件及号码", "电话", "网站 IP 地址"]
    assert missing.count('href="/letters/settings"') == 2
    assert 'href="#inputs"' in missing
    answer = client.post(f"{path}/send", data=fields_of(client, path) | {"way": "mark", "key": "a" * 32} | SIGNED)
    assert answer.status_code == 422
    assert "有效证件及号码、电话" in answer.text
    assert count_letters(engine) == 0

    in_english = client.get(begin(client, a_case(engine, 2).id, "dmca")).text
    assert re.findall(r"<b>([^<]+)</b>", missing_in(in_english)) == ["电话"], "in the language of the desk"


def missing_in(page: str) -> str:
    begun = page.index('class="missing"')
    return page[begun : page.index("</ul>", begun)]


def test_a_doubtful_notice_waits_for_a_second_person_and_a_changed_text_for_another_consent(
    engine: Engine, client: FlaskClient
) -> None:
    letterhead_set(engine)
    add_person(engine, name="乙")
    other = make_app(engine).test_client()
    let_in(other, name="乙")
    path = begin(client, a_case(engine, 1, credit=Credit.NAMED).id)
    assert "该页面注明了来源" in client.get(path).text
    assert send(client, path, **SIGNED).status_code == 422
    token = {"csrf_token": csrf_token(client, path)}
    client.post(f"{path}/ask", data=token)
    own = re.search(r'name="seen" value="([0-9a-f]{64})"', client.get(path).text)
    assert own is None
    seen = re.search(r'name="seen" value="([0-9a-f]{64})"', other.get(path).text)
    assert seen is not None
    assert client.post(f"{path}/consent", data=token | {"seen": seen[1]}).status_code == 409

    given = other.post(f"{path}/consent", data={"csrf_token": csrf_token(other, path), "seen": seen[1]})

    assert given.status_code == 302
    page = client.get(path).text
    assert "乙" in page
    assert 'name="statement_1"' in page
    cases = re.findall(r'name="case" value="(\d+)" checked', page)
    client.post(path, data=token | {"case": cases} | INPUTS | {"explanation": "改了"})
    assert send(client, path, **SIGNED).status_code == 422
    client.post(path, data=token | {"case": cases} | INPUTS)
    assert send(client, path, **SIGNED).status_code == 302
    assert only_letter(engine).form is NoticeForm.DMCA


def test_the_only_person_confirms_ten_minutes_later(engine: Engine, client: FlaskClient) -> None:
    letterhead_set(engine)
    path = begin(client, a_case(engine, 1, credit=Credit.LINKED).id)
    token = {"csrf_token": csrf_token(client, path)}
    client.post(f"{path}/ask", data=token)
    assert 'name="seen"' not in client.get(path).text
    with engine.begin() as connection:
        connection.execute(text("UPDATE letter_consent SET asked_at = asked_at - interval '11 minutes'"))

    seen = re.search(r'name="seen" value="([0-9a-f]{64})"', client.get(path).text)
    assert seen is not None
    assert client.post(f"{path}/consent", data=token | {"seen": "0" * 64}).status_code == 409
    assert client.post(f"{path}/consent", data=token | {"seen": seen[1]}).status_code == 302

    assert send(client, path, **SIGNED).status_code == 302
    with engine.begin() as connection:
        assert connection.execute(text("SELECT way FROM letter_consent")).scalar_one() == "later"


def test_a_letter_in_our_wording_waits_for_the_second_person_too(engine: Engine, client: FlaskClient) -> None:

    case = a_case(engine, 1, credit=Credit.NAMED).id
    form = form_of(client, case) | {"way": "mark"}
    assert client.post(f"/cases/{case}/letter/send", data=form).status_code == 422
    asked = client.post(f"/cases/{case}/letter/ask", data=form)
    with engine.begin() as connection:
        connection.execute(text("UPDATE letter_consent SET asked_at = asked_at - interval '11 minutes'"))
    page = client.get(asked.location).text
    seen = re.search(r'name="seen" value="([0-9a-f]{64})"', page)
    assert seen is not None
    path = str(asked.location)
    client.post(f"{path}/consent", data={"csrf_token": form["csrf_token"], "seen": seen[1]})
    follow = re.search(r'href="(/cases/\d+/letter\?[^"]*draft=[^"]*)"[^>]*>[^<]*</a></p>', client.get(path).text)
    assert follow is not None

    query = "?" + follow[1].replace("&amp;", "&").partition("?")[2]
    again = form_of(client, case, query) | {"way": "mark"}

    assert again["text"] == form["text"].strip()
    changed = again | {"text": again["text"] + "\n此外"}
    assert client.post(f"/cases/{case}/letter/send", data=changed).status_code == 422
    assert path in client.get("/notices").text
    assert client.post(f"/cases/{case}/letter/send", data=again).status_code == 302
    assert "没有草稿" in client.get("/notices").text


def test_an_agency_s_text_has_neither_letter_nor_notice(engine: Engine, client: FlaskClient) -> None:
    letterhead_set(engine)
    made = a_case(engine, 1)
    path = begin(client, made.id)
    with engine.begin() as connection:
        change = text("UPDATE page_version SET rights = 'agency' WHERE page_id = :id")
        connection.execute(change, {"id": made.ours.page_id})

    assert [client.get(f"/cases/{made.id}/{what}").status_code for what in ("letter", "notices")] == [409, 409]
    assert client.get(path).status_code == 409
    answer = client.post(
        f"{path}/send", data={"csrf_token": csrf_token(client, "/cases"), "way": "mark", "key": "a" * 32}
    )
    assert answer.status_code == 409
    assert count_letters(engine) == 0


def test_where_we_may_be_the_copier_there_is_no_notice(engine: Engine, client: FlaskClient) -> None:
    letterhead_set(engine)
    made = a_case(engine, 1)
    path = begin(client, made.id)
    with engine.begin() as connection:
        connection.execute(text("UPDATE \"case\" SET queue = 'we-may-be-copier'"))

    form = {"csrf_token": csrf_token(client, "/cases"), "way": "mark", "key": "a" * 32, "form": "dmca"} | SIGNED
    assert client.get(f"/cases/{made.id}/notices").status_code == 409
    assert [client.post(where, data=form).status_code for where in (f"/cases/{made.id}/notices", f"{path}/send")] == [
        409, 409,
    ]  # fmt: skip
    assert count_letters(engine) == 0


@pytest.mark.parametrize(("language", "said"), [("zh", "草稿"), ("en", "Draft")])
def test_pages_are_in_both_languages_and_readable_for_viewers(engine: Engine, language: str, said: str) -> None:
    reviewer = client_of_person(engine, language=language)
    letterhead_set(engine)
    case = a_case(engine, 1).id
    path = begin(reviewer, case, "wechat")
    add_person(engine, name="看", role=AccountRole.VIEWER)
    viewer = make_app(engine, language=language).test_client()
    let_in(viewer, name="看")

    for address in (f"/cases/{case}/notices", "/notices", path):
        assert viewer.get(address).status_code == 200
        assert said in reviewer.get(address).text
    assert 'name="way"' not in viewer.get(path).text
    assert viewer.post(f"{path}/send", data={"csrf_token": csrf_token(viewer, path)}).status_code == 403
    for kind in ("txt", "docx", "fields", "zip"):
        answer = viewer.get(f"{path}/notice.{kind}")
        assert answer.status_code == 200
        assert answer.headers["Content-Disposition"].startswith("attachment")
    assert viewer.get(f"{path}/notice.exe").status_code == 404
    assert viewer.get("/notices/999999").status_code == 404


def test_hostile_input_is_stored_as_text_and_bounded(engine: Engine, client: FlaskClient) -> None:
    letterhead_set(engine)
    case = a_case(engine, 1).id
    path = begin(client, case, service="<script>alert(1)</script>\0", explanation="{holder}\r\n" * 3)

    page = client.get(path).text

    assert "<script>alert" not in page
    assert "{holder}" in page
    token = {"csrf_token": csrf_token(client, path)}
    assert client.post(path, data=token | {"explanation": "长" * 4_001}).status_code == 413
    assert client.post(f"/cases/{case}/notices", data=token | {"form": "letter"}).status_code == 400
    assert client.post(f"/cases/{case}/notices", data=token | {"form": "x"}).status_code == 400
    assert client.post(f"{path}/send", data=token | {"way": "mark", "key": "x"}).status_code == 400


def test_the_api_lists_letters_with_their_form(engine: Engine, client: FlaskClient) -> None:
    letterhead_set(engine)
    case = a_case(engine, 1).id
    send(client, begin(client, case), **SIGNED)
    account = add_person(engine, name="程序", role=AccountRole.MANAGER)

    program = make_app(engine).test_client()
    path, headers = f"/api/v1/cases/{case}/letters", bearer(token_of(engine, account, frozenset(TokenScope)))
    found = program.get(path, headers=headers).get_json()["items"]

    assert [one["form"] for one in found] == ["dmca"]
    assert program.post(path, json={}, headers=headers).status_code == 405


def test_what_went_to_a_service_is_no_recipient_of_a_letter_to_the_copier(engine: Engine, client: FlaskClient) -> None:
    letterhead_set(engine)
    case_id = a_case(engine, 1).id
    path = begin(client, case_id, "wechat", recipient="abuse@host.example")
    assert '<option value="form" selected>' in client.get(path).text

    assert send(client, path, **SIGNED, recipient="abuse@host.example").status_code == 302

    assert "abuse@host.example" not in client.get(f"/cases/{case_id}/letter").text
    page = client.get(f"/cases/{case_id}").text
    assert f'href="/letters/{only_letter(engine).id}#answer"' in page
    assert f'href="/cases/{case_id}/notices"' in page
