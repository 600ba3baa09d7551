"""`serve` and `user`: the admin and its accounts."""

import secrets
from typing import TYPE_CHECKING

import click

from storage.accounts import accounts, audit_log
from storage.engine import transaction
from storage.types import AccountRole
from zhiwen.loading import loading
from zhiwen.logs import log_to_stderr
from zhiwen.output.terminal import ValueOf, fail, print_json, say, store
from zhiwen.wiring import settings_of_this_process

if TYPE_CHECKING:
    from sqlalchemy import Engine

    from storage.records.accounts import AccountRecord


@click.command()
@click.option("--host", help="Address to listen on; ZHIWEN_HOST by default.")
@click.option(
    "--port", type=click.IntRange(0, 65535), help="Port to listen on; ZHIWEN_PORT by default, 0 for any free one."
)
def serve(host: str | None, port: int | None) -> None:
    """Serve the admin until Ctrl-C."""
    with loading():
        from zhiwen.serving import serve_admin  # noqa: PLC0415  # loads Flask

    log_to_stderr(settings_of_this_process(), part="admin")
    with store(as_given=True) as (settings, engine):
        serve_admin(settings, engine, host=host or settings.host, port=settings.port if port is None else port)


@click.group()
def user() -> None:
    """Manage accounts of the admin."""


@user.command()
@click.argument("name")
@click.option(
    "--role",
    type=ValueOf(AccountRole),
    default=AccountRole.ADMINISTRATOR.value,
    help="What the account may do.",
)
@click.option("--generate", is_flag=True, help="Generate a password and print it once, as JSON.")
def add(name: str, role: AccountRole, *, generate: bool) -> None:
    """Add an account; asks for its password."""
    if generate:
        password = secrets.token_urlsafe(12)
    else:
        password = click.prompt("Password", hide_input=True, confirmation_prompt=True, err=True)
    from admin.auth.passwords import PasswordRefused  # noqa: PLC0415  # loads argon2

    try:
        with store() as (_, engine):
            add_account(engine, name, password, role)
    except PasswordRefused as error:
        fail(f"{error} Or generate one with --generate.")
    say(f"Added {name} as {role}.")
    if generate:
        print_json({"name": name, "password": password})


def add_account(engine: "Engine", name: str, password: str, role: AccountRole) -> "AccountRecord":
    """Raises NameTaken, PasswordRefused."""
    from admin.auth.passwords import hash_password  # noqa: PLC0415  # loads argon2

    with transaction(engine) as session:
        account = accounts.add_account(session, name=name, password_hash=hash_password(password, name=name), role=role)
        audit_log.record(session, actor=None, act="account.add", subject=name, detail={"role": role})
    return account
