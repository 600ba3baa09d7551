"""Notices by addressee: the form of a letter, signed statements, drafts and the consent of a second person.

Revision: 0039, after 0038
"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0039"
down_revision = "0038"
branch_labels = None
depends_on = None

_FORMS = ("letter", "regulation", "wechat", "toutiao", "baidu", "dmca", "dsa", "search")
_WAYS = ("second-person", "later")
_WORDS = ("postcode", "identity", "representative")
_TIME = sa.TIMESTAMP(timezone=True)


def upgrade() -> None:
    op.add_column("letter", sa.Column("form", sa.String(24), server_default="letter", nullable=False))
    op.add_column("letter", sa.Column("sendings", sa.Integer(), server_default="1", nullable=False))
    op.create_check_constraint("noticeform", "letter", f"form IN {_FORMS}")
    for name in _WORDS:
        op.add_column("letterhead", sa.Column(name, sa.Text(), server_default="", nullable=False))
    op.create_table(
        "letter_statement",
        sa.Column("letter_id", sa.BigInteger(), nullable=False),
        sa.Column("sending", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("position", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("wording", sa.Text(), nullable=False),
        sa.Column("signer", sa.Text(), nullable=False),
        sa.Column("ticked_by_id", sa.BigInteger()),
        sa.Column("ticked_by", sa.Text(), nullable=False),
        sa.Column("ticked_at", _TIME, nullable=False),
        sa.ForeignKeyConstraint(["letter_id"], ["letter.id"], ondelete="RESTRICT"),
        sa.PrimaryKeyConstraint("letter_id", "sending", "position"),
    )
    _drafts()
    _keep_what_was_said()


def _drafts() -> None:
    op.create_table(
        "letter_draft",
        sa.Column("id", sa.BigInteger(), sa.Identity(), nullable=False),
        sa.Column("case_id", sa.BigInteger(), nullable=False),
        sa.Column("form", sa.String(24), nullable=False),
        sa.Column("language", sa.String(16), nullable=False),
        sa.Column("inputs", postgresql.JSONB(), server_default="{}", nullable=False),
        sa.Column("changed_at", _TIME, server_default=sa.text("clock_timestamp()"), nullable=False),
        sa.Column("changed_by_id", sa.BigInteger()),
        sa.Column("changed_by", sa.Text(), server_default="", nullable=False),
        sa.Column("letter_id", sa.BigInteger()),
        sa.CheckConstraint(f"form IN {_FORMS}", name="noticeform"),
        sa.ForeignKeyConstraint(["case_id"], ["case.id"], ondelete="RESTRICT"),
        sa.ForeignKeyConstraint(["letter_id"], ["letter.id"], ondelete="RESTRICT"),
        sa.PrimaryKeyConstraint("id"),
    )
    for column in ("case_id", "letter_id"):
        op.create_index(f"ix_letter_draft_{column}", "letter_draft", [column])
    op.create_table(
        "letter_consent",
        sa.Column("id", sa.BigInteger(), sa.Identity(), nullable=False),
        sa.Column("draft_id", sa.BigInteger(), nullable=False),
        sa.Column("sha256", sa.LargeBinary(), nullable=False),
        sa.Column("reasons", sa.Text(), nullable=False),
        sa.Column("asked_at", _TIME, nullable=False),
        sa.Column("asked_by_id", sa.BigInteger()),
        sa.Column("asked_by", sa.Text(), nullable=False),
        sa.Column("given_at", _TIME),
        sa.Column("given_by_id", sa.BigInteger()),
        sa.Column("given_by", sa.Text(), server_default="", nullable=False),
        sa.Column("way", sa.String(24)),
        sa.CheckConstraint(f"way IN {_WAYS}", name="consentway"),
        sa.ForeignKeyConstraint(["draft_id"], ["letter_draft.id"], ondelete="RESTRICT"),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("draft_id", "sha256", "reasons"),
    )
    op.create_index("ix_letter_consent_asked", "letter_consent", ["id"], postgresql_where=sa.text("given_at IS NULL"))


def _keep_what_was_said() -> None:
    """What a person signed or consented to stays as it was."""
    op.execute(
        "CREATE FUNCTION letter_words_stay() RETURNS trigger LANGUAGE plpgsql AS $$ "
        "BEGIN RAISE EXCEPTION 'what was stated or consented to is never changed or deleted (%)', TG_TABLE_NAME; END $$"
    )
    op.execute(
        "CREATE TRIGGER letter_statement_stays BEFORE UPDATE OR DELETE ON letter_statement "
        "FOR EACH ROW EXECUTE FUNCTION letter_words_stay()"
    )
    op.execute(
        "CREATE TRIGGER letter_consent_stays BEFORE UPDATE OR DELETE ON letter_consent "
        "FOR EACH ROW WHEN (OLD.given_at IS NOT NULL) EXECUTE FUNCTION letter_words_stay()"
    )


def downgrade() -> None:
    for table in ("letter_consent", "letter_draft", "letter_statement"):
        op.drop_table(table)
    op.execute("DROP FUNCTION letter_words_stay()")
    for name in _WORDS:
        op.drop_column("letterhead", name)
    op.drop_column("letter", "sendings")
    op.drop_column("letter", "form")
