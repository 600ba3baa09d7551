"""What crawls said is kept, and cases remember when their copies went and came back.

Revision: 0014, after 0013
"""

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None

_EVENTS = (
    *("opened", "page-joined", "page-left", "moved", "queued", "assigned", "noted", "deadline"),
    *("undone", "notified", "replied", "licensed"),
)
_OF_PAGES = ("page-gone", "page-back")


def upgrade() -> None:
    op.create_table(
        "crawl_log",
        sa.Column("run_id", sa.BigInteger(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("bytes_left_out", sa.BigInteger(), server_default="0", nullable=False),
        sa.Column("most_memory", sa.BigInteger(), server_default="0", nullable=False),
        sa.Column("written_at", sa.DateTime(timezone=True), server_default=sa.func.now(), nullable=False),
        sa.ForeignKeyConstraint(
            ["run_id"], ["crawl_run.id"], name=op.f("fk_crawl_log_run_id_crawl_run"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("run_id", name=op.f("pk_crawl_log")),
    )
    op.create_index(op.f("ix_crawl_log_written_at"), "crawl_log", ["written_at"], unique=False)
    _allow_events(_EVENTS + _OF_PAGES)


def downgrade() -> None:
    op.execute(sa.text("DELETE FROM case_event WHERE kind IN ('page-gone', 'page-back')"))
    _allow_events(_EVENTS)
    op.drop_index(op.f("ix_crawl_log_written_at"), table_name="crawl_log")
    op.drop_table("crawl_log")


def _allow_events(words: tuple[str, ...]) -> None:
    op.drop_constraint(op.f("ck_case_event_caseeventkind"), "case_event", type_="check")
    op.create_check_constraint(op.f("ck_case_event_caseeventkind"), "case_event", sa.column("kind").in_(words))
