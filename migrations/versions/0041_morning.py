"""The editor's morning: cases put off until later, comments that name people, and a list for agencies' stories.

Only constraints and empty columns: nothing is rewritten. The way back puts agencies' stories into the list of copies,
and removes what the older program has no word for.

Revision: 0041, after 0040
"""

import sqlalchemy as sa
from alembic import op

revision = "0041"
down_revision = "0040"
branch_labels = None
depends_on = None

_QUEUES = ("copied", "we-may-be-copier")
_AGENCY = "agency"
_CASE_EVENTS = (
    *("opened", "page-joined", "page-left", "moved", "queued", "assigned", "noted", "deadline", "undone"),
    *("notified", "replied", "licensed", "page-gone", "page-back", "figures", "page-looked"),
)
_NEW_CASE_EVENTS = ("snoozed", "commented")
_ALERTS = (
    *("case-opened", "copy-removed", "copy-reappeared", "retelling-found", "site-blind", "site-recovered"),
    *("alerts-held", "disk-low", "backup-failed", "job-set-aside", "evidence-alarm"),
)
_MENTIONED = "mentioned"


def upgrade() -> None:
    op.add_column("case", sa.Column("snoozed_until", sa.TIMESTAMP(timezone=True), nullable=True))
    op.create_index(
        "ix_case_snoozed_until", "case", ["snoozed_until"], postgresql_where=sa.text("snoozed_until IS NOT NULL")
    )
    op.add_column("alert_rule", sa.Column("mentioned_id", sa.BigInteger(), nullable=True))
    op.create_foreign_key(
        "fk_alert_rule_mentioned_id_account", "alert_rule", "account", ["mentioned_id"], ["id"], ondelete="CASCADE"
    )
    op.create_index("ix_alert_rule_mentioned_id", "alert_rule", ["mentioned_id"])
    for table in ("case", "alert_rule"):
        _words(table, "queue", "casequeue", (*_QUEUES, _AGENCY))
    _words("case_event", "kind", "caseeventkind", (*_CASE_EVENTS, *_NEW_CASE_EVENTS))
    _words("alert_event", "kind", "alertkind", (*_ALERTS, _MENTIONED))


def downgrade() -> None:
    op.execute(sa.text(f"DELETE FROM alert_event WHERE kind = '{_MENTIONED}'"))  # noqa: S608  # our own word
    _words("alert_event", "kind", "alertkind", _ALERTS)
    op.execute(sa.text(f"DELETE FROM case_event WHERE kind IN {_NEW_CASE_EVENTS}"))  # noqa: S608
    _words("case_event", "kind", "caseeventkind", _CASE_EVENTS)
    op.execute(sa.text(f"DELETE FROM alert_rule WHERE queue = '{_AGENCY}'"))  # noqa: S608
    op.execute(sa.text(f"UPDATE \"case\" SET queue = 'copied' WHERE queue = '{_AGENCY}'"))  # noqa: S608
    for table in ("case", "alert_rule"):
        _words(table, "queue", "casequeue", _QUEUES)
    op.drop_column("alert_rule", "mentioned_id")
    op.drop_column("case", "snoozed_until")


def _words(table: str, column: str, name: str, words: tuple[str, ...]) -> None:
    """Replaces the constraint of a column that names its words."""
    op.drop_constraint(op.f(f"ck_{table}_{name}"), table, type_="check")
    op.create_check_constraint(op.f(f"ck_{table}_{name}"), table, sa.column(column).in_(words))
