"""Lists of hits in their order, and the pages of a site by number: read from an index alone, as far as they are shown.

Hits that are equally sure, as all copies to the letter are, had to be sorted all before the first was shown.

Revision: 0013, after 0012
"""

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None


def upgrade() -> None:
    # Not concurrently: that waits for everybody else, and another program that waits for this upgrade waits for it.
    # A second or two for a million pages.
    op.create_index("ix_match_surest", "match", [sa.text("score DESC"), "id"])
    op.create_index("ix_page_site_id_id", "page", ["site_id", "id"])
    op.drop_index("ix_match_score", "match")
    op.drop_index("ix_page_site_id", "page")


def downgrade() -> None:
    op.create_index("ix_page_site_id", "page", ["site_id"])
    op.create_index("ix_match_score", "match", ["score"])
    op.drop_index("ix_page_site_id_id", "page")
    op.drop_index("ix_match_surest", "match")
