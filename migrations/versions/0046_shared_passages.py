"""A list for pages that a search service returned and that share a passage only.

Only constraints: nothing is rewritten. The way back puts such cases into the list of copies,
and removes what the older program has no word for.

Revision: 0046, after 0045
"""

import sqlalchemy as sa
from alembic import op

revision = "0046"
down_revision = "0045"
branch_labels = None
depends_on = None

_QUEUES = ("copied", "we-may-be-copier", "agency")
_SHARED_PASSAGE = "shared-passage"
_TABLES = ("case", "alert_rule")
_STATES = ("waiting", "left-out", "refused", "no-copy", "copy")
_PASSAGE = "passage"


def upgrade() -> None:
    for table in _TABLES:
        _words(table, "queue", "casequeue", (*_QUEUES, _SHARED_PASSAGE))
    _words("search_find", "state", "findstate", (*_STATES, _PASSAGE))


def downgrade() -> None:
    op.execute(sa.text(f"DELETE FROM alert_rule WHERE queue = '{_SHARED_PASSAGE}'"))  # noqa: S608  # our own word
    op.execute(sa.text(f"UPDATE \"case\" SET queue = 'copied' WHERE queue = '{_SHARED_PASSAGE}'"))  # noqa: S608
    op.execute(sa.text(f"DELETE FROM case_event WHERE details->>'queue' = '{_SHARED_PASSAGE}' AND kind <> 'opened'"))  # noqa: S608
    op.execute(sa.text(f"UPDATE search_find SET state = 'copy' WHERE state = '{_PASSAGE}'"))  # noqa: S608
    for table in _TABLES:
        _words(table, "queue", "casequeue", _QUEUES)
    _words("search_find", "state", "findstate", _STATES)


def _words(table: str, column: str, name: str, words: tuple[str, ...]) -> None:
    """Replaces the constraint of a column that names its words."""
    op.drop_constraint(op.f(f"ck_{table}_{name}"), table, type_="check")
    op.create_check_constraint(op.f(f"ck_{table}_{name}"), table, sa.column(column).in_(words))
