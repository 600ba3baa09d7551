"""How Zhiwen watches over itself: days of sites, alarms, counters of all runs, disks, when pages appeared.

A column with a constant default rewrites nothing. The first and the last run of a site are found by number. The runs
that are there are tallied by the first look of a worker.

Revision: 0017, after 0016
"""

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0016"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("crawl_run", sa.Column("tallied", sa.Boolean(), server_default="false", nullable=False))
    op.create_index("ix_crawl_run_to_tally", "crawl_run", ["id"], postgresql_where=sa.text("NOT tallied"))
    op.create_index("ix_crawl_run_site_id_id", "crawl_run", ["site_id", "id"])
    op.drop_index("ix_crawl_run_site_id", "crawl_run")
    op.create_table(
        "site_day",
        sa.Column("site_id", sa.BigInteger(), nullable=False),
        sa.Column("day", sa.Date(), nullable=False),
        sa.Column("runs", sa.Integer(), nullable=False),
        sa.Column("answered", sa.Integer(), nullable=False),
        sa.Column("failed", sa.Integer(), nullable=False),
        sa.Column("read", sa.Integer(), nullable=False),
        sa.Column("empty", sa.Integer(), nullable=False),
        sa.Column("articles", sa.Integer(), nullable=False),
        sa.Column("chars", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["site_id"], ["site.id"], name=op.f("fk_site_day_site_id_site"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("site_id", "day", name=op.f("pk_site_day")),
    )
    op.create_table(
        "crawl_total",
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("count", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_crawl_total")),
    )
    op.create_table(
        "site_alarm",
        sa.Column("id", sa.BigInteger(), nullable=False),
        sa.Column("site_id", sa.BigInteger(), nullable=False),
        sa.Column(
            "measure",
            sa.Enum(
                "articles",
                "week",
                "empty",
                "failed",
                "length",
                "rewritten",
                name="measure",
                native_enum=False,
                create_constraint=True,
                length=24,
            ),
            nullable=False,
        ),
        sa.Column("day", sa.Date(), nullable=False),
        sa.Column("value", sa.Float(), nullable=False),
        sa.Column("usual", sa.Float(), nullable=False),
        sa.Column("low", sa.Float(), nullable=True),
        sa.Column("high", sa.Float(), nullable=True),
        sa.Column("run_id", sa.BigInteger(), nullable=True),
        sa.Column("opened_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.Column("closed_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("accepted_by", sa.String(length=80), nullable=True),
        sa.ForeignKeyConstraint(["site_id"], ["site.id"], name=op.f("fk_site_alarm_site_id_site"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_site_alarm")),
    )
    op.create_index(op.f("ix_site_alarm_site_id_id"), "site_alarm", ["site_id", "id"], unique=False)
    op.create_index(
        "uq_site_alarm_open",
        "site_alarm",
        ["site_id", "measure"],
        unique=True,
        postgresql_where=sa.text("closed_at IS NULL"),
    )
    op.create_table(
        "disk_sample",
        sa.Column("machine", sa.String(length=200), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("total_bytes", sa.BigInteger(), nullable=False),
        sa.Column("free_bytes", sa.BigInteger(), nullable=False),
        sa.Column("database_bytes", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("machine", "at", name=op.f("pk_disk_sample")),
    )
    op.create_index(op.f("ix_disk_sample_at"), "disk_sample", ["at"], unique=False)
    op.create_table(
        "page_appearance",
        sa.Column("page_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["page_id"], ["page.id"], name=op.f("fk_page_appearance_page_id_page"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("page_id", name=op.f("pk_page_appearance")),
    )


def downgrade() -> None:
    op.drop_table("page_appearance")
    op.drop_table("disk_sample")
    op.drop_table("site_alarm")
    op.drop_table("crawl_total")
    op.drop_table("site_day")
    op.create_index("ix_crawl_run_site_id", "crawl_run", ["site_id"])
    op.drop_index("ix_crawl_run_site_id_id", "crawl_run")
    op.drop_index("ix_crawl_run_to_tally", table_name="crawl_run")
    op.drop_column("crawl_run", "tallied")
