"""Alembic from inside the program: no file but the migrations themselves is needed."""

from importlib.resources import files

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Engine

from storage.errors import SchemaNotCurrent


def _config(url: str) -> Config:
    config = Config()
    config.set_main_option("script_location", str(files("migrations")))
    # Percent signs of a quoted socket path are ConfigParser's interpolation marks.
    config.set_main_option("sqlalchemy.url", url.replace("%", "%%"))
    return config


def upgrade(url: str, revision: str = "head") -> None:
    """Brings the schema up to `revision`; safe to call from several processes at once (advisory lock)."""
    command.upgrade(_config(url), revision)


def downgrade(url: str, revision: str) -> None:
    command.downgrade(_config(url), revision)


def check(url: str) -> None:
    """Raises alembic's CommandError if models and migrations differ."""
    command.check(_config(url))


def head() -> str:
    revision = ScriptDirectory.from_config(_config("")).get_current_head()
    assert revision is not None  # noqa: S101  # the package ships at least one migration
    return revision


def knows(revision: str) -> bool:
    """Whether this program can bring tables of that revision up to its own; newer ones it cannot."""
    return any(script.revision == revision for script in ScriptDirectory.from_config(_config("")).walk_revisions())


def current(engine: Engine) -> str | None:
    """The revision the database is at; None where it holds nothing of ours."""
    with engine.connect() as connection:
        return MigrationContext.configure(connection).get_current_revision()


def require_current(engine: Engine) -> None:
    """Raises SchemaNotCurrent unless the database is at the newest revision."""
    found = current(engine)
    if found != head():
        raise SchemaNotCurrent(found or "none", head())
