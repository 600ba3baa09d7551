"""Cases of retellings, why a retelling was dismissed, and the event of a retelling that was found.

Only constraints and an empty column: nothing is rewritten. The way back removes the pages of cases that only meaning
shows, with cases that have no others: older programs have no word for them.

Revision: 0028, after 0026
"""

import sqlalchemy as sa
from alembic import op

revision = "0028"
down_revision = "0026"
branch_labels = None
depends_on = None

_KINDS = ("identical", "near", "excerpt", "embedded", "mosaic", "scrambled")
_BY_MEANING = ("retold", "translated")
_DISMISSALS = ("not-a-copy", "common-wording", "quotation", "not-ours", "not-worth-it")
_EVENTS = (
    *("case-opened", "copy-removed", "copy-reappeared", "site-blind", "site-recovered", "alerts-held"),
    *("disk-low", "backup-failed", "job-set-aside"),
)
_FOUND = "retelling-found"


def upgrade() -> None:
    for table in ("case", "case_page"):
        _name(table, "kind", "matchkind", "casekind", (*_KINDS, *_BY_MEANING))
    _name("alert_event", "kind", "alertkind", "alertkind", (*_EVENTS, _FOUND))
    op.add_column("retelling", sa.Column("dismissed_because", sa.String(length=24), nullable=True))
    op.create_check_constraint(
        op.f("ck_retelling_dismissal"), "retelling", sa.column("dismissed_because").in_(_DISMISSALS)
    )


def downgrade() -> None:
    op.drop_constraint(op.f("ck_retelling_dismissal"), "retelling", type_="check")
    op.drop_column("retelling", "dismissed_because")
    op.execute(sa.text(f"DELETE FROM alert_event WHERE kind = '{_FOUND}'"))  # noqa: S608  # our own word
    _name("alert_event", "kind", "alertkind", "alertkind", _EVENTS)
    op.execute(sa.text(f"DELETE FROM case_page WHERE kind IN {_BY_MEANING}"))  # noqa: S608
    op.execute(
        sa.text(
            f'DELETE FROM "case" WHERE kind IN {_BY_MEANING}'  # noqa: S608
            ' AND NOT EXISTS (SELECT FROM case_page WHERE case_page.case_id = "case".id)'
        )
    )
    op.execute(sa.text(f'UPDATE "case" SET kind = NULL WHERE kind IN {_BY_MEANING}'))  # noqa: S608
    for table in ("case", "case_page"):
        _name(table, "kind", "casekind", "matchkind", _KINDS)


def _name(table: str, column: str, before: str, after: str, words: tuple[str, ...]) -> None:
    """Replaces the constraint of a column that names its words."""
    op.drop_constraint(op.f(f"ck_{table}_{before}"), table, type_="check")
    op.create_check_constraint(op.f(f"ck_{table}_{after}"), table, sa.column(column).in_(words))
