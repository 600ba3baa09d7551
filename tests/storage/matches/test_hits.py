"""Matches: once per pair, read from the copy's side, listed by what one asks for."""

from collections.abc import Collection
from dataclasses import replace
from typing import Any

import pytest
from sqlalchemy import Engine, func, select
from sqlalchemy.orm import Session

from fingerprint.model import ALGORITHM_VERSION
from storage.engine import make_engine, transaction
from storage.matches import hits as match_hits
from storage.matches import saving
from storage.matches.filters import hit_ids
from storage.matches.pending_matches import PendingMatches
from storage.models.matches import Match, PageMatch
from storage.records.differences import Differences
from storage.records.matches import Evidence, HitFilter, NewPageMatch, Passage
from storage.records.pages import SavedPage
from storage.types import Credit, MatchKind, SiteRole
from tests.support.factories import a_match, a_site, an_article, save, text_of

PASSAGE = Passage(0, 10, 20, 32, 0.8, Differences(1, 2, 3, 4, 5, 6, 7))


def a_page(session: Session, name: str, number: int, **fields: Any) -> SavedPage:
    return save(session, an_article(name, text_of(number), **fields))[0]


def drop(session: Session, page: SavedPage, *, keep: Collection[int]) -> int:
    pending = PendingMatches(session, [page.text_id])
    dropped = pending.drop(page.page_id, text_id=page.text_id, keep=keep)
    pending.write()
    return dropped


def matched(session: Session, source: SavedPage, copy: SavedPage, **fields: Any) -> int:
    """A match of two pages; shares and passage are those of the copy's side. Returns the hit's id."""
    copy_share, source_share = 0.9, 0.3
    copy_is_low = copy.text_id <= source.text_id
    defaults = {
        "low_share": copy_share if copy_is_low else source_share,
        "high_share": source_share if copy_is_low else copy_share,
        "passages": (PASSAGE if copy_is_low else PASSAGE.swapped(),),
    }
    low, high = sorted([source.text_id, copy.text_id])
    match_id, _ = saving.store_match(session, a_match(low, high, **(defaults | fields)))
    return saving.store_page_match(session, match_id, said_of(source, copy))


def said_of(source: SavedPage, copy: SavedPage, credit: Credit = Credit.NONE) -> NewPageMatch:
    return NewPageMatch((copy.page_id, source.page_id), source.page_id, 0.8, ("更早", "有署名"), credit, "来源：甲")


@pytest.mark.parametrize("copy_first", [True, False], ids=["copy saved first", "source saved first"])
def test_a_hit_is_read_from_the_side_of_the_copy(session: Session, copy_first: bool) -> None:
    names = ["copy", "source"] if copy_first else ["source", "copy"]
    saved = {name: a_page(session, name, number, title=name) for number, name in enumerate(names)}

    hit_id = matched(session, saved["source"], saved["copy"])

    hit = match_hits.get_hit(session, hit_id)
    assert hit is not None
    assert (hit.copy.title, hit.source.title) == ("copy", "source")
    assert (hit.copy.page_id, hit.source.page_id) == (saved["copy"].page_id, saved["source"].page_id)
    assert (hit.copy.text_id, hit.source.text_id) == (saved["copy"].text_id, saved["source"].text_id)
    assert (hit.copy.share, hit.source.share) == (0.9, 0.3)
    assert hit.passages == (PASSAGE,)
    assert (hit.confidence, hit.reasons, hit.credit_evidence) == (0.8, ("更早", "有署名"), "来源：甲")
    assert hit.evidence == Evidence(3, 4, 5, 100, 0)
    assert match_hits.list_hits(session) == [hit]


def test_swapping_a_passage_twice_gives_it_back_and_inserted_changes_places_with_deleted() -> None:
    swapped = PASSAGE.swapped()

    assert (swapped.left_start, swapped.left_end, swapped.right_start, swapped.right_end) == (20, 32, 0, 10)
    assert (swapped.differences.inserted, swapped.differences.deleted) == (6, 5)
    assert swapped.swapped() == PASSAGE


def test_a_pair_is_stored_once_and_a_later_judgement_replaces_the_earlier(session: Session) -> None:
    low, high = (a_page(session, f"host{number}", number) for number in range(2))
    texts = sorted([low.text_id, high.text_id])

    first = saving.store_match(session, a_match(*texts, score=0.5, longest=40))
    again = saving.store_match(session, a_match(*texts, score=0.9, longest=80, kind=MatchKind.EXCERPT))

    assert (first, again) == ((first[0], True), (first[0], False))
    row = session.scalars(select(Match)).one()
    assert (row.score, row.longest, row.kind) == (0.9, 80, MatchKind.EXCERPT)


def test_seen_from_the_source_a_kind_that_stands_stays(session: Session) -> None:
    texts = sorted(a_page(session, f"host{number}", number).text_id for number in range(2))
    saving.store_match(session, a_match(*texts, kind=MatchKind.MOSAIC))

    saving.store_match(session, a_match(*texts, kind=MatchKind.EMBEDDED, score=0.4), seen_from_copy=False)

    assert session.execute(select(Match.kind, Match.score)).one() == (MatchKind.MOSAIC, 0.4)


def test_what_two_pages_mean_to_each_other_is_stored_once_whichever_comes_first(session: Session) -> None:
    one, other = (a_page(session, f"host{number}", number) for number in range(2))
    match_id, _ = saving.store_match(session, a_match(*sorted([one.text_id, other.text_id])))

    first = saving.store_page_match(session, match_id, said_of(one, other))
    second = saving.store_page_match(session, match_id, said_of(other, one, Credit.LINKED))

    assert first == second
    assert session.execute(select(PageMatch.source_page_id, PageMatch.credit)).one() == (other.page_id, Credit.LINKED)


def test_one_text_on_two_pages_is_a_match_with_itself(session: Session) -> None:
    source, copy = a_page(session, "source", 1), a_page(session, "copy", 1, hours=3)

    hit_id = matched(session, source, copy, low_share=1.0, high_share=1.0, kind=MatchKind.IDENTICAL)

    (hit,) = match_hits.list_hits(session)
    assert (hit.id, hit.copy.host, hit.source.host) == (hit_id, "copy.example", "source.example")
    assert (hit.copy.share, hit.source.share) == (1.0, 1.0)
    assert saving.matched_texts(session, copy.text_id, algorithm_version=ALGORITHM_VERSION) == {copy.text_id}


def test_a_text_knows_whom_it_is_matched_with_on_either_side(session: Session) -> None:
    a, b, c = (a_page(session, f"host{number}", number) for number in range(3))
    matched(session, a, b)
    matched(session, b, c)

    assert saving.matched_texts(session, b.text_id, algorithm_version=ALGORITHM_VERSION) == {a.text_id, c.text_id}
    assert saving.matched_texts(session, a.text_id, algorithm_version=ALGORITHM_VERSION) == {b.text_id}
    assert saving.matched_texts(session, a.text_id, algorithm_version=ALGORITHM_VERSION + 1) == set()


def test_what_a_new_judgement_did_not_find_again_is_dropped_and_the_rest_stays(session: Session) -> None:
    a, b, c = (a_page(session, f"host{number}", number) for number in range(3))
    kept, _, elsewhere = matched(session, a, b), matched(session, a, c), matched(session, b, c)

    assert drop(session, a, keep={b.text_id}) == 1

    assert {hit.id for hit in match_hits.list_hits(session)} == {kept, elsewhere}
    assert session.scalar(select(func.count()).select_from(Match)) == 2


def test_a_match_that_two_other_pages_still_show_stays(session: Session) -> None:
    a, b, twin = a_page(session, "a", 1), a_page(session, "b", 2), a_page(session, "twin", 1)
    matched(session, a, b)
    other = matched(session, twin, b)

    drop(session, a, keep=())

    assert [hit.id for hit in match_hits.list_hits(session)] == [other]


def test_the_match_of_an_earlier_version_stays_when_the_page_has_changed(session: Session) -> None:
    before, other = a_page(session, "one", 1), a_page(session, "other", 2)
    hit_id = matched(session, other, before)
    after = a_page(session, "one", 3, hours=5, title="改过")

    drop(session, after, keep=())

    (hit,) = match_hits.list_hits(session)
    assert (hit.id, hit.copy.text_id, hit.copy.title) == (hit_id, before.text_id, "")


def test_pages_that_both_held_both_texts_are_one_hit(session: Session) -> None:
    """The source is corrected, the copy follows: each has both texts as versions."""
    old_source, old_copy = a_page(session, "source", 1), a_page(session, "copy", 1, hours=1)
    new_source = a_page(session, "source", 2, hours=2)
    across = matched(session, new_source, old_copy)
    new_copy = a_page(session, "copy", 2, hours=3)
    same = matched(session, new_source, new_copy, low_share=1.0, high_share=1.0)

    assert old_source.page_id == new_source.page_id
    assert [hit.id for hit in match_hits.list_hits(session)] == [across, same]
    assert match_hits.count_hits(session) == 2
    hit = match_hits.get_hit(session, across)
    assert hit is not None
    assert {hit.copy.text_id, hit.source.text_id} == {old_copy.text_id, new_source.text_id}


@pytest.fixture
def cast(session: Session) -> dict[str, int]:
    """Three hits: ours at a copier, ours credited by a blog, and one between others."""
    ours = a_site(session, "县报", owner="县报社", role=SiteRole.ORIGINAL)
    copier = a_site(session, "抄写网", owner="抄写公司")
    original = a_page(session, "ours", 1, site_id=ours.id, title="100% 老桥_修好了")
    stolen = a_page(session, "stolen", 2, site_id=copier.id, title="Old Bridge")
    blog, wire = a_page(session, "blog", 3), a_page(session, "wire", 4)
    hits = {
        "stolen": matched(session, original, stolen, score=0.9),
        "blog": matched(session, original, blog, score=0.7, kind=MatchKind.EXCERPT),
        "others": matched(session, wire, blog, score=0.8, kind=MatchKind.MOSAIC),
    }
    match_id = session.scalar(select(PageMatch.match_id).where(PageMatch.id == hits["blog"]))
    assert match_id is not None
    saving.store_page_match(session, match_id, said_of(original, blog, Credit.NAMED))
    return hits


@pytest.mark.parametrize(
    ("where", "expected"),
    [
        (HitFilter(), ["stolen", "others", "blog"]),
        (HitFilter(site="县报"), ["stolen", "blog"]),
        (HitFilter(site="抄写网"), ["stolen"]),
        (HitFilter(owner="抄写公司"), ["stolen"]),
        (HitFilter(kind=MatchKind.EXCERPT), ["blog"]),
        (HitFilter(credit=Credit.NAMED), ["blog"]),
        (HitFilter(credit=Credit.NONE), ["stolen", "others"]),
        (HitFilter(role=SiteRole.ORIGINAL), ["stolen", "blog"]),
        (HitFilter(role=SiteRole.WATCHED), []),
        (HitFilter(min_score=0.8), ["stolen", "others"]),
        (HitFilter(min_share=0.9), ["stolen", "others", "blog"]),
        (HitFilter(min_share=0.91), []),
        (HitFilter(text="老桥"), ["stolen", "blog"]),
        (HitFilter(text="OLD bridge"), ["stolen"]),
        (HitFilter(text="wire.example"), ["others"]),
        (HitFilter(text="100%"), ["stolen", "blog"]),
        (HitFilter(text="桥_修"), ["stolen", "blog"]),
        (HitFilter(text="%"), ["stolen", "blog"]),
        (HitFilter(text="' OR 1=1 --"), []),
        (HitFilter(text="nul\0\ud800"), []),
        (HitFilter(site="县报", kind=MatchKind.EXCERPT, credit=Credit.NAMED, min_score=0.7), ["blog"]),
        (HitFilter(site="没有的网"), []),
    ],
    ids=str,
)
def test_hits_are_listed_surest_first_and_by_what_is_asked(
    session: Session, cast: dict[str, int], where: HitFilter, expected: list[str]
) -> None:
    names = {hit_id: name for name, hit_id in cast.items()}

    assert [names[hit.id] for hit in match_hits.list_hits(session, where)] == expected
    assert match_hits.count_hits(session, where) == len(expected)
    assert [names[hit_id] for hit_id in match_hits.ids_of_hits(session, where, bound=2)] == expected[:2]
    in_order = session.scalars(hit_ids(session, where, most_named=0))
    assert [names[hit_id] for hit_id in in_order] == expected, "as on a store where a site has very many pages"


def test_a_list_can_be_read_page_by_page(session: Session, cast: dict[str, int]) -> None:
    all_hits = match_hits.list_hits(session)

    pages = [match_hits.list_hits(session, limit=2, offset=offset) for offset in (0, 2, 4)]

    assert [hit for page in pages for hit in page] == all_hits
    assert [len(page) for page in pages] == [2, 1, 0]
    assert match_hits.get_hit(session, max(cast.values()) + 1) is None


def test_hits_are_counted_no_further_than_asked(session: Session, cast: dict[str, int]) -> None:
    every = match_hits.count_hits(session)

    assert every > 2
    assert [match_hits.count_hits(session, bound=bound) for bound in (1, 2, every, every + 9)] == [1, 2, every, every]


def test_the_hits_of_a_page_are_told_from_both_sides(session: Session) -> None:
    source, copy, other = (a_page(session, name, number) for number, name in enumerate(("source", "copy", "other")))
    first = matched(session, source, copy)
    second = matched(session, copy, other)

    def of(page: SavedPage) -> set[int]:
        return {hit.id for hit in match_hits.hits_of_page(session, page.page_id, limit=9)}

    assert [of(page) for page in (source, copy, other)] == [{first}, {first, second}, {second}]
    assert len(match_hits.hits_of_page(session, copy.page_id, limit=1)) == 1
    assert [hit.id for hit in match_hits.hits_of_copy(session, copy.page_id, text_id=copy.text_id, limit=9)] == [first]
    assert match_hits.hits_of_copy(session, source.page_id, text_id=source.text_id, limit=9) == []
    assert match_hits.hit_of_pages(session, copy.page_id, source.page_id) == first
    assert match_hits.hit_of_pages(session, source.page_id, other.page_id) is None


def test_two_workers_that_find_one_pair_at_once_store_it_once(clean_database_url: str) -> None:
    engine: Engine = make_engine(clean_database_url)
    with transaction(engine) as session:
        texts = sorted(a_page(session, f"host{number}", number).text_id for number in range(2))
    found = a_match(*texts)

    with transaction(engine) as session:
        first = saving.store_match(session, found)
    with transaction(engine) as session:
        second = saving.store_match(session, replace(found, score=0.1))
        assert session.scalar(select(func.count()).select_from(Match)) == 1
    engine.dispose()

    assert (first[1], second) == (True, (first[0], False))
