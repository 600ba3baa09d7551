"""Cases at the desk: notices, why some are dismissed, saved lists, visits; and the figures of each case beside it.

The new columns of `case` are filled from its pages; there are as many cases as copies of ours, not as pages.

Revision: 0010, after 0009
"""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None

_EVENTS = ("opened", "page-joined", "page-left", "moved", "queued", "assigned", "noted", "deadline")
_NEW_EVENTS = ("undone", "notified", "replied", "licensed")
_DISMISSALS = ("not-a-copy", "common-wording", "quotation", "not-ours", "not-worth-it")
_KINDS = ("identical", "near", "excerpt", "embedded", "mosaic", "scrambled")
_CHANNELS = ("mail", "form", "letter", "lawyer", "phone", "other")

_FILL = """
    UPDATE "case" AS c SET pages = live.pages, chars = best.chars, our_share = best.our_share,
        their_share = best.their_share, kind = best.kind, credit = live.credit, standing = live.standing,
        score = best.score
    FROM (
        SELECT case_id, count(*) AS pages,
            CASE WHEN bool_or(credit = 'none') THEN 'none' WHEN bool_or(credit = 'named') THEN 'named' ELSE 'linked'
                END AS credit,
            CASE WHEN bool_or(standing = 'breach') THEN 'breach' WHEN bool_or(standing = 'unlicensed') THEN 'unlicensed'
                ELSE 'licensed' END AS standing
        FROM case_page WHERE gone_at IS NULL GROUP BY case_id
    ) AS live
    JOIN (
        SELECT DISTINCT ON (p.case_id) p.case_id, p.chars, p.our_share, p.their_share, p.kind, m.score
        FROM case_page AS p LEFT JOIN match AS m
            ON m.low_text_id = least(p.our_text_id, p.their_text_id)
            AND m.high_text_id = greatest(p.our_text_id, p.their_text_id)
        WHERE p.gone_at IS NULL ORDER BY p.case_id, p.chars DESC, p.id, m.algorithm_version DESC
    ) AS best ON best.case_id = live.case_id
    WHERE c.id = live.case_id
"""


def _word(name: str, words: tuple[str, ...]) -> sa.Enum:
    return sa.Enum(*words, name=name, native_enum=False, create_constraint=True, length=24)


def upgrade() -> None:
    columns: tuple[sa.Column[object], ...] = (
        sa.Column("dismissed_because", _word("dismissal", _DISMISSALS), nullable=True),
        sa.Column("pages", sa.Integer(), server_default="0", nullable=False),
        sa.Column("chars", sa.Integer(), server_default="0", nullable=False),
        sa.Column("our_share", sa.Double(), server_default="0", nullable=False),
        sa.Column("their_share", sa.Double(), server_default="0", nullable=False),
        sa.Column("kind", _word("matchkind", _KINDS), nullable=True),
        sa.Column("credit", _word("credit", ("linked", "named", "none")), nullable=True),
        sa.Column("standing", _word("standing", ("unlicensed", "licensed", "breach")), nullable=True),
        sa.Column("score", sa.Double(), nullable=True),
    )
    for column in columns:
        op.add_column("case", column)
    op.execute(_FILL)
    op.create_index(op.f("ix_case_queue_state_id"), "case", ["queue", "state", "id"], unique=False)
    op.create_index(op.f("ix_case_opened_at"), "case", ["opened_at"], unique=False)
    due = sa.text("deadline IS NOT NULL")
    op.create_index(op.f("ix_case_deadline"), "case", ["deadline"], unique=False, postgresql_where=due)
    op.drop_index(op.f("ix_case_state_queue"), table_name="case")
    op.create_index(op.f("ix_case_event_kind_at"), "case_event", ["kind", "at"], unique=False)
    _allow_events((*_EVENTS, *_NEW_EVENTS))
    _create_tables()


def _create_tables() -> None:
    op.create_table(
        "case_notice",
        sa.Column("id", sa.BigInteger(), nullable=False),
        sa.Column("case_id", sa.BigInteger(), nullable=False),
        sa.Column("recipient", sa.Text(), nullable=False),
        sa.Column("channel", _word("noticechannel", _CHANNELS), nullable=False),
        sa.Column("sent_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.Column("reply", sa.Text(), server_default="", nullable=False),
        sa.Column("replied_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["case_id"], ["case.id"], name=op.f("fk_case_notice_case_id_case"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_case_notice")),
    )
    op.create_index(op.f("ix_case_notice_case_id_id"), "case_notice", ["case_id", "id"], unique=False)
    op.create_table(
        "saved_view",
        sa.Column("id", sa.BigInteger(), nullable=False),
        sa.Column("account_id", sa.BigInteger(), nullable=False),
        sa.Column("name", sa.String(length=80), nullable=False),
        sa.Column("query", sa.Text(), nullable=False),
        sa.Column("is_shared", sa.Boolean(), server_default="false", nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.ForeignKeyConstraint(
            ["account_id"], ["account.id"], name=op.f("fk_saved_view_account_id_account"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_saved_view")),
        sa.UniqueConstraint("account_id", "name", name=op.f("uq_saved_view_account_id_name")),
    )
    op.create_table(
        "desk_visit",
        sa.Column("account_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("previous_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("last_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["account_id"], ["account.id"], name=op.f("fk_desk_visit_account_id_account"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("account_id", name=op.f("pk_desk_visit")),
    )


def _allow_events(words: tuple[str, ...]) -> None:
    op.drop_constraint(op.f("ck_case_event_caseeventkind"), "case_event", type_="check")
    op.create_check_constraint(op.f("ck_case_event_caseeventkind"), "case_event", sa.column("kind").in_(words))


def downgrade() -> None:
    op.drop_table("desk_visit")
    op.drop_table("saved_view")
    op.drop_table("case_notice")
    op.execute(sa.text("DELETE FROM case_event WHERE kind IN ('undone', 'notified', 'replied', 'licensed')"))
    _allow_events(_EVENTS)
    op.drop_index(op.f("ix_case_event_kind_at"), table_name="case_event")
    op.create_index("ix_case_state_queue", "case", ["state", "queue"], unique=False)
    op.drop_index(op.f("ix_case_deadline"), table_name="case")
    op.drop_index(op.f("ix_case_opened_at"), table_name="case")
    op.drop_index(op.f("ix_case_queue_state_id"), table_name="case")
    added = ("score", "standing", "credit", "kind", "their_share", "our_share", "chars", "pages", "dismissed_because")
    for name in added:
        op.drop_column("case", name)
