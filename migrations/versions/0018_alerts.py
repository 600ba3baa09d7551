"""Alerts: channels and their rules, what happened and whom it is told, what is held back; addresses of feeds.

New tables only: nothing that is filled is touched.

Revision: 0018, after 0017
"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0018"
down_revision = "0017"
branch_labels = None
depends_on = None


def upgrade() -> None:
    _channels()
    _events()
    _feeds()


def _channels() -> None:
    op.create_table(
        "alert_channel",
        sa.Column("id", sa.BigInteger(), nullable=False),
        sa.Column("name", sa.String(length=80), nullable=False),
        sa.Column(
            "kind",
            sa.Enum(
                "mail",
                "webhook",
                "wecom",
                "dingtalk",
                "feishu",
                "slack",
                "other",
                name="channelkind",
                native_enum=False,
                create_constraint=True,
                length=24,
            ),
            nullable=False,
        ),
        sa.Column("address", sa.Text(), nullable=False),
        sa.Column("shown", sa.Text(), nullable=False),
        sa.Column("secret", sa.Text(), server_default="", nullable=False),
        sa.Column("language", sa.String(length=16), nullable=False),
        sa.Column("enabled", sa.Boolean(), server_default="true", nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.Column("sent_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("failed_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("problem", sa.Text(), server_default="", nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_alert_channel")),
        sa.UniqueConstraint("name", name=op.f("uq_alert_channel_name")),
    )
    op.create_table(
        "alert_rule",
        sa.Column("id", sa.BigInteger(), nullable=False),
        sa.Column("channel_id", sa.BigInteger(), nullable=False),
        sa.Column("name", sa.String(length=80), nullable=False),
        sa.Column("enabled", sa.Boolean(), server_default="true", nullable=False),
        sa.Column("kinds", postgresql.ARRAY(sa.Text()), nullable=False),
        sa.Column(
            "queue",
            sa.Enum(
                "copied", "we-may-be-copier", name="casequeue", native_enum=False, create_constraint=True, length=24
            ),
            nullable=True,
        ),
        sa.Column("site_id", sa.BigInteger(), nullable=True),
        sa.Column("owner_id", sa.BigInteger(), nullable=True),
        sa.Column(
            "least",
            sa.Enum(
                "grave", "middling", "slight", name="severity", native_enum=False, create_constraint=True, length=24
            ),
            nullable=False,
        ),
        sa.Column("match_kinds", postgresql.ARRAY(sa.Text()), server_default="{}", nullable=False),
        sa.Column("credits", postgresql.ARRAY(sa.Text()), server_default="{}", nullable=False),
        sa.Column("view_id", sa.BigInteger(), nullable=True),
        sa.Column("digest_at", sa.String(length=5), nullable=True),
        sa.Column("time_zone", sa.String(length=64), server_default="", nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.ForeignKeyConstraint(
            ["channel_id"],
            ["alert_channel.id"],
            name=op.f("fk_alert_rule_channel_id_alert_channel"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["owner_id"], ["owner.id"], name=op.f("fk_alert_rule_owner_id_owner"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(["site_id"], ["site.id"], name=op.f("fk_alert_rule_site_id_site"), ondelete="CASCADE"),
        sa.ForeignKeyConstraint(
            ["view_id"], ["saved_view.id"], name=op.f("fk_alert_rule_view_id_saved_view"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_alert_rule")),
    )
    op.create_index(op.f("ix_alert_rule_channel_id"), "alert_rule", ["channel_id"], unique=False)
    op.create_index(op.f("ix_alert_rule_owner_id"), "alert_rule", ["owner_id"], unique=False)
    op.create_index(op.f("ix_alert_rule_site_id"), "alert_rule", ["site_id"], unique=False)
    op.create_index(op.f("ix_alert_rule_view_id"), "alert_rule", ["view_id"], unique=False)


def _events() -> None:
    op.create_table(
        "alert_event",
        sa.Column("id", sa.BigInteger(), nullable=False),
        sa.Column("key", sa.String(length=200), nullable=False),
        sa.Column(
            "kind",
            sa.Enum(
                "case-opened",
                "copy-removed",
                "copy-reappeared",
                "site-blind",
                "site-recovered",
                "alerts-held",
                "disk-low",
                "backup-failed",
                "job-set-aside",
                name="alertkind",
                native_enum=False,
                create_constraint=True,
                length=24,
            ),
            nullable=False,
        ),
        sa.Column("at", sa.DateTime(timezone=True), server_default=sa.text("clock_timestamp()"), nullable=False),
        sa.Column("case_id", sa.BigInteger(), nullable=True),
        sa.Column("site_id", sa.BigInteger(), nullable=True),
        sa.Column("details", postgresql.JSONB(astext_type=sa.Text()), server_default="{}", nullable=False),
        sa.Column("routed_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["case_id"], ["case.id"], name=op.f("fk_alert_event_case_id_case"), ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["site_id"], ["site.id"], name=op.f("fk_alert_event_site_id_site"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_alert_event")),
        sa.UniqueConstraint("key", name=op.f("uq_alert_event_key")),
    )
    op.create_index(op.f("ix_alert_event_at"), "alert_event", ["at"], unique=False)
    op.create_index(op.f("ix_alert_event_case_id"), "alert_event", ["case_id"], unique=False)
    op.create_index(op.f("ix_alert_event_site_id"), "alert_event", ["site_id"], unique=False)
    op.create_index(
        "ix_alert_event_to_route", "alert_event", ["id"], unique=False, postgresql_where=sa.text("routed_at IS NULL")
    )
    op.create_table(
        "alert_hold",
        sa.Column("id", sa.BigInteger(), nullable=False),
        sa.Column("site_id", sa.BigInteger(), nullable=False),
        sa.Column("run_id", sa.BigInteger(), nullable=True),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("since", sa.DateTime(timezone=True), nullable=False),
        sa.Column("begun_at", sa.DateTime(timezone=True), server_default=sa.text("clock_timestamp()"), nullable=False),
        sa.Column("ended_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("is_sent", sa.Boolean(), nullable=True),
        sa.Column("ended_by", sa.Text(), server_default="", nullable=False),
        sa.ForeignKeyConstraint(["site_id"], ["site.id"], name=op.f("fk_alert_hold_site_id_site"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_alert_hold")),
    )
    op.create_index(op.f("ix_alert_hold_site_id"), "alert_hold", ["site_id"], unique=False)
    op.create_index(
        "uq_alert_hold_open", "alert_hold", ["site_id"], unique=True, postgresql_where=sa.text("ended_at IS NULL")
    )
    op.create_table(
        "alert_message",
        sa.Column("id", sa.BigInteger(), nullable=False),
        sa.Column("key", sa.String(length=40), nullable=False),
        sa.Column("channel_id", sa.BigInteger(), nullable=True),
        sa.Column("channel", sa.Text(), nullable=False),
        sa.Column("subject", sa.Text(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("payload", postgresql.JSONB(astext_type=sa.Text()), nullable=False),
        sa.Column("events", sa.Integer(), nullable=False),
        sa.Column(
            "state",
            sa.Enum(
                "waiting",
                "sent",
                "set-aside",
                "dropped",
                name="messagestate",
                native_enum=False,
                create_constraint=True,
                length=24,
            ),
            server_default="waiting",
            nullable=False,
        ),
        sa.Column("made_at", sa.DateTime(timezone=True), server_default=sa.text("clock_timestamp()"), nullable=False),
        sa.Column("next_at", sa.DateTime(timezone=True), server_default=sa.text("clock_timestamp()"), nullable=False),
        sa.Column("claimed_until", sa.DateTime(timezone=True), nullable=True),
        sa.Column("attempts", sa.Integer(), server_default="0", nullable=False),
        sa.Column("sent_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("problem", sa.Text(), server_default="", nullable=False),
        sa.ForeignKeyConstraint(
            ["channel_id"],
            ["alert_channel.id"],
            name=op.f("fk_alert_message_channel_id_alert_channel"),
            ondelete="SET NULL",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_alert_message")),
        sa.UniqueConstraint("key", name=op.f("uq_alert_message_key")),
    )
    op.create_index(op.f("ix_alert_message_channel_id_id"), "alert_message", ["channel_id", "id"], unique=False)
    op.create_index(
        "ix_alert_message_to_send",
        "alert_message",
        ["next_at"],
        unique=False,
        postgresql_where=sa.text("state = 'waiting'"),
    )
    op.create_table(
        "alert",
        sa.Column("id", sa.BigInteger(), nullable=False),
        sa.Column("event_id", sa.BigInteger(), nullable=False),
        sa.Column("channel_id", sa.BigInteger(), nullable=True),
        sa.Column(
            "state",
            sa.Enum(
                "waiting",
                "held",
                "sent",
                "set-aside",
                "dropped",
                name="alertstate",
                native_enum=False,
                create_constraint=True,
                length=24,
            ),
            nullable=False,
        ),
        sa.Column("due_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("is_digest", sa.Boolean(), nullable=False),
        sa.Column("hold_id", sa.BigInteger(), nullable=True),
        sa.Column("message_id", sa.BigInteger(), nullable=True),
        sa.Column("sent_at", sa.DateTime(timezone=True), nullable=True),
        sa.CheckConstraint("(state = 'sent') = (sent_at IS NOT NULL)", name=op.f("ck_alert_sent")),
        sa.ForeignKeyConstraint(
            ["channel_id"], ["alert_channel.id"], name=op.f("fk_alert_channel_id_alert_channel"), ondelete="SET NULL"
        ),
        sa.ForeignKeyConstraint(
            ["event_id"], ["alert_event.id"], name=op.f("fk_alert_event_id_alert_event"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["hold_id"], ["alert_hold.id"], name=op.f("fk_alert_hold_id_alert_hold"), ondelete="SET NULL"
        ),
        sa.ForeignKeyConstraint(
            ["message_id"], ["alert_message.id"], name=op.f("fk_alert_message_id_alert_message"), ondelete="SET NULL"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_alert")),
        sa.UniqueConstraint("channel_id", "event_id", name=op.f("uq_alert_channel_id_event_id")),
    )
    op.create_index(op.f("ix_alert_event_id"), "alert", ["event_id"], unique=False)
    op.create_index(
        op.f("ix_alert_hold_id"), "alert", ["hold_id"], unique=False, postgresql_where=sa.text("hold_id IS NOT NULL")
    )
    op.create_index(op.f("ix_alert_message_id"), "alert", ["message_id"], unique=False)
    op.create_index(
        "ix_alert_to_tell",
        "alert",
        ["due_at"],
        unique=False,
        postgresql_where=sa.text("state = 'waiting' AND message_id IS NULL"),
    )


def _feeds() -> None:
    op.create_table(
        "feed_token",
        sa.Column("id", sa.BigInteger(), nullable=False),
        sa.Column("token_hash", sa.String(length=64), nullable=False),
        sa.Column("account_id", sa.BigInteger(), nullable=False),
        sa.Column("view_id", sa.BigInteger(), nullable=False),
        sa.Column("language", sa.String(length=16), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.Column("read_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(
            ["account_id"], ["account.id"], name=op.f("fk_feed_token_account_id_account"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["view_id"], ["saved_view.id"], name=op.f("fk_feed_token_view_id_saved_view"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_feed_token")),
        sa.UniqueConstraint("token_hash", name=op.f("uq_feed_token_token_hash")),
    )
    op.create_index(op.f("ix_feed_token_account_id"), "feed_token", ["account_id"], unique=False)
    op.create_index(op.f("ix_feed_token_view_id"), "feed_token", ["view_id"], unique=False)


def downgrade() -> None:
    for table in ("feed_token", "alert", "alert_message", "alert_hold", "alert_event", "alert_rule", "alert_channel"):
        op.drop_table(table)
