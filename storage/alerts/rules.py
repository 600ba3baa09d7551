"""Alert rules: which events a channel is notified of, and whether an event matches a rule."""

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
from storage.models.people import Account
from storage.models.sites import Owner, Site
from storage.postgres.rows import record_of
from storage.records.alerts import OF_CASES, AlertKind, EventRecord, RuleRecord, RuleTerms
from storage.records.cases import CaseRecord
from storage.types import Severity

NAME_CHARS: Final = 80

_RANK: Final = {Severity.SLIGHT: 0, Severity.MIDDLING: 1, Severity.GRAVE: 2}


@dataclass(frozen=True, slots=True)
class CaseFacts:
    """Facts about a case that rules test."""

    record: CaseRecord
    site_ids: frozenset[int]
    """Of both sides."""
    time_zone: str | None
    """Of the site whose article was copied."""
    view_ids: frozenset[int] = frozenset()
    """The saved lists named by rules that contain the case."""
    since: datetime | None = None
    """When the first copy appeared, if known."""
    search_services: tuple[str, ...] = ()
    """Those that found pages of the copier; none if all were found otherwise."""


def fits(terms: RuleTerms, event: EventRecord, facts: CaseFacts | None) -> bool:
    """Whether the rule matches this event. `facts` describe its case, if it has one. Pure."""
    if not terms.enabled or event.kind not in terms.kinds:
        return False
    if event.kind is AlertKind.RETELLING_FOUND:
        return _fits_retelling(terms, event)
    if event.kind is AlertKind.MENTIONED:
        return terms.mentioned_id in (None, event.details.get("account"))
    if event.kind not in OF_CASES:
        return terms.site_id is None or terms.site_id == event.site_id
    return facts is not None and _fits_case(terms, facts)


def _fits_retelling(terms: RuleTerms, event: EventRecord) -> bool:
    """A retelling has neither severity nor credit nor saved list: rules that ask for one do not match."""
    said = event.details
    return (
        terms.queue in (None, said.get("queue"))
        and (terms.site_id is None or terms.site_id in (event.site_id, said.get("other_site")))
        and terms.owner_id in (None, said.get("other_owner"))
        and terms.least is Severity.SLIGHT
        and (not terms.match_kinds or said.get("match_kind") in terms.match_kinds)
        and not terms.credits
        and terms.view_id is None
    )


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
    """Adds a rule and returns its id. The channel and everything the terms name must exist."""
    statement = insert(AlertRule).values(channel_id=channel_id, **_columns(terms)).returning(AlertRule.id)
    return int(session.execute(statement).scalar_one())


def edit_rule(session: Session, rule_id: int, channel_id: int, terms: RuleTerms) -> None:
    """Replaces the channel and the terms of a rule. Raises NotKnown."""
    values = {"channel_id": channel_id, **_columns(terms)}
    changed = update(AlertRule).where(AlertRule.id == rule_id).values(**values).returning(AlertRule.id)
    if session.scalar(changed) is None:
        raise NotKnown("rule", str(rule_id))


def remove_rule(session: Session, rule_id: int) -> None:
    """Removes a rule; alerts that it already made are sent. Raises NotKnown."""
    if session.scalar(delete(AlertRule).where(AlertRule.id == rule_id).returning(AlertRule.id)) is None:
        raise NotKnown("rule", str(rule_id))


def get_rule(session: Session, rule_id: int) -> RuleRecord:
    """Raises NotKnown."""
    found = _rules(session, AlertRule.id == rule_id)
    if not found:
        raise NotKnown("rule", str(rule_id))
    return found[0]


def list_rules(session: Session) -> list[RuleRecord]:
    """All rules by channel, oldest first."""
    return _rules(session)


def rules_in_force(session: Session) -> list[RuleRecord]:
    """Enabled rules of enabled channels."""
    return _rules(session, AlertRule.enabled, AlertChannel.enabled)


def views_of_rules(session: Session, view_ids: Collection[int]) -> list[tuple[int, int, str]]:
    """Id, account id and query of these saved lists."""
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
            Account.name.label("mentioned"),
        )
        .join(AlertChannel, AlertChannel.id == AlertRule.channel_id)
        .outerjoin(Site, Site.id == AlertRule.site_id)
        .outerjoin(Owner, Owner.id == AlertRule.owner_id)
        .outerjoin(SavedView, SavedView.id == AlertRule.view_id)
        .outerjoin(Account, Account.id == AlertRule.mentioned_id)
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
