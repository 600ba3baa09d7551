"""Schedules, the job queue, pages captured for cases, time stamps; sites whose pages need a browser.

The queue is procrastinate's, made by its own script in a schema of its own: its tables are its own affair, and nothing
of ours refers to them. A column with a default that is constant rewrites nothing; `schedule` of a site was never used.

Revision: 0008, after 0007
"""

import sqlalchemy as sa
from alembic import op
from procrastinate.schema import SchemaManager
from sqlalchemy.dialects import postgresql

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None

QUEUE = "zhiwen_queue"


def upgrade() -> None:
    op.add_column("site", sa.Column("browser", sa.Boolean(), server_default="false", nullable=False))
    op.drop_column("site", "schedule")
    op.create_table(
        "schedule",
        sa.Column("site_id", sa.BigInteger(), nullable=False),
        sa.Column("rule", sa.Text(), nullable=False),
        sa.Column("time_zone", sa.Text(), nullable=True),
        sa.Column("jitter_s", sa.Integer(), server_default="0", nullable=False),
        sa.Column("paused", sa.Boolean(), server_default="false", nullable=False),
        sa.Column("next_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("last_at", sa.DateTime(timezone=True), nullable=True),
        sa.CheckConstraint("jitter_s >= 0", name=op.f("ck_schedule_jitter")),
        sa.ForeignKeyConstraint(["site_id"], ["site.id"], name=op.f("fk_schedule_site_id_site"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("site_id", name=op.f("pk_schedule")),
    )
    op.create_index(op.f("ix_schedule_next_at"), "schedule", ["next_at"], unique=False)
    op.create_table(
        "job_failure",
        sa.Column("id", sa.BigInteger(), nullable=False),
        sa.Column("job_id", sa.BigInteger(), nullable=False),
        sa.Column("task", sa.Text(), nullable=False),
        sa.Column("arguments", postgresql.JSONB(astext_type=sa.Text()), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.Column("attempt", sa.Integer(), nullable=False),
        sa.Column("error", sa.Text(), nullable=False),
        sa.Column("set_aside", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_job_failure")),
    )
    op.create_index(op.f("ix_job_failure_job_id"), "job_failure", ["job_id"], unique=False)
    op.create_index(op.f("ix_job_failure_at"), "job_failure", ["at"], unique=False)
    op.create_table(
        "case_capture",
        sa.Column("case_id", sa.BigInteger(), nullable=False),
        sa.Column("page_id", sa.BigInteger(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("entry", sa.BigInteger(), nullable=False),
        sa.Column("refusal", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(
            ["case_id"], ["case.id"], name=op.f("fk_case_capture_case_id_case"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["page_id"], ["page.id"], name=op.f("fk_case_capture_page_id_page"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("case_id", "page_id", name=op.f("pk_case_capture")),
    )
    op.create_index(op.f("ix_case_capture_page_id"), "case_capture", ["page_id"], unique=False)
    op.create_table(
        "time_stamp",
        sa.Column("id", sa.BigInteger(), nullable=False),
        sa.Column("number", sa.BigInteger(), nullable=False),
        sa.Column("hash", sa.LargeBinary(length=32), nullable=False),
        sa.Column("stamped_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("authority", sa.Text(), nullable=False),
        sa.Column("request", sa.LargeBinary(), nullable=False),
        sa.Column("response", sa.LargeBinary(), nullable=False),
        sa.Column("certificates", sa.Text(), nullable=False),
        sa.CheckConstraint("octet_length(hash) = 32", name=op.f("ck_time_stamp_hash")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_time_stamp")),
    )
    op.create_index(op.f("ix_time_stamp_number"), "time_stamp", ["number"], unique=False)
    _make_queue()


def _make_queue() -> None:
    op.execute(f"CREATE SCHEMA {QUEUE}")
    op.execute(f"SET LOCAL search_path TO {QUEUE}")
    # As the driver takes it: percent signs and colons of the script mean nothing to us.
    cursor = op.get_bind().connection.cursor()
    cursor.execute(SchemaManager.get_schema())
    cursor.close()
    op.execute("SET LOCAL search_path TO DEFAULT")


def downgrade() -> None:
    op.execute(f"DROP SCHEMA {QUEUE} CASCADE")
    op.drop_table("time_stamp")
    op.drop_table("case_capture")
    op.drop_table("job_failure")
    op.drop_table("schedule")
    op.add_column("site", sa.Column("schedule", sa.Text(), nullable=True))
    op.drop_column("site", "browser")
