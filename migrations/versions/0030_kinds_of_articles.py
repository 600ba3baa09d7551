"""What kind of article a version is, and who wrote which post of a thread.

Columns with a constant default: nothing that is filled is rewritten. No constraint names the kinds, so a new one needs
no migration.

Revision: 0030, after 0028
"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0030"
down_revision = "0028"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("page_version", sa.Column("kind", sa.String(24), nullable=False, server_default="article"))
    op.add_column("page_version", sa.Column("posts", postgresql.JSONB(), nullable=False, server_default="[]"))


def downgrade() -> None:
    op.drop_column("page_version", "posts")
    op.drop_column("page_version", "kind")
