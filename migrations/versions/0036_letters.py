"""Letters to copiers: on their way, their texts for ever, the cases that they name, and who writes them.

Revision: 0036, after 0035
"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0036"
down_revision = "0035"
branch_labels = None
depends_on = None

_KINDS = ("notice", "reminder", "second")
_STATES = ("waiting", "sending", "sent", "unknown", "failed", "taken-back", "withdrawn")
_REPLIES = ("complied", "refused", "counter-notice", "other")
_CHANNELS = ("mail", "form", "letter", "lawyer", "phone", "other")
_TIME = sa.TIMESTAMP(timezone=True)


def upgrade() -> None:
    _letter()
    op.create_table(
        "letter_document",
        sa.Column("letter_id", sa.BigInteger(), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.Column("sha256", sa.LargeBinary(), nullable=False),
        sa.Column("pdf", sa.LargeBinary()),
        sa.Column("pdf_sha256", sa.LargeBinary()),
        sa.ForeignKeyConstraint(["letter_id"], ["letter.id"], ondelete="RESTRICT"),
        sa.PrimaryKeyConstraint("letter_id"),
    )
    op.create_table(
        "letter_case",
        sa.Column("letter_id", sa.BigInteger(), nullable=False),
        sa.Column("case_id", sa.BigInteger(), nullable=False),
        sa.Column("pages", postgresql.JSONB(), server_default="[]", nullable=False),
        sa.ForeignKeyConstraint(["letter_id"], ["letter.id"], ondelete="RESTRICT"),
        sa.ForeignKeyConstraint(["case_id"], ["case.id"], ondelete="RESTRICT"),
        sa.PrimaryKeyConstraint("letter_id", "case_id"),
    )
    op.create_index("ix_letter_case_case_id", "letter_case", ["case_id"])
    _letterhead()
    op.add_column("case_notice", sa.Column("letter_id", sa.BigInteger(), nullable=True))
    # No row has a letter yet, so that there is nothing to check under the lock.
    op.create_foreign_key(
        "fk_case_notice_letter_id_letter", "case_notice", "letter", ["letter_id"], ["id"], ondelete="RESTRICT"
    )
    op.create_index(
        "ix_case_notice_letter_id", "case_notice", ["letter_id"], postgresql_where=sa.text("letter_id IS NOT NULL")
    )
    _keep_documents()


def _letter() -> None:
    op.create_table(
        "letter",
        sa.Column("id", sa.BigInteger(), sa.Identity(), nullable=False),
        sa.Column("key", sa.String(32), nullable=False),
        sa.Column("case_id", sa.BigInteger(), nullable=False),
        sa.Column("other_key", sa.Text(), nullable=False),
        sa.Column("copier", sa.Text(), nullable=False),
        sa.Column("kind", sa.String(24), nullable=False),
        sa.Column("follows_id", sa.BigInteger()),
        sa.Column("language", sa.String(16), nullable=False),
        sa.Column("subject", sa.Text(), nullable=False),
        sa.Column("recipient", sa.Text(), nullable=False),
        sa.Column("channel", sa.String(24), nullable=False),
        sa.Column("is_mail", sa.Boolean(), nullable=False),
        sa.Column("mail_channel_id", sa.BigInteger()),
        sa.Column("sender", sa.Text(), server_default="", nullable=False),
        sa.Column("state", sa.String(24), nullable=False),
        sa.Column("dated", sa.Date(), nullable=False),
        sa.Column("deadline", _TIME),
        sa.Column("made_at", _TIME, server_default=sa.text("clock_timestamp()"), nullable=False),
        sa.Column("made_by_id", sa.BigInteger()),
        sa.Column("made_by", sa.Text(), server_default="", nullable=False),
        sa.Column("send_at", _TIME),
        sa.Column("claimed_until", _TIME),
        sa.Column("attempts", sa.Integer(), server_default="0", nullable=False),
        sa.Column("sent_at", _TIME),
        sa.Column("problem", sa.Text(), server_default="", nullable=False),
        sa.Column("reply_kind", sa.String(24)),
        sa.Column("reply", sa.Text(), server_default="", nullable=False),
        sa.Column("replied_at", _TIME),
        sa.Column("closed_at", _TIME),
        sa.Column("closed_by", sa.Text(), server_default="", nullable=False),
        sa.Column("closed_note", sa.Text(), server_default="", nullable=False),
        sa.CheckConstraint(f"kind IN {_KINDS}", name="letterkind"),
        sa.CheckConstraint(f"state IN {_STATES}", name="letterstate"),
        sa.CheckConstraint(f"reply_kind IN {_REPLIES}", name="replykind"),
        sa.CheckConstraint(f"channel IN {_CHANNELS}", name="noticechannel"),
        sa.CheckConstraint("(state = 'sent') <= (sent_at IS NOT NULL)", name="sent"),
        sa.ForeignKeyConstraint(["case_id"], ["case.id"], ondelete="RESTRICT"),
        sa.ForeignKeyConstraint(["follows_id"], ["letter.id"], ondelete="RESTRICT"),
        sa.ForeignKeyConstraint(["mail_channel_id"], ["alert_channel.id"], ondelete="SET NULL"),
        sa.ForeignKeyConstraint(["made_by_id"], ["account.id"], ondelete="SET NULL"),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("key"),
    )
    for column in ("case_id", "follows_id", "mail_channel_id", "made_by_id"):
        op.create_index(f"ix_letter_{column}", "letter", [column])
    op.create_index("ix_letter_state_id", "letter", ["state", "id"])
    op.create_index(
        "ix_letter_to_send", "letter", ["send_at"], postgresql_where=sa.text("state IN ('waiting', 'sending')")
    )


def _letterhead() -> None:
    words = ("organisation", "contact", "telephone", "mail", "address", "signatory", "heading")
    op.create_table(
        "letterhead",
        sa.Column("id", sa.Integer(), autoincrement=False, nullable=False),
        *(sa.Column(name, sa.Text(), server_default="", nullable=False) for name in words),
        sa.Column("seal", sa.LargeBinary()),
        sa.Column("mail_channel_id", sa.BigInteger()),
        sa.Column("outbox_minutes", sa.Integer(), server_default="10", nullable=False),
        sa.Column("changed_by", sa.Text(), server_default="", nullable=False),
        sa.Column("changed_at", _TIME, server_default=sa.func.now(), nullable=False),
        sa.CheckConstraint("id = 1", name="one"),
        sa.CheckConstraint("outbox_minutes BETWEEN 0 AND 1440", name="minutes"),
        sa.ForeignKeyConstraint(["mail_channel_id"], ["alert_channel.id"], ondelete="SET NULL"),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("ix_letterhead_mail_channel_id", "letterhead", ["mail_channel_id"])


def _keep_documents() -> None:
    """A letter that left the house stays as it was, whatever a program or a person at the database tries."""
    op.execute(
        "CREATE FUNCTION letter_document_stays() RETURNS trigger LANGUAGE plpgsql AS $$ "
        "BEGIN RAISE EXCEPTION 'the text of letter % is never changed or deleted', OLD.letter_id; END $$"
    )
    op.execute(
        "CREATE TRIGGER letter_document_stays BEFORE UPDATE OR DELETE ON letter_document "
        "FOR EACH ROW EXECUTE FUNCTION letter_document_stays()"
    )


def downgrade() -> None:
    op.drop_column("case_notice", "letter_id")
    for table in ("letterhead", "letter_case", "letter_document", "letter"):
        op.drop_table(table)
    op.execute("DROP FUNCTION letter_document_stays()")
