"""Names of those behind copies: an owner, a host, or an account on a platform of many authors."""

from typing import Any, Final

from sqlalchemy import ColumnElement, case, func, select
from sqlalchemy.orm import aliased

from storage.models.pages import Page

HOST: Final = "host:"
ACCOUNT: Final = "account:"


def name_behind(owner_name: Any, key: Any) -> ColumnElement[str]:
    """The owner's name, else that of the account as its pages show it (its id if they do not), else the host.

    `key`: as PageRecord.owner_key.
    """
    page = aliased(Page)
    account = func.substr(key, len(ACCOUNT) + 1)
    shown = select(page.account_name).where(page.account == account, page.account_name != "").limit(1).scalar_subquery()
    return func.coalesce(
        owner_name,
        case((key.startswith(ACCOUNT), func.coalesce(shown, account)), else_=func.substr(key, len(HOST) + 1)),
    )
