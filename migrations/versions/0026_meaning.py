"""Texts encoded by meaning, retellings between pages, and the third source of a hit.

Vectors are plain `bit varying` here: Postgres has it without pgvector. An index over them is made where pgvector is
installed and an encoder is used, one for each background, since its expression names the size of the vectors.

Revision: 0026, after 0025
"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0026"
down_revision = "0025"
branch_labels = None
depends_on = None

_RELATIONS = ("copy", "both_from_third")


def upgrade() -> None:
    op.create_table(
        "meaning_background",
        sa.Column("id", sa.Integer, sa.Identity(), primary_key=True),
        sa.Column("encoder", sa.Text, nullable=False),
        sa.Column("size", sa.Integer, nullable=False),
        sa.Column("mean", sa.LargeBinary, nullable=False),
        sa.Column("sample", sa.LargeBinary, nullable=False),
        sa.Column("texts", sa.Integer, nullable=False),
        sa.Column("is_serving", sa.Boolean, nullable=False),
        sa.Column("reached_id", sa.BigInteger, server_default="0", nullable=False),
        sa.Column("made_at", sa.DateTime(timezone=True), server_default=sa.func.now(), nullable=False),
    )
    op.create_table(
        "encoded_text",
        sa.Column("text_id", sa.BigInteger, sa.ForeignKey("text.id", ondelete="CASCADE"), nullable=False),
        sa.Column(
            "background_id", sa.Integer, sa.ForeignKey("meaning_background.id", ondelete="CASCADE"), nullable=False
        ),
        sa.Column("passages", sa.Integer, nullable=False),
        sa.Column("encoded_at", sa.DateTime(timezone=True), server_default=sa.func.now(), nullable=False),
        sa.Column("compared_at", sa.DateTime(timezone=True)),
        sa.PrimaryKeyConstraint("text_id", "background_id"),
    )
    op.create_index(
        "ix_encoded_text_uncompared",
        "encoded_text",
        ["background_id", "text_id"],
        postgresql_where=sa.text("compared_at IS NULL"),
    )
    op.create_table(
        "passage_vector",
        sa.Column("text_id", sa.BigInteger, nullable=False),
        sa.Column("background_id", sa.Integer, nullable=False),
        sa.Column("bits", postgresql.BIT(varying=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["text_id", "background_id"], ["encoded_text.text_id", "encoded_text.background_id"], ondelete="CASCADE"
        ),
    )
    op.create_index("ix_passage_vector_text_id", "passage_vector", ["text_id"])
    op.create_table(
        "retelling",
        sa.Column("id", sa.BigInteger, sa.Identity(), primary_key=True),
        sa.Column("low_page_id", sa.BigInteger, sa.ForeignKey("page.id", ondelete="CASCADE"), nullable=False),
        sa.Column("high_page_id", sa.BigInteger, sa.ForeignKey("page.id", ondelete="CASCADE"), nullable=False),
        sa.Column("low_text_id", sa.BigInteger, sa.ForeignKey("text.id", ondelete="CASCADE"), nullable=False),
        sa.Column("high_text_id", sa.BigInteger, sa.ForeignKey("text.id", ondelete="CASCADE"), nullable=False),
        sa.Column("encoder", sa.Text, nullable=False),
        sa.Column("kind", sa.String(24), nullable=False),
        sa.Column("score", sa.Float, nullable=False),
        sa.Column("low_share", sa.Float, nullable=False),
        sa.Column("high_share", sa.Float, nullable=False),
        sa.Column("in_order", sa.Integer, nullable=False),
        sa.Column("figures_shared", sa.Integer, nullable=False),
        sa.Column("figures_most", sa.Integer, nullable=False),
        sa.Column("particulars", postgresql.ARRAY(sa.Text), nullable=False),
        sa.Column("sentences", postgresql.JSONB, nullable=False),
        sa.Column("source_page_id", sa.BigInteger, nullable=False),
        sa.Column("confidence", sa.Float, nullable=False),
        sa.Column("reasons", postgresql.ARRAY(sa.Text), nullable=False),
        sa.Column("relation", sa.String(24), server_default="copy", nullable=False),
        sa.Column("third_page_id", sa.BigInteger, sa.ForeignKey("page.id", ondelete="SET NULL")),
        sa.Column("state", sa.String(24), server_default="open", nullable=False),
        sa.Column("case_id", sa.BigInteger, sa.ForeignKey("case.id", ondelete="SET NULL")),
        sa.Column("decided_by", sa.BigInteger, sa.ForeignKey("account.id", ondelete="SET NULL")),
        sa.Column("decided_at", sa.DateTime(timezone=True)),
        sa.Column("found_at", sa.DateTime(timezone=True), server_default=sa.func.now(), nullable=False),
        sa.UniqueConstraint("low_page_id", "high_page_id"),
        sa.CheckConstraint("low_page_id < high_page_id", name="order"),
        sa.CheckConstraint("source_page_id IN (low_page_id, high_page_id)", name="source"),
        sa.CheckConstraint("kind IN ('retold', 'translated')", name="retellingkind"),
        sa.CheckConstraint(f"relation IN {_RELATIONS}", name="relation"),
        sa.CheckConstraint("state IN ('open', 'case', 'dismissed')", name="retellingstate"),
    )
    op.create_index("ix_retelling_high_page_id", "retelling", ["high_page_id"])
    op.create_index("ix_retelling_low_text_id", "retelling", ["low_text_id"])
    op.create_index("ix_retelling_high_text_id", "retelling", ["high_text_id"])
    op.create_index("ix_retelling_surest", "retelling", ["state", sa.text("score DESC"), "id"])
    op.add_column("page_match", sa.Column("relation", sa.String(24), server_default="copy", nullable=False))
    op.add_column(
        "page_match", sa.Column("third_page_id", sa.BigInteger, sa.ForeignKey("page.id", ondelete="SET NULL"))
    )
    op.create_check_constraint("relation", "page_match", f"relation IN {_RELATIONS}")
    op.create_index(
        "ix_page_match_third_page_id",
        "page_match",
        ["third_page_id"],
        postgresql_where=sa.text("third_page_id IS NOT NULL"),
    )


def downgrade() -> None:
    op.drop_column("page_match", "third_page_id")
    op.drop_column("page_match", "relation")
    for table in ("retelling", "passage_vector", "encoded_text", "meaning_background"):
        op.drop_table(table)
