"""Bodies that are kept over batches, and which of them are read again."""

from sqlalchemy import Engine, delete, event

from matcher.comparison.kept_texts import KeptTexts
from matcher.comparison.store_reader import StoreReader
from storage.engine import transaction
from storage.models.pages import Page, Text
from storage.records.candidates import StoredText
from tests.support.factories import an_article, commit, story, text_of


def test_those_asked_for_last_are_kept() -> None:
    kept = KeptTexts(most_chars=6)
    kept.keep({1: "一二三", 2: "四五"})
    kept.of([1, 7])

    kept.keep({3: "六七八"})

    assert kept.of([1, 2, 3]) == {1: "一二三", 3: "六七八"}


def test_a_text_longer_than_all_that_is_kept_is_not_kept() -> None:
    kept = KeptTexts(most_chars=2)

    kept.keep({1: "一二三"})

    assert kept.of([1]) == {}


def test_another_batch_reads_no_body_again_but_learns_what_is_gone(engine: Engine) -> None:
    one, other = (saved.text_id for saved in commit(engine, [an_article("a", story()), an_article("b", text_of(3))]))
    kept, read = KeptTexts(), list[str]()
    with transaction(engine) as session:
        StoreReader(session, kept).texts([one, other])
    with transaction(engine) as session:
        session.execute(delete(Page).where(Page.host == "b.example"))
        session.execute(delete(Text).where(Text.id == other))
    event.listen(engine, "before_cursor_execute", lambda _connection, _cursor, sql, *_: read.append(sql))

    with transaction(engine) as session:
        found = StoreReader(session, kept).texts([one, other])

    assert found == {one: StoredText(one, story(), None)}
    assert [sql for sql in read if "texts_to_compare" in sql] == []
