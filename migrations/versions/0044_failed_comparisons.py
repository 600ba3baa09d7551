"""Texts whose comparison by meaning failed: how often, why, and when they are tried again.

Revision: 0044, after 0043
"""

import sqlalchemy as sa
from alembic import op

revision = "0044"
down_revision = "0043"
branch_labels = None
depends_on = None

_COLUMNS = ("not_before", "attempts", "error")


def upgrade() -> None:
    at = sa.TIMESTAMP(timezone=True)
    op.add_column("encoded_text", sa.Column("not_before", at, nullable=False, server_default=sa.func.now()))
    op.add_column("encoded_text", sa.Column("attempts", sa.Integer(), nullable=False, server_default="0"))
    op.add_column("encoded_text", sa.Column("error", sa.Text(), nullable=True))


def downgrade() -> None:
    for column in _COLUMNS:
        op.drop_column("encoded_text", column)
