"""What happens to a page in the store: saved, changed, changed back, seen elsewhere, removed."""

from dataclasses import replace
from datetime import timedelta

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from sqlalchemy import func, select
from sqlalchemy.orm import Session

from fingerprint.compute import fingerprint_text
from fingerprint.model import ALGORITHM_VERSION, Fingerprint
from storage.matches import backlog, hits
from storage.matches import saving as match_saving
from storage.models.pages import Backlog, Page, PageVersion, StoredFingerprint, Text
from storage.pages import backlog_entry, pages, text_pages
from storage.pages import saving as page_saving
from storage.postgres import text as postgre_text
from storage.records.matches import NewPageMatch
from storage.records.pages import Declared, FingerprintedArticle, NewArticle, Post
from storage.sites import sites
from storage.takedowns import page_presence
from storage.types import ArticleKind, Credit, DateOrigin, FoundBy, Precision, Rights, SiteRole
from tests.support.factories import (
    SEEN,
    a_fingerprint,
    a_match,
    a_site,
    an_article,
    fingerprinted,
    save,
    story,
    text_of,
)

ANY_TEXT = st.text(st.characters(exclude_categories=()), min_size=1, max_size=300)


def count(session: Session, model: type) -> int:
    return session.scalar(select(func.count()).select_from(model)) or 0


def body_of(session: Session, url: str) -> str | None:
    page = pages.get_page(session, url)
    return None if page is None else pages.text_body(session, page.text_id)


def waiting_versions(session: Session) -> list[int]:
    return list(session.scalars(select(Backlog.page_version_id).order_by(Backlog.page_version_id)))


def test_a_page_comes_back_as_it_was_saved(session: Session) -> None:
    site = a_site(session, "县报", owner="县报社", role=SiteRole.ORIGINAL)
    article = NewArticle(
        url="https://county.example/bridge",
        text=story(),
        found_by=FoundBy.FEED,
        fetched_at=SEEN,
        title="老桥修好了",
        author="王记者",
        language="zh",
        declared=Declared(SEEN - timedelta(days=1), Precision.MINUTE, DateOrigin.JSON_LD),
        rights=Rights.OWN,
        site_id=site.id,
        credit_lines=("来源：县报", "作者：王记者"),
        credit_links=("https://other.example/",),
        canonical_link="https://county.example/bridge?full",
        etag='"abc"',
        last_modified="Mon, 04 May 2026 08:00:00 GMT",
    )

    (saved,) = save(session, article)
    page = pages.get_page(session, article.url)

    assert page is not None
    assert page == pages.page_by_id(session, saved.page_id)
    assert (page.id, page.version_id, page.text_id) == (saved.page_id, saved.version_id, saved.text_id)
    assert (page.host, page.site_name, page.role, page.owner_id) == (
        "county.example",
        "县报",
        "original",
        site.owner_id,
    )
    for field in (
        "title",
        "author",
        "language",
        "declared",
        "rights",
        "credit_lines",
        "credit_links",
        "canonical_link",
    ):
        assert getattr(page, field) == getattr(article, field), field
    assert (page.first_seen_at, page.fetched_at, page.gone_at) == (SEEN, SEEN, None)
    assert page.chars == len(article.text)
    validators = session.execute(select(Page.etag, Page.last_modified).where(Page.site_id == site.id)).all()
    assert validators == [(article.etag, article.last_modified)]


def test_saving_the_same_again_changes_nothing_but_the_time_last_seen(session: Session) -> None:
    first = save(session, an_article("one", story()))
    again = save(session, an_article("one", story(), hours=5))

    assert [(item.is_new_page, item.is_new_version) for item in (*first, *again)] == [(True, True), (False, False)]
    assert again[0].version_id == first[0].version_id
    assert [count(session, model) for model in (Page, PageVersion, Text, StoredFingerprint, Backlog)] == [1] * 5
    assert session.execute(select(Page.first_seen_at, Page.last_seen_at)).one() == (SEEN, SEEN + timedelta(hours=5))


def test_a_late_arrival_of_an_earlier_visit_does_not_turn_the_clock_back(session: Session) -> None:
    save(session, an_article("one", story(), hours=5))
    save(session, an_article("one", story()))
    page_saving.touch(session, "https://one.example/a", SEEN + timedelta(hours=2))

    assert session.scalar(select(Page.last_seen_at)) == SEEN + timedelta(hours=5)


def test_nothing_to_save_is_no_error(session: Session) -> None:
    assert page_saving.save_pages(session, []) == []


def test_the_same_text_on_two_pages_is_one_text_and_one_fingerprint(session: Session) -> None:
    one, other = save(session, an_article("one", story()), an_article("other", story()))

    assert one.text_id == other.text_id
    assert one.page_id != other.page_id
    assert [count(session, model) for model in (Page, PageVersion, Text, StoredFingerprint)] == [2, 2, 1, 1]
    assert waiting_versions(session) == sorted([one.version_id, other.version_id])


def test_of_two_items_with_one_url_the_last_is_kept_and_both_are_told(session: Session) -> None:
    results = save(session, an_article("one", text_of(1)), an_article("two", text_of(3)), an_article("one", text_of(2)))

    assert results[0] == results[2] != results[1]
    assert body_of(session, "https://one.example/a") == text_of(2)


def test_a_changed_page_has_a_new_current_version_and_keeps_the_old_one(session: Session) -> None:
    (before,) = save(session, an_article("one", text_of(1), title="旧"))
    (after,) = save(session, an_article("one", text_of(2), hours=1, title="新"))

    assert (after.is_new_page, after.is_new_version) == (False, True)
    page = pages.get_page(session, "https://one.example/a")
    assert page is not None
    assert (page.version_id, page.title) == (after.version_id, "新")
    current = select(PageVersion.id, PageVersion.is_current).order_by(PageVersion.id)
    assert session.execute(current).all() == [(before.version_id, False), (after.version_id, True)]
    assert waiting_versions(session) == [before.version_id, after.version_id]


def test_going_back_to_an_old_text_uses_its_version_again(session: Session) -> None:
    (first,) = save(session, an_article("one", text_of(1)))
    save(session, an_article("one", text_of(2), hours=1))
    backlog.done(session, waiting_versions(session))

    (back,) = save(session, an_article("one", text_of(1), hours=2))

    assert (back.version_id, back.is_new_version) == (first.version_id, True)
    assert count(session, PageVersion) == 2
    assert waiting_versions(session) == [first.version_id]
    assert body_of(session, "https://one.example/a") == text_of(1)


def test_a_page_that_was_compared_is_not_queued_again_until_it_changes(session: Session) -> None:
    save(session, an_article("one", text_of(1)))
    backlog.done(session, waiting_versions(session))

    save(session, an_article("one", text_of(1), hours=1))
    assert waiting_versions(session) == []

    (changed,) = save(session, an_article("one", text_of(2), hours=2))
    assert waiting_versions(session) == [changed.version_id]


def test_a_version_waits_once_however_often_it_is_queued(session: Session) -> None:
    (saved,) = save(session, an_article("one", text_of(1)))
    backlog_entry.enqueue(session, [saved.version_id, saved.version_id])
    backlog_entry.enqueue(session, [saved.version_id])

    assert waiting_versions(session) == [saved.version_id]


HOSTILE = {
    "a NUL": ("前\0后", "前\ufffd后"),
    "lone surrogates": ("前\ud800中\udfff后", "前\ufffd中\ufffd后"),
    "surrogates the wrong way round": ("\udc00\ud83d", "\ufffd\ufffd"),
    "a surrogate pair that Python keeps apart": ("\ud83d\ude00", "\ufffd\ufffd"),
    "quotes and backslashes": ("'; DROP TABLE page; -- \" \\ \\\\ $$ %s %(x)s {} {1,2}", None),
    "what COPY takes for NULL and for the end": ("\\N\n\\.\n\t\\t\r\n\\", None),
    "characters beyond the first plane": ("𠮷野家😀👨‍👩‍👧", None),
    "combining marks, bidi and zero-width": ("e\u0301\u202e\u200b\u200d\ufeff", None),
    "white space of all kinds": (" \t\n\r\v\f\x1c\x85\u2028\u3000", None),
}


@pytest.mark.parametrize(("given_text", "stored"), HOSTILE.values(), ids=HOSTILE)
def test_hostile_text_comes_back_unchanged_or_replaced_one_for_one(
    session: Session, given_text: str, stored: str | None
) -> None:
    article = an_article(
        "one", given_text, title=given_text, author=given_text, credit_lines=(given_text,), credit_links=(given_text,),
        canonical_link=given_text, etag=given_text, last_modified=given_text, found_by_whom=given_text,
    )  # fmt: skip

    save(session, article)
    page = pages.get_page(session, article.url)

    expected = given_text if stored is None else stored
    assert page is not None
    assert body_of(session, article.url) == expected
    assert (page.title, page.author, page.canonical_link) == (expected, expected, expected)
    assert (page.credit_lines, page.credit_links) == ((expected,), (expected,))


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(ANY_TEXT)
def test_any_text_is_stored_at_its_length_and_found_again_by_its_url(session: Session, text: str) -> None:
    save(session, an_article("one", text))

    assert body_of(session, "https://one.example/a") == postgre_text.storable(text)
    assert len(postgre_text.storable(text)) == len(text)


@example("0000000A\0A")
@given(ANY_TEXT)
def test_what_is_replaced_for_storing_changes_no_slice_and_no_seed(text: str) -> None:
    stored, given_text = fingerprint_text(postgre_text.storable(text)), fingerprint_text(text)

    assert (stored.slices, stored.seeds) == (given_text.slices, given_text.seeds)


def test_a_text_of_a_million_characters_is_stored_whole(session: Session) -> None:
    text = (text_of(7, chars=2_000) + "\\N\t'") * 500

    save(session, an_article("one", text))

    assert body_of(session, "https://one.example/a") == text


@pytest.mark.parametrize("simhash", [0, 1, 1 << 63, (1 << 64) - 1, 0x8000_FFFF_0001_7FFF], ids=hex)
def test_all_64_bits_of_a_simhash_come_back_and_its_bands_are_stored_beside_it(session: Session, simhash: int) -> None:
    found = a_fingerprint(simhash=simhash)

    page_saving.save_pages(session, [FingerprintedArticle(an_article("one", "短"), found)])

    row = session.scalars(select(StoredFingerprint)).one()
    assert row.simhash == simhash
    assert (row.band_0, row.band_1, row.band_2, row.band_3) == found.bands


def test_a_stored_fingerprint_is_the_one_computed(session: Session) -> None:
    item = fingerprinted(an_article("one", story()))

    page_saving.save_pages(session, [item])

    row = session.scalars(select(StoredFingerprint)).one()
    assert item.fingerprint == Fingerprint(
        row.algorithm_version, row.simhash, row.feature_count, row.unit_count, tuple(row.slices), tuple(row.seeds)
    )


def test_a_text_too_short_for_a_simhash_has_none_and_no_bands(session: Session) -> None:
    save(session, an_article("one", "很短。"))

    row = session.scalars(select(StoredFingerprint)).one()
    assert (row.simhash, row.band_0, row.band_3) == (None, None, None)


def test_pages_of_a_text_come_first_seen_first_up_to_a_bound(session: Session) -> None:
    saved = save(session, *(an_article(f"host{hours}", story(), hours=hours) for hours in (3, 1, 2)))
    save(session, an_article("elsewhere", text_of(1)))

    found = text_pages.pages_of_texts(session, [saved[0].text_id], per_text=2)

    assert {text: [page.host for page in held] for text, held in found.items()} == {
        saved[0].text_id: ["host1.example", "host2.example"]
    }
    assert text_pages.count_pages_of_texts(session, [saved[0].text_id]) == {saved[0].text_id: 3}


def test_a_page_that_held_a_text_earlier_does_not_hold_it_now(session: Session) -> None:
    (before,) = save(session, an_article("one", text_of(1)))
    save(session, an_article("one", text_of(2), hours=1))

    assert text_pages.pages_of_texts(session, [before.text_id], per_text=5) == {}
    present, former = text_pages.present_and_former_pages(session, [before.text_id], per_text=5)
    assert present == {}
    assert [(page.url, page.text_id) for page in former[before.text_id]] == [("https://one.example/a", before.text_id)]
    assert text_pages.count_pages_of_texts(session, [before.text_id]) == {}


def test_those_that_hold_a_text_and_those_that_held_it_are_bounded_each(session: Session) -> None:
    (shared, *_) = save(session, *(an_article(f"host{hours}", story(), hours=hours) for hours in range(5)))
    save(session, *(an_article(f"host{number}", text_of(number), hours=9) for number in (0, 1, 2)))

    present, former = text_pages.present_and_former_pages(session, [shared.text_id], per_text=2)

    assert [page.host for page in present[shared.text_id]] == ["host3.example", "host4.example"]
    assert [page.host for page in former[shared.text_id]] == ["host0.example", "host1.example"]


def test_listing_gives_every_page_once_and_one_site_alone_when_asked(session: Session) -> None:
    site = a_site(session, "甲")
    save(session, an_article("甲", text_of(1), site_id=site.id), an_article("乙", text_of(2)))
    save(session, an_article("甲", text_of(3), site_id=site.id))

    assert sorted(page.host for page in pages.list_pages(session)) == ["乙.example", "甲.example"]
    assert [page.host for page in pages.list_pages(session, site="甲")] == ["甲.example"]
    assert pages.pages_of_site(session, site.id, bound=50) == 1


def test_a_page_seen_without_a_site_joins_one_and_is_not_moved_to_another(session: Session) -> None:
    first, second = a_site(session, "甲"), a_site(session, "乙")
    save(session, an_article("one", text_of(1)))
    save(session, an_article("one", text_of(1), site_id=first.id))
    save(session, an_article("one", text_of(1), site_id=second.id))

    assert session.scalar(select(Page.site_id)) == first.id


def test_a_gone_page_is_news_once_and_returns_when_it_is_seen_again(session: Session) -> None:
    save(session, an_article("one", text_of(1)))
    url = "https://one.example/a"

    assert [page_presence.record_gone(session, url, SEEN, reason="gone") for _ in range(2)] == [True, False]
    assert not page_presence.record_gone(session, "https://nowhere.example/", SEEN, reason="gone")
    save(session, an_article("one", text_of(1), hours=1))

    page = pages.get_page(session, url)
    assert page is not None
    assert page.gone_at is None


def test_removing_a_page_takes_its_texts_and_all_that_hangs_on_them(session: Session) -> None:
    one, other = save(session, an_article("one", text_of(1)), an_article("other", text_of(2)))
    match_id, _ = match_saving.store_match(session, a_match(*sorted([one.text_id, other.text_id])))
    found = NewPageMatch((one.page_id, other.page_id), one.page_id, 0.9, ("为证",), Credit.NONE)
    match_saving.store_page_match(session, match_id, found)

    assert page_saving.remove_page(session, "https://one.example/a")

    assert not page_saving.remove_page(session, "https://one.example/a")
    assert list(session.scalars(select(Text.id))) == [other.text_id]
    assert list(session.scalars(select(StoredFingerprint.text_id))) == [other.text_id]
    assert waiting_versions(session) == [other.version_id]
    assert hits.count_hits(session) == 0
    assert match_saving.matched_texts(session, other.text_id, algorithm_version=ALGORITHM_VERSION) == set()


def test_removing_a_site_leaves_the_texts_that_stand_elsewhere(session: Session) -> None:
    site = a_site(session, "甲")
    _, shared, _ = save(
        session,
        an_article("https://甲.example/1", text_of(1), site_id=site.id),
        an_article("https://甲.example/2", text_of(2), site_id=site.id),
        an_article("https://甲.example/1", text_of(3), site_id=site.id),
    )
    save(session, an_article("other", text_of(2)))

    assert sites.remove_site(session, "甲") == 2

    assert list(session.scalars(select(Text.id))) == [shared.text_id]
    assert list(session.scalars(select(Page.host))) == ["other.example"]
    assert body_of(session, "https://other.example/a") == text_of(2)


def test_a_thread_is_stored_with_its_kind_and_posts(session: Session) -> None:
    posts = (Post("甲\x00乙", 0), Post("", 12))
    article = replace(an_article("https://forum.example/t/1", story()), kind=ArticleKind.THREAD, posts=posts)
    page_saving.save_pages(session, [FingerprintedArticle(article, fingerprint_text(article.text))])

    page = pages.get_page(session, article.url)
    assert page is not None
    assert page.kind == ArticleKind.THREAD
    assert pages.posts_of(session, page.version_id) == (Post("甲�乙", 0), Post("", 12))
    assert pages.posts_of(session, 0) == ()
