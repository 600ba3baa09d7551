"""Cases for tests of the desk: pages of ours, pages of others, and findings between them."""

from dataclasses import replace
from typing import Any

from sqlalchemy import Engine, update
from sqlalchemy.orm import Session

from storage.accounts.accounts import add_account
from storage.cases import actions, findings, listing
from storage.engine import transaction
from storage.models.cases import Case
from storage.records.cases import Actor, CaseFinding
from storage.records.pages import SavedPage
from storage.types import AccountRole, CaseKind, CaseQueue, CaseState, Credit, SiteRole, Standing
from tests.support.factories import a_site, an_article, save, text_of


def a_page(session: Session, url: str, number: int, **fields: Any) -> SavedPage:
    """A page with a text of its own for each number; `url` may be a bare word, which stands for a host."""
    return save(session, an_article(url, text_of(number, chars=200), **fields))[0]


def a_finding(ours: SavedPage, theirs: SavedPage, host: str = "copier.example", **fields: Any) -> CaseFinding:
    plain = CaseFinding(
        queue=CaseQueue.COPIED,
        our_page_id=ours.page_id,
        our_text_id=ours.text_id,
        their_page_id=theirs.page_id,
        their_text_id=theirs.text_id,
        other_key=f"host:{host}",
        other_owner_id=None,
        other_host=host,
        kind=CaseKind.NEAR,
        chars=180,
        our_share=0.9,
        their_share=0.8,
        credit=Credit.NONE,
        standing=Standing.UNLICENSED,
    )
    return replace(plain, **fields)


def a_case(session: Session, number: int, *, title: str = "", host: str = "", **fields: Any) -> int:
    """A case of its own for each number; its id. The copier is a host of its own unless `host` says otherwise."""
    ours = a_page(session, f"https://ours.example/{number}", 2 * number, title=title or f"我方第{number}篇")
    theirs = a_page(session, f"https://copier{number}.example/a", 2 * number + 1, title=f"抄来的第{number}篇")
    (case_id,) = findings.keep_findings(session, [a_finding(ours, theirs, host or f"copier{number}.example", **fields)])
    return case_id


def owned_cases(session: Session, numbers: range) -> list[int]:
    """Cases between two sites with owners: 县报社 has the originals, 抄写公司 the copies."""
    ours_site = a_site(session, "县报", owner="县报社", role=SiteRole.ORIGINAL, host="ours.example")
    their_site = a_site(session, "抄写网", owner="抄写公司", host="copier.example")
    found: list[int] = []
    for number in numbers:
        ours = a_page(
            session, f"https://ours.example/{number}", 2 * number, title=f"我方第{number}篇", site_id=ours_site.id
        )
        theirs = a_page(session, f"https://copier.example/{number}", 2 * number + 1, site_id=their_site.id)
        owner: dict[str, Any] = {
            "other_key": f"owner:{their_site.owner_id}",
            "other_owner_id": their_site.owner_id,
        }
        found += findings.keep_findings(session, [a_finding(ours, theirs, **owner)])
    return found


def move(session: Session, case_id: int, to: CaseState, actor: Actor, **fields: Any) -> None:
    """From wherever it stands."""
    state = actions.get_case(session, case_id).state
    actions.move_case(session, case_id, to, expected=state, actor=actor, **fields)


def set_columns(session: Session, case_id: int, **values: Any) -> None:
    """What a test needs and no act of the program sets: a time in the past, a score."""
    session.execute(update(Case).where(Case.id == case_id).values(**values))


def state_of(engine: Engine, case_id: int) -> CaseState:
    with transaction(engine) as session:
        found = listing.get_case(session, case_id)
    assert found is not None
    return found.state


def a_reviewer(session: Session, name: str = "lin", role: AccountRole = AccountRole.REVIEWER) -> Actor:
    account = add_account(session, name=name, password_hash="x", role=role)
    return Actor(account.id, account.name)
