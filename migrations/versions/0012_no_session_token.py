"""Accounts hold no session token any more: each browser that is logged in has a row of its own (0006).

Revision: 0012, after 0011
"""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.drop_column("account", "session_token")


def downgrade() -> None:
    # The program of then tells accounts' sessions apart by it, so each gets one of its own.
    own = sa.text("gen_random_uuid()::text")
    op.add_column("account", sa.Column("session_token", sa.Text(), nullable=False, server_default=own))
    op.alter_column("account", "session_token", server_default=None)
