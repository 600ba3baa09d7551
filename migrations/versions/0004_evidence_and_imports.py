"""The chain of evidence, the sites' rules for it, and how far interrupted imports came.

New tables only: nothing that is filled is touched.

Revision: 0004, after 0003
"""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "evidence",
        sa.Column("number", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column(
            "kind",
            sa.Enum(
                "stored",
                "captured",
                "failed",
                "given",
                "screenshot",
                "removed",
                name="evidencekind",
                native_enum=False,
                create_constraint=True,
                length=24,
            ),
            nullable=False,
        ),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("url", sa.Text(), nullable=False),
        sa.Column("record", sa.LargeBinary(length=32), nullable=True),
        sa.Column("payload", sa.LargeBinary(length=32), nullable=True),
        sa.Column("text", sa.LargeBinary(length=32), nullable=True),
        sa.Column("refers", sa.LargeBinary(length=32), nullable=True),
        sa.Column("removed_by", sa.BigInteger(), nullable=True),
        sa.Column("body", sa.Text(), nullable=False),
        sa.Column("previous", sa.LargeBinary(length=32), nullable=False),
        sa.Column("hash", sa.LargeBinary(length=32), nullable=False),
        sa.CheckConstraint("octet_length(hash) = 32 AND octet_length(previous) = 32", name=op.f("ck_evidence_hashes")),
        sa.PrimaryKeyConstraint("number", name=op.f("pk_evidence")),
        sa.UniqueConstraint("hash", name=op.f("uq_evidence_hash")),
    )
    op.create_index(
        op.f("ix_evidence_at"),
        "evidence",
        ["at"],
        unique=False,
        postgresql_where=sa.text("record IS NOT NULL AND removed_by IS NULL"),
    )
    op.create_index(
        op.f("ix_evidence_payload"),
        "evidence",
        ["payload"],
        unique=False,
        postgresql_where=sa.text("record IS NOT NULL AND removed_by IS NULL"),
    )
    op.create_index(
        op.f("ix_evidence_refers"), "evidence", ["refers"], unique=False, postgresql_where=sa.text("removed_by IS NULL")
    )
    op.create_index(op.f("ix_evidence_url_text"), "evidence", ["url", "text"], unique=False)
    op.create_table(
        "import_progress",
        sa.Column("path", sa.Text(), nullable=False),
        sa.Column("options", sa.Text(), nullable=False),
        sa.Column("file", sa.Text(), nullable=False),
        sa.Column("size", sa.BigInteger(), nullable=False),
        sa.Column("mtime_ns", sa.BigInteger(), nullable=False),
        sa.Column("number", sa.BigInteger(), nullable=False),
        sa.Column("is_done", sa.Boolean(), nullable=False),
        sa.Column("changed_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.PrimaryKeyConstraint("path", "options", name=op.f("pk_import_progress")),
    )
    op.create_table(
        "site_evidence",
        sa.Column("site_id", sa.BigInteger(), nullable=False),
        sa.Column(
            "keep",
            sa.Enum("raw", "text", "hash", name="keep", native_enum=False, create_constraint=True, length=24),
            nullable=False,
        ),
        sa.Column("raw_days", sa.Integer(), nullable=True),
        sa.CheckConstraint("raw_days >= 0", name=op.f("ck_site_evidence_raw_days")),
        sa.ForeignKeyConstraint(
            ["site_id"], ["site.id"], name=op.f("fk_site_evidence_site_id_site"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("site_id", name=op.f("pk_site_evidence")),
    )


def downgrade() -> None:
    op.drop_table("site_evidence")
    op.drop_table("import_progress")
    op.drop_index(op.f("ix_evidence_url_text"), table_name="evidence")
    op.drop_index(op.f("ix_evidence_refers"), table_name="evidence", postgresql_where=sa.text("removed_by IS NULL"))
    op.drop_index(
        op.f("ix_evidence_payload"),
        table_name="evidence",
        postgresql_where=sa.text("record IS NOT NULL AND removed_by IS NULL"),
    )
    op.drop_index(
        op.f("ix_evidence_at"),
        table_name="evidence",
        postgresql_where=sa.text("record IS NOT NULL AND removed_by IS NULL"),
    )
    op.drop_table("evidence")
