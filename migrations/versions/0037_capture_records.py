"""Two kinds of entries in the evidence, records of captures and the keys that sign them; checks of the clock.

Revision: 0037, after 0036
"""

import sqlalchemy as sa
from alembic import op

revision = "0037"
down_revision = "0036"
branch_labels = None
depends_on = None

_KINDS = ("stored", "captured", "failed", "given", "screenshot", "removed")
_NEW = {"recorded": "screenshot", "key": "failed"}
"""By new kind: what the older program lists the entry as. It has a picture, or no file."""


def upgrade() -> None:
    _allow((*_KINDS, *_NEW))
    for kind, before in _NEW.items():
        # Entries that a downgrade listed otherwise: the hashed line still has their kind.
        op.execute(
            sa.text("UPDATE evidence SET kind = :kind WHERE kind = :before AND strpos(body, :written) > 0").bindparams(
                kind=kind, before=before, written=f'"kind":"{kind}"'
            )
        )
    op.create_index("ix_evidence_number", "evidence", ["number"], postgresql_where=sa.text("kind = 'key'"))
    op.create_table(
        "clock_check",
        sa.Column("id", sa.BigInteger(), sa.Identity(), nullable=False),
        sa.Column("folder", sa.Text(), nullable=False),
        sa.Column("at", sa.TIMESTAMP(timezone=True), nullable=False),
        sa.Column("offset_s", sa.Float(), nullable=False),
        sa.Column("within_s", sa.Float(), nullable=False),
        sa.Column("authority", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("ix_clock_check_folder_at", "clock_check", ["folder", "at"])


def downgrade() -> None:
    op.drop_table("clock_check")
    op.drop_index("ix_evidence_number", "evidence")
    for kind, before in _NEW.items():
        op.execute(
            sa.text("UPDATE evidence SET kind = :before WHERE kind = :kind").bindparams(kind=kind, before=before)
        )
    _allow(_KINDS)


def _allow(kinds: tuple[str, ...]) -> None:
    op.drop_constraint(op.f("ck_evidence_evidencekind"), "evidence", type_="check")
    op.create_check_constraint(op.f("ck_evidence_evidencekind"), "evidence", sa.column("kind").in_(kinds))
