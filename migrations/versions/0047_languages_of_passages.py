"""Passages of encoded texts know whether they are in Chinese, and are looked up by language.

Those encoded before have NULL and are looked up among the other languages until their texts are encoded again. The
indexes are built by the next run that encodes.

Revision: 0047, after 0046
"""

import sqlalchemy as sa
from alembic import op

revision = "0047"
down_revision = "0046"
branch_labels = None
depends_on = None

_DROP_INDEXES = r"""
DO $$ DECLARE one record; BEGIN
    FOR one IN SELECT i.indexrelid::regclass AS name FROM pg_index AS i JOIN pg_class AS c ON c.oid = i.indexrelid
        WHERE i.indrelid = 'passage_vector'::regclass AND starts_with(c.relname, 'ix_passage_vector_near_')
    LOOP EXECUTE 'DROP INDEX ' || one.name; END LOOP;
END $$
"""


def upgrade() -> None:
    op.execute(_DROP_INDEXES)
    op.add_column("passage_vector", sa.Column("is_chinese", sa.Boolean(), nullable=True))


def downgrade() -> None:
    op.execute(_DROP_INDEXES)
    op.drop_column("passage_vector", "is_chinese")
