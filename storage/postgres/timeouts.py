"""Statement timeouts, and recognition of their errors."""

from sqlalchemy import text
from sqlalchemy.exc import DBAPIError
from sqlalchemy.orm import Session

from storage.postgres.retry import passes

_CANCELED = "57014"
"""SQLSTATE query_canceled."""
_LIMIT = text("SELECT set_config('statement_timeout', :ms, true)")


def limit_statements(session: Session, ms: int) -> None:
    """Limits each statement until the end of the transaction to `ms` milliseconds; 0: no limit."""
    session.execute(_LIMIT, {"ms": str(ms)})


def is_timeout(error: BaseException | None) -> bool:
    """Whether `error` is a statement timeout."""
    return isinstance(error, DBAPIError) and getattr(error.orig, "pgcode", None) == _CANCELED


def is_unavailable(error: BaseException | None) -> bool:
    """Whether the database is unavailable: stopped, starting or unreachable."""
    return isinstance(error, DBAPIError) and not is_timeout(error) and passes(error)
