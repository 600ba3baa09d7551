"""What the desk knows of its people: sessions, links to set a password, failed log-ins, and what was changed by whom.

New tables, and two columns with a constant default on `account`: nothing is rewritten.

Revision: 0006, after 0005
"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("account", sa.Column("time_zone", sa.String(length=64), server_default="", nullable=False))
    op.add_column("account", sa.Column("must_change_password", sa.Boolean(), server_default="false", nullable=False))
    _create_sessions()
    _create_login_failures()
    _create_audit_log()


def _create_sessions() -> None:
    op.create_table(
        "desk_session",
        sa.Column("id", sa.BigInteger(), nullable=False),
        sa.Column("account_id", sa.BigInteger(), nullable=False),
        sa.Column("token_hash", sa.String(length=64), nullable=False),
        sa.Column("browser", sa.String(length=400), server_default="", nullable=False),
        sa.Column("address", sa.String(length=64), server_default="", nullable=False),
        sa.Column("started_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.Column("last_seen_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.ForeignKeyConstraint(
            ["account_id"], ["account.id"], name=op.f("fk_desk_session_account_id_account"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_desk_session")),
        sa.UniqueConstraint("token_hash", name=op.f("uq_desk_session_token_hash")),
    )
    op.create_index(op.f("ix_desk_session_account_id"), "desk_session", ["account_id"], unique=False)
    op.create_index(op.f("ix_desk_session_last_seen_at"), "desk_session", ["last_seen_at"], unique=False)
    op.create_table(
        "password_link",
        sa.Column("account_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("token_hash", sa.String(length=64), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["account_id"], ["account.id"], name=op.f("fk_password_link_account_id_account"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("account_id", name=op.f("pk_password_link")),
        sa.UniqueConstraint("token_hash", name=op.f("uq_password_link_token_hash")),
    )


def _create_login_failures() -> None:
    op.create_table(
        "login_failure",
        sa.Column("id", sa.BigInteger(), nullable=False),
        sa.Column("name_hash", sa.String(length=64), nullable=False),
        sa.Column("address", sa.String(length=64), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_login_failure")),
    )
    op.create_index(op.f("ix_login_failure_name_hash_at"), "login_failure", ["name_hash", "at"], unique=False)
    op.create_index(op.f("ix_login_failure_address_at"), "login_failure", ["address", "at"], unique=False)
    op.create_index(op.f("ix_login_failure_at"), "login_failure", ["at"], unique=False)


def _create_audit_log() -> None:
    op.create_table(
        "audit_event",
        sa.Column("id", sa.BigInteger(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.Column("actor_id", sa.BigInteger(), nullable=True),
        sa.Column("actor", sa.String(length=80), server_default="", nullable=False),
        sa.Column("act", sa.String(length=60), nullable=False),
        sa.Column("subject", sa.String(length=400), nullable=False),
        sa.Column("detail", postgresql.JSONB(astext_type=sa.Text()), server_default="{}", nullable=False),
        sa.ForeignKeyConstraint(
            ["actor_id"], ["account.id"], name=op.f("fk_audit_event_actor_id_account"), ondelete="SET NULL"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_audit_event")),
    )
    op.create_index(op.f("ix_audit_event_actor_id_id"), "audit_event", ["actor_id", "id"], unique=False)
    op.create_index(op.f("ix_audit_event_act_id"), "audit_event", ["act", "id"], unique=False)
    op.create_index(op.f("ix_audit_event_at"), "audit_event", ["at"], unique=False)


def downgrade() -> None:
    op.drop_table("audit_event")
    op.drop_table("login_failure")
    op.drop_table("password_link")
    op.drop_table("desk_session")
    op.drop_column("account", "must_change_password")
    op.drop_column("account", "time_zone")
