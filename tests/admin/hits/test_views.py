"""The list of hits and the side-by-side page, on stored rows."""

import re
from dataclasses import replace
from datetime import timedelta
from html.parser import HTMLParser

import pytest
from flask.testing import FlaskClient
from sqlalchemy import Engine, event

from admin.passages.side_by_side import NEAR_CHARS, SHOWN_CHARS
from fingerprint.compute import fingerprint_text
from storage.engine import transaction
from storage.pages import saving
from storage.records.differences import Differences
from storage.records.matches import Passage
from storage.records.pages import FingerprintedArticle, NewArticle
from storage.types import AccountRole, Credit, FoundBy, MatchKind, Precision
from tests.support.desk_client import (
    COPY,
    COPY_TEXT,
    PASSAGES,
    PUBLISHED,
    SOURCE,
    Side,
    add_person,
    client_of_person,
    let_in,
    make_app,
    store_hit,
)


@pytest.fixture
def client(engine: Engine) -> FlaskClient:
    return client_of_person(engine)


class Markup(HTMLParser):
    """The elements and the readable text of a page, as a browser would build them."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str]]] = []
        self.text = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, {name: value or "" for name, value in attrs}))

    def handle_data(self, data: str) -> None:
        self.text += data

    def links(self) -> list[str]:
        return [attributes["href"] for tag, attributes in self.elements if tag == "a" and "href" in attributes]


def plain_name(path: str) -> str:
    """The path of a file of ours without the hash of its content."""
    return re.sub(r"\.[0-9a-f]{12}(?=\.\w+$)", "", path)


def titles(page: str) -> list[str]:
    return re.findall(r'<a class="title"[^>]*><bdi>(.*?)</bdi>', page)


def test_an_empty_list_says_what_it_means(client: FlaskClient) -> None:
    assert "尚未发现转载" in client.get("/hits").text


def test_a_row_tells_who_copied_what_from_whom_and_how(client: FlaskClient, engine: Engine) -> None:
    changed = (replace(PASSAGES[0], differences=Differences(homophone=12, variant=5, edited=3, inserted=1)),)
    with transaction(engine) as session:
        hit_id = store_hit(session, passages=changed, credit=Credit.NAMED, provisional=True)

    page = client.get("/hits").text

    row = " ".join(Markup(page[page.index("<tbody>") : page.index("</tbody>")]).text.split())
    for words in (
        "91",
        "老桥又通了",
        "抄写网",
        "2026-03-01",
        "老桥修好了",
        "县报",
        "2026-02-27",
        "我方",
        "62%",
        "71%",
        "28",
    ):
        assert words in row
    assert "嵌入 暂定 同音字 12繁简异体 5改写 3+1" in row
    assert "已注明来源" in row
    assert "93%" in row
    assert f'href="/hits/{hit_id}"' in page


def test_the_overview_lists_the_strongest_hits_and_counts(client: FlaskClient, engine: Engine) -> None:
    with transaction(engine) as session:
        store_hit(session)

    overview = client.get("/").text

    assert titles(overview) == ["老桥又通了"]
    pages = r"页面</dt><dd>(<a [^>]*>)?2<"
    assert not re.search(pages, overview)
    assert not re.search(pages, client.get("/analysis/work").text), "the size of the store is for managers"
    add_person(engine, role=AccountRole.MANAGER, name="主管")
    manager = make_app(engine).test_client()
    let_in(manager, name="主管")
    assert re.search(pages, manager.get("/analysis/work").text)


def test_filters_narrow_the_list(client: FlaskClient, engine: Engine) -> None:
    other = Side("https://blog.example/1", "抄来的一篇", title="另一篇", site="博客", owner="某人")
    other_source = Side("https://w.example/1", "来源的一篇", title="原作", site="周刊", owner="周刊社")
    with transaction(engine) as session:
        store_hit(session)
        store_hit(
            session,
            copy=other,
            source=other_source,
            passages=[Passage(0, 5, 0, 5, 0.9)],
            kind=MatchKind.NEAR,
            credit=Credit.LINKED,
            shares=(0.2, 0.9),
            score=0.99,
        )
    first, second = "老桥又通了", "另一篇"

    def listed(query: str) -> list[str]:
        return titles(client.get(f"/hits?{query}").text)

    assert listed("") == [second, first], "the surest first"
    assert listed("site=县报") == [first]
    assert listed("owner=某人") == [second]
    assert listed("kind=near") == [second]
    assert listed("credit=none") == [first]
    assert listed("role=original") == [first]
    assert listed("share=50") == [first]
    assert listed("text=老桥") == [first]
    assert listed("text=W.EXAMPLE") == [second]
    assert listed("text=%25") == [], "a percent sign is looked for, it is no wildcard"
    assert "没有符合条件的命中" in client.get("/hits?site=县报&kind=near").text


def test_a_filter_that_means_nothing_is_reported(client: FlaskClient) -> None:
    page = client.get("/hits?kind=<b>&share=lots").text

    assert "未能识别，已忽略这些筛选条件：类型、占比不低于" in page
    assert "<b>&" not in page


def test_a_long_list_comes_in_pages_that_keep_the_filters(client: FlaskClient, engine: Engine) -> None:
    with transaction(engine) as session:
        for number in range(53):
            copy = replace(COPY, url=f"https://copier.example/{number}", text=f"{COPY_TEXT}{number}")
            store_hit(session, copy=copy, score=number / 100)

    first, last = client.get("/hits?site=县报").text, client.get("/hits?site=县报&page=2").text

    assert "第 1–50 条，共 53 条" in first
    assert "第 51–53 条，共 53 条" in last
    assert (len(titles(first)), len(titles(last))) == (50, 3)
    assert 'href="/hits?page=2&amp;site=%E5%8E%BF%E6%8A%A5"' in first
    assert client.get("/hits?site=县报&page=99999999999999999999").status_code == 200


def test_the_list_takes_the_same_queries_for_one_row_and_for_fifty(client: FlaskClient, engine: Engine) -> None:
    statements: list[str] = []

    def count(*arguments: object) -> None:
        statements.append(str(arguments[2]))

    def queries_of_a_page() -> int:
        statements.clear()
        assert client.get("/hits").status_code == 200
        return len(statements)

    app_engine = client.application.extensions["zhiwen"].engine
    event.listen(app_engine, "before_cursor_execute", count)
    with transaction(engine) as session:
        store_hit(session)
    one = queries_of_a_page()
    with transaction(engine) as session:
        for number in range(49):
            store_hit(session, copy=replace(COPY, url=f"https://c.example/{number}", text=f"{COPY_TEXT}{number}"))

    assert queries_of_a_page() == one


def test_side_by_side_shows_both_texts_with_linked_passages(client: FlaskClient, engine: Engine) -> None:
    with transaction(engine) as session:
        hit_id = store_hit(session)

    page = client.get(f"/hits/{hit_id}").text

    markup = Markup(page)
    ids = [attributes.get("id") for _tag, attributes in markup.elements]
    assert ids.count("c1") == ids.count("s1") == 1
    assert {"#c1", "#s1"} <= set(markup.links())
    left, right = page.split('id="pane-s"')
    assert "老桥修好了，来往的人又多" in left
    assert '<span class="d d-inserted" title="增添">了</span>' in left
    assert '<span class="d gap-mark d-inserted" title="增添: 仅对方有：了"></span>' in right
    assert "县里的消息：\n" in right


def test_side_by_side_says_how_it_knows(client: FlaskClient, engine: Engine) -> None:
    reasons = [
        f"{SOURCE.url} is dated 2026-02-27 01:30 UTC, {COPY.url} 2026-03-01 01:30 UTC",
        "an unheard-of reason",
    ]
    source = replace(SOURCE, precision=Precision.DAY)
    with transaction(engine) as session:
        hit_id = store_hit(
            session, source=source, reasons=reasons, credit=Credit.NAMED, credit_evidence="来源：县报", provisional=True
        )

    text = " ".join(Markup(client.get(f"/hits/{hit_id}").text).text.split())

    assert "可信度 93%" in text
    assert "原文标注的日期是 2026-02-27 01:30 UTC，疑似抄袭文是 2026-03-01 01:30 UTC" in text
    assert "an unheard-of reason" in text
    assert "来源标注 已注明来源 来源：县报" in text
    assert "2026-02-27 仅到日 · 取自页面结构化数据" in text, "no time is shown that nobody stated"
    assert "2026-03-01 09:30 精确到分" in text, "in the viewer's zone"
    assert "王记者" in text
    assert "暂定：此命中仅凭" in text
    assert "Simhash 距离18 共有切片7 共有种子4" in text


def test_without_reasons_the_direction_is_called_a_guess(client: FlaskClient, engine: Engine) -> None:
    with transaction(engine) as session:
        hit_id = store_hit(session, reasons=(), confidence=0.5)

    assert "先后仅为猜测" in client.get(f"/hits/{hit_id}").text


def test_boilerplate_is_set_apart(client: FlaskClient, engine: Engine) -> None:
    with transaction(engine) as session:
        hit_id = store_hit(session, passages=[*PASSAGES, Passage(34, 45, 0, 5, 1.0, is_boilerplate=True)])

    page = client.get(f"/hits/{hit_id}").text

    assert 'class="passage boilerplate" id="c2"' in page
    assert "不能作为证据的文字" in page


def test_moved_passages_say_so(client: FlaskClient, engine: Engine) -> None:
    with transaction(engine) as session:
        hit_id = store_hit(session, passages=[replace(PASSAGES[0], differences=Differences(moved=28))])

    assert 'class="passage moved"' in client.get(f"/hits/{hit_id}").text


def test_addresses_lead_out_without_telling_where_from(client: FlaskClient, engine: Engine) -> None:
    with transaction(engine) as session:
        hit_id = store_hit(session)

    outward = [
        attributes
        for tag, attributes in Markup(client.get(f"/hits/{hit_id}").text).elements
        if tag == "a" and attributes["href"].startswith("http")
    ]

    assert {attributes["href"] for attributes in outward} == {COPY.url, SOURCE.url}
    assert {attributes["rel"] for attributes in outward} == {"noopener noreferrer nofollow"}


ATTACK = "<script>alert(1)</script>\"'><img src=x onerror=alert(2)>{{ 1234*1234 }}\u202egnp.exe\u200b\0"


@pytest.mark.parametrize("language", ["zh", "en"])
def test_hostile_pages_stay_text_on_every_page(engine: Engine, language: str) -> None:
    client = client_of_person(engine, language=language)
    copy = Side("javascript:alert(document.domain)", ATTACK * 3, title=ATTACK, site=ATTACK[:60], author=ATTACK)
    source = Side("file:///etc/passwd", "原" + ATTACK * 2, title="", site="'\"><svg onload=alert(3)>", owner="<b>o</b>")
    passage = Passage(0, len(ATTACK) * 2, 1, len(ATTACK) * 2, 0.9, Differences(edited=2))
    with transaction(engine) as session:
        hit_id = store_hit(
            session,
            copy=copy,
            source=source,
            passages=[passage],
            reasons=[ATTACK.replace("\0", ""), f"{copy.url} credits the other: {ATTACK[:40]}"],
            credit=Credit.NAMED,
            credit_evidence=ATTACK.replace("\0", ""),
        )

    for path in ("/", "/hits", f"/hits/{hit_id}", "/sites", f"/hits?text={ATTACK}&site={ATTACK}"):
        page = client.get(path).text
        markup = Markup(page)
        assert "iframe" not in {tag for tag, _ in markup.elements}, path
        scripts = [plain_name(attributes.get("src", "")) for tag, attributes in markup.elements if tag == "script"]
        assert set(scripts) <= set(_OWN_SCRIPTS), path
        assert all(not set(attributes) - {"src", "defer"} for tag, attributes in markup.elements if tag == "script")
        assert not [name for _, attributes in markup.elements for name in attributes if name.startswith("on")], path
        assert all(not link.startswith(("javascript:", "file:")) for link in markup.links()), path
        sources = [plain_name(attributes["src"]) for _, attributes in markup.elements if "src" in attributes]
        assert set(sources) <= set(_OWN_SOURCES), path
        assert "\u202e" not in page.replace('value="', "", 1) or path.startswith("/hits?"), path
        assert "1522756" not in markup.text, "nothing is evaluated as a template"


_OWN_SCRIPTS = tuple(f"/static/{name}.js" for name in ("desk", "find", "side_by_side", "review"))
_OWN_SOURCES = ("/static/logo.svg", *_OWN_SCRIPTS)


def test_hidden_characters_are_shown_by_name(client: FlaskClient, engine: Engine) -> None:
    text = "前面\u202e倒写\u202c后面\u200b\u200b\u200b，老桥修好了"
    with transaction(engine) as session:
        hit_id = store_hit(
            session, copy=replace(COPY, text=text, title="标\u202e题"), passages=[Passage(13, 18, 7, 12, 1)]
        )

    page = client.get(f"/hits/{hit_id}").text

    assert '<span class="ctl" title="U+202E RIGHT-TO-LEFT OVERRIDE">⟪U+202E⟫</span>' in page
    assert "⟪U+200B ×3⟫" in page
    assert "标⟪U+202E⟫题 ·" in page[: page.index("</title>")]


def test_a_million_characters_are_cut_with_a_word(client: FlaskClient, engine: Engine) -> None:
    length = 1_000_000
    long_copy = replace(COPY, text="长" * length)
    with transaction(engine) as session:
        hit_id = store_hit(session, copy=long_copy, passages=[Passage(0, length, 0, 9, 0.1)])

    page = client.get(f"/hits/{hit_id}").text

    assert f"下文还有 {length - SHOWN_CHARS:,} 字" in page
    assert "有 1 处长片段未标出差异" in page
    assert page.count("长") < SHOWN_CHARS + 100


def test_the_middle_between_far_passages_is_left_out_and_counted(client: FlaskClient, engine: Engine) -> None:
    copy = "河" * 60_000 + COPY_TEXT + "桥" * 60_000
    start = 60_000
    with transaction(engine) as session:
        hit_id = store_hit(
            session, copy=replace(COPY, text=copy), passages=[Passage(start + 5, start + 33, 7, 34, 0.96)]
        )

    page = client.get(f"/hits/{hit_id}").text

    assert f"此处略去 {60_000 - NEAR_CHARS + 5:,} 字" in page
    assert page.count("河") < 2 * NEAR_CHARS
    assert 'id="c1"' in page
    assert "老桥修好了" in page, "the passage itself, far behind the beginning"


def test_all_sources_of_a_mosaic_stand_beside_it(client: FlaskClient, engine: Engine) -> None:
    other = replace(
        SOURCE, url="https://weekly.example/tea", text="周刊的消息：河边的茶馆也开了门。", title="茶馆", site="周刊"
    )
    with transaction(engine) as session:
        first = store_hit(session, passages=[Passage(5, 20, 7, 22, 1.0)], kind=MatchKind.MOSAIC)
        alone = client.get(f"/hits/{first}").text
        second = store_hit(session, source=other, passages=[Passage(20, 32, 6, 16, 1.0)], kind=MatchKind.MOSAIC)

    page = client.get(f"/hits/{first}").text

    assert "该页面的全部原文" not in alone
    assert "该页面的全部原文" in page
    rows = page[page.index('class="sheet mosaic"') : page.index('class="cards histories"')]
    assert f'href="/hits/{second}"' in rows
    assert f'href="/hits/{first}"' not in rows, "it is the page that is open"
    assert rows.count('class="strip"') == 2
    assert rows.count("strip-own") == 3, "a stretch of each, and the key"


def test_both_pages_show_what_stood_on_them(client: FlaskClient, engine: Engine) -> None:
    with transaction(engine) as session:
        hit_id = store_hit(session)
    with transaction(engine) as session:
        later = NewArticle(
            url=COPY.url,
            text="改成了别的内容。" * 20,
            found_by=FoundBy.SPIDER,
            fetched_at=PUBLISHED + timedelta(days=9),
        )
        saving.save_pages(session, [FingerprintedArticle(later, fingerprint_text(later.text))])

    page = client.get(f"/hits/{hit_id}").text

    histories = page[page.index('class="cards histories"') : page.index("<footer")]
    assert " ".join(Markup(histories).text.split()).count("此后有改动") == 1
    assert histories.count("本页所示") == 2
    assert histories.count("<li") == 3


def test_quotations_are_marked_and_named(client: FlaskClient, engine: Engine) -> None:
    said = replace(COPY, text="编者按。\n他说：“老桥修好了，来往的人又多了起来。”")
    with transaction(engine) as session:
        hit_id = store_hit(session, copy=said, passages=[Passage(8, 25, 7, 24, 0.9)])
        plain = store_hit(session, copy=replace(COPY, url="https://plain.example/a"))

    assert 'class="quoted"' in client.get(f"/hits/{hit_id}").text
    assert 'class="quoted"' not in client.get(f"/hits/{plain}").text


def test_a_hit_whose_page_was_removed_is_gone(client: FlaskClient, engine: Engine) -> None:
    with transaction(engine) as session:
        hit_id = store_hit(session)
        session.connection().exec_driver_sql("DELETE FROM page")

    assert client.get(f"/hits/{hit_id}").status_code == 404
