"""The list of possible retellings and the page of one, on stored rows."""

import re
from dataclasses import replace

import pytest
from flask.testing import FlaskClient
from sqlalchemy import Engine, update

from storage.engine import transaction
from storage.models.meaning import Retelling
from storage.records.retellings import AlikeSentences
from storage.types import AccountRole, Relation, RetellingKind
from tests.support.desk_client import COPY, SOURCE, client_of_person, store_hit
from tests.support.meaning.retellings import OUR_SIDE, THEIR_SIDE, TRANSLATED, alike, store_retelling, stored_retelling

_ROW = re.compile(r"<tr data-row>(.*?)</tr>", re.DOTALL)
_MARKUP = re.compile(r"<[^>]+>")


@pytest.fixture
def client(engine: Engine) -> FlaskClient:
    return client_of_person(engine)


def plain(markup: str) -> str:
    return " ".join(_MARKUP.sub(" ", markup).split())


def titles(page: str) -> list[str]:
    return re.findall(r'<a class="title"[^>]*><bdi>(.*?)</bdi>', page)


def test_an_empty_list_says_what_it_takes(client: FlaskClient) -> None:
    page = client.get("/retellings").text

    assert "可能的改写与翻译" in page
    assert "至少有 30 篇文章" in page


def test_a_row_says_what_is_similar_and_how(client: FlaskClient, engine: Engine) -> None:
    found = stored_retelling(engine)

    page = client.get("/retellings").text

    (row,) = map(plain, _ROW.findall(page))
    for words in (
        "83",
        "百年石桥又通了",
        "抄写网",
        "老桥量了七天",
        "县报",
        "我方",
        "60%",
        "75%",
        "2 / 3",
        "改写",
        "72%",
        "待处理",
    ):
        assert words in row
    assert f'href="/retellings/{found.id}"' in page
    assert "抄袭" not in plain(page[page.index("<main") : page.index("</main>")])


def test_filters_narrow_the_list_and_the_counts(client: FlaskClient, engine: Engine) -> None:
    other = replace(
        COPY, url="https://blog.example/1", text=TRANSLATED, title="The old bridge", site="博客", owner="某人"
    )
    with transaction(engine) as session:
        store_retelling(session)
        store_retelling(
            session,
            copy=other,
            kind=RetellingKind.TRANSLATED,
            score=0.95,
            relation=Relation.BOTH_FROM_THIRD,
            sentences=alike(TRANSLATED, OUR_SIDE.text, ("51.3 metres long", "51.3米", ())),
        )
    first, second = "百年石桥又通了", "The old bridge"

    def listed(query: str) -> list[str]:
        return titles(client.get(f"/retellings?{query}").text)

    assert listed("") == [second, first], "the highest score first"
    assert listed("kind=retold") == [first]
    assert listed("relation=both_from_third") == [second]
    assert listed("site=抄写网") == [first]
    assert listed("owner=某人") == [second]
    assert listed("owner=县报社") == [second, first], "of either side"
    assert listed("role=original") == [second, first]
    assert listed("role=watched") == []
    assert listed("score=90") == [second]
    assert listed("text=石桥") == [first]
    assert listed("text=BLOG.example") == [second]
    assert listed("tab=dismissed") == []
    assert "没有符合条件的条目" in client.get("/retellings?site=抄写网&kind=translated").text
    assert re.search(r"待处理 <b>1</b>", client.get("/retellings?kind=retold").text)


def test_a_filter_that_means_nothing_is_reported(client: FlaskClient) -> None:
    page = client.get("/retellings?kind=<b>&score=lots&tab=x").text

    assert "未能识别，已忽略这些筛选条件：列表、类型、评分" in page
    assert "<b>&" not in page


def test_a_pair_whose_wording_matches_is_a_hit_and_not_listed(client: FlaskClient, engine: Engine) -> None:
    with transaction(engine) as session:
        store_hit(session, copy=replace(THEIR_SIDE), source=replace(OUR_SIDE))
        store_retelling(session)

    assert titles(client.get("/retellings").text) == []


def test_a_page_shows_sentence_beside_sentence_with_what_agrees_marked(client: FlaskClient, engine: Engine) -> None:
    found = stored_retelling(engine)

    page = client.get(f"/retellings/{found.id}").text

    assert page.count("<mark>") == 6
    for words in ("冀北辰", "三千万", "3000万", "1903"):
        assert f"<mark>{words}</mark>" in page
    said = plain(page)
    assert "两篇文字相似，但这不能证明抄袭" in said
    assert "3 个数字中有 2 个一致" in said
    assert "两篇都提到：冀北辰 · 1903" in said
    assert "编者按。一座一百多年的石桥又通了。" in said, "what only the later page says"
    assert "他说：“弹回来，说明它还活着。”" in said, "what it leaves out"
    assert "72%" in said


def test_english_says_similar_and_never_stolen(engine: Engine) -> None:
    found = stored_retelling(engine, relation=Relation.BOTH_FROM_THIRD)
    client = client_of_person(engine, language="en")

    said = plain(client.get(f"/retellings/{found.id}").text)

    assert "2 of 3 figures agree." in said
    assert "That is no proof of copying" in said
    assert "possibly both from elsewhere" in said
    assert "stolen" not in said
    assert "Probably the copy" not in said


def test_a_third_page_is_named(client: FlaskClient, engine: Engine) -> None:
    found = stored_retelling(engine)
    third = stored_retelling(engine, copy=replace(COPY, url="https://agency.example/x", text="另一篇" * 30))
    with transaction(engine) as session:
        session.execute(
            update(Retelling)
            .where(Retelling.id == found.id)
            .values(relation=Relation.BOTH_FROM_THIRD, third_page_id=third.copy.page_id)
        )

    said = plain(client.get(f"/retellings/{found.id}").text)

    assert "两篇似乎都来自第三个页面" in said
    assert "https://agency.example/x" in said


HOSTILE = "<script>alert(1)</script>\u202e<mark>反</mark> \u200b=1+1 \u202d"


def test_hostile_titles_and_sentences_are_shown_and_not_obeyed(client: FlaskClient, engine: Engine) -> None:
    text = f"{HOSTILE}。\n{THEIR_SIDE.text}\nمرحبا بالعالم 1903"
    found = stored_retelling(
        engine,
        copy=replace(THEIR_SIDE, title=f"{HOSTILE}\ud800\0", text=text),
        sentences=alike(text, OUR_SIDE.text, (HOSTILE, "老桥", ("<mark>", "\0"))),
        particulars=("<b>x</b>", "\ud800"),
    )

    for path in (f"/retellings/{found.id}", "/retellings", "/exports/retellings.csv", "/exports/retellings.json"):
        answer = client.get(path)
        assert answer.status_code == 200, path
        if "exports" not in path:
            assert "<script>alert" not in answer.text
            assert "<b>x</b>" not in answer.text
            assert "\u202e" not in answer.text.replace("&#8238;", ""), "hidden characters have names"


def test_sentences_that_exceed_the_texts_break_nothing(client: FlaskClient, engine: Engine) -> None:
    beyond = tuple(replace(one, left_end=10**6, right_start=5, right_end=4) for one in stored_sentences())
    found = stored_retelling(engine, sentences=beyond)

    assert client.get(f"/retellings/{found.id}").status_code == 200


def stored_sentences() -> tuple[AlikeSentences, ...]:
    return alike(THEIR_SIDE.text, OUR_SIDE.text, ("编者按", "老桥", ()))


def test_an_export_has_the_rows_of_the_list(client: FlaskClient, engine: Engine) -> None:
    stored_retelling(engine)

    rows = client.get("/exports/retellings.json?kind=retold").get_json()["rows"]

    assert [(row["kind"], row["figures_shared"], row["copy_url"]) for row in rows] == [("retold", 2, COPY.url)]
    assert client.get("/exports/retellings.json?kind=translated").get_json()["rows"] == []


def test_a_viewer_reads_and_sees_no_decision(engine: Engine) -> None:
    found = stored_retelling(engine)
    client = client_of_person(engine, role=AccountRole.VIEWER)

    page = client.get(f"/retellings/{found.id}").text

    assert 'name="because"' not in page
    assert client.get("/retellings").status_code == 200


def test_source_and_copy_of_others_have_no_case_to_open(client: FlaskClient, engine: Engine) -> None:
    found = stored_retelling(
        engine, source=replace(SOURCE, text=OUR_SIDE.text, role=COPY.role, site="别报", owner="别社")
    )

    page = client.get(f"/retellings/{found.id}").text

    assert "都不在我方站点" in page
    assert "立案 <kbd" not in page
