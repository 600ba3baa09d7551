"""Stored pages at the desk: search, details, changes between versions, removal."""

from dataclasses import replace
from datetime import timedelta

import pytest
from flask.testing import FlaskClient
from sqlalchemy import Engine, event, text

from fingerprint.compute import fingerprint_text
from storage.engine import transaction
from storage.pages import pages, saving, text_index
from storage.pages.search import MOST_LOOKED_AT
from storage.records.pages import FingerprintedArticle, NewArticle
from storage.takedowns import page_presence
from storage.types import AccountRole, FoundBy
from tests.admin.hits.test_views import ATTACK, Markup
from tests.support.desk_client import (
    COPY,
    COPY_TEXT,
    PUBLISHED,
    SOURCE,
    client_of_person,
    csrf_token,
    let_in,
    make_app,
    store_hit,
)
from tests.support.desk_client import add_person as add_a_person

BRIDGE = "老桥修好了，来往的人又多了起来，河边的茶馆也开了门。说书的先生回来了，县里说明年还要修一座新桥。" * 8


@pytest.fixture
def client(engine: Engine) -> FlaskClient:
    return client_of_person(engine, role=AccountRole.MANAGER)


def save(
    engine: Engine, url: str, body: str = BRIDGE, *, days: int = 0, title: str = "老桥", by: str | None = None
) -> int:
    article = NewArticle(
        url=url, text=body, found_by=FoundBy.HAND, fetched_at=PUBLISHED + timedelta(days=days), title=title,
        found_by_whom=by,
    )  # fmt: skip
    with transaction(engine) as session:
        return saving.save_pages(session, [FingerprintedArticle(article, fingerprint_text(body))])[0].page_id


def words(client: FlaskClient, path: str) -> str:
    return " ".join(Markup(client.get(path).text).text.split())


def test_an_empty_store_says_what_to_do_next(client: FlaskClient) -> None:
    page = client.get("/pages").text

    assert "还没有页面" in page
    assert "zhiwen crawl" in page


def test_a_page_is_found_by_a_piece_of_its_title_or_address(client: FlaskClient, engine: Engine) -> None:
    found = save(engine, "https://county.example/bridge", title="老桥修好了")
    other = save(engine, "https://county.example/tea", title="茶馆开门了")

    by_title, by_address = client.get("/pages?text=桥修").text, client.get("/pages?text=county.example/TEA").text

    assert (f"/pages/{found}" in by_title, f'"/pages/{other}"' in by_title) == (True, False)
    assert (f'"/pages/{found}"' in by_address, f"/pages/{other}" in by_address) == (False, True)
    assert "没有符合条件的页面" in client.get("/pages?text=渡口").text
    assert "请至少输入两个字" in client.get("/pages?text=桥").text


def test_texts_are_searched_where_there_is_an_index(client: FlaskClient, engine: Engine) -> None:
    found = save(engine, "https://county.example/bridge")
    without = client.get("/pages?body=说书的先生").text
    text_index.build(engine)
    by_body = client.get("/pages?body=说书的先生").text

    assert 'name="body"' not in without
    assert "zhiwen db index-text on" in without
    assert 'name="body"' in by_body
    assert f"/pages/{found}" in by_body
    assert f"/pages/{found}" not in client.get("/pages?body=先生说书").text


def test_a_long_list_goes_on_with_older_pages(client: FlaskClient, engine: Engine) -> None:
    with transaction(engine) as session:
        articles = (
            NewArticle(
                url=f"https://county.example/{number}", text=f"{number}：{BRIDGE}", found_by=FoundBy.SPIDER,
                fetched_at=PUBLISHED, title=f"第{number}篇",
            )
            for number in range(60)
        )  # fmt: skip
        saving.save_pages(session, [FingerprintedArticle(one, fingerprint_text(one.text)) for one in articles])

    first = Markup(client.get("/pages?text=county.example").text)
    (older,) = [link for link in first.links() if "below=" in link]
    rest = client.get(older).text

    assert "text=county.example" in older
    assert rest.count('class="title"') == 10
    assert not [link for link in Markup(rest).links() if "below=" in link]


def test_more_than_can_be_looked_at_is_said(client: FlaskClient, engine: Engine) -> None:
    with engine.begin() as connection:
        connection.execute(
            text(
                "INSERT INTO page (url, host, found_by, first_seen_at, last_seen_at)"
                " SELECT 'https://county.example/' || n, 'county.example', 'spider', now(), now()"
                " FROM generate_series(1, :most) AS n"
            ),
            {"most": MOST_LOOKED_AT + 1},
        )

    assert "符合的页面过多" in client.get("/pages?text=county.example").text


def test_a_page_tells_all_that_is_known_of_it(client: FlaskClient, engine: Engine) -> None:
    with transaction(engine) as session:
        store_hit(session)
        page = pages.get_page(session, SOURCE.url)
        assert page is not None
        page_presence.record_gone(session, SOURCE.url, PUBLISHED + timedelta(days=3), reason="gone")
        page_presence.record_seen(session, SOURCE.url, PUBLISHED + timedelta(days=4))
        page_presence.record_gone(session, SOURCE.url, PUBLISHED + timedelta(days=5), reason="not-an-article")

    told = words(client, f"/pages/{page.id}")

    for said in ("老桥修好了", "县报社", "王记者", "原创（我方）", "抓取时发现", "2026-02-27"):
        assert said in told
    assert told.index("已删除 2026-03-06") < told.index("再次出现 2026-03-05") < told.index("已删除 2026-03-04")
    assert "老桥又通了" in told, "its match"
    assert "尚无此页面的取证" in told


def test_a_page_submitted_by_hand_says_by_whom(client: FlaskClient, engine: Engine) -> None:
    page_id = save(engine, "https://county.example/bridge", by="林编辑")

    assert "林编辑" in words(client, f"/pages/{page_id}")


def test_the_fingerprint_is_drawn_as_stored(client: FlaskClient, engine: Engine) -> None:
    page_id = save(engine, "https://county.example/bridge")
    simhash = fingerprint_text(BRIDGE).simhash
    assert simhash is not None

    page = client.get(f"/pages/{page_id}").text

    assert page.count('class="bit-1"') == simhash.bit_count()
    assert page.count('class="bit-1"') + page.count('class="bit-0"') == 64
    assert f"{simhash:016x}"[:4] in page
    assert f"{len(fingerprint_text(BRIDGE).seeds)} 个种子" in page


def test_a_text_without_a_fingerprint_says_what_it_waits_for(client: FlaskClient, engine: Engine) -> None:
    page_id = save(engine, "https://county.example/bridge")
    with engine.begin() as connection:
        connection.execute(text("DELETE FROM fingerprint"))

    assert "zhiwen recompute" in client.get(f"/pages/{page_id}").text


def test_a_short_text_has_no_simhash_and_says_so(client: FlaskClient, engine: Engine) -> None:
    page_id = save(engine, "https://county.example/bridge", "老桥修好了。")

    assert "个不同的词" in client.get(f"/pages/{page_id}").text


def test_versions_are_shown_with_what_changed(client: FlaskClient, engine: Engine) -> None:
    page_id = save(engine, "https://county.example/bridge")
    save(engine, "https://county.example/bridge", BRIDGE.replace("先生回来了", "先生没回来", 1), days=2)

    listed = Markup(client.get(f"/pages/{page_id}").text).links()
    newest, oldest = (link for link in listed if "/versions/" in link)
    compared, alone = client.get(newest).text, client.get(oldest).text

    assert 'id="pane-c"' in compared
    assert 'id="pane-s"' in compared
    assert "d-inserted" in compared or "d-edited" in compared
    assert 'id="pane-s"' not in alone, "there is nothing older"
    with_newer = client.get(f"{oldest}?with={newest.rsplit('/', 1)[1]}").text
    assert 'id="pane-s"' in with_newer


def test_a_page_that_is_not_there_is_not_found(client: FlaskClient) -> None:
    for number in ("999", "0", str(2**63), "x", "-1"):
        for path in ("", "/story", "/versions/1"):
            assert client.get(f"/pages/{number}{path}").status_code == 404, number


def test_a_version_of_another_page_is_not_found(client: FlaskClient, engine: Engine) -> None:
    one, other = (save(engine, f"https://{name}.example/a", BRIDGE + name) for name in ("one", "other"))
    version = next(link for link in Markup(client.get(f"/pages/{other}").text).links() if "/versions/" in link)

    assert client.get(version).status_code == 200
    assert client.get(version.replace(f"/pages/{other}/", f"/pages/{one}/")).status_code == 404


def remove(client: FlaskClient, page_id: int, **form: str) -> int:
    sent = {"csrf_token": csrf_token(client, f"/pages/{page_id}"), "confirm": "yes"} | form
    return client.post(f"/pages/{page_id}/remove", data=sent).status_code


def test_a_manager_removes_a_page(client: FlaskClient, engine: Engine) -> None:
    page_id = save(engine, "https://county.example/bridge")

    assert remove(client, page_id, confirm="") == 400
    assert client.get(f"/pages/{page_id}").status_code == 200
    assert remove(client, page_id) == 302

    assert client.get(f"/pages/{page_id}").status_code == 404
    with engine.begin() as connection:
        acts = connection.execute(text("SELECT act, subject FROM audit_event WHERE act LIKE 'page.%'")).all()
    assert [tuple(act) for act in acts] == [("page.remove", "https://county.example/bridge")]


def test_a_page_of_a_case_stays(client: FlaskClient, engine: Engine) -> None:
    with transaction(engine) as session:
        store_hit(session)
        source, copy = (pages.get_page(session, side.url) for side in (SOURCE, COPY))
        assert source is not None
        assert copy is not None
        session.execute(
            text(
                "INSERT INTO \"case\" (our_page_id, other_key, queue) VALUES (:page, 'host:copier.example', 'copied')"
            ),
            {"page": source.id},
        )

    assert remove(client, source.id) == 409
    assert client.get(f"/pages/{source.id}").status_code == 200


@pytest.mark.parametrize("role", [AccountRole.VIEWER, AccountRole.REVIEWER])
def test_others_may_not_remove_pages(engine: Engine, role: AccountRole) -> None:
    page_id = save(engine, "https://county.example/bridge")
    client = client_of_person(engine, role=role)

    assert "/remove" not in client.get(f"/pages/{page_id}").text
    assert remove(client, page_id) == 403
    assert client.get(f"/pages/{page_id}").status_code == 200


def test_without_a_token_nothing_is_removed(client: FlaskClient, engine: Engine) -> None:
    page_id = save(engine, "https://county.example/bridge")

    assert client.post(f"/pages/{page_id}/remove", data={"confirm": "yes"}).status_code == 400
    assert client.get(f"/pages/{page_id}/remove").status_code == 405
    assert client.get(f"/pages/{page_id}").status_code == 200


def test_whoever_is_not_logged_in_sees_no_page(engine: Engine) -> None:
    page_id = save(engine, "https://county.example/bridge")
    client = make_app(engine).test_client()

    for path in ("/pages", f"/pages/{page_id}", f"/pages/{page_id}/story", "/why"):
        assert client.get(path).status_code == 302


@pytest.mark.parametrize("language", ["zh", "en"])
def test_hostile_pages_stay_text(engine: Engine, language: str) -> None:
    client = client_of_person(engine, language=language)
    with transaction(engine) as session:
        hit_id = store_hit(
            session,
            copy=replace(
                COPY, url="javascript:alert(1)//county.example", title=ATTACK, author=ATTACK, site=ATTACK[:60]
            ),
            source=replace(SOURCE, title=ATTACK, owner=ATTACK[:50]),
        )
        copy, source = (pages.get_page(session, url) for url in ("javascript:alert(1)//county.example", SOURCE.url))
        assert copy is not None
        assert source is not None
        page_presence.record_gone(session, copy.url, PUBLISHED, reason=ATTACK.replace("\0", ""))

    for path in (
        *("/pages", f"/pages?text={ATTACK}&body={ATTACK}&site={ATTACK}&below=x", "/pages?text=%ED%A0%80%00x"),
        *(f"/pages/{copy.id}", f"/pages/{copy.id}/story", f"/pages/{copy.id}/versions/{copy.version_id}"),
        *(f"/why?left={copy.id}&right={source.id}", f"/why?left={ATTACK}&right=%00", f"/hits/{hit_id}"),
    ):
        answer = client.get(path)
        assert answer.status_code == 200, path
        markup = Markup(answer.text)
        assert all(attributes.get("src") for tag, attributes in markup.elements if tag in {"img", "script"}), path
        assert not [name for _, attributes in markup.elements for name in attributes if name.startswith("on")], path
        assert all(not link.startswith("javascript:") for link in markup.links()), path
        assert all(a.get("src", "/static/").startswith("/static/") for _, a in markup.elements), path
        assert "1522756" not in markup.text, "nothing is evaluated as a template"


def test_lists_and_pages_take_as_many_queries_for_one_as_for_many(client: FlaskClient, engine: Engine) -> None:
    def queries(path: str) -> int:
        seen: list[str] = []

        def count(*arguments: object) -> None:
            seen.append(str(arguments[2]))

        event.listen(engine, "before_cursor_execute", count)
        try:
            assert client.get(path).status_code == 200
        finally:
            event.remove(engine, "before_cursor_execute", count)
        return len(seen)

    with transaction(engine) as session:
        hit_id = store_hit(session)
        page = pages.get_page(session, COPY.url)
        assert page is not None
    paths = ("/pages", "/pages?text=example", f"/pages/{page.id}", f"/pages/{page.id}/story", f"/hits/{hit_id}")
    few = [queries(path) for path in paths]
    with transaction(engine) as session:
        for number in range(6):
            source = replace(SOURCE, url=f"https://county.example/{number}", text=f"第{number}篇。{SOURCE.text}")
            store_hit(session, source=source)
    for number in range(4):
        save(engine, COPY.url, f"{number}{COPY_TEXT}", days=number + 2)

    assert [queries(path) for path in paths] == few


def test_the_story_names_origin_and_from_whom(client: FlaskClient, engine: Engine) -> None:
    with transaction(engine) as session:
        hit_id = store_hit(session)
        page = pages.get_page(session, COPY.url)
        assert page is not None

    story = client.get(f"/pages/{page.id}/story").text
    told = words(client, f"/pages/{page.id}/story")

    assert "2 个页面" in told
    assert told.index("老桥修好了 源头") < told.index("抄写公司 老桥修好了")
    assert f"/hits/{hit_id}" in story
    assert story.count("<circle") + story.count("<rect") > 2


def test_a_page_that_nobody_else_tells_has_no_picture(client: FlaskClient, engine: Engine) -> None:
    page_id = save(engine, "https://county.example/bridge")

    assert "尚无其他页面刊载" in client.get(f"/pages/{page_id}/story").text


def test_people_of_two_languages_see_the_same_pages(engine: Engine) -> None:
    page_id = save(engine, "https://county.example/bridge")
    client = client_of_person(engine, language="en")

    assert "Computed from" in words(client, f"/pages/{page_id}")
    assert "How the story spread" in client.get(f"/pages/{page_id}/story").text
    add_a_person(engine, name="第二人")
    other = make_app(engine).test_client()
    let_in(other, name="第二人")
    assert "传播脉络" in other.get(f"/pages/{page_id}/story").text
