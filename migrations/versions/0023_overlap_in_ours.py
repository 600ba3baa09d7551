"""How much was taken is counted in our own text: never more than our article has. Cases that wait are compared again.

Revision: 0023, after 0022

Everything is one transaction: interrupted, it leaves the old figures, and the next start does it again. The comparison
of cases that wait is on the backlog, where the workers take it up whenever they run.
"""

import sqlalchemy as sa
from alembic import op

revision = "0023"
down_revision = "0022"
branch_labels = None
depends_on = None

_EVENTS = (
    *("opened", "page-joined", "page-left", "moved", "queued", "assigned", "noted", "deadline"),
    *("undone", "notified", "replied", "licensed", "page-gone", "page-back", "page-looked"),
)

_OF_PAIR = """m.low_text_id = least(p.our_text_id, p.their_text_id)
        AND m.high_text_id = greatest(p.our_text_id, p.their_text_id)"""

# Without the match, or any passage of it, the share that was judged says how much it was.
_COUNT_IN_OURS = f"""
    UPDATE case_page SET chars = found.chars, our_share = found.chars::float8 / found.length FROM (
        SELECT DISTINCT ON (p.id) p.id, t.chars AS length, least(t.chars, coalesce((
            SELECT sum(upper(span) - lower(span)) FROM (
                SELECT unnest(range_agg(CASE WHEN m.low_text_id = p.our_text_id
                    THEN int4range((one ->> 'left_start')::int, (one ->> 'left_end')::int)
                    ELSE int4range((one ->> 'right_start')::int, (one ->> 'right_end')::int) END)) AS span
                FROM jsonb_array_elements(CASE jsonb_typeof(m.passages) WHEN 'array' THEN m.passages END) AS one
                WHERE (one ->> 'is_boilerplate')::boolean IS NOT TRUE
            ) AS spans), round(p.our_share * t.chars)))::int AS chars
        FROM case_page AS p JOIN text AS t ON t.id = p.our_text_id
        LEFT JOIN match AS m ON {_OF_PAIR}
        ORDER BY p.id, m.algorithm_version DESC NULLS LAST
    ) AS found WHERE found.id = case_page.id AND found.length > 0
"""  # noqa: S608  # no value from outside
_COUNT_IN_THEIRS = f"""
    UPDATE case_page SET chars = found.chars, our_share = found.our_share FROM (
        SELECT DISTINCT ON (p.id) p.id, round(p.their_share * t.chars)::int AS chars, coalesce(
            CASE WHEN m.low_text_id = p.our_text_id THEN m.low_share ELSE m.high_share END, p.our_share) AS our_share
        FROM case_page AS p JOIN text AS t ON t.id = p.their_text_id
        LEFT JOIN match AS m ON {_OF_PAIR}
        ORDER BY p.id, m.algorithm_version DESC NULLS LAST
    ) AS found WHERE found.id = case_page.id
"""  # noqa: S608
# A case whose pages have all gone keeps what it had by the strongest of them. What was decided says what it was before.
_SUM_UP = f"""
    WITH best AS (
        SELECT DISTINCT ON (p.case_id) p.case_id, p.chars, p.our_share, p.their_share, p.kind, m.score
        FROM case_page AS p LEFT JOIN match AS m ON {_OF_PAIR}
        ORDER BY p.case_id, p.gone_at IS NOT NULL, p.chars DESC, p.id, m.algorithm_version DESC NULLS LAST
    ), changed AS (
        UPDATE "case" AS c SET chars = best.chars, our_share = best.our_share, their_share = best.their_share,
            kind = best.kind, score = coalesce(best.score, c.score)
        FROM best, "case" AS old
        WHERE best.case_id = c.id AND old.id = c.id
            AND (c.chars, c.our_share) IS DISTINCT FROM (best.chars, best.our_share)
        RETURNING c.id, c.touched, c.state, c.chars, c.our_share, old.chars AS chars_before,
            old.our_share AS share_before
    )
"""  # noqa: S608
_NOTE_DECIDED = """
    INSERT INTO case_event (case_id, kind, details)
    SELECT id, 'figures', jsonb_build_object('chars', jsonb_build_array(chars_before, chars), 'our_share',
        jsonb_build_array(round(share_before::numeric, 4), round(our_share::numeric, 4)))
    FROM changed WHERE touched AND state NOT IN ('new', 'reviewing', 'reappeared') AND chars <> chars_before
"""
_ONLY_SUM_UP = _SUM_UP + "SELECT count(*) FROM changed"  # noqa: S608
_COMPARE_AGAIN = """
    INSERT INTO backlog (page_version_id)
    SELECT DISTINCT v.id FROM "case" AS c JOIN page_version AS v ON v.page_id = c.our_page_id AND v.is_current
    WHERE c.state IN ('new', 'reviewing', 'reappeared') ORDER BY v.id
    ON CONFLICT DO NOTHING
"""


def upgrade() -> None:
    _allow_events((*_EVENTS, "figures"))
    for statement in (_COUNT_IN_OURS, _SUM_UP + _NOTE_DECIDED, _COMPARE_AGAIN):
        op.execute(sa.text(statement))


def downgrade() -> None:
    op.execute(sa.text("DELETE FROM case_event WHERE kind = 'figures'"))
    _allow_events(_EVENTS)
    op.execute(sa.text(_COUNT_IN_THEIRS))
    op.execute(sa.text(_ONLY_SUM_UP))


def _allow_events(words: tuple[str, ...]) -> None:
    op.drop_constraint(op.f("ck_case_event_caseeventkind"), "case_event", type_="check")
    op.create_check_constraint(op.f("ck_case_event_caseeventkind"), "case_event", sa.column("kind").in_(words))
