"""Kept results of checks: their address, who may read them, what is left out, and when they are gone."""

import io
import json
import re
from pathlib import Path
from urllib.parse import urlsplit

import docx
import pytest
from flask.testing import FlaskClient
from sqlalchemy import Engine
from sqlalchemy import text as sql
from werkzeug.test import TestResponse

from storage.engine import transaction
from storage.intake import check_files, text_checks
from storage.types import AccountRole, FoundBy, Rights, SiteRole
from tests.support.desk_client import add_person, client_of_person, csrf_token, let_in, make_app
from tests.support.factories import a_site, an_article, commit, story, text_of
from zhiwen.config.settings import Settings
from zhiwen.worker.file_checks import check_files_of_desk

QUOTED = "他说：“" + story()[200:260] + "”"


@pytest.fixture
def reviewer(engine: Engine) -> FlaskClient:
    with transaction(engine) as session:
        paper = a_site(session, "县报", owner="县报社", role=SiteRole.ORIGINAL, rights=Rights.OWN)
    commit(
        engine,
        [an_article("https://县报.example/a", story(), site_id=paper.id, title="老桥修好了", found_by=FoundBy.IMPORT)],
    )
    commit(engine, [an_article("https://other.example/b", text_of(7), title="另一篇", found_by=FoundBy.IMPORT)])
    return client_of_person(engine)


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(home=tmp_path)


def post(client: FlaskClient, path: str, **fields: object) -> TestResponse:
    return client.post(path, data={"csrf_token": csrf_token(client, "/check"), **fields})


def checked(client: FlaskClient, **fields: object) -> str:
    """The address of the result."""
    answer = post(client, "/check", **{"text": story()[:600] + text_of(7)[:400], **fields})
    assert answer.status_code == 303
    return urlsplit(answer.headers["Location"]).path


def share_of(page: str) -> str:
    found = re.search(r'role="status" data-part="sum">\s*<span><b>([^<]+)</b>', page)
    assert found is not None
    return found[1]


def test_a_result_has_an_address_of_its_own_that_is_read_again_without_another_check(reviewer: FlaskClient) -> None:
    address = checked(reviewer, title="我的稿子")

    first, again = reviewer.get(address), reviewer.get(address)

    assert first.status_code == again.status_code == 200
    assert "大部分重复" in again.text
    assert "我的稿子" in again.text
    assert {"src-1", "src-2"} <= set(re.findall(r"of-source (src-\d)", again.text)), "a colour for each source"
    assert len(re.findall(r'class="src-number" href="#source-\d"', again.text)) >= 2, "and its number"


def test_what_is_left_out_changes_the_share_and_nothing_else(reviewer: FlaskClient) -> None:
    address = checked(reviewer)
    everything = reviewer.get(address).text

    shares = {
        query: share_of(reviewer.get(f"{address}?{query}").text) for query in ("without=1", "own=off", "short=200")
    }

    assert share_of(everything) == shares["short=200"] == "99%"
    assert shares["without=1"] == shares["own=off"], "our own article is the largest source"
    assert shares["own=off"] in ("39%", "40%")
    assert "全部计入：99%" in reviewer.get(f"{address}?own=off").text
    assert "大部分重复" in reviewer.get(f"{address}?own=off").text, "the verdict is that of the whole"


def test_a_whole_party_and_quotations_are_left_out(engine: Engine, reviewer: FlaskClient) -> None:
    address = checked(reviewer, text=story()[:400] + QUOTED)
    party = re.search(r'<option value="(owner:\d+)"', reviewer.get(address).text)
    assert party is not None

    assert share_of(reviewer.get(f"{address}?party={party[1]}").text) == "0%"
    assert share_of(reviewer.get(f"{address}?quotes=off").text) < share_of(reviewer.get(address).text)


@pytest.mark.parametrize(
    "query", ["without=x&short=-1&own=1&quotes=1&party=nobody", "without=99999999999999999999", "short=9"]
)
def test_a_query_that_means_nothing_leaves_nothing_out(reviewer: FlaskClient, query: str) -> None:
    assert share_of(reviewer.get(f"{checked(reviewer)}?{query}").text) == "99%"


def test_files_of_a_result_have_what_is_left_out(reviewer: FlaskClient) -> None:
    address = checked(reviewer)

    found = json.loads(reviewer.get(f"{address}/file?as=json&own=off").data)
    table = reviewer.get(f"{address}/file?as=csv&own=off").data.decode("utf-8-sig")

    assert found["share"] == pytest.approx(1, abs=0.01)
    assert found["counted"].pop("share") == pytest.approx(0.4, abs=0.01)
    assert found["counted"] == {"without": [1], "quotations": True, "shorter_than": 0}
    assert [source["number"] for source in found["sources"]] == [1, 2]
    assert max(source["share"] for source in found["sources"]) <= found["share"], "both by characters"
    assert "另一篇" in table
    assert reviewer.get(f"{address}/file?as=exe").status_code == 400


def test_a_result_is_private(engine: Engine, reviewer: FlaskClient) -> None:
    address = checked(reviewer)
    add_person(engine, name="别人")
    other = make_app(engine).test_client()
    let_in(other, name="别人")

    answer = other.get(address)

    assert answer.status_code == 404
    assert story()[:20] not in answer.text
    for path in ("keep", "delete", "certificate"):
        assert post(other, f"{address}/{path}", keep="year").status_code == 404
    assert other.get(f"{address}/file?as=json").status_code == 404
    assert "没有保存的查重结果" in other.get("/check/history").text
    assert reviewer.get(address).status_code == 200


def test_a_result_is_gone_after_an_hour_or_at_once(engine: Engine, reviewer: FlaskClient) -> None:
    kept, late, deleted = checked(reviewer), checked(reviewer), checked(reviewer)
    assert post(reviewer, f"{kept}/keep", keep="month").status_code == 302
    assert post(reviewer, f"{deleted}/delete").status_code == 302
    with transaction(engine) as session:
        session.execute(
            sql(
                "UPDATE text_check SET created_at = created_at - interval '61 minutes', "
                "expires_at = expires_at - interval '61 minutes'"
            )
        )

    assert [reviewer.get(one).status_code for one in (kept, late, deleted)] == [200, 404, 404]
    with transaction(engine) as session:
        assert text_checks.drop_expired(session) == 1
        assert session.execute(sql("SELECT count(*) FROM text_check")).scalar_one() == 1


def test_the_history_lists_ones_own_results_and_clears_them(engine: Engine, reviewer: FlaskClient) -> None:
    checked(reviewer, title="甲稿", keep="year")
    checked(reviewer, title="乙稿")

    page = reviewer.get("/check/history").text
    assert page.index("乙稿") < page.index("甲稿")
    assert post(reviewer, "/check/history/delete").status_code == 302

    assert "没有保存的查重结果" in reviewer.get("/check/history").text
    with transaction(engine) as session:
        acts = session.execute(sql("SELECT act, subject FROM audit_event WHERE act LIKE 'check.%'")).all()
    assert [tuple(one) for one in acts] == [("check.clear", "2")]


def test_a_source_that_was_deleted_meanwhile_is_still_named(engine: Engine, reviewer: FlaskClient) -> None:
    address = checked(reviewer, text=text_of(7))
    with transaction(engine) as session:
        session.execute(sql("DELETE FROM page WHERE url LIKE 'https://other%'"))
        session.execute(sql("DELETE FROM text WHERE id NOT IN (SELECT text_id FROM page_version)"))

    page = reviewer.get(address)

    assert page.status_code == 200
    assert "另一篇" in page.text
    assert "其正文已不在库中" in page.text


def docx_of(text: str) -> bytes:
    file, document = io.BytesIO(), docx.Document()
    for line in text.splitlines():
        document.add_paragraph(line)
    document.save(file)
    return file.getvalue()


def handed_in(client: FlaskClient, files: list[tuple[bytes, str]], **fields: object) -> TestResponse:
    data = {"csrf_token": csrf_token(client, "/check"), "text": "", **fields}
    return client.post("/check", data={**data, "file": [(io.BytesIO(one), name) for one, name in files]})


def test_several_files_are_checked_by_the_worker_and_listed(
    engine: Engine, reviewer: FlaskClient, settings: Settings
) -> None:
    files = [
        (docx_of(story()), "甲.docx"),
        (text_of(5).encode(), "乙.txt"),
        (b"%PDF-1.4 nonsense", "丙.pdf"),
        (b"", "丁.txt"),
    ]

    answer = handed_in(reviewer, files)

    assert answer.status_code == 303
    batch = urlsplit(answer.headers["Location"]).path
    waiting = reviewer.get(batch).text
    assert waiting.count("排队") + waiting.count("等待") >= 3
    assert "已完成 1 / 4" in waiting
    assert check_files_of_desk(settings, engine, should_stop=lambda: False)
    done = reviewer.get(f"{batch}/progress").text
    assert "已完成 4 / 4" in done
    assert "data-ended" in done
    assert re.findall(r"大部分重复|未发现重复|文件已损坏|文件是空的", done) == [
        "大部分重复",
        "未发现重复",
        "文件已损坏",
        "文件是空的",
    ]
    with transaction(engine) as session:
        assert session.execute(sql("SELECT count(*) FROM check_file")).scalar_one() == 0, "no file outlives its check"
    (first, *_others) = re.findall(r'href="(/check/results/[^"]+)">', done)
    assert "甲.docx" in reviewer.get(first).text


def test_a_file_whose_worker_died_is_taken_again_once(engine: Engine, reviewer: FlaskClient) -> None:
    handed_in(reviewer, [(b"x", "a.txt"), (b"y", "b.txt")])
    taken: list[tuple[bytes, bool]] = []
    for _turn in range(3):
        with transaction(engine) as session:
            check_files.give_back_unfinished(session)
            file = check_files.take_file(session)
            assert file is not None
            taken.append((file.data, check_files.is_worn_out(session, file.id)))
            last = file.id
    with transaction(engine) as session:
        check_files.fail_file(session, last, "died")
        following = check_files.take_file(session)

    assert taken == [(b"x", False), (b"x", False), (b"x", True)]
    assert following is not None
    assert following.data == b"y"


def test_too_many_files_are_refused(reviewer: FlaskClient) -> None:
    answer = handed_in(reviewer, [(b"x", f"{number}.txt") for number in range(51)])

    assert answer.status_code == 422
    assert "一次最多查重 50 个文件" in answer.text


def test_hostile_names_of_files_stay_text(engine: Engine, reviewer: FlaskClient) -> None:
    name = '<script>alert(1)</script>\u202e"' + "长" * 300 + ".txt"

    page = reviewer.get(
        urlsplit(handed_in(reviewer, [(b"x", name), (b"y", "../../etc/passwd")]).headers["Location"]).path
    )

    assert page.status_code == 200
    assert "<script>alert" not in page.text
    with transaction(engine) as session:
        assert max(map(len, session.scalars(sql("SELECT file_name FROM text_check")))) <= text_checks.NAME_CHARS


def test_viewers_see_no_results(engine: Engine) -> None:
    client = client_of_person(engine, role=AccountRole.VIEWER)

    for path in ("/check/history", "/check/results/x", "/check/batches/x"):
        assert client.get(path).status_code == 403, path
