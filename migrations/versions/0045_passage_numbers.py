"""Passages of encoded texts know their place in the text, NULL for those that were encoded before.

Revision: 0045, after 0044
"""

import sqlalchemy as sa
from alembic import op

revision = "0045"
down_revision = "0044"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("passage_vector", sa.Column("number", sa.SmallInteger(), nullable=True))


def downgrade() -> None:
    op.drop_column("passage_vector", "number")
