"""Checking a text at the desk: what is compared with what, what is stored (nothing), and who may."""

import csv
import io
import json
import re
from datetime import UTC, datetime, timedelta
from urllib.parse import urlencode

import docx
import openpyxl
import pytest
from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy import Engine
from sqlalchemy import text as sql
from werkzeug.test import TestResponse

from admin.accounts.audit_labels import ACTS
from admin.app import LARGEST_REQUEST_BYTES
from admin.check.labels import CHECK_ACTS
from admin.check.result_view import PAINTED_CHARS, view_of
from admin.passages.passage_pairs import MOST_CHARS, cut_parts, passage_pairs
from admin.passages.side_by_side import Part
from admin.web.services import Services
from crawler.fetch.fetch import Fetched
from crawler.importers.documents import MAX_TEXT_CHARS
from crawler.outcomes.refusals import Refusal
from matcher.comparison.check import CheckResult, ComparedWith
from matcher.explanation.checked_sources import checked_result
from storage.engine import transaction
from storage.intake import submissions
from storage.records.matches import Passage
from storage.types import AccountRole, FoundBy, Rights, SiteRole
from tests.support.desk_client import add_person, app_with, client_of_person, csrf_token, let_in, make_app
from tests.support.disguises import swap_homophones
from tests.support.factories import a_site, an_article, commit, story, text_of

TYPES = {True: "multipart/form-data", False: "application/x-www-form-urlencoded"}
HOSTILE = '<script>alert(1)</script>\u202e"><img src=x>'


@pytest.fixture
def reviewer(engine: Engine) -> FlaskClient:
    commit(engine, [an_article("https://ours.example/story", story(), title="老桥修好了")])
    return client_of_person(engine)


def post(client: FlaskClient, path: str = "/check", **fields: object) -> TestResponse:
    """The answer; of a check, the result that it redirects to."""
    form = {"csrf_token": csrf_token(client, "/check"), **fields}
    data = form if "file" in fields else urlencode(form)
    return client.post(path, data=data, content_type=TYPES["file" in fields], follow_redirects=path == "/check")


def rows(engine: Engine, table: str) -> int:
    with transaction(engine) as session:
        return int(session.execute(sql(f"SELECT count(*) FROM {table}")).scalar_one())  # noqa: S608  # a word of ours


def words(answer: TestResponse) -> str:
    """What a reader sees, without markup and breaks."""
    return re.sub(r"\s+", " ", re.sub(r"<[^>]*>", "", answer.text))


def test_a_copied_text_is_called_a_copy_with_its_source(reviewer: FlaskClient) -> None:
    answer = post(reviewer, text=story()[100:700], title="我的文章")

    assert answer.status_code == 200
    assert "大部分重复" in words(answer)
    assert "老桥修好了" in answer.text
    assert 'href="https://ours.example/story"' in answer.text
    assert "已与库中 0 个站点的 1 篇文章比对" in words(answer)
    assert "最新一篇收录于 <time datetime=" in answer.text


def test_a_text_of_ones_own_is_original_as_far_as_we_see(reviewer: FlaskClient) -> None:
    answer = post(reviewer, text=text_of(5))

    assert "未发现重复" in words(answer)
    assert "重合的原文" not in answer.text


def test_a_check_adds_nothing_to_the_store_and_to_the_submissions(engine: Engine, reviewer: FlaskClient) -> None:
    before = [rows(engine, name) for name in ("page", "text", "submission", "match", "boilerplate")]

    post(reviewer, text=story() + text_of(4), collection="征文", author="甲")

    assert [rows(engine, name) for name in ("page", "text", "submission", "match", "boilerplate")] == before


def test_formatted_text_is_reduced_to_its_words(reviewer: FlaskClient) -> None:
    markup = "".join(f"<p style='color:red'>{line}</p>" for line in story().splitlines())

    answer = post(reviewer, text="whatever the box shows", html=f"{markup}<script>alert(1)</script>")

    assert "大部分重复" in words(answer)
    assert "alert(1)" not in answer.text


def test_a_word_file_is_read(reviewer: FlaskClient) -> None:
    file = io.BytesIO()
    document = docx.Document()
    for line in story().splitlines():
        document.add_paragraph(line)
    document.save(file)
    file.seek(0)

    answer = post(reviewer, text="", file=(file, "任意名字.docx"))

    assert "大部分重复" in words(answer)


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"%PDF-1.4 nonsense", "文件已损坏"),
        (b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 9, "不支持这种文件"),
        (b" ", "文件是空的"),
    ],
)
def test_a_file_that_cannot_be_read_is_refused_in_words(reviewer: FlaskClient, data: bytes, said: str) -> None:
    answer = post(reviewer, text="", file=(io.BytesIO(data), "x.pdf"))

    assert answer.status_code == 422
    assert said in answer.text


def test_without_anything_to_check_the_form_says_so(reviewer: FlaskClient) -> None:
    answer = post(reviewer, text=" \n ")

    assert answer.status_code == 422
    assert "还没有可查重的内容" in answer.text


def test_an_empty_store_has_nothing_to_compare_with(engine: Engine) -> None:
    answer = post(client_of_person(engine), text=story())

    assert answer.status_code == 422
    assert "库里还没有可比对的文章" in answer.text


def test_a_text_that_is_too_long_is_refused_and_kept_in_the_form(reviewer: FlaskClient) -> None:
    answer = post(reviewer, text="字" * (MAX_TEXT_CHARS + 1))

    assert answer.status_code == 422
    assert "文字过长" in answer.text


def test_pasted_text_may_be_larger_than_other_forms(reviewer: FlaskClient) -> None:
    long = "".join(text_of(number, chars=1_000) for number in range(120))

    assert len(urlencode({"text": long})) > LARGEST_REQUEST_BYTES
    assert post(reviewer, text=long).status_code == 200


def test_who_is_not_logged_in_may_send_no_more_than_anywhere_else(engine: Engine) -> None:
    stranger = make_app(engine).test_client()

    answer = stranger.post("/check", data={"text": "a" * (2 * LARGEST_REQUEST_BYTES)})

    assert answer.status_code in (400, 413)


def test_hostile_texts_and_titles_stay_text(engine: Engine) -> None:
    commit(engine, [an_article("https://evil.example/x", HOSTILE + story(), title=HOSTILE)])
    client = client_of_person(engine)

    answer = post(client, text=HOSTILE + story(), title=HOSTILE, author=HOSTILE, collection="征文")

    assert answer.status_code == 200
    assert "<script>alert" not in answer.text
    assert "<img src=x" not in answer.text
    assert "⟪U+202E⟫" in answer.text


def test_lone_halves_of_characters_and_nuls_do_no_harm(reviewer: FlaskClient) -> None:
    raw = b'--x\r\nContent-Disposition: form-data; name="%s"\r\n\r\n%s\r\n'
    token = csrf_token(reviewer, "/check").encode()
    parts = [(b"csrf_token", token), (b"text", story().encode() + b"\x00\xed\xa0\x80"), (b"author", b"\x00\xff")]
    body = b"".join(raw % part for part in parts) + b"--x--\r\n"

    answer = reviewer.post("/check", data=body, content_type="multipart/form-data; boundary=x", follow_redirects=True)

    assert answer.status_code == 200


@pytest.mark.parametrize("field", ["title", "author", "collection"])
def test_an_over_long_field_is_refused(reviewer: FlaskClient, field: str) -> None:
    assert post(reviewer, text=story(), **{field: "长" * 1_000}).status_code == 413


def app_that_fetches(engine: Engine, answers: dict[str, Fetched | Refusal]) -> Flask:
    return app_with(
        Services(engine=engine, secret_key="for tests", fetch=lambda url: answers.get(url, Refusal.UNREACHABLE))
    )


def test_a_page_is_fetched_and_its_article_checked(engine: Engine) -> None:
    commit(engine, [an_article("https://ours.example/story", story())])
    add_person(engine)
    body = "".join(f"<p>{line}</p>" for line in story().splitlines())
    page = f"<html><body><article>{body}</article></body></html>".encode()
    url = "https://copier.example/a"
    client = app_that_fetches(engine, {url: Fetched(url, 200, {"content-type": "text/html"}, page)}).test_client()
    let_in(client)

    assert "大部分重复" in words(post(client, text="", url="copier.example/a"))
    refused = post(client, text="", url="https://nowhere.example/")
    assert refused.status_code == 422
    assert "网页抓取失败：无法连接" in refused.text


def test_without_a_way_to_fetch_the_desk_says_so(reviewer: FlaskClient) -> None:
    assert "本系统未启用网页抓取" in post(reviewer, text="", url="https://a.example/").text


def test_the_result_can_be_had_as_a_file(reviewer: FlaskClient) -> None:
    asked = {"text": story()[100:700], "title": "=我的"}
    found = json.loads(post(reviewer, **asked, **{"as": "json"}).data)
    table = list(csv.DictReader(io.StringIO(post(reviewer, **asked, **{"as": "csv"}).data.decode("utf-8-sig"))))
    book = openpyxl.load_workbook(io.BytesIO(post(reviewer, **asked, **{"as": "xlsx"}).data))

    assert found["verdict"] == "copy"
    assert found["compared_with"]["texts"] == 1
    (source,) = found["sources"]
    assert source["url"] == table[0]["网址"] == book.worksheets[0]["C2"].value == "https://ours.example/story"
    passage = source["passages"][0]
    assert found["text"][passage["left_start"] : passage["left_end"]]
    assert post(reviewer, **asked, **{"as": "exe"}).status_code == 400


def test_a_kept_text_is_compared_with_what_others_hand_in(engine: Engine, reviewer: FlaskClient) -> None:
    kept = post(reviewer, "/submissions", text=text_of(8), title="稿", author="甲", collection="征文", days="30")
    assert kept.status_code == 302

    other = post(reviewer, text=text_of(8), author="乙", collection="征文")
    same = post(reviewer, text=text_of(8), author="甲", collection="征文")
    elsewhere = post(reviewer, text=text_of(8), author="乙", collection="别处")

    assert "大部分重复" in words(other)
    assert f'href="{kept.headers["Location"]}"' in other.text
    assert "未发现重复" in words(same)
    assert "未发现重复" in words(elsewhere)
    assert (rows(engine, "submission"), rows(engine, "page")) == (1, 1)


def test_a_kept_text_is_no_page_and_no_hit(reviewer: FlaskClient) -> None:
    post(reviewer, "/submissions", text=text_of(8), title="独一无二的稿名", author="甲", collection="征文", days="30")

    for path in ("/hits", "/pages?text=独一无二", "/exports/hits.csv", "/cases"):
        assert "独一无二的稿名" not in reviewer.get(path).text, path


def test_a_kept_text_can_be_read_checked_and_deleted(engine: Engine, reviewer: FlaskClient) -> None:
    kept = post(reviewer, "/submissions", text=text_of(8), title="稿", author=HOSTILE, collection="征文", days="30")
    path = kept.headers["Location"]

    page = reviewer.get(path).text
    assert text_of(8) in page
    assert "<script>alert" not in page
    assert "征文" in reviewer.get("/submissions").text
    assert post(reviewer, f"{path}/delete").status_code == 302
    assert reviewer.get(path).status_code == 404
    assert post(reviewer, f"{path}/delete").status_code == 404
    assert rows(engine, "submission") == 0
    assert rows(engine, "audit_event WHERE act LIKE 'submission.%'") == 2


def test_an_expired_text_is_not_there_and_the_next_one_sweeps_it_away(engine: Engine, reviewer: FlaskClient) -> None:
    kept = post(reviewer, "/submissions", text=text_of(8), author="甲", collection="征文", days="1").headers["Location"]
    with transaction(engine) as session:
        session.execute(sql("UPDATE submission SET created_at = now() - interval '3 days', expires_at = now()"))

    assert reviewer.get(kept).status_code == 404
    assert "未发现重复" in words(post(reviewer, text=text_of(8), author="乙", collection="征文"))
    post(reviewer, "/submissions", text=text_of(9), author="甲", collection="征文", days="1")
    with transaction(engine) as session:
        assert [one.chars for one in submissions.list_submissions(session)] == [len(text_of(9))]
    assert rows(engine, "submission") == 1


@pytest.mark.parametrize("days", ["0", "-1", "5000", "一", "", "9" * 9])
def test_a_time_that_is_none_is_refused(reviewer: FlaskClient, days: str) -> None:
    answer = post(reviewer, "/submissions", text=text_of(8), author="甲", collection="征文", days=days)

    assert answer.status_code == 400


@pytest.mark.parametrize("missing", ["text", "author", "collection"])
def test_a_text_without_author_or_collection_is_not_kept(reviewer: FlaskClient, missing: str) -> None:
    fields = {"text": text_of(8), "author": "甲", "collection": "征文", "days": "9"} | {missing: " "}

    assert post(reviewer, "/submissions", **fields).status_code == 400


def test_viewers_neither_check_nor_read_submissions(engine: Engine) -> None:
    client = client_of_person(engine, role=AccountRole.VIEWER)

    for path in ("/check", "/submissions", "/submissions/1"):
        assert client.get(path).status_code == 403, path
    assert 'href="/check"' not in client.get("/hits").text
    token = csrf_token(client, "/hits")
    for path in ("/check", "/submissions", "/submissions/1/delete"):
        assert client.post(path, data={"csrf_token": token}).status_code == 403, path


def test_a_form_without_its_token_is_refused(reviewer: FlaskClient) -> None:
    assert reviewer.post("/check", data={"text": story()}).status_code == 400
    assert reviewer.post("/submissions", data={"text": story()}).status_code == 400


def test_a_list_of_submissions_goes_on(engine: Engine, reviewer: FlaskClient) -> None:
    with transaction(engine) as session:
        values = [
            {"n": f"稿{number}", "s": number.to_bytes(32, "big"), "e": datetime.now(UTC) + timedelta(days=1)}
            for number in range(60)
        ]
        session.execute(
            sql(
                "INSERT INTO submission (collection, author, title, body, chars, sha256, algorithm_version, slices,"
                " seeds, expires_at, id) VALUES ('征文', '甲', :n, 'x', 1, :s, 1, '{}', '{}', :e, DEFAULT)"
            ),
            values,
        )
    first = reviewer.get("/submissions").text
    before = re.search(r'href="(/submissions\?before=\d+)"', first)
    assert before is not None
    rest = reviewer.get(before[1]).text

    assert (first.count("稿"), rest.count("稿")) != (0, 0)
    assert "稿59" in first
    assert "稿0<" in rest
    assert reviewer.get("/submissions?before=x&collection=%00").status_code == 200


def test_what_is_done_has_its_words_in_the_audit_log() -> None:
    assert set(CHECK_ACTS) <= set(ACTS)
    assert set(CHECK_ACTS) == {
        *("submission.keep", "submission.delete", "letter.change", "letter.reset"),
        *("check.delete", "check.clear", "certificate.issue", "certificate.withdraw"),
    }


def test_the_painted_text_is_the_text() -> None:
    text = "甲" * (PAINTED_CHARS + 5)
    empty = CheckResult(len(text), 0.0, "original", ComparedWith(1, 1, None), (), 0, 0)

    view = view_of(text, checked_result(empty))

    assert "".join(stretch.text for stretch in view.painted) == text[:PAINTED_CHARS]
    assert (view.unpainted, view.share) == (5, 0.0)
    assert view_of("", checked_result(empty)).painted == ()


def test_passages_are_shown_longest_first_and_the_others_counted() -> None:
    copy, source = "甲乙丙丁" * 30, "子丑" + "甲乙丙丁" * 30
    passages = [
        Passage(0, 8, 2, 10, 1.0),
        Passage(8, 60, 10, 62, 1.0),
        Passage(60, 64, 62, 66, 1.0, is_boilerplate=True),
    ]

    pairs, left_out = passage_pairs(copy, source, passages, most=1)

    assert left_out == 1
    assert "".join(part.text for part in pairs[0].left) == copy[8:60]
    assert "".join(part.text for part in pairs[0].right) == source[10:62]


def test_a_long_passage_is_cut() -> None:
    parts = cut_parts([Part(0, "甲" * MOST_CHARS), Part(MOST_CHARS, "乙")])

    assert parts == (Part(0, "甲" * MOST_CHARS),)
    assert passage_pairs("甲" * 3_000, "甲" * 3_000, [Passage(0, 3_000, 0, 3_000, 1.0)])[0][0].cut == 3_000 - MOST_CHARS


def test_the_tag_of_a_source_says_what_decided(engine: Engine) -> None:
    """D5: our own article was called later “by what is known of dates”, of which none was known."""
    with transaction(engine) as session:
        paper = a_site(session, "县报", owner="县报社", role=SiteRole.ORIGINAL, rights=Rights.OWN)
    disguised = swap_homophones(story(), share=0.2, seed=1)
    commit(
        engine,
        [an_article("https://县报.example/a", story(), site_id=paper.id, title="我方原文", found_by=FoundBy.IMPORT)],
    )
    commit(engine, [an_article("https://copy.example/a", disguised, title="改过的稿子", found_by=FoundBy.IMPORT)])
    client = client_of_person(engine)

    answer = post(client, text=story().replace("的", "地", 27))
    ours, copy = (re.search(rf"<li class=\"src-(?:(?!</li>).)*{title}(?:(?!<label).)*", answer.text, re.DOTALL)
                  for title in ("我方原文", "改过的稿子"))  # fmt: skip
    assert ours is not None
    assert copy is not None
    assert "provisional" not in ours[0]
    assert "可能取自受检文章" in copy[0]
    assert "被拆坏" in copy[0], "the reason that decided"
    assert "从已知时间看" not in answer.text
