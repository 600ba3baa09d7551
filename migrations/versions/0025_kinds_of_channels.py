"""A kind of alert channel is what the program declares: no constraint names the kinds any more.

Only the constraint goes, so nothing is rewritten. The way back makes channels of kinds that were added since `other`,
which sends to every address that apprise knows.

Revision: 0025, after 0024
"""

from alembic import op

revision = "0025"
down_revision = "0024"
branch_labels = None
depends_on = None

_KINDS = "('mail', 'webhook', 'wecom', 'dingtalk', 'feishu', 'slack', 'other')"


def upgrade() -> None:
    op.drop_constraint("channelkind", "alert_channel", type_="check")


def downgrade() -> None:
    op.execute(f"UPDATE alert_channel SET kind = 'other' WHERE kind NOT IN {_KINDS}")  # noqa: S608  # our own words
    op.create_check_constraint("channelkind", "alert_channel", f"kind IN {_KINDS}")
