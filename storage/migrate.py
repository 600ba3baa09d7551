"""Alembic from inside the program: needs no file but the migrations. It is loaded where tables are changed only."""

from importlib.resources import files
from typing import TYPE_CHECKING, Final

from sqlalchemy import Engine, text

from storage.errors import SchemaNotCurrent

if TYPE_CHECKING:
    from alembic.config import Config

_DIGITS: Final = 4
"""Of a revision's number."""


def _config(url: str) -> "Config":
    from alembic.config import Config  # noqa: PLC0415  # takes a tenth of a second, at each start of the program

    config = Config()
    config.set_main_option("script_location", str(files("migrations")))
    # Percent signs of a quoted socket path would be interpolated by ConfigParser.
    config.set_main_option("sqlalchemy.url", url.replace("%", "%%"))
    return config


def upgrade(url: str, revision: str = "head") -> None:
    """Upgrade the schema to `revision`; safe to call from several processes at once (advisory lock)."""
    from alembic import command  # noqa: PLC0415  # as above

    command.upgrade(_config(url), revision)


def downgrade(url: str, revision: str) -> None:
    from alembic import command  # noqa: PLC0415  # as above

    command.downgrade(_config(url), revision)


def check(url: str) -> None:
    """Check that models and migrations agree. Raises alembic's CommandError if not."""
    from alembic import command  # noqa: PLC0415  # as above

    command.check(_config(url))


def revisions() -> list[str]:
    """Return the numbers of all migrations, oldest first. Files bear their numbers, so that none has to be loaded."""
    names = sorted(path.name for path in files("migrations.versions").iterdir())
    return [name[:_DIGITS] for name in names if name.endswith(".py") and name[:_DIGITS].isdecimal()]


def head() -> str:
    return revisions()[-1]


def knows(revision: str) -> bool:
    """Return whether this program can upgrade tables from that revision; it cannot if they are newer."""
    return revision in revisions()


def current(engine: Engine) -> str | None:
    """Return the revision of the database; None if it has no tables of ours."""
    with engine.connect() as connection:
        if not connection.execute(text("SELECT to_regclass('alembic_version') IS NOT NULL")).scalar_one():
            return None
        return connection.execute(text("SELECT version_num FROM alembic_version")).scalar_one_or_none()


def require_current(engine: Engine) -> None:
    """Check the revision. Raises SchemaNotCurrent unless it is the newest."""
    found = current(engine)
    if found != head():
        raise SchemaNotCurrent(found or "none", head())
