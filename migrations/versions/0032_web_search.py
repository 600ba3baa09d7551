"""Search services: queries, what they found, visits of articles, rests of services, decisions about hosts.

New tables, and one more way in which a page was found: the constraint reads pages and addresses once. Nothing is
rewritten.

Revision: 0032, after 0031
"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0032"
down_revision = "0031"
branch_labels = None
depends_on = None

_STATES = ("waiting", "left-out", "refused", "no-copy", "copy")
_DECISIONS = ("watched", "ignored")
_FOUND_BY = ("spider", "sitemap", "feed", "import", "hand")
_SEARCH = "search"


def upgrade() -> None:
    for table in ("page", "frontier_url"):
        _found_by(table, (*_FOUND_BY, _SEARCH))
    _queries()
    _finds()
    op.create_table(
        "search_visit",
        sa.Column("page_id", sa.BigInteger, sa.ForeignKey("page.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("done", sa.Integer, nullable=False),
        sa.Column("visited_at", sa.DateTime(timezone=True), server_default=sa.func.now(), nullable=False),
    )
    op.create_table(
        "search_rest",
        sa.Column("service", sa.String(40), primary_key=True),
        sa.Column("failures", sa.Integer, nullable=False),
        sa.Column("until", sa.DateTime(timezone=True), nullable=False),
        sa.Column("fault", sa.String(24), nullable=False),
        sa.Column("problem", sa.Text, nullable=False),
    )
    op.create_table(
        "search_host",
        sa.Column("host", sa.Text, primary_key=True),
        sa.Column("decision", sa.String(24), nullable=False),
        sa.Column("decided_at", sa.DateTime(timezone=True), server_default=sa.func.now(), nullable=False),
        sa.Column("decided_by", sa.Text, server_default="", nullable=False),
        sa.CheckConstraint(sa.column("decision").in_(_DECISIONS), name=op.f("ck_search_host_hostdecision")),
    )


def downgrade() -> None:
    for table in ("search_host", "search_rest", "search_visit", "search_find", "search_query"):
        op.drop_table(table)
    for table in ("page", "frontier_url"):
        op.execute(sa.text(f"UPDATE {table} SET found_by = 'hand' WHERE found_by = '{_SEARCH}'"))  # noqa: S608  # our own words
        _found_by(table, _FOUND_BY)


def _found_by(table: str, words: tuple[str, ...]) -> None:
    """Replaces the constraint that names the ways in which a page was found."""
    op.drop_constraint(op.f(f"ck_{table}_foundby"), table, type_="check")
    op.create_check_constraint(op.f(f"ck_{table}_foundby"), table, sa.column("found_by").in_(words))


def _queries() -> None:
    op.create_table(
        "search_query",
        sa.Column("id", sa.BigInteger, sa.Identity(), primary_key=True),
        sa.Column("service", sa.String(40), nullable=False),
        sa.Column("site_id", sa.BigInteger, sa.ForeignKey("site.id", ondelete="SET NULL")),
        sa.Column("page_id", sa.BigInteger, sa.ForeignKey("page.id", ondelete="SET NULL")),
        sa.Column("phrase", sa.String(200), nullable=False),
        sa.Column("price", sa.Float, nullable=False),
        sa.Column("booked_at", sa.DateTime(timezone=True), server_default=sa.text("clock_timestamp()"), nullable=False),
        sa.Column("ended_at", sa.DateTime(timezone=True)),
        sa.Column("fault", sa.String(24)),
        *(
            sa.Column(name, sa.Integer, server_default="0", nullable=False)
            for name in ("results", "unusable", "beyond")
        ),
        sa.CheckConstraint("price >= 0", name=op.f("ck_search_query_price")),
    )
    for columns in (("service", "phrase", "booked_at"), ("site_id", "booked_at"), ("booked_at",), ("page_id",)):
        op.create_index(f"ix_search_query_{'_'.join(columns)}", "search_query", list(columns))
    op.create_index("ix_search_query_open", "search_query", ["booked_at"], postgresql_where=sa.text("ended_at IS NULL"))


def _finds() -> None:
    op.create_table(
        "search_find",
        sa.Column("id", sa.BigInteger, sa.Identity(), primary_key=True),
        sa.Column("page_id", sa.BigInteger, sa.ForeignKey("page.id", ondelete="CASCADE"), nullable=False),
        *(sa.Column(name, sa.Text, nullable=False) for name in ("url", "host", "title", "snippet")),
        sa.Column("services", postgresql.ARRAY(sa.Text), nullable=False),
        sa.Column("score", sa.Float, nullable=False),
        sa.Column("state", sa.String(24), nullable=False),
        sa.Column("reason", sa.String(40)),
        sa.Column("found_at", sa.DateTime(timezone=True), server_default=sa.func.now(), nullable=False),
        sa.Column("fetched_at", sa.DateTime(timezone=True)),
        sa.Column("their_page_id", sa.BigInteger, sa.ForeignKey("page.id", ondelete="SET NULL")),
        sa.UniqueConstraint("page_id", "url"),
        sa.CheckConstraint(sa.column("state").in_(_STATES), name=op.f("ck_search_find_findstate")),
    )
    op.create_index("ix_search_find_host_state", "search_find", ["host", "state"])
    op.create_index("ix_search_find_their_page_id", "search_find", ["their_page_id"])
    op.create_index("ix_search_find_waiting", "search_find", ["page_id"], postgresql_where=sa.text("state = 'waiting'"))
