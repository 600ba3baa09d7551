"""Texts that prove nothing, at the desk: the preview comes before the act, and the act can be withdrawn."""

import re
from collections.abc import Iterator
from io import BytesIO

import pytest
from flask.testing import FlaskClient
from sqlalchemy import Engine
from werkzeug.test import TestResponse

from matcher.worker import backlog as worker
from storage.accounts import audit_log
from storage.accounts.audit_log import AuditFilter
from storage.cases import listing
from storage.engine import make_engine, transaction
from storage.fingerprints import set_aside as stored
from storage.matches import hits
from storage.records.cases import CaseRecord
from storage.types import AccountRole, CaseState, Rights, SiteRole
from tests.support.desk_client import add_person, client_of_person, csrf_token, let_in, make_app
from tests.support.factories import a_site, an_article, save, story, text_of

PARAGRAPH = story("balcony-garden")[:360]
_SEEN = re.compile(r'name="seen" value="([0-9a-f]{64})"')


def around(number: int) -> str:
    text = text_of(number)
    return f"{text[:300]}\n{PARAGRAPH}\n{text[300:]}"


@pytest.fixture
def desk_engine(clean_database_url: str) -> Iterator[Engine]:
    """Three articles of ours, of each of which two pages of others have one paragraph."""
    engine = make_engine(clean_database_url)
    with transaction(engine) as session:
        ours = a_site(session, "河畔", owner="河畔", role=SiteRole.ORIGINAL, host="ours.example", rights=Rights.OWN)
        other = a_site(session, "抄写网", owner="抄写公司", host="other.example")
        save(
            session,
            *(an_article(f"https://ours.example/{one}", around(one), site_id=ours.id) for one in (1, 2, 3)),
            *(an_article(f"https://other.example/{one}", around(one), hours=one, site_id=other.id) for one in (11, 12)),
        )
    assert worker.work_off(engine, should_stop=lambda: False).failed == 0
    yield engine
    engine.dispose()


@pytest.fixture
def reviewer(desk_engine: Engine) -> FlaskClient:
    return client_of_person(desk_engine)


def cases_of(engine: Engine) -> list[CaseRecord]:
    with transaction(engine) as session:
        return listing.list_cases(session)


def send(client: FlaskClient, path: str, **form: str) -> TestResponse:
    return client.post(path, data={"csrf_token": csrf_token(client, "/account"), **form})


def test_a_passage_of_a_hit_is_set_aside_after_its_effect_was_shown(reviewer: FlaskClient, desk_engine: Engine) -> None:
    before = {case.id: case.state for case in cases_of(desk_engine)}
    assert len(before) >= 3
    with transaction(desk_engine) as session:
        hit = hits.list_hits(session)[0]
    assert f"/set-aside/hits/{hit.id}?passage=1" in reviewer.get(f"/hits/{hit.id}").text

    preview = reviewer.get(f"/set-aside/hits/{hit.id}?passage=1")
    assert preview.status_code == 200
    assert PARAGRAPH[20:60] in preview.text
    assert set(before.values()) == {CaseState.NEW}  # looking changes nothing
    assert {case.id: case.state for case in cases_of(desk_engine)} == before
    form = {"text": PARAGRAPH, "scope": "everywhere", "hit": str(hit.id)}
    unseen = send(reviewer, "/set-aside", **form, act="set-aside")
    seen = _SEEN.search(unseen.text)
    assert unseen.status_code == 422
    assert seen is not None
    refused = send(reviewer, "/set-aside", **form, act="set-aside", seen=seen[1])
    assert refused.status_code == 422  # a third of our articles: somebody has to say so
    done = send(reviewer, "/set-aside", **form, act="set-aside", seen=seen[1], sure="1")

    assert done.status_code == 302
    assert {case.state for case in cases_of(desk_engine)} == {CaseState.WITHDRAWN}
    page = reviewer.get(done.location).text
    assert all(f"/cases/{case_id}" in page for case_id in before)
    assert send(reviewer, f"{done.location}/withdraw").location == done.location
    assert {case.id: case.state for case in cases_of(desk_engine)} == before
    with transaction(desk_engine) as session:
        acts = [event.act for event in audit_log.list_events(session, AuditFilter(), limit=20)]
    assert {"set-aside.add", "set-aside.withdraw"} <= set(acts)


def test_a_text_is_handed_in_as_a_file_and_set_aside_for_one_owner(reviewer: FlaskClient, desk_engine: Engine) -> None:
    notice = text_of(70, chars=300)
    with transaction(desk_engine) as session:
        owner = next(one for one in cases_of(desk_engine)).other_owner_id
    data = {"csrf_token": csrf_token(reviewer, "/account"), "scope": f"owner:owner:{owner}", "act": "preview"}
    data |= {"file": (BytesIO(notice.encode()), "notice.txt")}  # type: ignore[dict-item]  # as the test client takes files
    preview = reviewer.post("/set-aside", data=data)
    seen = _SEEN.search(preview.text)
    assert preview.status_code == 200
    assert seen is not None

    form = {"text": notice, "scope": f"owner:owner:{owner}", "act": "set-aside", "seen": seen[1], "note": "样稿"}
    done = send(reviewer, "/set-aside", **form)

    with transaction(desk_engine) as session:
        (kept,) = stored.list_set_aside(session)
    assert (kept.body, kept.owner, kept.note) == (notice, "抄写公司", "样稿")
    assert f"/set-aside/{kept.id}" == done.location
    assert notice[:40] in reviewer.get("/set-aside").text


@pytest.mark.parametrize(
    ("form", "status"),
    [
        ({"text": ""}, 422),
        ({"text": "短"}, 422),
        ({"text": "字" * 20_001}, 422),
        ({"text": "\0" * 40}, 422),
        ({"text": PARAGRAPH, "scope": "site:987654321"}, 400),
        ({"text": PARAGRAPH, "scope": "owner:host:nowhere.example"}, 400),
        ({"text": PARAGRAPH, "scope": "'; DROP TABLE match; --"}, 400),
        ({"text": PARAGRAPH, "hit": "987654321", "scope": "owner:x"}, 400),
    ],
)
def test_what_cannot_be_set_aside_is_refused_with_words(
    reviewer: FlaskClient, form: dict[str, str], status: int
) -> None:
    assert send(reviewer, "/set-aside", act="preview", **form).status_code == status


def test_a_hit_or_passage_or_text_that_is_not_there_is_not_found(reviewer: FlaskClient, desk_engine: Engine) -> None:
    with transaction(desk_engine) as session:
        hit_id = hits.list_hits(session)[0].id
    missing = (f"/set-aside/hits/{hit_id}?passage=99", "/set-aside/hits/987654321", "/set-aside/987654321")

    for path in (*missing, f"/set-aside/hits/{hit_id}?passage=x"):
        assert reviewer.get(path).status_code == 404


def test_who_may_only_look_sees_the_list_and_sets_nothing_aside(desk_engine: Engine) -> None:
    viewer = client_of_person(desk_engine, role=AccountRole.VIEWER)

    assert 'name="text"' not in viewer.get("/set-aside").text
    assert send(viewer, "/set-aside", text=PARAGRAPH, act="preview").status_code == 403
    assert viewer.get("/set-aside/hits/1").status_code == 403


def test_cases_are_shown_by_page_and_decided_together(reviewer: FlaskClient, desk_engine: Engine) -> None:
    shown = reviewer.get("/cases/pages").text
    groups = shown.split('class="panel page-group"')[1:]
    boxes = re.findall(r'name="case" value="(\d+:new)"', groups[0])
    assert len(boxes) == 3
    assert "1 页，涉及我方 3 篇" in groups[0]
    data = {"csrf_token": csrf_token(reviewer, "/account"), "to": "dismissed", "because": "common-wording"}

    answer = reviewer.post("/cases/pages/decide", data=data | {"case": boxes[:2]})

    states = {case.id: case.state for case in cases_of(desk_engine)}
    decided = [int(box.partition(":")[0]) for box in boxes]
    assert [states[one] for one in decided] == [CaseState.DISMISSED, CaseState.DISMISSED, CaseState.NEW]
    assert f"done={min(decided[:2])}" in answer.location
    stale = reviewer.post("/cases/pages/decide", data=data | {"case": boxes[:1]})
    assert f"#{decided[0]}" in reviewer.get(stale.location).text
    for wrong in (["x:new"], ["1:no-such-state"], ["1"]):
        assert reviewer.post("/cases/pages/decide", data=data | {"case": wrong}).status_code == 400


def test_both_lists_stand_in_english_and_on_an_empty_desk(clean_database_url: str) -> None:
    engine = make_engine(clean_database_url)
    add_person(engine, language="en")
    client = make_app(engine).test_client()
    let_in(client)

    assert "Nothing set aside yet" in client.get("/set-aside").text
    assert "No pages with several open cases" in client.get("/cases/pages").text
    assert "None withdrawn" in client.get("/set-aside?withdrawn=1").text
    engine.dispose()
