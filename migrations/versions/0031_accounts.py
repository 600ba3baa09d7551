"""Accounts on platforms of many authors: whose a page is, and to whom a person has assigned the account.

Revision: 0031, after 0030
"""

import sqlalchemy as sa
from alembic import op

revision = "0031"
down_revision = "0030"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("page", sa.Column("account", sa.Text(), nullable=True))
    op.add_column("page", sa.Column("account_name", sa.Text(), nullable=False, server_default=""))
    op.create_index("ix_page_account", "page", ["account"], postgresql_where=sa.text("account IS NOT NULL"))
    op.create_table(
        "owner_account",
        sa.Column("account", sa.Text(), nullable=False),
        sa.Column("owner_id", sa.BigInteger(), nullable=False),
        sa.Column("added_at", sa.TIMESTAMP(timezone=True), nullable=False, server_default=sa.func.now()),
        sa.ForeignKeyConstraint(["owner_id"], ["owner.id"], name="fk_owner_account_owner_id_owner", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("account", name="pk_owner_account"),
    )
    op.create_index("ix_owner_account_owner_id", "owner_account", ["owner_id"])


def downgrade() -> None:
    op.drop_table("owner_account")
    op.drop_column("page", "account_name")
    op.drop_column("page", "account")
