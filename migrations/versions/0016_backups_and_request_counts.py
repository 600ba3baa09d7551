"""Back-ups are remembered, and requests are counted for all processes of the desk.

New tables only: nothing that is filled is touched.

Revision: 0016, after 0015
"""

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "backup",
        sa.Column("id", sa.BigInteger(), nullable=False),
        sa.Column("made_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("place", sa.Text(), nullable=False),
        sa.Column("bytes", sa.BigInteger(), nullable=False),
        sa.Column("tested_at", sa.DateTime(timezone=True), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_backup")),
    )
    op.create_index(op.f("ix_backup_made_at"), "backup", ["made_at"], unique=False)
    op.create_table(
        "request_count",
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("hits", sa.BigInteger(), nullable=False),
        sa.Column("ends_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("key", name=op.f("pk_request_count")),
        prefixes=["UNLOGGED"],
    )
    op.create_index(op.f("ix_request_count_ends_at"), "request_count", ["ends_at"], unique=False)


def downgrade() -> None:
    op.drop_index(op.f("ix_request_count_ends_at"), table_name="request_count")
    op.drop_table("request_count")
    op.drop_index(op.f("ix_backup_made_at"), table_name="backup")
    op.drop_table("backup")
