"""Kinds of alert channels that the database does not name, and the way back to those it named."""

from sqlalchemy import Engine, text

from storage import migrate

KINDS = "SELECT kind FROM alert_channel ORDER BY id"


def test_a_kind_that_is_new_is_stored_and_becomes_another_service_on_the_way_back(engine: Engine) -> None:
    url = engine.url.render_as_string(hide_password=False)
    with engine.begin() as connection:
        connection.execute(
            text(
                "INSERT INTO alert_channel (name, kind, address, shown, language)"
                " VALUES ('a', 'unheard-of', 'x', 'x', 'zh'), ('b', 'mail', 'x', 'x', 'zh')"
            )
        )

    migrate.downgrade(url, "0024")
    with engine.connect() as connection:
        assert connection.scalars(text(KINDS)).all() == ["other", "mail"]
    migrate.upgrade(url)
    migrate.check(url)
