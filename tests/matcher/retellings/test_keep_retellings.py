"""The worker's share: what is found is saved for pages of different owners, once, and goes with its text."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from sqlalchemy import Engine, func, select
from sqlalchemy.orm import Session

from matcher.meaning.encoders.encoder import Encoder
from matcher.retellings.keep_retellings import keep_retellings
from matcher.retellings.opening import MeaningOfStore
from matcher.retellings.search import MeaningSearch
from matcher.worker.backlog import work_off
from storage.engine import transaction
from storage.meaning.retellings import list_retellings, retelling_of_pages, withdraw_outdated
from storage.models.meaning import Retelling
from storage.pages import pages
from storage.records.pages import SavedPage
from storage.types import RetellingKind
from tests.matcher.meaning.texts import RETOLD, TRANSLATED
from tests.matcher.retellings.texts import INNOCENT
from tests.support.factories import an_article, commit, save, story
from tests.support.meaning.meaning_store import encode_all, store_of

SOURCE = "https://balcony-garden.example/a"


def _count(session: Session) -> int:
    return session.scalar(select(func.count()).select_from(Retelling)) or 0


def test_a_retelling_is_saved_once_whichever_text_is_compared(stored: Session, search: MeaningSearch) -> None:
    (copy,) = save(stored, an_article("copier", RETOLD, hours=30))
    source = pages.get_page(stored, SOURCE)
    assert source is not None
    assert keep_retellings(stored, search, copy.text_id) == 1
    first = retelling_of_pages(stored, copy.page_id, source.id)
    assert keep_retellings(stored, search, copy.text_id) == 1
    assert retelling_of_pages(stored, source.id, copy.page_id) == first
    assert first is not None
    assert (first.source.url, first.kind) == (SOURCE, RetellingKind.RETOLD)
    assert first.confidence > 0.5
    assert RETOLD[first.sentences[0].left_start : first.sentences[0].left_end].startswith("住在十一楼")
    assert first.particulars
    # The copy is not encoded yet, so the source does not find it: what was found stays.
    assert keep_retellings(stored, search, source.text_id) == 0
    assert _count(stored) == 1


def test_an_owner_s_own_pages_and_innocent_ones_make_none(stored: Session, search: MeaningSearch) -> None:
    english = an_article("https://balcony-garden.example/en", TRANSLATED)
    own, innocent = save(stored, english, an_article("x", INNOCENT))
    assert keep_retellings(stored, search, innocent.text_id) == 0
    assert keep_retellings(stored, search, own.text_id) == 0


def test_a_text_on_many_pages_makes_few_pairs(stored: Session, search: MeaningSearch) -> None:
    copies = save(stored, *(an_article(f"copier{number}", RETOLD, hours=number) for number in range(8)))
    assert len({copy.text_id for copy in copies}) == 1
    assert keep_retellings(stored, search, copies[0].text_id) == 3


@pytest.mark.parametrize("text_id", [0, -1, 2**40])
def test_a_text_that_is_gone_makes_none(stored: Session, search: MeaningSearch, text_id: int) -> None:
    assert keep_retellings(stored, search, text_id) == 0


@pytest.fixture
def saved(pgvector: None, engine: Engine, encoder: Encoder) -> list[SavedPage]:
    """In a store of the test's own: a retelling and a translation, encoded, and their source."""
    store_of(engine, encoder)
    found = commit(engine, [an_article("retelling", RETOLD, hours=9), an_article("translation", TRANSLATED, hours=9)])
    encode_all(engine, encoder)
    return found


def test_two_workers_and_every_order_give_the_same(
    engine: Engine, saved: list[SavedPage], open_search: MeaningOfStore, encoder: Encoder
) -> None:
    open_search = MeaningOfStore(encoder)
    with transaction(engine) as session:
        source = pages.get_page(session, SOURCE)
    assert source is not None
    texts = [source.text_id, *(page.text_id for page in saved)]

    def compare(text_id: int) -> int:
        with transaction(engine) as session:
            return keep_retellings(session, open_search(session), text_id)

    with ThreadPoolExecutor(3) as workers:
        assert sum(workers.map(compare, texts * 2)) >= 8
    with transaction(engine) as session:
        kinds = [len(list_retellings(session, kind)) for kind in RetellingKind]
        assert sum(kinds) == _count(session) == 3  # source and retelling, source and translation, both copies
        # A literal copy of the source does not make the others strangers.
        commit(engine, [an_article("literal", story(), hours=50)])
    assert work_off(engine, should_stop=lambda: False).failed == 0
    with transaction(engine) as session:
        again = keep_retellings(session, open_search(session), source.text_id)
        assert again >= 4  # two pages of the source with each

        commit(engine, [an_article("retelling", INNOCENT, hours=60)])
    with transaction(engine) as session:
        assert withdraw_outdated(session) >= 2
        assert retelling_of_pages(session, source.id, saved[0].page_id) is None
        assert retelling_of_pages(session, source.id, saved[1].page_id) is not None
