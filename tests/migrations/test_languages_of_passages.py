"""Passages that were encoded before their language was kept, and the index that held all of them."""

from sqlalchemy import Engine, text

from storage import migrate

FILL = """
    INSERT INTO text (id, sha256, body, chars) VALUES (1, sha256('1'), 'x', 1);
    INSERT INTO meaning_background (id, encoder, size, mean, sample, texts, is_serving)
        VALUES (1, 'e 1', 8, '', '', 30, true);
    INSERT INTO encoded_text (text_id, background_id, passages) VALUES (1, 1, 1);
    INSERT INTO passage_vector (text_id, background_id, bits, number) VALUES (1, 1, '10101010', 0);
    CREATE INDEX ix_passage_vector_near_1 ON passage_vector (text_id) WHERE background_id = 1
"""
INDEXES = "SELECT count(*) FROM pg_class WHERE relkind = 'i' AND starts_with(relname, 'ix_passage_vector_near_')"


def test_passages_stay_and_the_index_of_all_of_them_goes(engine: Engine) -> None:
    url = engine.url.render_as_string(hide_password=False)
    migrate.downgrade(url, "0046")
    with engine.begin() as connection:
        connection.execute(text(FILL))

    migrate.upgrade(url)

    migrate.check(url)
    with engine.connect() as connection:
        assert connection.scalar(text(INDEXES)) == 0
        assert connection.execute(text("SELECT bits::text, number, is_chinese FROM passage_vector")).all() == [
            ("10101010", 0, None)
        ]
