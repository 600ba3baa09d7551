"""How long the database may work on one statement of a transaction, and the error that says it was too long."""

from sqlalchemy import text
from sqlalchemy.exc import DBAPIError
from sqlalchemy.orm import Session

from storage.postgres.retry import passes

_CANCELED = "57014"
"""SQLSTATE query_canceled."""
_LIMIT = text("SELECT set_config('statement_timeout', :ms, true)")


def limit_statements(session: Session, ms: int) -> None:
    """Each statement from now to the end of the transaction may take `ms` milliseconds; 0 means no limit."""
    session.execute(_LIMIT, {"ms": str(ms)})


def took_too_long(error: BaseException | None) -> bool:
    """Whether `error` is a statement that was stopped at its limit."""
    return isinstance(error, DBAPIError) and getattr(error.orig, "pgcode", None) == _CANCELED


def is_away(error: BaseException | None) -> bool:
    """Whether the database does not answer: it is stopped, starting, or out of reach."""
    return isinstance(error, DBAPIError) and not took_too_long(error) and passes(error)
