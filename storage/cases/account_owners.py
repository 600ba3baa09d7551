"""Accounts on platforms of many authors, and the owners to whom a person has assigned them."""

from typing import Final

from sqlalchemy import and_, exists, func, literal, select, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import Session, aliased

from storage.cases.parties import ACCOUNT
from storage.errors import NotKnown
from storage.models.cases import Case
from storage.models.pages import Page
from storage.models.sites import Owner, OwnerAccount
from storage.postgres.rows import columns_of, records_of
from storage.records.sites import AccountRecord

MOST_LISTED: Final = 200


def list_accounts(session: Session, *, most: int = MOST_LISTED) -> list[AccountRecord]:
    """Accounts of stored pages: those without an owner first, then those with the most pages."""
    counted = (
        select(
            Page.account,
            func.coalesce(func.max(func.nullif(Page.account_name, "")), "").label("name"),
            func.count().label("pages"),
        )
        .where(Page.account.is_not(None))
        .group_by(Page.account)
        .subquery()
    )
    proposed = aliased(Owner)
    columns = columns_of(AccountRecord, counted, owner_name=Owner.name, proposed_owner=proposed.name)
    statement = (
        select(*columns)
        .outerjoin(OwnerAccount, OwnerAccount.account == counted.c.account)
        .outerjoin(Owner, Owner.id == OwnerAccount.owner_id)
        .outerjoin(proposed, and_(counted.c.name != "", func.lower(proposed.name) == func.lower(counted.c.name)))
        .order_by(Owner.name.is_not(None), counted.c.pages.desc(), counted.c.account)
        .limit(most)
    )
    return records_of(AccountRecord, session.execute(statement))


def assign_account(session: Session, account: str, owner_name: str) -> int:
    """Makes an account an owner's, and the open and closed cases of the account the owner's. Returns how many cases.

    A case stays the account's if the owner has one about the same page of ours: both are then seen. Raises NotKnown.
    """
    owner_id = session.scalar(select(Owner.id).where(Owner.name == owner_name))
    if owner_id is None:
        raise NotKnown("owner", owner_name, "List them with: zhiwen owner list")
    if not session.scalar(select(exists().where(Page.account == account))):
        raise NotKnown("account", account, "List them with: zhiwen owner accounts")
    statement = insert(OwnerAccount).values(account=account, owner_id=owner_id)
    session.execute(statement.on_conflict_do_update(index_elements=[OwnerAccount.account], set_={"owner_id": owner_id}))
    key, other = f"owner:{owner_id}", aliased(Case)
    is_free = ~exists().where(other.our_page_id == Case.our_page_id, other.other_key == key)
    moved = session.scalars(
        update(Case)
        .where(Case.other_key == literal(f"{ACCOUNT}{account}"), is_free)
        .values(other_key=key, other_owner_id=owner_id)
        .returning(Case.id)
        .execution_options(synchronize_session=False)
    )
    return len(moved.all())


def owner_of_account(session: Session, account: str) -> int | None:
    """Return the id of the owner to whom an account is assigned; None if to nobody."""
    return session.scalar(select(OwnerAccount.owner_id).where(OwnerAccount.account == account))
