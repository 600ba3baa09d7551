"""What a crawl remembers: addresses and when they are due, traps, turns at hosts, manners, pages that went and came.

New tables only: nothing that is filled is touched.

Revision: 0005, after 0004
"""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "host_turn",
        sa.Column("host", sa.Text(), nullable=False),
        sa.Column("next_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("held_until", sa.DateTime(timezone=True), nullable=True),
        sa.Column("refusals", sa.Integer(), server_default="0", nullable=False),
        sa.PrimaryKeyConstraint("host", name=op.f("pk_host_turn")),
    )
    op.create_table(
        "frontier_trap",
        sa.Column("site_id", sa.BigInteger(), nullable=False),
        sa.Column("shape", sa.Text(), nullable=False),
        sa.Column("until", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["site_id"], ["site.id"], name=op.f("fk_frontier_trap_site_id_site"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("site_id", "shape", name=op.f("pk_frontier_trap")),
    )
    op.create_table(
        "frontier_url",
        sa.Column("id", sa.BigInteger(), nullable=False),
        sa.Column("site_id", sa.BigInteger(), nullable=False),
        sa.Column("identity", sa.BigInteger(), nullable=False),
        sa.Column("url", sa.Text(), nullable=False),
        sa.Column(
            "kind",
            sa.Enum(
                "article",
                "list",
                "feed",
                "sitemap",
                name="urlkind",
                native_enum=False,
                create_constraint=True,
                length=24,
            ),
            nullable=False,
        ),
        sa.Column(
            "state",
            sa.Enum(
                "new",
                "seen",
                "refused",
                "gone",
                "alias",
                name="urlstate",
                native_enum=False,
                create_constraint=True,
                length=24,
            ),
            server_default="new",
            nullable=False,
        ),
        sa.Column("tier", sa.SmallInteger(), nullable=False),
        sa.Column("link_depth", sa.Integer(), server_default="0", nullable=False),
        sa.Column("due_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.Column("leased_until", sa.DateTime(timezone=True), nullable=True),
        sa.Column("leased_by", sa.BigInteger(), nullable=True),
        sa.Column("attempts", sa.Integer(), server_default="0", nullable=False),
        sa.Column("refusal", sa.Text(), nullable=True),
        sa.Column("etag", sa.Text(), nullable=True),
        sa.Column("last_modified", sa.Text(), nullable=True),
        sa.Column(
            "found_by",
            sa.Enum(
                "spider",
                "sitemap",
                "feed",
                "import",
                "hand",
                name="foundby",
                native_enum=False,
                create_constraint=True,
                length=24,
            ),
            nullable=False,
        ),
        sa.Column("declared_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column(
            "declared_precision",
            sa.Enum(
                "second",
                "minute",
                "day",
                "month",
                "none",
                name="precision",
                native_enum=False,
                create_constraint=True,
                length=24,
            ),
            nullable=False,
        ),
        sa.Column(
            "declared_origin",
            sa.Enum(
                "feed",
                "sitemap",
                "json-ld",
                "meta",
                "visible",
                "url",
                "http",
                "import",
                "none",
                name="dateorigin",
                native_enum=False,
                create_constraint=True,
                length=24,
            ),
            nullable=False,
        ),
        sa.Column("modified_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("visits", sa.Integer(), server_default="0", nullable=False),
        sa.Column("changes", sa.Integer(), server_default="0", nullable=False),
        sa.Column("observed_s", sa.Float(precision=53), server_default="0", nullable=False),
        sa.Column("found_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.Column("visited_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(
            ["site_id"], ["site.id"], name=op.f("fk_frontier_url_site_id_site"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_frontier_url")),
        sa.UniqueConstraint("site_id", "identity", name=op.f("uq_frontier_url_site_id_identity")),
    )
    op.create_index(
        "ix_frontier_url_due",
        "frontier_url",
        ["site_id", "tier", "due_at"],
        unique=False,
        postgresql_where=sa.text("leased_until IS NULL"),
    )
    op.create_index(
        "ix_frontier_url_leased",
        "frontier_url",
        ["site_id"],
        unique=False,
        postgresql_where=sa.text("leased_until IS NOT NULL"),
    )
    op.create_table(
        "site_manners",
        sa.Column("site_id", sa.BigInteger(), nullable=False),
        sa.Column("byte_budget", sa.BigInteger(), nullable=True),
        sa.Column("window_start", sa.Time(), nullable=True),
        sa.Column("window_end", sa.Time(), nullable=True),
        sa.Column("obey_noindex", sa.Boolean(), nullable=False),
        sa.Column("obey_noarchive", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(
            ["site_id"], ["site.id"], name=op.f("fk_site_manners_site_id_site"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("site_id", name=op.f("pk_site_manners")),
    )
    op.create_table(
        "page_event",
        sa.Column("id", sa.BigInteger(), nullable=False),
        sa.Column("page_id", sa.BigInteger(), nullable=False),
        sa.Column(
            "kind",
            sa.Enum("gone", "back", name="pageeventkind", native_enum=False, create_constraint=True, length=24),
            nullable=False,
        ),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["page_id"], ["page.id"], name=op.f("fk_page_event_page_id_page"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_page_event")),
    )
    op.create_index(op.f("ix_page_event_page_id_at"), "page_event", ["page_id", "at"], unique=False)


def downgrade() -> None:
    op.drop_index(op.f("ix_page_event_page_id_at"), table_name="page_event")
    op.drop_table("page_event")
    op.drop_table("site_manners")
    op.drop_index(
        "ix_frontier_url_leased", table_name="frontier_url", postgresql_where=sa.text("leased_until IS NOT NULL")
    )
    op.drop_index("ix_frontier_url_due", table_name="frontier_url", postgresql_where=sa.text("leased_until IS NULL"))
    op.drop_table("frontier_url")
    op.drop_table("frontier_trap")
    op.drop_table("host_turn")
