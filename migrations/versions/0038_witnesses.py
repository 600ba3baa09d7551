"""Witnesses of evidence files and of heads, when failed captures are tried again, and the alarm about both.

Words of kinds are added to those that the column allows now, whichever these are.

Revision: 0038, after 0037
"""

import re

import sqlalchemy as sa
from alembic import op

revision = "0038"
down_revision = "0037"
branch_labels = None
depends_on = None

_KINDS = ("stamp", "open-timestamps")
_STATES = ("waiting", "pending", "done", "failed")
_TIME = sa.TIMESTAMP(timezone=True)
_MADE_AS_EVIDENCE = (
    "kind NOT IN ('stored', 'failed', 'removed', 'key', 'witnessed') AND record IS NOT NULL AND removed_by IS NULL"
)
_NEW_WORDS = (("evidence", "evidencekind", "witnessed"), ("alert_event", "alertkind", "evidence-alarm"))


def upgrade() -> None:
    _lists()
    _heads()
    op.add_column("case_capture", sa.Column("attempts", sa.Integer(), server_default="0", nullable=False))
    op.add_column("case_capture", sa.Column("next_at", _TIME))
    op.add_column("case_capture", sa.Column("picture_problem", sa.Text()))
    op.create_index(
        "ix_case_capture_next_at", "case_capture", ["next_at"], postgresql_where=sa.text("next_at IS NOT NULL")
    )
    for table, constraint, word in _NEW_WORDS:
        _set_words(table, constraint, (*_words(table, constraint), word))
    # Entries that a downgrade listed otherwise: the hashed line still has their kind.
    op.execute(
        sa.text(
            "UPDATE evidence SET kind = 'witnessed' WHERE kind = 'failed' AND strpos(body, :written) > 0"
        ).bindparams(written='"kind":"witnessed"')
    )
    # Not concurrently, as in 0013: a second for a million entries.
    op.create_index("ix_evidence_made", "evidence", ["number"], postgresql_where=sa.text(_MADE_AS_EVIDENCE))


def downgrade() -> None:
    op.drop_index("ix_evidence_made", "evidence")
    op.execute(sa.text("DELETE FROM alert_event WHERE kind = 'evidence-alarm'"))
    # An entry of the chain cannot go without breaking it. Like this kind, failures have no file.
    op.execute(sa.text("UPDATE evidence SET kind = 'failed' WHERE kind = 'witnessed'"))
    for table, constraint, word in reversed(_NEW_WORDS):
        _set_words(table, constraint, tuple(one for one in _words(table, constraint) if one != word))
    op.drop_index("ix_case_capture_next_at", "case_capture")
    for column in ("picture_problem", "next_at", "attempts"):
        op.drop_column("case_capture", column)
    for table in ("countersignature", "heard_head", "witness", "listed_file", "file_list"):
        op.drop_table(table)


def _lists() -> None:
    op.create_table(
        "file_list",
        sa.Column("id", sa.BigInteger(), sa.Identity(), nullable=False),
        sa.Column("made_at", _TIME, server_default=sa.func.now(), nullable=False),
        sa.Column("digest", sa.LargeBinary(32), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.CheckConstraint("octet_length(digest) = 32", name="digest"),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("digest"),
    )
    op.create_table(
        "listed_file",
        sa.Column("record", sa.LargeBinary(32), nullable=False),
        sa.Column("list_id", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["list_id"], ["file_list.id"], ondelete="RESTRICT"),
        sa.PrimaryKeyConstraint("record"),
    )
    op.create_index("ix_listed_file_list_id", "listed_file", ["list_id"])
    op.create_table(
        "witness",
        sa.Column("id", sa.BigInteger(), sa.Identity(), nullable=False),
        sa.Column("list_id", sa.BigInteger(), nullable=False),
        sa.Column("kind", sa.String(24), nullable=False),
        *_asked(),
        sa.Column("at", _TIME),
        sa.Column("request", sa.LargeBinary()),
        sa.Column("proof", sa.LargeBinary()),
        sa.Column("certificates", sa.Text()),
        sa.Column("height", sa.BigInteger()),
        sa.Column("merkle_root", sa.LargeBinary(32)),
        sa.CheckConstraint(f"kind IN {_KINDS}", name="witnesskind"),
        sa.CheckConstraint(f"state IN {_STATES}", name="witnessstate"),
        sa.ForeignKeyConstraint(["list_id"], ["file_list.id"], ondelete="RESTRICT"),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("list_id", "kind", "source"),
    )
    op.create_index("ix_witness_next_at", "witness", ["next_at"], postgresql_where=sa.text("next_at IS NOT NULL"))


def _heads() -> None:
    op.create_table(
        "heard_head",
        sa.Column("key_id", sa.LargeBinary(32), nullable=False),
        sa.Column("number", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("hash", sa.LargeBinary(32), nullable=False),
        sa.Column("entry", sa.BigInteger(), nullable=False),
        sa.Column("heard_at", _TIME, nullable=False),
        *_signed(""),
        *_signed("answer"),
        sa.CheckConstraint("octet_length(key_id) = 32 AND octet_length(hash) = 32", name="hashes"),
        sa.PrimaryKeyConstraint("key_id", "number"),
    )
    op.create_table(
        "countersignature",
        sa.Column("id", sa.BigInteger(), sa.Identity(), nullable=False),
        sa.Column("number", sa.BigInteger(), nullable=False),
        sa.Column("hash", sa.LargeBinary(32), nullable=False),
        *_asked(),
        sa.Column("made_at", _TIME, nullable=False),
        sa.Column("at", _TIME),
        *_signed(""),
        *_signed("answer", nullable=True),
        sa.CheckConstraint("octet_length(hash) = 32", name="hash"),
        sa.CheckConstraint("(state = 'done') <= (answer IS NOT NULL)", name="answer"),
        sa.CheckConstraint(f"state IN {_STATES}", name="witnessstate"),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("number", "source"),
    )


def _asked() -> tuple[sa.Column[object], ...]:
    return (
        sa.Column("source", sa.Text(), nullable=False),
        sa.Column("state", sa.String(24), nullable=False),
        sa.Column("attempts", sa.Integer(), server_default="0", nullable=False),
        sa.Column("next_at", _TIME),
        sa.Column("problem", sa.Text(), server_default="", nullable=False),
    )


def _signed(prefix: str, *, nullable: bool = False) -> tuple[sa.Column[object], ...]:
    before = f"{prefix}_" if prefix else ""
    return (
        sa.Column(prefix or "statement", sa.Text(), nullable=nullable),
        sa.Column(f"{before}signature", sa.LargeBinary(), nullable=nullable),
        sa.Column(f"{before}public_key", sa.LargeBinary(), nullable=nullable),
    )


def _words(table: str, constraint: str) -> tuple[str, ...]:
    """The words that the column allows now."""
    found = op.get_bind().scalar(
        sa.text("SELECT pg_get_constraintdef(oid) FROM pg_constraint WHERE conname = :name"),
        {"name": f"ck_{table}_{constraint}"},
    )
    return tuple(re.findall(r"'([a-z-]+)'", found))


def _set_words(table: str, constraint: str, words: tuple[str, ...]) -> None:
    name = op.f(f"ck_{table}_{constraint}")
    op.drop_constraint(name, table, type_="check")
    op.create_check_constraint(name, table, sa.column("kind").in_(words))
