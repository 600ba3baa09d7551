"""Contacts of hosts with the searches that found them, and answers to letters with their dates.

Answers that were noted before are copied: their day is that on which they were noted.

Revision: 0040, after 0039
"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0040"
down_revision = "0039"
branch_labels = None
depends_on = None

_KINDS = ("mail", "page", "registration")
_ROLES = ("copyright", "abuse", "legal", "general", "registrant", "registrar-abuse", "network-abuse")
_SOURCES = ("site", "rdap-domain", "rdap-address", "whois-domain", "whois-address", "mail-servers", "person")
_SURE = ("stated", "likely", "guess")
_DECISIONS = ("confirmed", "refused")
_REPLIES = ("complied", "refused", "counter-notice", "other")
_LAWS = ("cn", "us-dmca", "eu-dsa", "other")
_TIME = sa.TIMESTAMP(timezone=True)


def upgrade() -> None:
    op.create_table(
        "contact_search",
        sa.Column("id", sa.BigInteger(), sa.Identity(), nullable=False),
        sa.Column("host", sa.String(300), nullable=False),
        sa.Column("asked_at", _TIME, server_default=sa.func.now(), nullable=False),
        sa.Column("asked_by", sa.Text(), server_default="", nullable=False),
        sa.Column("ended_at", _TIME),
        sa.Column("requests", sa.Integer(), server_default="0", nullable=False),
        sa.Column("notes", postgresql.JSONB(), server_default="[]", nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("ix_contact_search_host_id", "contact_search", ["host", "id"])
    op.create_index(
        "uq_contact_search_open",
        "contact_search",
        ["host"],
        unique=True,
        postgresql_where=sa.text("ended_at IS NULL"),
    )
    _contact()
    _answer()


def _contact() -> None:
    op.create_table(
        "contact",
        sa.Column("id", sa.BigInteger(), sa.Identity(), nullable=False),
        sa.Column("host", sa.String(300), nullable=False),
        sa.Column("kind", sa.String(24), nullable=False),
        sa.Column("role", sa.String(24), nullable=False),
        sa.Column("value", sa.String(2000), nullable=False),
        sa.Column("name", sa.Text(), server_default="", nullable=False),
        sa.Column("source", sa.String(24), nullable=False),
        sa.Column("place", sa.Text(), server_default="", nullable=False),
        sa.Column("confidence", sa.String(24), nullable=False),
        sa.Column("seen_at", _TIME, nullable=False),
        sa.Column("owner_id", sa.BigInteger()),
        sa.Column("decision", sa.String(24)),
        sa.Column("decided_by", sa.Text(), server_default="", nullable=False),
        sa.Column("decided_at", _TIME),
        sa.CheckConstraint(f"kind IN {_KINDS}", name="contactkind"),
        sa.CheckConstraint(f"role IN {_ROLES}", name="contactrole"),
        sa.CheckConstraint(f"source IN {_SOURCES}", name="contactsource"),
        sa.CheckConstraint(f"confidence IN {_SURE}", name="confidence"),
        sa.CheckConstraint(f"decision IN {_DECISIONS}", name="contactdecision"),
        sa.CheckConstraint("(decision IS NULL) = (decided_at IS NULL)", name="decided"),
        sa.ForeignKeyConstraint(["owner_id"], ["owner.id"], ondelete="SET NULL"),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("host", "kind", "value", "source"),
    )
    op.create_index("ix_contact_owner_id", "contact", ["owner_id"])


def _answer() -> None:
    op.create_table(
        "letter_answer",
        sa.Column("id", sa.BigInteger(), sa.Identity(), nullable=False),
        sa.Column("letter_id", sa.BigInteger(), nullable=False),
        sa.Column("kind", sa.String(24), nullable=False),
        sa.Column("words", sa.Text(), nullable=False),
        sa.Column("law", sa.String(24), nullable=False),
        sa.Column("dated", sa.Date()),
        sa.Column("received", sa.Date(), nullable=False),
        sa.Column("provider_received", sa.Date()),
        sa.Column("noted_at", _TIME, server_default=sa.text("clock_timestamp()"), nullable=False),
        sa.Column("noted_by", sa.Text(), server_default="", nullable=False),
        sa.CheckConstraint(f"kind IN {_REPLIES}", name="replykind"),
        sa.CheckConstraint(f"law IN {_LAWS}", name="noticelaw"),
        sa.ForeignKeyConstraint(["letter_id"], ["letter.id"], ondelete="RESTRICT"),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("ix_letter_answer_letter_id", "letter_answer", ["letter_id"])
    # No term is computed for them: nobody said under which law those notices were made.
    op.execute(
        "INSERT INTO letter_answer (letter_id, kind, words, law, received, noted_at) "
        "SELECT id, reply_kind, reply, 'other', replied_at::date, replied_at FROM letter "
        "WHERE replied_at IS NOT NULL AND reply_kind IS NOT NULL"
    )


def downgrade() -> None:
    for table in ("letter_answer", "contact", "contact_search"):
        op.drop_table(table)
