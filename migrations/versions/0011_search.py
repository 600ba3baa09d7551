"""Pages are found by pieces of their title and address, and the list of hits by its order.

Pairs of neighbouring characters, of any script: trigrams know nothing of a Chinese word of two, and need an extension.
The function stands for the indexes of its name; bodies get theirs on request only (zhiwen db index-text).

Revision: 0011, after 0010
"""

from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None

_FUNCTION = """
CREATE FUNCTION text_grams(said text) RETURNS integer[] LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
    SELECT coalesce(array_agg(DISTINCT (ascii(one) << 15) # ascii(next)), '{}')
    FROM (SELECT string_to_array(lower(said), NULL) AS letters) AS split,
        unnest(split.letters[1:cardinality(split.letters) - 1], split.letters[2:]) AS pair(one, next)
$$
"""


def upgrade() -> None:
    op.execute(_FUNCTION)
    # Not concurrently: that waits for everybody else, and another program that waits for this upgrade waits for it.
    # On one core 30,000 titles a second.
    for name, table, columns in _INDEXES:
        op.execute(f"CREATE INDEX {name} ON {table} {columns}")


def downgrade() -> None:
    # The index of bodies may be there: it hangs on the function.
    for name in ("ix_text_body_grams", *(name for name, _table, _columns in _INDEXES)):
        op.execute(f"DROP INDEX IF EXISTS {name}")
    op.execute("DROP FUNCTION text_grams(text)")


_INDEXES = (
    ("ix_page_url_grams", "page", "USING gin (text_grams(url)) WITH (fastupdate = off)"),
    ("ix_page_version_title_grams", "page_version", "USING gin (text_grams(title)) WITH (fastupdate = off)"),
    ("ix_match_score", "match", "(score)"),
)
