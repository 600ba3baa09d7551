"""One screen to review: texts, decisions and facts on the page of a case and on those of its hits."""

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient
from sqlalchemy import Engine

from admin.web.services import Services
from crawler.evidence.keeper import Keeper
from crawler.evidence.pictures import PNG
from crawler.evidence.record_files import EvidenceFolder
from crawler.evidence.recordings.page_recording import PageRecorder
from storage.engine import transaction
from storage.records.evidence import EvidenceKind
from storage.records.matches import Passage
from storage.takedowns import recaptures
from storage.types import AccountRole, CaseKind, CaseQueue, CaseState, Credit, MatchKind, Sight
from tests.support.case_actions import a_case, state_of
from tests.support.cases import store_case
from tests.support.desk_client import (
    COPY,
    SOURCE,
    add_person,
    app_with,
    client_of_person,
    csrf_token,
    let_in,
    store_hit,
)
from tests.support.evidence.evidence import AT, a_response
from tests.support.evidence.recordings import a_recording


@pytest.fixture
def client(engine: Engine) -> FlaskClient:
    return client_of_person(engine)


def lit(page: str) -> list[str]:
    """The entries of the main menu that are marked as where one is."""
    menu = page[page.index('aria-label="主菜单"') :]
    return re.findall(r'aria-current="page">(.*?)</a>', menu[: menu.index("</nav>")])


def test_a_case_shows_both_texts_the_decisions_and_the_facts(client: FlaskClient, engine: Engine) -> None:
    case = store_case(engine)

    page = client.get(f"/cases/{case.id}").text

    assert page.index('name="to" value="confirmed"') < page.index('id="pane-c"') < page.index('class="steps-line"')
    assert "老桥修好了，来往的人又多" in page[page.index('id="pane-c"') : page.index('id="pane-s"')]
    for words in ("改动", "未注明", "未授权", "排队中", "我方发布", "对方发布", "发函"):
        assert words in page, words


def facts_of(client: FlaskClient, case_id: int) -> str:
    page = client.get(f"/cases/{case_id}").text
    return page[page.index("facts-panel") : page.index("</section>", page.index("facts-panel"))]


@pytest.mark.parametrize(
    "doubt", [{"queue": CaseQueue.AGENCY}, {"queue": CaseQueue.SHARED_PASSAGE}, {"kind": CaseKind.RETOLD}]
)
def test_where_nobody_is_accused_no_credit_is_missed_and_no_letter_awaited(
    client: FlaskClient, engine: Engine, doubt: dict[str, Any]
) -> None:
    case = store_case(engine, **doubt)

    assert [word in facts_of(client, case.id) for word in ("未注明", "发函", "已删除")] == [False, False, True]
    page = client.get(f"/cases/{case.id}").text
    assert [said in page for said in (f"/cases/{case.id}/notices", "未注明来源")] == [False, False]


def test_a_credit_that_was_given_is_shown_everywhere(client: FlaskClient, engine: Engine) -> None:
    case = store_case(engine, queue=CaseQueue.AGENCY, credit=Credit.LINKED)

    assert "credit-linked" in facts_of(client, case.id)


def test_the_page_of_a_hit_has_the_bar_of_its_case_and_lights_the_cases(client: FlaskClient, engine: Engine) -> None:
    case = store_case(engine)

    page = client.get(f"/hits/{case.hit_id}?sort=oldest").text

    assert lit(page) == ["案件"]
    assert f'action="/cases/{case.id}/move?sort=oldest"' in page
    assert 'class="steps-line"' in page


def test_the_page_of_a_hit_without_a_case_has_no_decisions(client: FlaskClient, engine: Engine) -> None:
    with transaction(engine) as session:
        hit_id = store_hit(session)

    page = client.get(f"/hits/{hit_id}").text

    assert lit(page) == ["命中"]
    assert 'name="to"' not in page


def test_a_case_whose_match_is_gone_still_shows_both_texts(client: FlaskClient, engine: Engine) -> None:
    with transaction(engine) as session:
        case_id = a_case(session, 1)

    page = client.get(f"/cases/{case_id}").text

    assert 'id="pane-c"' in page
    assert 'id="pane-s"' in page
    assert "命中记录已不存在" in page


@pytest.mark.parametrize("queue", [CaseQueue.AGENCY, CaseQueue.SHARED_PASSAGE])
def test_where_it_is_open_whether_anything_was_copied_the_texts_are_called_ours_and_theirs(
    client: FlaskClient, engine: Engine, queue: CaseQueue
) -> None:
    page = client.get(f"/cases/{store_case(engine, queue=queue).id}").text

    texts = page[page.index('class="shares-line"') : page.index('id="pane-s"')]
    assert "<b>67%</b> 对方文字见于我方" in texts
    assert "<b>75%</b> 我方文字见于对方" in texts
    assert "疑似抄袭文 " not in texts
    assert "取自原文" not in texts


def test_what_is_left_out_lowers_the_shares_of_this_page_only(client: FlaskClient, engine: Engine) -> None:
    case = store_case(engine)

    whole, short = (client.get(f"/cases/{case.id}{query}").text for query in ("", "?short=50"))
    made_up = client.get(f"/cases/{case.id}?short=7&without=x&without=99999999999999999999&quotes=maybe").text

    assert "<b>67%</b> 疑似抄袭文取自原文" in whole
    assert "<b>0%</b> 疑似抄袭文取自原文" in short
    assert "全部计入时为 67% 和 75%" in short
    assert "<b>67%</b> 疑似抄袭文取自原文" in made_up, "what means nothing leaves nothing out"
    assert "<dd>71%</dd>" in short, "the figures of the case do not change"


def test_each_source_has_its_colour_and_all_but_three_are_folded(client: FlaskClient, engine: Engine) -> None:
    case = store_case(engine)
    with transaction(engine) as session:
        others = [
            store_hit(
                session,
                source=replace(
                    SOURCE, url=f"https://w.example/{number}", text=f"第{number}篇：茶馆也开了门", title=f"茶馆{number}"
                ),
                passages=[Passage(27 + number % 3, 32, 4, 8, 1.0)],
                kind=MatchKind.MOSAIC,
            )
            for number in range(5)
        ]

    page = client.get(f"/cases/{case.id}?without={others[0]}").text

    sources = page[page.index('class="sheet mosaic"') :]
    assert "另有 2 篇原文" in sources or "另有 3 篇原文" in sources or "另有 1 篇原文" in sources
    assert sources.count('class="strip"') == 6
    assert f'name="without" value="{others[0]}" form="counting" checked' in sources
    assert f'href="/hits/{others[1]}"' in sources


@pytest.fixture
def with_files(engine: Engine, tmp_path: Path) -> FlaskClient:
    """A desk that reads the files of the evidence in `tmp_path`."""
    add_person(engine, role=AccountRole.REVIEWER)
    client = app_with(Services(engine=engine, secret_key="for tests", home=tmp_path)).test_client()
    let_in(client)
    return client


def test_the_captured_page_is_shown_as_a_picture(with_files: FlaskClient, engine: Engine, tmp_path: Path) -> None:
    case = store_case(engine)
    address = f"/cases/{case.id}/picture/{case.theirs.page_id}"
    assert with_files.get(address).status_code == 404
    keeper = Keeper(engine, EvidenceFolder(tmp_path))
    picture = PNG + b"picture"
    keeper.keep_content(picture, "image/png", url=COPY.url, at=AT, kind=EvidenceKind.SCREENSHOT)

    page, answer = with_files.get(f"/cases/{case.id}"), with_files.get(address)

    assert f'<img src="{address}"' in page.text
    assert (answer.data, answer.content_type) == (picture, "image/png")
    assert with_files.get(f"/cases/{case.id}/picture/{case.ours.page_id}").status_code == 404, "no page of theirs"


def test_a_long_page_is_shown_in_its_parts(with_files: FlaskClient, engine: Engine, tmp_path: Path) -> None:
    case = store_case(engine)
    PageRecorder(Keeper(engine, EvidenceFolder(tmp_path))).keep(a_recording(), COPY.url, judged=None)
    address = f"/cases/{case.id}/picture/{case.theirs.page_id}"

    page = with_files.get(f"/cases/{case.id}").text

    assert f'<img src="{address}"' in page
    assert re.findall(rf'href="{address}\?part=(\d+)"', page) == ["2"]
    shown = [with_files.get(f"{address}?part={part}").data for part in ("1", "2", "0", "-5", "x")]
    assert [data[-1:] for data in shown] == [b"\0", b"2", b"\0", b"\0", b"\0"]
    assert with_files.get(f"{address}?part=3").status_code == 404


def test_a_failed_capture_says_why_and_is_tried_again(client: FlaskClient, engine: Engine) -> None:
    case = store_case(engine)
    with transaction(engine) as session:
        recaptures.record(
            session, case.id, case.theirs.page_id, at=AT, entry=1, refusal="unreachable", sight=Sight.UNREADABLE
        )

    page = client.get(f"/cases/{case.id}").text
    assert "取证失败：无法连接" in page
    token = csrf_token(client, "/account")
    answer = client.post(f"/cases/{case.id}/capture-again?sort=oldest", data={"csrf_token": token})

    assert answer.location == f"/cases/{case.id}?sort=oldest"
    page = client.get(answer.location).text
    assert "已重新安排取证：1 个页面" in page
    assert "排队中" in page


def test_an_undo_says_what_is_again_as_it_was_and_can_be_redone(client: FlaskClient, engine: Engine) -> None:
    case = store_case(engine)
    form = {"csrf_token": csrf_token(client, "/account")}
    client.post(f"/cases/{case.id}/move", data={**form, "to": "dismissed", "because": "quotation", "expected": "new"})
    (event,) = re.findall(r'name="event" value="(\d+:\d+)"', client.get(f"/cases/{case.id}").text)
    client.post("/cases/undo", data={**form, "event": event})

    page = client.get(f"/cases/{case.id}").text
    assert "恢复为“新案件”" in page
    (undone,) = re.findall(r'name="undone" value="(\d+:\d+)"', page)
    assert "恢复为" not in client.get(f"/cases/{case.id}").text, "it is told once"
    answer = client.post("/cases/redo", data={**form, "undone": undone})

    assert state_of(engine, case.id) is CaseState.DISMISSED
    assert "合理引用" in client.get(answer.location).text
    again = client.post("/cases/redo", data={**form, "undone": undone})
    assert "未能全部重做" in client.get(again.location).text
    assert client.post("/cases/redo", data={**form, "undone": "x:1"}).status_code == 400
    assert client.post("/cases/redo", data=form).status_code == 400


def test_after_a_redo_the_next_case_opens_as_after_the_decision(client: FlaskClient, engine: Engine) -> None:
    with transaction(engine) as session:
        _last, following, case = (a_case(session, number) for number in range(1, 4))
    form = {"csrf_token": csrf_token(client, "/account")}
    client.post(f"/cases/{case}/move", data={**form, "to": "confirmed", "expected": "new"})
    (event,) = re.findall(r'name="event" value="(\d+:\d+)"', client.get(f"/cases/{case}").text)
    client.post("/cases/undo", data={**form, "event": event})
    (undone,) = re.findall(r'name="undone" value="(\d+:\d+)"', client.get(f"/cases/{case}").text)

    answer = client.post("/cases/redo", data={**form, "undone": undone})

    assert answer.location == f"/cases/{following}?done={case}"


def test_a_picture_in_the_evidence_needs_a_file_that_is_one(
    with_files: FlaskClient, engine: Engine, tmp_path: Path
) -> None:
    case = store_case(engine)
    keeper = Keeper(engine, EvidenceFolder(tmp_path))
    keeper.keep_version(a_response(1, url=COPY.url, body=COPY.text.encode()), url=COPY.url, text=COPY.text)
    keeper.keep_content(b"<script>", "image/png", url=COPY.url, at=AT, kind=EvidenceKind.SCREENSHOT)

    assert with_files.get(f"/cases/{case.id}/picture/{case.theirs.page_id}").status_code == 404


def test_a_case_shows_its_neighbours_in_the_order_of_the_list(client: FlaskClient, engine: Engine) -> None:
    with transaction(engine) as session:
        ids = [a_case(session, number, title=f"<b>第{number}篇") for number in range(1, 12)]

    page = client.get(f"/cases/{ids[4]}?sort=oldest").text
    strip = page[page.index("所在列表") :]
    strip = strip[: strip.index("</nav>")]
    linked = [int(number) for number in re.findall(r'href="/cases/(\d+)\?sort=oldest"', strip)]
    assert linked == [*ids[2:4], *ids[5:10]]
    assert re.search(r'aria-current="true">.*?&lt;b&gt;第5篇', strip, re.DOTALL)
    assert "<b>第" not in strip.replace("<b><bdi>", "")

    alone = client.get(f"/cases/{ids[4]}?text=第5篇").text
    assert 'class="panel in-list"' not in alone
