"""What is known of each copy after the looks at its page; one look that found it gone is not two.

Revision: 0022, after 0021
"""

import sqlalchemy as sa
from alembic import op

revision = "0022"
down_revision = "0021"
branch_labels = None
depends_on = None

_EVENTS = (
    *("opened", "page-joined", "page-left", "moved", "queued", "assigned", "noted", "deadline"),
    *("undone", "notified", "replied", "licensed", "page-gone", "page-back"),
)
_STATES = ("there", "edited", "missing", "removed", "elsewhere", "unreadable")
_FIRST = """
    UPDATE case_capture c SET
        state = CASE WHEN c.refusal IS NULL THEN 'there' WHEN c.refusal <> 'gone' THEN 'unreadable'
            WHEN p.gone_at IS NOT NULL AND c.at - p.gone_at >= interval '6 hours' THEN 'removed' ELSE 'missing' END,
        since = CASE WHEN c.refusal = 'gone' THEN coalesce(p.gone_at, c.at) ELSE c.at END,
        missing_since = CASE WHEN c.refusal = 'gone' THEN coalesce(p.gone_at, c.at) END
    FROM page p WHERE p.id = c.page_id
"""


def upgrade() -> None:
    op.add_column("case_capture", sa.Column("state", sa.String(length=24), nullable=True))
    op.add_column("case_capture", sa.Column("since", sa.DateTime(timezone=True), nullable=True))
    op.add_column("case_capture", sa.Column("missing_since", sa.DateTime(timezone=True), nullable=True))
    op.execute(sa.text(_FIRST))
    op.alter_column("case_capture", "state", nullable=False)
    op.alter_column("case_capture", "since", nullable=False)
    op.create_check_constraint(op.f("ck_case_capture_copystate"), "case_capture", sa.column("state").in_(_STATES))
    _allow_events((*_EVENTS, "page-looked"))


def downgrade() -> None:
    op.execute(sa.text("DELETE FROM case_event WHERE kind = 'page-looked'"))
    _allow_events(_EVENTS)
    op.drop_constraint(op.f("ck_case_capture_copystate"), "case_capture", type_="check")
    for column in ("missing_since", "since", "state"):
        op.drop_column("case_capture", column)


def _allow_events(words: tuple[str, ...]) -> None:
    op.drop_constraint(op.f("ck_case_event_caseeventkind"), "case_event", type_="check")
    op.create_check_constraint(op.f("ck_case_event_caseeventkind"), "case_event", sa.column("kind").in_(words))
