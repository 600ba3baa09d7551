"""Cases as the matcher keeps them: it opens them, adds pages, and withdraws pages that no longer match.

One page of ours and one copying owner make one case, by a unique constraint, so judging again changes nothing. A case
that a person has touched keeps its state; its pages stay current.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import asdict
from datetime import datetime

from sqlalchemy import exists, func, select, text, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import Session

from storage.cases import common_source
from storage.cases.totals import refresh_figures
from storage.jobs import alert_events
from storage.models.cases import Case, CaseEvent, CasePage
from storage.records.alerts import AlertKind
from storage.records.case_states import BY_PROGRAM, WAITING_STATES, state_by_findings
from storage.records.cases import Actor, CaseFinding
from storage.types import BY_MEANING, CaseEventKind, CaseKind, CaseQueue, CaseState, Dismissal, Standing

_CLAIM = text("SELECT pg_advisory_xact_lock(hashtext('zhiwen cases'), 0)")
_CASE_COLUMNS = ("our_page_id", "other_key", "other_owner_id", "queue")
_NOT_OF_THE_PAGE = (*_CASE_COLUMNS, "other_host", "other_account", "third_page_id")
FROM_THIRD = "both-from-third"
"""Why a case is closed whose pages have the text from a third one."""


def claim_cases(session: Session) -> None:
    """Wait until no other comparison writes cases, until the end of the transaction: batches write them page by page,
    in no order that two of them share.
    """
    session.execute(_CLAIM)


def keep_findings(session: Session, findings: Iterable[CaseFinding], *, actor: Actor | None = None) -> set[int]:
    """Opens or extends the case of each finding and updates its state. Returns the ids of the cases.

    A licensed copy opens no case; it joins an existing one. A retelling does not replace a copy that wording proves.
    What both have from a third page makes a closed case. A page that shares a passage only does not take a copy on
    another page out of its list. `actor`: the person who opens the case; None is the program. Cases are locked in a
    fixed order, so that two workers cannot deadlock.
    """
    ordered = sorted(findings, key=_order)
    kept = {case_id for finding in ordered if (case_id := _keep(session, finding, actor)) is not None}
    for case_id in sorted(kept):
        settle(session, case_id)
    return kept


def _order(finding: CaseFinding) -> tuple[int, str, bool, int]:
    """By case. A copy comes before what shares a passage only, so that its case is in the right list at once."""
    is_passage = finding.queue is CaseQueue.SHARED_PASSAGE
    return finding.our_page_id, finding.other_key, is_passage, finding.their_page_id


def take_back(
    session: Session,
    our_page_id: int,
    their_page_id: int,
    *,
    why: str,
    kinds: Collection[CaseKind] = frozenset(CaseKind),
) -> int:
    """Withdraws a pair of pages from its cases, if it is there by one of `kinds`. Returns the number of cases."""
    cases = select(Case.id).where(Case.our_page_id == our_page_id)
    left = session.scalars(
        update(CasePage)
        .where(CasePage.case_id.in_(cases), CasePage.their_page_id == their_page_id, CasePage.gone_at.is_(None))
        .where(CasePage.kind.in_(kinds))
        .values(gone_at=func.now())
        .returning(CasePage.case_id)
    ).all()
    for case_id in sorted(left):
        record_event(session, case_id, CaseEventKind.PAGE_LEFT, details={"page_id": their_page_id, "why": why})
        settle(session, case_id)
    return len(left)


def settle(session: Session, case_id: int) -> None:
    """Updates the figures of a case, and moves an untouched case to the state that its pages imply.

    A decided case keeps its state; a change of its figures is recorded (`CaseFilter.refigured`).
    """
    figures = select(Case.state, Case.touched, Case.chars, Case.our_share).where(Case.id == case_id)
    case = session.execute(figures.with_for_update(key_share=True)).one_or_none()
    if case is None:
        return
    refresh_figures(session, case_id)
    if case.touched:
        if case.state not in WAITING_STATES:
            _note_figures(session, case_id, before=(case.chars, case.our_share))
        return
    live = common_source.standings_of_case(session, case_id)
    wanted = state_by_findings(standing for standing, from_third in live if not from_third)
    if wanted in BY_PROGRAM.get(case.state, frozenset()):
        set_state(
            session, case_id, before=case.state, after=wanted, details=_why_closed(session, case_id, wanted, live)
        )
        if wanted is CaseState.NEW:  # known already, unless it was made closed
            alert_events.raise_event(session, AlertKind.CASE_OPENED, key=str(case_id), case_id=case_id)


def _why_closed(
    session: Session, case_id: int, wanted: CaseState, live: Sequence[tuple[Standing, bool]]
) -> dict[str, object]:
    if wanted is not CaseState.WITHDRAWN or not live:
        return {}
    return {"why": FROM_THIRD, "third_page_id": common_source.third_page_of_case(session, case_id)}


def _note_figures(session: Session, case_id: int, *, before: tuple[int, float]) -> None:
    """Records characters and share before and after, unless the characters are the same."""
    chars, share = session.execute(select(Case.chars, Case.our_share).where(Case.id == case_id)).one()
    if chars != before[0]:
        details = {"chars": [before[0], chars], "our_share": [round(before[1], 4), round(share, 4)]}
        record_event(session, case_id, CaseEventKind.FIGURES, details=details)


def set_state(
    session: Session,
    case_id: int,
    *,
    before: CaseState,
    after: CaseState,
    actor: Actor | None = None,
    note: str = "",
    because: Dismissal | None = None,
    kind: CaseEventKind = CaseEventKind.MOVED,
    details: Mapping[str, object] | None = None,
) -> None:
    """Moves a case and records the event. The caller has checked that the move is allowed."""
    values: dict[str, object] = {
        "state": after,
        "dismissed_because": because,
        "changed_at": func.now(),
        "snoozed_until": None,
    }
    if actor is not None:
        values["touched"] = True
    session.execute(update(Case).where(Case.id == case_id).values(**values))
    said = dict(details or {}) | ({} if because is None else {"because": because.value})
    record_event(session, case_id, kind, actor=actor, from_state=before, to_state=after, note=note, details=said)


def record_event(
    session: Session,
    case_id: int,
    kind: CaseEventKind,
    *,
    actor: Actor | None = None,
    from_state: CaseState | None = None,
    to_state: CaseState | None = None,
    note: str = "",
    details: Mapping[str, object] | None = None,
) -> None:
    """Records an event of a case. `actor` None: the program."""
    session.execute(
        insert(CaseEvent).values(
            case_id=case_id,
            kind=kind,
            actor_id=None if actor is None else actor.account_id,
            actor="" if actor is None else actor.name,
            from_state=from_state,
            to_state=to_state,
            note=note,
            details=dict(details or {}),
        )
    )


def _keep(session: Session, finding: CaseFinding, actor: Actor | None) -> int | None:
    case_id, is_new = _case_of(session, finding, actor)
    if case_id is None:
        return None
    values = {name: value for name, value in asdict(finding).items() if name not in _NOT_OF_THE_PAGE}
    values |= {"case_id": case_id, "broken_terms": [term.value for term in finding.broken_terms]}
    known = session.execute(
        select(CasePage.id, CasePage.gone_at, CasePage.kind).where(
            CasePage.case_id == case_id, CasePage.their_page_id == finding.their_page_id
        )
    ).one_or_none()
    if known is not None and _is_better_proved(known.kind, known.gone_at, finding.kind):
        return case_id
    if known is None:
        session.execute(insert(CasePage).values(**values))
    else:
        session.execute(update(CasePage).where(CasePage.id == known.id).values(**values, gone_at=None))
    if not is_new and (known is None or known.gone_at is not None):
        details = {"page_id": finding.their_page_id} | _by_meaning(finding)
        record_event(session, case_id, CaseEventKind.PAGE_JOINED, actor=actor, details=details)
        _reappear(session, case_id, finding.their_page_id)
    _queue(session, case_id, finding)
    return case_id


def _is_better_proved(known: CaseKind, gone_at: datetime | None, found: CaseKind) -> bool:
    """Whether the page is in the case by its wording, and now only its meaning was found."""
    return gone_at is None and known not in BY_MEANING and found in BY_MEANING


def _by_meaning(finding: CaseFinding) -> dict[str, object]:
    """The detail of an event that says so."""
    return {"by": "meaning"} if finding.kind in BY_MEANING else {}


def _case_of(session: Session, finding: CaseFinding, actor: Actor | None) -> tuple[int | None, bool]:
    """The id of the finding's case, locked, and whether it is new. A licensed copy makes no case."""
    known = _locked(session, finding) or _adopted(session, finding)
    if known is not None or finding.standing is Standing.LICENSED:
        return known, False
    state = CaseState.NEW if finding.third_page_id is None else CaseState.WITHDRAWN
    values = {name: getattr(finding, name) for name in _CASE_COLUMNS} | {"state": state}
    made = session.scalar(insert(Case).values(**values).on_conflict_do_nothing().returning(Case.id))
    if made is None:  # another worker was faster, and has committed by now
        return _locked(session, finding), False
    details = {"queue": finding.queue.value} | _by_meaning(finding)
    if finding.third_page_id is not None:
        details |= {"why": FROM_THIRD, "third_page_id": finding.third_page_id}
    record_event(session, made, CaseEventKind.OPENED, actor=actor, to_state=state, details=details)
    # Of retellings people are notified as such, if they want.
    if state is CaseState.NEW and finding.kind not in BY_MEANING:
        alert_events.raise_event(session, AlertKind.CASE_OPENED, key=str(made), case_id=made)
    return made, True


def _locked(session: Session, finding: CaseFinding) -> int | None:
    return session.scalar(
        select(Case.id)
        .where(Case.our_page_id == finding.our_page_id, Case.other_key == finding.other_key)
        .with_for_update(key_share=True)
    )


def _adopted(session: Session, finding: CaseFinding) -> int | None:
    """Turns the case of a host or an account into that of its owner, if it has been given one since."""
    if finding.other_owner_id is None:
        return None
    former = f"host:{finding.other_host}" if finding.other_account is None else f"account:{finding.other_account}"
    return session.scalar(
        update(Case)
        .where(Case.our_page_id == finding.our_page_id, Case.other_key == former)
        .values(other_key=finding.other_key, other_owner_id=finding.other_owner_id)
        .returning(Case.id)
    )


def _reappear(session: Session, case_id: int, page_id: int) -> None:
    """Reopens a case whose copies were removed: here is another copy."""
    state = session.scalar(select(Case.state).where(Case.id == case_id))
    if state is CaseState.REMOVED:
        set_state(session, case_id, before=state, after=CaseState.REAPPEARED)
        alert_events.raise_page_event(session, AlertKind.COPY_REAPPEARED, case_id, page_id)


def _queue(session: Session, case_id: int, finding: CaseFinding) -> None:
    """Follows a later judgement of the direction, unless a person has touched the case."""
    former = session.execute(select(Case.queue, Case.state, Case.touched).where(Case.id == case_id)).one()
    queue = finding.queue
    if former.touched or former.queue is queue:
        return
    if queue is CaseQueue.SHARED_PASSAGE and _has_another_page(session, case_id, finding.their_page_id):
        return
    session.execute(update(Case).where(Case.id == case_id).values(queue=queue))
    record_event(session, case_id, CaseEventKind.QUEUED, details={"queue": queue.value})
    is_news = former.queue is CaseQueue.SHARED_PASSAGE and former.state is CaseState.NEW
    if is_news and not alert_events.is_waiting(session, AlertKind.CASE_OPENED, key=str(case_id)):
        alert_events.raise_event(session, AlertKind.CASE_OPENED, key=f"{case_id}:{queue}", case_id=case_id)


def _has_another_page(session: Session, case_id: int, page_id: int) -> bool:
    """Whether a case has a page of theirs besides this one."""
    others = (CasePage.case_id == case_id, CasePage.their_page_id != page_id, CasePage.gone_at.is_(None))
    return bool(session.scalar(select(exists().where(*others))))
