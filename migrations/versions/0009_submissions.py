"""Texts that people hand in and keep for a time, and the letters that somebody has worded anew.

New tables only: nothing that is filled is touched.

Revision: 0009, after 0008
"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "letter_template",
        sa.Column("name", sa.String(length=40), nullable=False),
        sa.Column("language", sa.String(length=16), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.Column("changed_by", sa.Text(), server_default="", nullable=False),
        sa.Column("changed_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.PrimaryKeyConstraint("name", "language", name=op.f("pk_letter_template")),
    )
    op.create_table(
        "submission",
        sa.Column("id", sa.BigInteger(), nullable=False),
        sa.Column("collection", sa.String(length=100), nullable=False),
        sa.Column("author", sa.String(length=200), nullable=False),
        sa.Column("title", sa.Text(), server_default="", nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.Column("chars", sa.Integer(), nullable=False),
        sa.Column("sha256", sa.LargeBinary(), nullable=False),
        sa.Column("algorithm_version", sa.Integer(), nullable=False),
        sa.Column("simhash", sa.BigInteger(), nullable=True),
        sa.Column("slices", postgresql.ARRAY(sa.Integer()), nullable=False),
        sa.Column("seeds", postgresql.ARRAY(sa.Integer()), nullable=False),
        sa.Column("added_by_id", sa.BigInteger(), nullable=True),
        sa.Column("added_by", sa.Text(), server_default="", nullable=False),
        sa.Column(
            "created_at", sa.DateTime(timezone=True), server_default=sa.text("clock_timestamp()"), nullable=False
        ),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint("created_at < expires_at", name=op.f("ck_submission_term")),
        sa.ForeignKeyConstraint(
            ["added_by_id"], ["account.id"], name=op.f("fk_submission_added_by_id_account"), ondelete="SET NULL"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_submission")),
        sa.UniqueConstraint("collection", "author", "sha256", name=op.f("uq_submission_collection_author_sha256")),
    )
    op.create_index(op.f("ix_submission_collection_id"), "submission", ["collection", "id"], unique=False)
    op.create_index(op.f("ix_submission_expires_at"), "submission", ["expires_at"], unique=False)
    op.create_index(op.f("ix_submission_added_by_id"), "submission", ["added_by_id"], unique=False)
    for column in ("slices", "seeds"):
        op.create_index(
            f"ix_submission_{column}",
            "submission",
            [column],
            unique=False,
            postgresql_using="gin",
            postgresql_with={"fastupdate": "off"},
        )


def downgrade() -> None:
    op.drop_table("submission")
    op.drop_table("letter_template")
