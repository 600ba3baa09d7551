"""What a crawl learns of a site's pages, and the picture that an article leads with.

A new table, and a column that may be empty: nothing that is filled is rewritten.

Revision: 0007, after 0006
"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("page_version", sa.Column("lead_image", sa.Text(), nullable=True))
    op.create_table(
        "site_knowledge",
        sa.Column("site_id", sa.BigInteger(), nullable=False),
        sa.Column("marks", postgresql.ARRAY(sa.BigInteger()), nullable=False),
        sa.Column("list_shapes", postgresql.ARRAY(sa.Text()), nullable=False),
        sa.Column("learned_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.ForeignKeyConstraint(
            ["site_id"], ["site.id"], name=op.f("fk_site_knowledge_site_id_site"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("site_id", name=op.f("pk_site_knowledge")),
    )


def downgrade() -> None:
    op.drop_table("site_knowledge")
    op.drop_column("page_version", "lead_image")
