"""Rules: of what a channel is told, and whether an event fits one."""

from collections.abc import Collection
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any, Final

from sqlalchemy import delete, select, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import Session

from storage.errors import NotKnown
from storage.models.alerts import AlertChannel, AlertRule
from storage.models.desk import SavedView
from storage.models.sites import Owner, Site
from storage.postgres.rows import record_of
from storage.records.alerts import OF_CASES, EventRecord, RuleRecord, RuleTerms
from storage.records.cases import CaseRecord
from storage.types import Severity

NAME_CHARS: Final = 80

_RANK: Final = {Severity.SLIGHT: 0, Severity.MIDDLING: 1, Severity.GRAVE: 2}


@dataclass(frozen=True, slots=True)
class CaseFacts:
    """What rules ask of a case."""

    record: CaseRecord
    site_ids: frozenset[int]
    """Of both sides."""
    time_zone: str | None
    """Of the site whose article was copied."""
    view_ids: frozenset[int] = frozenset()
    """The saved lists, of those that rules name, in which it stands."""
    since: datetime | None = None
    """When the first copy appeared, as far as is known."""


def fits(terms: RuleTerms, event: EventRecord, facts: CaseFacts | None) -> bool:
    """Whether the rule tells of this event (pure). `facts`: of its case, where it has one."""
    if not terms.enabled or event.kind not in terms.kinds:
        return False
    if event.kind not in OF_CASES:
        return terms.site_id is None or terms.site_id == event.site_id
    return facts is not None and _fits_case(terms, facts)


def _fits_case(terms: RuleTerms, facts: CaseFacts) -> bool:
    case = facts.record
    return (
        terms.queue in (None, case.queue)
        and (terms.site_id is None or terms.site_id in facts.site_ids)
        and terms.owner_id in (None, case.other_owner_id)
        and _RANK[case.severity] >= _RANK[terms.least]
        and (not terms.match_kinds or case.kind in terms.match_kinds)
        and (not terms.credits or case.credit in terms.credits)
        and (terms.view_id is None or terms.view_id in facts.view_ids)
    )


def add_rule(session: Session, channel_id: int, terms: RuleTerms) -> int:
    """Returns its number. The channel, and what the terms name, have to be there."""
    statement = insert(AlertRule).values(channel_id=channel_id, **_columns(terms)).returning(AlertRule.id)
    return int(session.execute(statement).scalar_one())


def edit_rule(session: Session, rule_id: int, channel_id: int, terms: RuleTerms) -> None:
    """What is told by it from now on. Raises NotKnown."""
    values = {"channel_id": channel_id, **_columns(terms)}
    changed = update(AlertRule).where(AlertRule.id == rule_id).values(**values).returning(AlertRule.id)
    if session.scalar(changed) is None:
        raise NotKnown("rule", str(rule_id))


def remove_rule(session: Session, rule_id: int) -> None:
    """What it had told of already is sent. Raises NotKnown."""
    if session.scalar(delete(AlertRule).where(AlertRule.id == rule_id).returning(AlertRule.id)) is None:
        raise NotKnown("rule", str(rule_id))


def get_rule(session: Session, rule_id: int) -> RuleRecord:
    """Raises NotKnown."""
    found = _rules(session, AlertRule.id == rule_id)
    if not found:
        raise NotKnown("rule", str(rule_id))
    return found[0]


def list_rules(session: Session) -> list[RuleRecord]:
    """By channel, the oldest of each first."""
    return _rules(session)


def rules_in_force(session: Session) -> list[RuleRecord]:
    """Of channels that are switched on."""
    return _rules(session, AlertRule.enabled, AlertChannel.enabled)


def views_of_rules(session: Session, view_ids: Collection[int]) -> list[tuple[int, int, str]]:
    """Of saved lists: number, whose it is, and its query."""
    wanted = select(SavedView.id, SavedView.account_id, SavedView.query).where(SavedView.id.in_(list(view_ids)))
    return [(view_id, account_id, query) for view_id, account_id, query in session.execute(wanted)]


def _rules(session: Session, *where: Any) -> list[RuleRecord]:
    rows = session.execute(
        select(
            AlertRule,
            AlertChannel.name.label("channel"),
            Site.name.label("site"),
            Owner.name.label("owner"),
            SavedView.name.label("view"),
        )
        .join(AlertChannel, AlertChannel.id == AlertRule.channel_id)
        .outerjoin(Site, Site.id == AlertRule.site_id)
        .outerjoin(Owner, Owner.id == AlertRule.owner_id)
        .outerjoin(SavedView, SavedView.id == AlertRule.view_id)
        .where(*where)
        .order_by(AlertChannel.name, AlertRule.id)
        .execution_options(populate_existing=True)
    )
    return [_record(row, row.AlertRule) for row in rows]


def _record(row: Any, rule: AlertRule) -> RuleRecord:
    return record_of(RuleRecord, row, id=rule.id, channel_id=rule.channel_id, terms=record_of(RuleTerms, rule))


def _columns(terms: RuleTerms) -> dict[str, object]:
    said = asdict(terms)
    for name in ("kinds", "match_kinds", "credits"):
        said[name] = sorted(said[name])
    return said | {"name": terms.name[:NAME_CHARS]}
