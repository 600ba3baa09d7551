"""Checked texts with their results, files that wait for their check, and certificates.

Revision: 0043, after 0042
"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0043"
down_revision = "0042"
branch_labels = None
depends_on = None

_STATES = ("queued", "running", "done", "failed")
_TIME = sa.TIMESTAMP(timezone=True)


def upgrade() -> None:
    _text_check()
    op.create_table(
        "check_file",
        sa.Column("check_id", sa.BigInteger(), nullable=False),
        sa.Column("data", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(["check_id"], ["text_check.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("check_id"),
    )
    op.create_table(
        "check_certificate",
        sa.Column("id", sa.BigInteger(), sa.Identity(), nullable=False),
        sa.Column("number", sa.String(24), nullable=False),
        sa.Column("account_id", sa.BigInteger()),
        sa.Column("made_by", sa.Text(), nullable=False),
        sa.Column("made_at", _TIME, nullable=False),
        sa.Column("title", sa.Text(), server_default="", nullable=False),
        sa.Column("text_sha256", sa.LargeBinary(), nullable=False),
        sa.Column("chars", sa.Integer(), nullable=False),
        sa.Column("verdict", sa.String(24), nullable=False),
        sa.Column("share", sa.Float(), nullable=False),
        sa.Column("language", sa.String(16), nullable=False),
        sa.Column("facts", postgresql.JSONB(), nullable=False),
        sa.Column("pdf", sa.LargeBinary(), nullable=False),
        sa.Column("pdf_sha256", sa.LargeBinary(), nullable=False),
        sa.Column("withdrawn_at", _TIME),
        sa.Column("withdrawn_by", sa.Text(), server_default="", nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], ondelete="SET NULL"),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("number"),
    )
    op.create_index("ix_check_certificate_account_id", "check_certificate", ["account_id"])


def _text_check() -> None:
    op.create_table(
        "text_check",
        sa.Column("id", sa.BigInteger(), sa.Identity(), nullable=False),
        sa.Column("key", sa.String(32), nullable=False),
        sa.Column("account_id", sa.BigInteger(), nullable=False),
        sa.Column("is_shared", sa.Boolean(), server_default="false", nullable=False),
        sa.Column("batch", sa.String(32)),
        sa.Column("state", sa.String(24), nullable=False),
        sa.Column("attempts", sa.Integer(), server_default="0", nullable=False),
        sa.Column("problem", sa.Text(), server_default="", nullable=False),
        sa.Column("file_name", sa.Text(), server_default="", nullable=False),
        sa.Column("title", sa.Text(), server_default="", nullable=False),
        sa.Column("author", sa.Text(), server_default="", nullable=False),
        sa.Column("url", sa.Text(), server_default="", nullable=False),
        sa.Column("kind", sa.String(16), server_default="text", nullable=False),
        sa.Column("collection", sa.Text(), server_default="", nullable=False),
        sa.Column("by_meaning", sa.Boolean(), server_default="true", nullable=False),
        sa.Column("body", sa.Text(), server_default="", nullable=False),
        sa.Column("chars", sa.Integer(), server_default="0", nullable=False),
        sa.Column("sha256", sa.LargeBinary()),
        sa.Column("verdict", sa.String(24), server_default="", nullable=False),
        sa.Column("share", sa.Float(), server_default="0", nullable=False),
        sa.Column("sources", sa.Integer(), server_default="0", nullable=False),
        sa.Column("result", postgresql.JSONB()),
        sa.Column("created_at", _TIME, server_default=sa.text("clock_timestamp()"), nullable=False),
        sa.Column("checked_at", _TIME),
        sa.Column("expires_at", _TIME, nullable=False),
        sa.CheckConstraint(f"state IN {_STATES}", name="checkstate"),
        sa.CheckConstraint("created_at < expires_at", name="term"),
        sa.CheckConstraint("(state = 'done') <= (result IS NOT NULL AND sha256 IS NOT NULL)", name="result"),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("key"),
    )
    op.create_index("ix_text_check_account_id_id", "text_check", ["account_id", "id"])
    op.create_index("ix_text_check_expires_at", "text_check", ["expires_at"])
    op.create_index("ix_text_check_batch", "text_check", ["batch", "id"], postgresql_where=sa.text("batch IS NOT NULL"))
    op.create_index(
        "ix_text_check_open", "text_check", ["id"], postgresql_where=sa.text("state IN ('queued', 'running')")
    )


def downgrade() -> None:
    for table in ("check_certificate", "check_file", "text_check"):
        op.drop_table(table)
