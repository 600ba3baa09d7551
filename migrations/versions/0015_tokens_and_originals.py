"""Tokens for programs, a second step at the log-in, articles handed over by a publisher's system, days of comparing.

New tables only: nothing that is filled is touched.

Revision: 0015, after 0014
"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None


def upgrade() -> None:
    _access()
    _originals()
    counts = ("compared", "matched", "failed", "cut")
    op.create_table(
        "comparison_day",
        sa.Column("day", sa.Date(), nullable=False),
        *(sa.Column(name, sa.BigInteger(), server_default="0", nullable=False) for name in counts),
        sa.PrimaryKeyConstraint("day", name=op.f("pk_comparison_day")),
    )


def _time(name: str, *, is_known: bool = False) -> sa.Column[object]:
    now = sa.text("clock_timestamp()") if is_known else None
    return sa.Column(name, sa.DateTime(timezone=True), server_default=now, nullable=not is_known)


def _of(table: str, other: str) -> sa.ForeignKeyConstraint:
    column = f"{other}_id"
    return sa.ForeignKeyConstraint(
        [column], [f"{other}.id"], name=op.f(f"fk_{table}_{column}_{other}"), ondelete="CASCADE"
    )


def _access() -> None:
    op.create_table(
        "api_token",
        sa.Column("id", sa.BigInteger(), nullable=False),
        sa.Column("account_id", sa.BigInteger(), nullable=False),
        sa.Column("name", sa.String(length=80), nullable=False),
        sa.Column("token_hash", sa.String(length=64), nullable=False),
        sa.Column("beginning", sa.String(length=16), nullable=False),
        sa.Column("scopes", postgresql.ARRAY(sa.Text()), nullable=False),
        sa.Column("per_minute", sa.Integer(), nullable=False),
        _time("created_at", is_known=True),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        *map(_time, ("revoked_at", "last_used_at", "window_began_at")),
        sa.Column("window_count", sa.Integer(), server_default="0", nullable=False),
        sa.CheckConstraint("per_minute > 0", name=op.f("ck_api_token_per_minute")),
        sa.CheckConstraint("cardinality(scopes) > 0", name=op.f("ck_api_token_scopes")),
        _of("api_token", "account"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_api_token")),
        sa.UniqueConstraint("token_hash", name=op.f("uq_api_token_token_hash")),
    )
    op.create_index(op.f("ix_api_token_account_id_id"), "api_token", ["account_id", "id"], unique=False)
    op.create_table(
        "two_factor",
        sa.Column("account_id", sa.BigInteger(), nullable=False),
        sa.Column("secret", sa.String(length=64), nullable=False),
        sa.Column("last_step", sa.BigInteger(), server_default="0", nullable=False),
        sa.Column("confirmed_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        _of("two_factor", "account"),
        sa.PrimaryKeyConstraint("account_id", name=op.f("pk_two_factor")),
    )
    op.create_table(
        "recovery_code",
        sa.Column("id", sa.BigInteger(), nullable=False),
        sa.Column("account_id", sa.BigInteger(), nullable=False),
        sa.Column("code_hash", sa.String(length=64), nullable=False),
        _time("used_at"),
        _of("recovery_code", "account"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_recovery_code")),
        sa.UniqueConstraint("account_id", "code_hash", name=op.f("uq_recovery_code_account_id_code_hash")),
    )


def _originals() -> None:
    op.create_table(
        "original",
        sa.Column("id", sa.BigInteger(), nullable=False),
        sa.Column("site_id", sa.BigInteger(), nullable=False),
        sa.Column("external_id", sa.String(length=200), nullable=False),
        sa.Column("page_id", sa.BigInteger(), nullable=False),
        _time("first_pushed_at", is_known=True),
        _time("pushed_at", is_known=True),
        _time("gone_at"),
        _of("original", "site"),
        _of("original", "page"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_original")),
        sa.UniqueConstraint("site_id", "external_id", name=op.f("uq_original_site_id_external_id")),
        sa.UniqueConstraint("page_id", name=op.f("uq_original_page_id")),
    )
    op.create_index(op.f("ix_original_site_id_id"), "original", ["site_id", "id"], unique=False)
    op.create_table(
        "original_backfill",
        sa.Column("site_id", sa.BigInteger(), nullable=False),
        sa.Column("name", sa.String(length=80), nullable=False),
        sa.Column("position", sa.String(length=200), nullable=False),
        sa.Column("taken", sa.BigInteger(), server_default="0", nullable=False),
        sa.Column("refused", sa.BigInteger(), server_default="0", nullable=False),
        _time("updated_at", is_known=True),
        _of("original_backfill", "site"),
        sa.PrimaryKeyConstraint("site_id", "name", name=op.f("pk_original_backfill")),
    )


def downgrade() -> None:
    for table in ("comparison_day", "original_backfill", "original", "recovery_code", "two_factor", "api_token"):
        op.drop_table(table)
