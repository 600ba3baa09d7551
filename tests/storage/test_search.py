"""Pages are found by pieces of address, title and text, in Chinese too, and an index stands behind it."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import Engine, text
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from fingerprint.compute import fingerprint_text
from storage.engine import transaction
from storage.pages import saving, text_index
from storage.pages import search as page_search
from storage.pages.search import MANY_OF_THEM, MOST_LOOKED_AT, FoundPages, PageFilter, is_askable
from storage.records.pages import FingerprintedArticle, NewArticle
from storage.types import FoundBy
from tests.support.factories import SEEN, a_site, text_of

TITLES = ("老桥修好了", "The Last Bus to Linden Wharf", "百分之百的_桥% \\ 一座")


def save(session: Session, url: str, title: str = "", body: str = "", site_id: int | None = None) -> int:
    body = body or text_of(len(url))
    article = NewArticle(url=url, text=body, found_by=FoundBy.SPIDER, fetched_at=SEEN, title=title, site_id=site_id)
    return saving.save_pages(session, [FingerprintedArticle(article, fingerprint_text(body))])[0].page_id


def search(session: Session, piece: str = "", *, limit: int = 50, below: int | None = None, **where: str) -> FoundPages:
    return page_search.search_pages(session, PageFilter(piece=piece, **where), limit=limit, below=below)


def urls(found: FoundPages) -> list[str]:
    return [page.url for page in found.pages]


@pytest.mark.parametrize(
    ("piece", "numbers"),
    [
        ("老桥", [0]),
        ("修好了", [0]),
        ("linden WHARF", [1]),
        ("county.example/1", [1]),
        ("HTTPS://COUNTY.example", [2, 1, 0]),
        ("桥修", [0]),
        ("好修", []),
        ("_桥%", [2]),
        ("\\ 一", [2]),
        ("桥\x00修", []),
        ("不存在的字", []),
    ],
)
def test_a_piece_of_title_or_address_finds_the_page(session: Session, piece: str, numbers: list[int]) -> None:
    for number, title in enumerate(TITLES):
        save(session, f"https://county.example/{number}", title)

    assert urls(search(session, piece)) == [f"https://county.example/{number}" for number in numbers]


def test_what_stands_on_many_of_the_newest_pages_is_known(session: Session) -> None:
    for number in range(MANY_OF_THEM):
        save(session, f"https://county.example/{number}", "老桥修好了" if number else "别的事")

    assert page_search.is_everywhere(session, "COUNTY.example")
    assert not page_search.is_everywhere(session, "老桥"), "one page too few"
    save(session, "https://other.example/", "又是老桥")
    assert page_search.is_everywhere(session, "老桥")


def test_without_a_piece_all_pages_are_listed_newest_first_page_by_page(session: Session) -> None:
    ids = [save(session, f"https://county.example/{number}") for number in range(5)]

    first = search(session, limit=2)
    second = search(session, limit=2, below=first.pages[-1].id)
    last = search(session, limit=2, below=second.pages[-1].id)

    assert [page.id for found in (first, second, last) for page in found.pages] == ids[::-1]
    assert [found.has_more for found in (first, second, last)] == [True, True, False]


def test_the_title_of_today_is_searched_and_not_a_former_one(session: Session) -> None:
    save(session, "https://county.example/1", "旧的标题", text_of(1))
    save(session, "https://county.example/1", "新的标题", text_of(2))

    assert urls(search(session, "旧的")) == []
    assert urls(search(session, "新的标题")) == ["https://county.example/1"]


def test_a_site_narrows_the_list(session: Session) -> None:
    site = a_site(session, "甲报")
    save(session, "https://county.example/1", "老桥", site_id=site.id)
    save(session, "https://other.example/1", "老桥")

    assert urls(search(session, "老桥", site="甲报")) == ["https://county.example/1"]
    assert [page.site_name for page in search(session, site="甲报").pages] == ["甲报"]
    assert urls(search(session, site="乙报\x00")) == []


def test_where_too_many_fit_it_is_said(session: Session) -> None:
    session.execute(
        text(
            "INSERT INTO page (url, host, found_by, first_seen_at, last_seen_at)"
            " SELECT 'https://county.example/' || n, 'county.example', 'spider', now(), now()"
            " FROM generate_series(1, :most) AS n"
        ),
        {"most": MOST_LOOKED_AT + 1},
    )

    assert search(session, "county.example").is_cut
    assert not search(session, "county.example/1999").is_cut


@pytest.mark.parametrize(("piece", "askable"), [("", False), ("桥", False), ("老桥", True), ("x" * 401, False)])
def test_one_character_cannot_be_asked_for(piece: str, askable: bool) -> None:
    assert is_askable(piece) is askable


def test_titles_and_addresses_are_looked_up_in_their_indexes(session: Session) -> None:
    session.execute(text("SET LOCAL enable_seqscan = off"))
    plans = (
        "EXPLAIN SELECT id FROM page WHERE text_grams(url) @> text_grams('老桥修')",
        "EXPLAIN SELECT id FROM page_version WHERE text_grams(title) @> text_grams('老桥修')",
    )
    by_url, by_title = ("".join(session.scalars(text(plan))) for plan in plans)

    assert "ix_page_url_grams" in by_url
    assert "ix_page_version_title_grams" in by_title


# (How Σ is written small depends on what follows it: no index of pieces can know.)
hostile = st.text(alphabet=st.characters(codec="utf-8", exclude_characters="\x00Σ"), max_size=12)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60)
@given(hostile, hostile, hostile)
def test_the_index_loses_no_text_that_holds_the_piece(session: Session, before: str, piece: str, behind: str) -> None:
    holds = text("SELECT text_grams(:said) @> text_grams(:piece)")

    assert session.scalar(holds, {"said": before + piece + behind, "piece": piece})


@pytest.mark.usefixtures("clean_database_url")
def test_the_index_of_bodies_is_made_used_and_dropped(engine: Engine) -> None:
    with transaction(engine) as session:
        save(session, "https://county.example/1", body="河边的茶馆也开了门，来往的人又多了起来。" * 9)
        save(session, "https://county.example/2", body="河边的人又多了起来，茶馆也开了门。" * 9)
        assert text_index.state(session) is None

    text_index.build(engine)
    text_index.build(engine)

    with transaction(engine) as session:
        found = text_index.state(session)
        assert found is not None
        assert found.is_ready
        assert found.bytes > 0
        assert urls(search(session, body="河边的茶馆")) == ["https://county.example/1"]
        assert urls(search(session, "county.example/2", body="又多了")) == ["https://county.example/2"]
        assert urls(search(session, body="茶馆河边")) == []
    assert text_index.drop(engine)
    assert not text_index.drop(engine)


@pytest.mark.usefixtures("clean_database_url")
def test_an_index_whose_building_was_broken_off_is_made_anew(engine: Engine) -> None:
    with transaction(engine) as session:
        for number in (1, 2):
            save(session, f"https://county.example/{number}", body=f"{number}河边的茶馆也开了门。" * 9)
    with (
        engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection,
        pytest.raises(IntegrityError),
    ):
        connection.execute(text(f"CREATE UNIQUE INDEX CONCURRENTLY {text_index.NAME} ON text (chars)"))
    with transaction(engine) as session:
        found = text_index.state(session)
        assert found is not None
        assert not found.is_ready

    text_index.build(engine)

    with transaction(engine) as session:
        found = text_index.state(session)
        assert found is not None
        assert found.is_ready
