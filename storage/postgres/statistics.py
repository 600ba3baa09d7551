"""Planner statistics of growing tables, updated at once instead of by autovacuum."""

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
    *("encoded_text", "passage_vector", "retelling"),
)
"""Tables filled by imports, crawls and comparisons, and joined by the desk or searched."""
LONGEST_S: Final = 60
"""For one table. ANALYZE reads a sample of 30,000 rows however large the table is: seconds for the arrays of a million
fingerprints."""

# A tenth more blocks than at the last ANALYZE. Autovacuum uses the number of changed rows, but runs once a minute, and
# the counters of these rows are late, even after an ANALYZE. Building an index counts rows and blocks, too, and leaves
# nothing about the columns: a table that was filled before its indexes were made seems to be analysed.
_STALE: Final = text(
    """SELECT relname FROM pg_class
        WHERE relname = ANY(:tables) AND relnamespace = current_schema()::regnamespace AND relkind = 'r'
            AND pg_relation_size(oid) > 0
            AND (reltuples < 0
                OR reltuples > 0 AND NOT EXISTS (
                    SELECT FROM pg_stats s WHERE s.schemaname = current_schema() AND s.tablename = relname)
                OR pg_relation_size(oid) > 1.1 * relpages * current_setting('block_size')::integer)
        ORDER BY relname"""
)

log = logging.getLogger(__name__)


def refresh(engine: "Engine") -> list[str]:
    """Analyse those of the growing tables whose statistics are out of date, and return their names. A frequent call
    costs one query. A table that another process is analysing is skipped; one that takes too long is left to
    autovacuum.
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
