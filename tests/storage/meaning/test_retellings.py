"""One row for two pages: saved again without loss of decisions, withdrawn with the text, deleted with the page."""

from dataclasses import replace

import pytest
from sqlalchemy import Engine, delete, func, select, update
from sqlalchemy.orm import Session

from storage.engine import transaction
from storage.matches import saving
from storage.matches.direction_reasons import Reason, ReasonCode
from storage.meaning.retellings import (
    list_retellings,
    retelling_of_pages,
    retellings_of_page,
    save_retellings,
    withdraw_outdated,
    withdraw_retellings,
)
from storage.models.meaning import Retelling
from storage.models.pages import Page
from storage.records.matches import HitFilter, NewPageMatch
from storage.records.pages import SavedPage
from storage.records.retellings import AlikeSentences, NewRetelling
from storage.types import Credit, Relation, RetellingKind, RetellingState, SiteRole
from tests.support.factories import a_match, a_site, an_article, commit, save, text_of

REASON = Reason(ReasonCode.MORE_PARTICULARS, page="https://one.example/a", other="https://two.example/a", count=3)


@pytest.fixture
def pages(engine: Engine) -> list[SavedPage]:
    return commit(engine, [an_article(name, text_of(number)) for number, name in enumerate(("one", "two", "three"))])


def a_retelling(one: SavedPage, other: SavedPage, **fields: object) -> NewRetelling:
    made = NewRetelling(
        page_ids=(one.page_id, other.page_id),
        text_ids=(one.text_id, other.text_id),
        encoder="some 1",
        kind=RetellingKind.RETOLD,
        score=0.8,
        shares=(0.9, 0.4),
        in_order=7,
        figures=(3, 4),
        particulars=("柯文倩", "91.3"),
        sentences=(AlikeSentences(0, 20, 100, 130, 0.4, ("91.3",), 0.7),),
        source_page_id=one.page_id,
        confidence=0.8,
        reasons=(REASON, "a\0b\ud800"),
    )
    return replace(made, **fields)  # type: ignore[arg-type]  # fields of it


def test_a_pair_is_one_row_whichever_page_comes_first(engine: Engine, pages: list[SavedPage]) -> None:
    found = a_retelling(pages[0], pages[1])
    with transaction(engine) as session:
        save_retellings(session, [found])
        save_retellings(session, [found.mirrored()])
        (record,) = list_retellings(session, RetellingKind.RETOLD)

    assert (record.source.page_id, record.copy.page_id) == (pages[0].page_id, pages[1].page_id)
    assert (record.source.share, record.copy.share) == (0.9, 0.4)
    assert (record.figures, record.in_order, record.particulars) == ((3, 4), 7, ("柯文倩", "91.3"))
    assert record.sentences == (AlikeSentences(100, 130, 0, 20, 0.4, ("91.3",), 0.7),)
    assert record.reasons == (REASON, "a\ufffdb\ufffd")
    assert record.relation is Relation.COPY
    assert record.state is RetellingState.OPEN


def test_saving_again_brings_new_figures_and_keeps_decision_and_relation(
    engine: Engine, pages: list[SavedPage]
) -> None:
    found = a_retelling(pages[0], pages[1])
    with transaction(engine) as session:
        third = pages[2].page_id
        save_retellings(session, [replace(found, relation=Relation.BOTH_FROM_THIRD, third_page_id=third)])
        session.execute(update(Retelling).values(state=RetellingState.DISMISSED))
        save_retellings(session, [replace(found, score=0.9)])
        record = retelling_of_pages(session, pages[1].page_id, pages[0].page_id)
        assert record is not None
        assert (record.score, record.state) == (0.9, RetellingState.DISMISSED)
        assert (record.relation, record.third_url) == (Relation.BOTH_FROM_THIRD, "https://three.example/a")
        assert list_retellings(session, RetellingKind.RETOLD) == []

        other_text = replace(found, text_ids=(pages[2].text_id, pages[1].text_id))
        save_retellings(session, [other_text])
        row = session.execute(select(Retelling.relation, Retelling.third_page_id)).one()
        assert tuple(row) == (Relation.COPY, None)


def test_a_pair_with_a_match_is_listed_with_its_pages_only(engine: Engine, pages: list[SavedPage]) -> None:
    one, other = pages[:2]
    with transaction(engine) as session:
        save_retellings(session, [a_retelling(one, other), a_retelling(one, pages[2], kind=RetellingKind.TRANSLATED)])
        match_id, _ = saving.store_match(session, a_match(*sorted((one.text_id, other.text_id))))
        shown = NewPageMatch((one.page_id, other.page_id), one.page_id, 0.7, (), Credit.NONE)
        saving.store_page_match(session, match_id, shown)

        assert list_retellings(session, RetellingKind.RETOLD) == []
        assert len(list_retellings(session, RetellingKind.TRANSLATED, HitFilter(min_score=0.8), limit=5)) == 1
        assert len(retellings_of_page(session, one.page_id, limit=5)) == 2


@pytest.mark.parametrize(
    ("where", "count"),
    [
        (HitFilter(min_score=0.81), 0),
        (HitFilter(min_share=0.41), 0),
        (HitFilter(min_share=0.4, text="TWO.example"), 1),
        (HitFilter(text="' OR 1 = 1 --\0"), 0),
        (HitFilter(site="one"), 1),
        (HitFilter(site="three"), 0),
        (HitFilter(owner="\ud800"), 0),
        (HitFilter(role=SiteRole.ORIGINAL), 1),
        (HitFilter(role=SiteRole.WATCHED), 0),
        (HitFilter(open_case=True), 0),
    ],
)
def test_the_filters_of_hits_hold_for_retellings(session: Session, where: HitFilter, count: int) -> None:
    site = a_site(session, "one", role=SiteRole.ORIGINAL)
    one, other = save(session, an_article("one", text_of(1), site_id=site.id), an_article("two", text_of(2)))
    save_retellings(session, [a_retelling(one, other)])
    assert len(list_retellings(session, RetellingKind.RETOLD, where)) == count


def test_what_another_encoder_found_is_withdrawn_unless_it_is_found_again(
    engine: Engine, pages: list[SavedPage]
) -> None:
    one, two, three = pages
    with transaction(engine) as session:
        save_retellings(session, [a_retelling(one, two), a_retelling(one, three), a_retelling(two, three)])
        withdraw_retellings(session, one.text_id, encoder="some 1", keep=())
        assert _count(session) == 3
        withdraw_retellings(session, one.text_id, encoder="some 2", keep=[(one.page_id, two.page_id)])
        assert retelling_of_pages(session, one.page_id, two.page_id) is not None
        assert retelling_of_pages(session, one.page_id, three.page_id) is None
        assert retelling_of_pages(session, two.page_id, three.page_id) is not None


@pytest.mark.parametrize(("state", "left"), [(RetellingState.OPEN, 0), (RetellingState.DISMISSED, 1)])
def test_an_undecided_one_is_withdrawn_when_a_page_has_another_text(
    engine: Engine, pages: list[SavedPage], state: RetellingState, left: int
) -> None:
    with transaction(engine) as session:
        save_retellings(session, [a_retelling(pages[0], pages[1])])
        session.execute(update(Retelling).values(state=state))
        assert withdraw_outdated(session) == 0
    commit(engine, [an_article("one", text_of(9), hours=5)])
    with transaction(engine) as session:
        assert withdraw_outdated(session) == 1 - left
        assert _count(session) == left


def test_it_goes_with_its_page(engine: Engine, pages: list[SavedPage]) -> None:
    with transaction(engine) as session:
        save_retellings(session, [a_retelling(pages[0], pages[1])])
        session.execute(delete(Page).where(Page.id == pages[0].page_id))
        assert _count(session) == 0


def _count(session: Session) -> int:
    return session.scalar(select(func.count()).select_from(Retelling)) or 0
