"""Files that somebody brings at the desk to be imported: what was asked for, and how far it is.

A new table only: nothing that is filled is touched.

Revision: 0019, after 0018
"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0019"
down_revision = "0018"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "brought_file",
        sa.Column("id", sa.BigInteger(), nullable=False),
        sa.Column(
            "place",
            sa.Enum("uploaded", "folder", name="fileplace", native_enum=False, create_constraint=True, length=24),
            nullable=False,
        ),
        sa.Column("path", sa.Text(), nullable=False),
        sa.Column("site_name", sa.Text(), nullable=False),
        sa.Column(
            "rights",
            sa.Enum(
                "own",
                "agency",
                "licensed-in",
                "unknown",
                name="rights",
                native_enum=False,
                create_constraint=True,
                length=24,
            ),
            nullable=False,
        ),
        sa.Column("brought_by", sa.Text(), nullable=False),
        sa.Column("brought_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.Column("begun_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("ended_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("bytes_in_all", sa.BigInteger(), server_default="0", nullable=False),
        sa.Column("bytes_read", sa.BigInteger(), server_default="0", nullable=False),
        sa.Column("counters", postgresql.JSONB(astext_type=sa.Text()), server_default="{}", nullable=False),
        sa.Column("problems", postgresql.ARRAY(sa.Text()), server_default="{}", nullable=False),
        sa.Column("failure", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_brought_file")),
    )
    op.create_index(
        op.f("ix_brought_file_place_path"),
        "brought_file",
        ["place", "path"],
        unique=True,
        postgresql_where=sa.text("ended_at IS NULL"),
    )


def downgrade() -> None:
    op.drop_table("brought_file")
