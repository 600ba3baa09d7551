"""Texts that people set aside as proving nothing: their runs stand among the learned ones, and what they did to cases.

The unique constraint on verdicts takes the text in, so that a person's verdict stands beside a learned one.

Revision: 0035, after 0032
"""

import sqlalchemy as sa
from alembic import op

revision = "0035"
down_revision = "0032"
branch_labels = None
depends_on = None

_SCOPES = ("site", "owner", "everywhere")
_STATES = (
    *("new", "reviewing", "confirmed", "licensed", "dismissed", "notified", "removed", "reappeared"),
    "withdrawn",
)


def upgrade() -> None:
    op.create_table(
        "set_aside_text",
        sa.Column("id", sa.BigInteger(), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.Column("scope", sa.String(length=24), nullable=False),
        sa.Column("site_id", sa.BigInteger(), nullable=True),
        sa.Column("owner_key", sa.Text(), nullable=True),
        sa.Column("page_id", sa.BigInteger(), nullable=True),
        sa.Column("note", sa.Text(), nullable=False, server_default=""),
        sa.Column("algorithm_version", sa.Integer(), nullable=False),
        sa.Column("actor_id", sa.BigInteger(), nullable=True),
        sa.Column("actor", sa.Text(), nullable=False, server_default=""),
        sa.Column("made_at", sa.TIMESTAMP(timezone=True), nullable=False, server_default=sa.func.now()),
        sa.Column("withdrawn_at", sa.TIMESTAMP(timezone=True), nullable=True),
        sa.Column("withdrawn_by", sa.Text(), nullable=False, server_default=""),
        sa.CheckConstraint("(scope = 'site') = (site_id IS NOT NULL)", name=op.f("ck_set_aside_text_site")),
        sa.CheckConstraint("(scope = 'owner') = (owner_key IS NOT NULL)", name=op.f("ck_set_aside_text_owner")),
        sa.CheckConstraint(sa.column("scope").in_(_SCOPES), name=op.f("ck_set_aside_text_setasidescope")),
        sa.ForeignKeyConstraint(["site_id"], ["site.id"], name="fk_set_aside_text_site_id_site", ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["page_id"], ["page.id"], name="fk_set_aside_text_page_id_page", ondelete="SET NULL"),
        sa.ForeignKeyConstraint(
            ["actor_id"], ["account.id"], name="fk_set_aside_text_actor_id_account", ondelete="SET NULL"
        ),
        sa.PrimaryKeyConstraint("id", name="pk_set_aside_text"),
    )
    for column in ("site_id", "page_id", "actor_id"):
        op.create_index(f"ix_set_aside_text_{column}", "set_aside_text", [column])
    op.create_index(
        "ix_set_aside_text_made_at", "set_aside_text", ["made_at"], postgresql_where=sa.text("withdrawn_at IS NULL")
    )
    op.create_table(
        "set_aside_case",
        sa.Column("set_aside_id", sa.BigInteger(), nullable=False),
        sa.Column("case_id", sa.BigInteger(), nullable=False),
        sa.Column("their_page_id", sa.BigInteger(), nullable=False),
        sa.Column("share", sa.Float(), nullable=False),
        sa.Column("state_before", sa.String(length=24), nullable=False),
        sa.Column("is_taken_back", sa.Boolean(), nullable=False),
        sa.CheckConstraint(sa.column("state_before").in_(_STATES), name=op.f("ck_set_aside_case_casestate")),
        sa.ForeignKeyConstraint(
            ["set_aside_id"],
            ["set_aside_text.id"],
            name="fk_set_aside_case_set_aside_id_set_aside_text",
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(["case_id"], ["case.id"], name="fk_set_aside_case_case_id_case", ondelete="CASCADE"),
        sa.ForeignKeyConstraint(
            ["their_page_id"], ["page.id"], name="fk_set_aside_case_their_page_id_page", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("set_aside_id", "case_id", "their_page_id", name="pk_set_aside_case"),
    )
    for column in ("case_id", "their_page_id"):
        op.create_index(f"ix_set_aside_case_{column}", "set_aside_case", [column])
    op.add_column("boilerplate", sa.Column("set_aside_id", sa.BigInteger(), nullable=True))
    op.add_column("boilerplate", sa.Column("owner_key", sa.Text(), nullable=True))
    op.create_foreign_key(
        "fk_boilerplate_set_aside_id_set_aside_text",
        *("boilerplate", "set_aside_text", ["set_aside_id"], ["id"]),
        ondelete="CASCADE",
    )
    _unique("uq_boilerplate_seed_site_id_set_aside_id", ["seed", "site_id", "set_aside_id"])
    op.drop_constraint("uq_boilerplate_seed_site_id", "boilerplate")
    op.create_index(
        "ix_boilerplate_set_aside_id_seed",
        "boilerplate",
        ["set_aside_id", "seed"],
        postgresql_where=sa.text("set_aside_id IS NOT NULL"),
    )


def downgrade() -> None:
    op.execute(sa.text("DELETE FROM boilerplate WHERE set_aside_id IS NOT NULL"))
    op.drop_index("ix_boilerplate_set_aside_id_seed", "boilerplate")
    _unique("uq_boilerplate_seed_site_id", ["seed", "site_id"])
    op.drop_constraint("uq_boilerplate_seed_site_id_set_aside_id", "boilerplate")
    op.drop_column("boilerplate", "owner_key")
    op.drop_column("boilerplate", "set_aside_id")
    op.drop_table("set_aside_case")
    op.drop_table("set_aside_text")


def _unique(name: str, columns: list[str]) -> None:
    op.create_unique_constraint(name, "boilerplate", columns, postgresql_nulls_not_distinct=True)
