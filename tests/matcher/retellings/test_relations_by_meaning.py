"""Two translations of one article: no copies if the article is stored, whichever of the three was last."""

from itertools import permutations

import pytest
from sqlalchemy import select
from sqlalchemy.orm import Session

from matcher.comparison import check
from matcher.meaning.passages import encode_passages
from matcher.retellings.check_by_meaning import MeaningResult, check_by_meaning
from matcher.retellings.keep_retellings import keep_retellings
from matcher.retellings.opening import MeaningOfStore
from matcher.retellings.search import MeaningSearch
from matcher.worker.match_version import match_versions
from storage.matches import backlog, hits
from storage.meaning import encodings, retellings
from storage.meaning.background import stored_background
from storage.models.meaning import EncodedText
from storage.records.matches import HitRecord
from storage.records.pages import NewArticle
from storage.types import FoundBy, Relation
from tests.matcher.retellings.translations import CLOSER, FIRST, ORIGINAL, SECOND
from tests.support.disguises import swap_homophones
from tests.support.factories import an_article, save

THIRD, LEFT, RIGHT = (f"https://{name}.example/a" for name in ("original", "first", "other"))
ORDERS = list(permutations((THIRD, LEFT, RIGHT)))


def imported(url: str, text: str) -> NewArticle:
    return an_article(url, text, found_by=FoundBy.IMPORT)


def arrive(session: Session, search: MeaningSearch, *found: NewArticle) -> list[int]:
    """Store articles, compare them literally and by meaning; return the ids of their pages."""
    saved = save(session, *found)
    settle(session, search)
    bodies = dict(zip([one.text_id for one in saved], [one.text for one in found], strict=True))
    bits = {
        text_id: encode_passages(body, search.encoder, search.background).strings() for text_id, body in bodies.items()
    }
    background = stored_background(session, search.label)
    assert background is not None
    encodings.keep(session, background, bits)
    settle(session, search)
    return [one.page_id for one in saved]


def settle(session: Session, search: MeaningSearch) -> None:
    """Compare what waits, as the worker does, until nothing waits."""
    for _ in range(9):
        items = backlog.claim(session, limit=64)
        match_versions(session, items)
        backlog.done(session, [item.version_id for item in items])
        waiting = session.scalars(select(EncodedText.text_id).where(EncodedText.compared_at.is_(None))).all()
        mine = sorted(text_id for text_id in waiting if text_id > newest_of_demo(session))
        for text_id in mine:
            keep_retellings(session, search, text_id)
            encodings.note_compared(session, text_id)
        if not items and not mine:
            return
    pytest.fail("something waits for ever")


def newest_of_demo(session: Session) -> int:
    known = session.info.setdefault("demo", encodings.newest_text(session))
    return int(known)


def hit(session: Session) -> HitRecord:
    (found,) = (one for one in hits.list_hits(session) if {one.copy.url, one.source.url} == {LEFT, RIGHT})
    return found


@pytest.mark.parametrize("order", ORDERS, ids=lambda order: " ".join(url[8:13] for url in order))
def test_a_hit_between_two_translations_names_their_original(
    stored: Session, search: MeaningSearch, order: tuple[str, ...]
) -> None:
    newest_of_demo(stored)
    texts = {THIRD: ORIGINAL, LEFT: FIRST, RIGHT: CLOSER}
    for url in order:
        arrive(stored, search, imported(url, texts[url]))

    found = hit(stored)

    assert (found.relation, found.third_url) == (Relation.BOTH_FROM_THIRD, THIRD)
    assert any("percent of their own wording, as independent writers do" in reason for reason in found.reasons)


@pytest.mark.parametrize("order", [ORDERS[0], ORDERS[-1]], ids=lambda order: " ".join(url[8:13] for url in order))
def test_a_copy_of_a_translation_is_accused_though_the_original_is_stored(
    stored: Session, search: MeaningSearch, order: tuple[str, ...]
) -> None:
    newest_of_demo(stored)
    texts = {THIRD: ORIGINAL, LEFT: FIRST, RIGHT: swap_homophones(FIRST, share=0.15, seed=2)}
    for url in order:
        arrive(stored, search, imported(url, texts[url]))

    assert (hit(stored).relation, hit(stored).third_url) == (Relation.COPY, None)


@pytest.mark.parametrize("order", [ORDERS[0], ORDERS[-1]], ids=lambda order: " ".join(url[8:13] for url in order))
def test_a_retelling_between_two_translations_names_their_original(
    stored: Session, search: MeaningSearch, order: tuple[str, ...]
) -> None:
    newest_of_demo(stored)
    texts = {THIRD: ORIGINAL, LEFT: FIRST, RIGHT: SECOND}
    pages = {url: arrive(stored, search, imported(url, texts[url]))[0] for url in order}

    found = retellings.retelling_of_pages(stored, pages[LEFT], pages[RIGHT])
    assert found is not None
    assert (found.relation, found.third_url) == (Relation.BOTH_FROM_THIRD, THIRD)
    for page in (LEFT, RIGHT):
        translation = retellings.retelling_of_pages(stored, pages[THIRD], pages[page])
        assert translation is not None
        assert translation.relation is Relation.COPY


def checked(session: Session, body: str, open_search: MeaningOfStore) -> tuple[check.CheckResult, MeaningResult]:
    article = an_article("new", body)
    literal = check.check(session, article, against=check.compared_with(session))
    return literal, check_by_meaning(session, article, literal, open_search)


def test_a_check_names_the_original_of_a_wording_and_of_a_retelling(
    stored: Session, search: MeaningSearch, open_search: MeaningOfStore
) -> None:
    newest_of_demo(stored)
    arrive(stored, search, imported(THIRD, ORIGINAL), imported(LEFT, FIRST))

    literal, _ = checked(stored, CLOSER, open_search)
    (found,) = literal.matches
    relation = found.relation_with(found.pages[0])
    assert (relation.relation, relation.third_url) == (Relation.BOTH_FROM_THIRD, THIRD)

    _, meaning = checked(stored, SECOND, open_search)
    by_url = {match.pages[0].url: match for match in meaning.retold}
    assert by_url[LEFT].relation is Relation.BOTH_FROM_THIRD
    third = by_url[LEFT].third
    assert third is not None
    assert third.url == THIRD
    assert by_url[THIRD].relation is Relation.COPY

    literal, _ = checked(stored, swap_homophones(FIRST, share=0.15, seed=2), open_search)
    assert {found.relation_with(found.pages[0]).relation for found in literal.matches} == {Relation.COPY}


def test_without_the_original_nothing_excuses_a_retelling(
    stored: Session, search: MeaningSearch, open_search: MeaningOfStore
) -> None:
    newest_of_demo(stored)
    arrive(stored, search, imported(LEFT, FIRST))

    _, meaning = checked(stored, SECOND, open_search)

    assert [match.relation for match in meaning.retold] == [Relation.COPY]
