"""A letter claims only true facts: captures that exist (D1), and nothing against a page that was first (D2)."""

import html
import re
from dataclasses import replace
from pathlib import Path

import pytest
from flask.testing import FlaskClient
from sqlalchemy import Engine
from sqlalchemy import text as sql

from admin.evidence.letter_templates import claims, current_wording, own_wording, without_claims
from admin.identity.language import LANGUAGES
from crawler.evidence.keeper import Keeper
from crawler.evidence.record_files import EvidenceFolder
from storage.accounts.api_tokens import TokenScope
from storage.cases import actions
from storage.desk import letter_templates
from storage.engine import transaction
from storage.errors import MoveNotAllowed
from storage.records.evidence import EvidenceKind
from storage.takedowns import recaptures
from storage.types import AccountRole, CaseQueue, CaseState, LicenceTerm, Sight, Standing
from tests.support.api_tokens import bearer, token_of
from tests.support.case_actions import a_reviewer
from tests.support.cases import StoredCase, keep_responses, store_case
from tests.support.desk_client import COPY, SOURCE, Side, add_person, client_of_person, csrf_token, make_app
from tests.support.evidence.evidence import AT, a_response

OLD_CLAIM = "我方已对上述页面取证并妥善保存（证据链末端：{head}），可供核验。"
OLD_WORDING = f"致：{{copier}}\n\n{{list}}\n\n{OLD_CLAIM}逾期未处理的，我方将依法采取进一步措施。"


def side(number: int) -> Side:
    return replace(COPY, url=f"https://copier.example/{number}", text=f"{COPY.text}{number}")


def a_case(engine: Engine, number: int, state: CaseState = CaseState.CONFIRMED, **fields: object) -> StoredCase:
    source = replace(SOURCE, url=f"https://county.example/{number}", text=f"{SOURCE.text}{number}")
    made = store_case(engine, copy=side(number), source=source, **fields)
    with engine.begin() as connection:
        values = {"state": state, "id": made.id}
        connection.execute(sql('UPDATE "case" SET state = :state, touched = true WHERE id = :id'), values)
    return made


def fail_capture(engine: Engine, home: Path, case: StoredCase, number: int, refusal: str = "unreachable") -> None:
    entry = Keeper(engine, EvidenceFolder(home)).keep_failure(side(number).url, AT, why=refusal)
    with transaction(engine) as session:
        recaptures.record(
            session, case.id, case.theirs.page_id, at=AT, entry=entry.number, refusal=refusal, sight=Sight.UNREADABLE
        )


def read(client: FlaskClient, case: StoredCase, query: str = "") -> tuple[str, str]:
    """The letter itself, and the page around it as words."""
    page = client.get(f"/cases/{case.id}/letter{query}").text
    found = re.search(r"<textarea[^>]*>(.*?)</textarea>", page, re.S)
    words = " ".join(html.unescape(re.sub(r"<[^>]*>", "", page.replace(found[0] if found else "", ""))).split())
    return html.unescape(found[1]) if found else "", words


@pytest.fixture
def reviewer(engine: Engine) -> FlaskClient:
    return client_of_person(engine, role=AccountRole.REVIEWER)


@pytest.mark.parametrize(("language", "claim"), [("zh", "取证"), ("en", "captur")])
def test_d1_where_nothing_was_captured_the_letter_claims_nothing(
    engine: Engine, reviewer: FlaskClient, tmp_path: Path, language: str, claim: str
) -> None:
    case = a_case(engine, 1)
    fail_capture(engine, tmp_path, case, 1)

    letter, words = read(reviewer, case, f"?language={language}")

    assert claim not in letter
    assert "\n\n\n" not in letter
    assert "0 / 1 个页面已取证 · 1 个失败（无法连接）" in words
    assert "立即取证" in words


def test_d1_a_letter_says_which_pages_were_captured(engine: Engine, reviewer: FlaskClient, tmp_path: Path) -> None:
    first, second, _third = a_case(engine, 1), a_case(engine, 2), a_case(engine, 3)
    keep_responses(engine, tmp_path, side(1))
    fail_capture(engine, tmp_path, second, 2)

    letter, words = read(reviewer, first)

    assert "上述页面中注明“已取证”的 1 个，我方已取证" in letter
    marked = [line for line in letter.splitlines() if "已取证 2026-05-04" in line]
    assert len(marked) == 1
    assert letter.splitlines().index(marked[0]) == letter.splitlines().index("   转载：https://copier.example/1") + 1
    assert "1 / 3 个页面已取证 · 1 个失败（无法连接） · 1 个尚未取证" in words


def test_d1_with_every_page_captured_the_letter_says_so(engine: Engine, reviewer: FlaskClient, tmp_path: Path) -> None:
    case = a_case(engine, 1)
    keep_responses(engine, tmp_path, side(1))

    letter, words = read(reviewer, case)

    assert "我方已对上述页面取证并妥善保存（证据链末端：1:" in letter
    assert "1 / 1 个页面已取证" in words
    assert "立即取证" not in words


def test_d1_a_picture_a_404_and_another_page_s_answer_are_no_captures(
    engine: Engine, reviewer: FlaskClient, tmp_path: Path
) -> None:
    case, keeper = a_case(engine, 1), Keeper(engine, EvidenceFolder(tmp_path))
    keeper.keep_content(b"png", "image/png", url=side(1).url, at=AT, kind=EvidenceKind.SCREENSHOT)
    keeper.keep_capture(a_response(1, url=side(1).url, status=404), url=side(1).url, text=None)
    entry = keeper.keep_capture(a_response(2), url="https://copier.example/front", text="首页上的另一篇文章")
    with transaction(engine) as session:
        recaptures.record(
            session, case.id, case.theirs.page_id, at=AT, entry=entry.number, refusal=None, sight=Sight.THERE
        )

    letter, words = read(reviewer, case)

    assert "取证" not in letter
    assert "0 / 1 个页面已取证 · 1 个由其他网址应答，或没有正文" in words


def test_d1_an_answer_that_the_capture_refused_is_none(engine: Engine, reviewer: FlaskClient, tmp_path: Path) -> None:
    case, keeper = a_case(engine, 1), Keeper(engine, EvidenceFolder(tmp_path))
    entry = keeper.keep_capture(a_response(1, url=side(1).url), url=side(1).url, text=side(1).text)
    with transaction(engine) as session:
        recaptures.record(
            session,
            case.id,
            case.theirs.page_id,
            at=AT,
            entry=entry.number,
            refusal="not-an-article",
            sight=Sight.UNREADABLE,
        )

    assert "取证" not in read(reviewer, case)[0]


def test_d1_a_file_that_was_removed_is_no_capture(engine: Engine, reviewer: FlaskClient, tmp_path: Path) -> None:
    case = a_case(engine, 1)
    keep_responses(engine, tmp_path, side(1))
    with engine.begin() as connection:
        connection.execute(sql("UPDATE evidence SET removed_by = 9"))

    assert "取证" not in read(reviewer, case)[0]


@pytest.mark.parametrize("is_kept", [False, True])
def test_d1_an_old_wording_with_the_claim_in_it_does_not_leak_it(
    engine: Engine, reviewer: FlaskClient, tmp_path: Path, is_kept: bool
) -> None:
    case = a_case(engine, 1)
    if is_kept:
        keep_responses(engine, tmp_path, side(1))
    with transaction(engine) as session:
        letter_templates.set_wording(session, "takedown", "zh", OLD_WORDING, changed_by="主管")

    letter, _ = read(reviewer, case)

    assert ("取证" in letter) is is_kept
    assert "逾期未处理的，我方将依法采取进一步措施。" in letter


@pytest.mark.parametrize("is_kept", [False, True])
def test_d1_a_claim_in_other_words_is_left_out_and_reported(
    engine: Engine, reviewer: FlaskClient, tmp_path: Path, is_kept: bool
) -> None:
    case = a_case(engine, 1)
    if is_kept:
        keep_responses(engine, tmp_path, side(1))
    body = "致：{copier}\n{list}\n\n我方已就上述页面办理证据保全。请于 {deadline} 前删除。"
    with transaction(engine) as session:
        letter_templates.set_wording(session, "takedown", "zh", body, changed_by="主管")

    letter, words = read(reviewer, case)

    assert ("证据保全" in letter) is is_kept
    assert ("已从通知书中略去与取证事实不符的语句：“我方已就上述页面办理证据保全。”" in words) is not is_kept
    assert "前删除。" in letter


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_program_s_own_wordings_leave_the_claim_to_the_program(language: str) -> None:
    assert claims(own_wording(language)) == []
    assert "{evidence}" in own_wording(language)


def test_claims_are_found_sentence_by_sentence() -> None:
    wording = "标题\n\n我方已取证。请删除！\nWe captured the\npages. Please reply by {deadline}.\n链末：{head}\n\n致礼"

    assert claims(wording) == ["我方已取证。", "We captured the pages.", "链末：{head}"]
    assert without_claims(wording).split() == ["标题", "请删除！", "Please", "reply", "by", "{deadline}.", "致礼"]
    assert current_wording(OLD_WORDING) == OLD_WORDING.replace(OLD_CLAIM, "{evidence}")


def test_d1_what_failed_is_captured_again_on_request(engine: Engine, reviewer: FlaskClient, tmp_path: Path) -> None:
    case = a_case(engine, 1)
    fail_capture(engine, tmp_path, case, 1)
    with transaction(engine) as session:
        assert case.theirs.page_id not in {one.page_id for one in recaptures.pending(session, limit=9)}

    token = csrf_token(reviewer, f"/cases/{case.id}/letter")
    answer = reviewer.post(f"/cases/{case.id}/captures", data={"csrf_token": token})

    assert answer.location == f"/cases/{case.id}/letter"
    with transaction(engine) as session:
        assert case.theirs.page_id in {one.page_id for one in recaptures.pending(session, limit=9)}
        waiting = session.execute(sql("SELECT task_name FROM zhiwen_queue.procrastinate_jobs")).scalars().all()
    assert waiting == ["capture"]
    assert "1 个尚未取证" in read(reviewer, case)[1]


def test_d1_report_statement_and_bundle_say_what_was_captured(
    engine: Engine, reviewer: FlaskClient, tmp_path: Path
) -> None:
    case = a_case(engine, 1)
    fail_capture(engine, tmp_path, case, 1)

    report, statement = (reviewer.get(f"/cases/{case.id}/{one}?language=en").text for one in ("report", "statement"))

    for page in (report, statement):
        assert "0 / 1 pages captured" in page
    assert "could not be captured · unreachable" in re.sub(r"<[^>]*>", "", report)
    assert "No server response was kept" in report


def they_were_first(engine: Engine, case: StoredCase, confidence: float = 0.73) -> None:
    with engine.begin() as connection:
        values = {"page": case.theirs.page_id, "c": confidence, "hit": case.hit_id}
        connection.execute(sql("UPDATE page_match SET source_page_id = :page, confidence = :c WHERE id = :hit"), values)


def save(client: FlaskClient, case: StoredCase, **fields: str) -> tuple[int, str]:
    form = {"csrf_token": csrf_token(client, "/cases"), "text": "抬头", "as": "txt", "language": "zh", **fields}
    answer = client.post(f"/cases/{case.id}/letter", data=form)
    return answer.status_code, answer.data.decode("utf-8-sig")


def test_d2_there_is_no_letter_against_whoever_was_first(engine: Engine, reviewer: FlaskClient) -> None:
    case = a_case(engine, 1, CaseState.NEW, queue=CaseQueue.WE_MAY_BE_COPIER)
    they_were_first(engine, case)

    answer = reviewer.get(f"/cases/{case.id}/letter")

    assert answer.status_code == 409
    assert "现有线索表明对方页面在先" in answer.text
    assert "我方在先，转回" in answer.text
    assert "权利人" not in answer.text
    assert save(reviewer, case)[0] == 409
    page = reviewer.get(f"/cases/{case.id}").text
    assert f'href="/cases/{case.id}/letter"' not in page
    assert "不生成通知书：对方页面似乎在先。" in page


def test_d2_the_list_where_we_may_be_the_copier_has_verbs_of_its_own(engine: Engine, reviewer: FlaskClient) -> None:
    case = a_case(engine, 1, CaseState.NEW, queue=CaseQueue.WE_MAY_BE_COPIER)

    for address in (f"/cases/{case.id}", "/cases?tab=copier"):
        page = reviewer.get(address).text
        assert "确为我方转载" in page, address
        assert "双方同源" in page, address
        assert "确认抄袭" not in page, address
    assert "我方在先，转回" in reviewer.get(f"/cases/{case.id}").text


def test_d2_a_page_of_ours_that_is_younger_is_left_out_of_the_letter(engine: Engine, reviewer: FlaskClient) -> None:
    first, second = a_case(engine, 1), a_case(engine, 2)
    they_were_first(engine, second)

    letter, words = read(reviewer, first)

    assert "copier.example/1" in letter
    assert "copier.example/2" not in letter
    assert "转载了其中 1 篇，共 1 个页面" in letter
    assert "未列入：1 个页面（对方似乎在先）" in words
    assert reviewer.get(f"/cases/{second.id}/letter").status_code == 409


def test_d2_who_says_that_ours_was_first_is_noted_and_gets_a_letter(engine: Engine, reviewer: FlaskClient) -> None:
    case = a_case(engine, 1, CaseState.NEW, queue=CaseQueue.WE_MAY_BE_COPIER)
    they_were_first(engine, case)
    form = {"csrf_token": csrf_token(reviewer, f"/cases/{case.id}"), "queue": "copied", "expected": "new"}

    assert reviewer.post(f"/cases/{case.id}/queue", data=form).status_code == 302

    with transaction(engine) as session:
        stored = actions.get_case(session, case.id)
        last = actions.history(session, case.id)[-1]
        acts = session.execute(sql("SELECT act FROM audit_event WHERE subject = :s"), {"s": f"#{case.id}"}).scalars()
        assert "case.queue" in set(acts)
    assert (stored.queue, stored.state) == (CaseQueue.COPIED, CaseState.NEW)
    assert (last.kind, last.actor, last.details) == ("queued", "审核员", {"queue": "copied"})
    assert "copier.example/1" in read(reviewer, case)[0]


def test_d2_whoever_was_first_cannot_be_marked_as_notified(engine: Engine) -> None:
    case = a_case(engine, 1, queue=CaseQueue.WE_MAY_BE_COPIER)

    with transaction(engine) as session:
        who = a_reviewer(session, "王编辑")
        with pytest.raises(MoveNotAllowed):
            actions.move_case(session, case.id, CaseState.NOTIFIED, expected=CaseState.CONFIRMED, actor=who)


def test_d2_the_api_says_why_there_is_no_letter(engine: Engine) -> None:
    case, plain = a_case(engine, 1, queue=CaseQueue.WE_MAY_BE_COPIER), a_case(engine, 2)
    account = add_person(engine)
    headers = bearer(token_of(engine, account, [TokenScope.READ, TokenScope.DECIDE]))
    program = make_app(engine).test_client()

    told, other = (program.get(f"/api/v1/cases/{one.id}", headers=headers).get_json() for one in (case, plain))
    path, decision = f"/api/v1/cases/{case.id}/decisions", {"to": "notified", "expected": "confirmed"}
    refused = program.post(path, json=decision, headers=headers)

    assert (told["no_letter"], other["no_letter"]) == ("theirs-first", None)
    assert told["pages"][0]["capture"] == "not-yet"
    assert refused.status_code == 409
    assert refused.get_json()["type"] == "urn:zhiwen:problem:theirs-first"
    assert "We were first" in refused.get_json()["detail"]


@pytest.mark.parametrize(
    ("state", "said"),
    [
        (CaseState.LICENSED, "此转载已获授权"),
        (CaseState.DISMISSED, "此案件已被排除"),
        (CaseState.WITHDRAWN, "已查不到转载"),
        (CaseState.REMOVED, "对方已没有仍在线的转载页面"),
    ],
)
def test_d2_a_letter_contradicts_no_decision(
    engine: Engine, reviewer: FlaskClient, state: CaseState, said: str
) -> None:
    answer = reviewer.get(f"/cases/{a_case(engine, 1, state).id}/letter")

    assert answer.status_code == 409
    assert said in answer.text


def test_d2_licensed_and_gone_pages_are_not_named(engine: Engine, reviewer: FlaskClient) -> None:
    plain, gone = a_case(engine, 1), a_case(engine, 2)
    licensed = a_case(engine, 3, standing=Standing.BREACH, broken_terms=(LicenceTerm.NO_LINK,))
    with engine.begin() as connection:
        connection.execute(sql("UPDATE page SET gone_at = now() WHERE id = :id"), {"id": gone.theirs.page_id})
        connection.execute(sql("UPDATE case_page SET standing = 'licensed' WHERE case_id = :id"), {"id": licensed.id})

    letter, words = read(reviewer, plain)

    assert re.findall(r"copier\.example/(\d)", letter) == ["1"]
    assert "未列入：1 个页面（已授权）" in words
    assert "未列入：1 个页面（已删除）" in words


def test_d2_a_letter_on_what_nobody_decided_needs_a_tick_that_is_noted(engine: Engine, reviewer: FlaskClient) -> None:
    case = a_case(engine, 1, CaseState.NEW)

    assert "以下案件尚未判定" in read(reviewer, case)[1]
    status, page = save(reviewer, case, text="我改过的字")
    assert status == 422
    assert "我改过的字" in page
    assert "有尚未判定的" in page
    assert save(reviewer, case, sure="1") == (200, "抬头")
    with engine.begin() as connection:
        details = connection.execute(sql("SELECT detail FROM audit_event WHERE act = 'evidence.letter'")).scalars()
        assert [one["undecided"] for one in details] == [f"#{case.id}"]


def test_d2_a_letter_on_decided_cases_needs_none(engine: Engine, reviewer: FlaskClient) -> None:
    case = a_case(engine, 1)

    assert save(reviewer, case)[0] == 200
    a_case(engine, 2, CaseState.REVIEWING)
    assert save(reviewer, case)[0] == 200
    assert save(reviewer, case, undecided="1")[0] == 422
