"""Settings that are changed at the desk, the code of the first account, and the steps of the first hour put off.

Revision: 0042, after 0041
"""

import sqlalchemy as sa
from alembic import op

revision = "0042"
down_revision = "0041"
branch_labels = None
depends_on = None

_TIME = sa.TIMESTAMP(timezone=True)
_STEPS = ("own-site", "own-articles", "watched-sites", "alerts", "letterhead")


def upgrade() -> None:
    op.create_table(
        "setting_change",
        sa.Column("id", sa.BigInteger(), nullable=False),
        sa.Column("name", sa.String(64), nullable=False),
        sa.Column("value", sa.Text()),
        sa.Column("changed_by", sa.Text(), server_default="", nullable=False),
        sa.Column("changed_at", _TIME, server_default=sa.func.now(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("ix_setting_change_name_id", "setting_change", ["name", "id"])
    op.create_table(
        "first_account_code",
        sa.Column("id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("nonce", sa.LargeBinary(), nullable=False),
        sa.Column("expires_at", _TIME, nullable=False),
        sa.CheckConstraint("id = 1", name="one"),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_table(
        "onboarding_skip",
        sa.Column("step", sa.String(24), nullable=False),
        sa.Column("skipped_by", sa.Text(), server_default="", nullable=False),
        sa.Column("skipped_at", _TIME, server_default=sa.func.now(), nullable=False),
        sa.CheckConstraint(sa.column("step").in_(_STEPS), name=op.f("ck_onboarding_skip_onboardingstep")),
        sa.PrimaryKeyConstraint("step"),
    )


def downgrade() -> None:
    for table in ("onboarding_skip", "first_account_code", "setting_change"):
        op.drop_table(table)
