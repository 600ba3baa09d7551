"""Fingerprints of version 2: slice keys of 32 bits, and the texts that wait for theirs.

Fingerprints of version 1 are never compared with anything again, and are made anew from the texts (zhiwen recompute):
they go, which costs less than rewriting them. Downgrading likewise leaves texts that must be imported again.

Revision: 0003, after 0002
"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "recompute",
        sa.Column("text_id", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["text_id"], ["text.id"], name=op.f("fk_recompute_text_id_text"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("text_id", name=op.f("pk_recompute")),
    )
    op.execute("INSERT INTO recompute (text_id) SELECT id FROM text")
    # A pair that was found stays found until it is judged again, as everything recomputed is.
    op.execute("UPDATE match SET algorithm_version = 2")
    _slices_become("integer")


def downgrade() -> None:
    op.drop_table("recompute")
    op.execute("UPDATE match SET algorithm_version = 1")
    _slices_become("bigint")


def _slices_become(type_name: str) -> None:
    op.drop_index("ix_fingerprint_slices", table_name="fingerprint")
    op.execute("DELETE FROM fingerprint")
    old, new = (sa.BigInteger(), sa.Integer()) if type_name == "integer" else (sa.Integer(), sa.BigInteger())
    op.alter_column(
        "fingerprint",
        "slices",
        existing_type=postgresql.ARRAY(old),
        type_=postgresql.ARRAY(new),
        existing_nullable=False,
        postgresql_using=f"slices::{type_name}[]",
    )
    op.create_index(
        "ix_fingerprint_slices",
        "fingerprint",
        ["slices"],
        postgresql_using="gin",
        postgresql_with={"fastupdate": "off"},
    )
