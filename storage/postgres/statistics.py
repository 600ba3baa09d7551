"""What the planner knows of tables that have just grown: renewed at once, and not when autovacuum comes round."""

import logging
from typing import TYPE_CHECKING, Final

from sqlalchemy import text
from sqlalchemy.exc import DBAPIError

from storage.engine import transaction

if TYPE_CHECKING:
    from sqlalchemy import Engine

GROWING: Final = (
    *("site", "page", "page_version", "text", "fingerprint", "text_family", "boilerplate"),
    *("match", "page_match", "case", "case_page", "case_event"),
)
"""What imports, crawls and comparisons fill, and what the desk joins."""
LONGEST_S: Final = 60
"""For one table. ANALYZE reads a sample of 30,000 rows of it, however large it is: seconds for the arrays of a million
fingerprints."""

# A tenth more blocks than when it was last looked at. Autovacuum goes by as many changed rows, but looks once a minute;
# the counters of these rows come late, and so also after the table was analysed.
_STALE: Final = text(
    """SELECT relname FROM pg_class
        WHERE relname = ANY(:tables) AND relnamespace = current_schema()::regnamespace AND relkind = 'r'
            AND pg_relation_size(oid) > 0
            AND (reltuples < 0
                OR pg_relation_size(oid) > 1.1 * relpages * current_setting('block_size')::integer)
        ORDER BY relname"""
)

log = logging.getLogger(__name__)


def refresh(engine: "Engine") -> list[str]:
    """Analyses those of the growing tables whose statistics are out of date, and names them. Asked often, it costs one
    query. A table that somebody else is analysing is left to him; one that takes too long, to autovacuum.
    """
    with transaction(engine) as session:
        stale = list(session.scalars(_STALE, {"tables": list(GROWING)}))
    return [table for table in stale if _analysed(engine, table)]


def _analysed(engine: "Engine", table: str) -> bool:
    try:
        with transaction(engine) as session:
            session.execute(text(f"SET LOCAL statement_timeout = '{LONGEST_S}s'"))
            session.execute(text(f'ANALYZE (SKIP_LOCKED) "{table}"'))
    except DBAPIError as error:
        log.warning("The statistics of %s are out of date and could not be renewed: %s", table, error.orig)
        return False
    return True
