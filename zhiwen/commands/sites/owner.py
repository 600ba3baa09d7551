"""`owner`: operators of sites."""

from collections.abc import Callable
from typing import Any

import click

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
