"""When the newest version was fetched, read from an index: each check says so, and read every version for it.

Revision: 0024, after 0023
"""

from alembic import op

revision = "0024"
down_revision = "0023"
branch_labels = None
depends_on = None


def upgrade() -> None:
    # Not concurrently, as in 0013: a second for a million versions.
    op.create_index("ix_page_version_fetched_at", "page_version", ["fetched_at"])


def downgrade() -> None:
    op.drop_index("ix_page_version_fetched_at", "page_version")
