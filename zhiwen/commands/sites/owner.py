"""`owner`: operators of sites."""

from collections.abc import Callable
from typing import Any

import click

from storage.cases import account_owners
from storage.sites import owners
from zhiwen.output.terminal import json_option, print_records, say, store_session


@click.group()
def owner() -> None:
    """Manage owners: who is behind one or several sites."""


def _with_fields(command: Callable[..., Any]) -> Callable[..., Any]:
    command = click.option("--notes", help="Free text.")(command)
    command = click.option("--complaint-address", help="Where to send complaints.")(command)
    return click.option("--registration", help="备案号: the registration number shown on the sites.")(command)


@owner.command()
@click.argument("name")
@_with_fields
def add(name: str, **fields: str | None) -> None:
    """Add an owner."""
    with store_session() as session:
        owners.add_owner(session, name, **{field: value or "" for field, value in fields.items()})
    say(f"Added {name}.")


@owner.command()
@click.argument("name")
@_with_fields
def edit(name: str, **fields: str | None) -> None:
    """Change an owner; fields that are not given stay."""
    with store_session() as session:
        owners.edit_owner(session, name, **fields)
    say(f"Changed {name}.")


@owner.command("list")
@json_option
def list_(*, as_json: bool) -> None:
    """List all owners."""
    with store_session() as session:
        found = owners.list_owners(session)
    print_records(
        found,
        ("owner", "registration", "complaints to", "notes"),
        lambda one: (one.name, one.registration, one.complaint_address, one.notes),
        as_json=as_json,
    )


@owner.command()
@json_option
def accounts(*, as_json: bool) -> None:
    """List accounts on platforms of many authors, with the owner that is assigned or proposed."""
    with store_session() as session:
        found = account_owners.list_accounts(session)
    print_records(
        found,
        ("account", "name", "pages", "owner", "proposed"),
        lambda one: (one.account, one.name, one.pages, one.owner_name or "", one.proposed_owner or ""),
        as_json=as_json,
    )


@owner.command()
@click.argument("name")
@click.argument("account")
def assign(name: str, account: str) -> None:
    """Assign an account on a platform to an owner, with its cases."""
    with store_session() as session:
        moved = account_owners.assign_account(session, account, name)
    say(f"{account} is {name}'s; cases moved: {moved}.")
