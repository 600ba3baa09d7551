"""Verdicts on repeated runs by their seed first: whoever compares a page asks for those on its seeds, of all sites.

Revision: 0021, after 0020
"""

from alembic import op

revision = "0021"
down_revision = "0020"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_unique_constraint(
        "uq_boilerplate_seed_site_id", "boilerplate", ["seed", "site_id"], postgresql_nulls_not_distinct=True
    )
    op.drop_constraint("uq_boilerplate_site_id_seed", "boilerplate")


def downgrade() -> None:
    op.create_unique_constraint(
        "uq_boilerplate_site_id_seed", "boilerplate", ["site_id", "seed"], postgresql_nulls_not_distinct=True
    )
    op.drop_constraint("uq_boilerplate_seed_site_id", "boilerplate")
