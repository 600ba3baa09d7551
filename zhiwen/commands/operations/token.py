"""`token`: API tokens."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, Final

import click

from storage.accounts import accounts, api_tokens, audit_log
from storage.accounts.api_tokens import (
    DEFAULT_DAYS,
    DEFAULT_PER_MINUTE,
    LONGEST_NAME,
    MOST_DAYS,
    MOST_PER_MINUTE,
    TokenRecord,
    TokenScope,
)
from storage.errors import NotKnown
from zhiwen.output.terminal import ValueOf, fail, json_option, print_json, print_records, say, store_session

_TIMES: Final = ("created_at", "expires_at", "revoked_at", "last_used_at")


@click.group()
def token() -> None:
    """Manage API tokens. A token belongs to an account and has at most its permissions."""


@token.command()
@click.argument("name")
@click.option("--account", required=True, help="Account that the token belongs to.")
@click.option(
    "--scope",
    "scopes",
    type=ValueOf(TokenScope),
    multiple=True,
    default=(TokenScope.READ.value,),
    help="What the token allows; may be given several times.",
)
@click.option("--days", type=click.IntRange(1, MOST_DAYS), default=DEFAULT_DAYS, help="Days until it expires.")
@click.option(
    "--per-minute",
    type=click.IntRange(1, MOST_PER_MINUTE),
    default=DEFAULT_PER_MINUTE,
    help="Most requests a minute.",
)
@json_option
def add(name: str, account: str, scopes: Sequence[TokenScope], days: int, per_minute: int, *, as_json: bool) -> None:
    """Create a token for the program NAME and print it, this once only."""
    if not name.strip() or len(name) > LONGEST_NAME:
        raise click.UsageError(f"NAME must have 1 to {LONGEST_NAME} characters.")
    with store_session() as session:
        owner = accounts.account_by_name(session, account)
        if owner is None:
            raise NotKnown("account", account, "Add it with: zhiwen user add NAME")
        secret, made = api_tokens.add_token(
            session,
            owner.id,
            name=name.strip(),
            scopes=scopes,
            expires_at=datetime.now(UTC) + timedelta(days=days),
            per_minute=per_minute,
        )
        subject, said = f"{account} / {made.name} ({made.beginning}…)", {"scopes": ", ".join(made.scopes)}
        audit_log.record(session, actor=None, act="token.add", subject=subject, detail=said)
    say(f"Created token {made.id} for {made.name}, valid until {made.expires_at:%Y-%m-%d}. It is not shown again:")
    if as_json:
        print_json({"id": made.id, "token": secret, "scopes": made.scopes, "expires_at": made.expires_at})
    else:
        click.echo(secret)


@token.command("list")
@click.option("--account", help="List only tokens of this account.")
@json_option
def list_(account: str | None, *, as_json: bool) -> None:
    """List tokens, newest first, without their secrets."""
    now = datetime.now(UTC)
    with store_session() as session:
        found = [one for one in api_tokens.list_tokens(session) if account in (None, one.account_name)]

    def row(one: TokenRecord) -> tuple[object, ...]:
        expires = _date(one.expires_at) if one.is_in_force(now) else "revoked" if one.revoked_at else "expired"
        about = (one.id, one.name, one.account_name, one.beginning, ", ".join(one.scopes))
        return *about, _date(one.last_used_at), expires

    def shape(one: TokenRecord) -> dict[str, Any]:
        names = ("id", "name", "beginning", "scopes", "per_minute", *_TIMES)
        values = {name: getattr(one, name) for name in names}
        return values | {"account": one.account_name, "in_force": one.is_in_force(now)}

    columns = ("number", "name", "account", "begins with", "scopes", "last used", "valid until")
    print_records(found, columns, row, as_json=as_json, shape=shape)


@token.command()
@click.argument("number", type=int)
def revoke(number: int) -> None:
    """Revoke the token NUMBER at once."""
    with store_session() as session:
        try:
            gone = api_tokens.revoke_token(session, number, at=datetime.now(UTC))
        except NotKnown:
            fail(f"There is no token {number}. List them with: zhiwen token list")
        subject = f"{gone.account_name} / {gone.name} ({gone.beginning}…)"
        audit_log.record(session, actor=None, act="token.revoke", subject=subject)
    say(f"Revoked token {number} ({gone.name}).")


def _date(at: datetime | None) -> str:
    return "never" if at is None else f"{at:%Y-%m-%d}"
