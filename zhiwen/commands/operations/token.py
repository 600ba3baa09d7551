"""`token`: what programs show instead of a password."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

import click

from storage.accounts import accounts, api_tokens, audit_log
from storage.accounts.api_tokens import (
    DEFAULT_DAYS,
    DEFAULT_PER_MINUTE,
    LONGEST_NAME,
    MOST_DAYS,
    MOST_PER_MINUTE,
    TokenScope,
)
from storage.engine import transaction
from storage.errors import NotKnown
from zhiwen.output.terminal import fail, json_option, print_json, print_table, reporting_errors, say, store


@click.group()
def token() -> None:
    """Tokens of the API. Each belongs to an account and may never do more than that."""


@token.command()
@click.argument("name")
@click.option("--account", required=True, help="Whose token it is.")
@click.option(
    "--scope",
    "scopes",
    type=click.Choice([scope.value for scope in TokenScope]),
    multiple=True,
    default=(TokenScope.READ.value,),
    show_default=True,
    help="What it is for; may be given several times.",
)
@click.option("--days", type=click.IntRange(1, MOST_DAYS), default=DEFAULT_DAYS, show_default=True, help="Good for.")
@click.option(
    "--per-minute",
    type=click.IntRange(1, MOST_PER_MINUTE),
    default=DEFAULT_PER_MINUTE,
    show_default=True,
    help="Requests it may make.",
)
@json_option
@reporting_errors
def add(name: str, account: str, scopes: Sequence[str], days: int, per_minute: int, *, as_json: bool) -> None:
    """Make a token for the program NAME; it is printed this once."""
    if not name.strip() or len(name) > LONGEST_NAME:
        raise click.UsageError(f"A name has 1 to {LONGEST_NAME} characters.")
    wanted = [TokenScope(scope) for scope in scopes]
    with store() as (_, engine), transaction(engine) as session:
        owner = accounts.account_by_name(session, account)
        if owner is None:
            raise NotKnown("account", account, "Add it with: zhiwen user add NAME")
        secret, made = api_tokens.add_token(
            session,
            owner.id,
            name=name.strip(),
            scopes=wanted,
            expires_at=datetime.now(UTC) + timedelta(days=days),
            per_minute=per_minute,
        )
        subject, said = f"{account} / {made.name} ({made.beginning}…)", {"scopes": ", ".join(made.scopes)}
        audit_log.record(session, actor=None, act="token.add", subject=subject, detail=said)
    say(f"Made token {made.id} for {made.name}, good until {made.expires_at:%Y-%m-%d}. It is shown this once:")
    if as_json:
        print_json({"id": made.id, "token": secret, "scopes": made.scopes, "expires_at": made.expires_at})
    else:
        click.echo(secret)


@token.command("list")
@click.option("--account", help="Only those of this account.")
@json_option
@reporting_errors
def list_(account: str | None, *, as_json: bool) -> None:
    """List tokens, the newest first; what they are stays unknown."""
    now = datetime.now(UTC)
    with store() as (_, engine), transaction(engine) as session:
        found = [one for one in api_tokens.list_tokens(session) if account in (None, one.account_name)]
    if as_json:
        for one in found:
            print_json(
                {
                    "id": one.id,
                    "name": one.name,
                    "account": one.account_name,
                    "beginning": one.beginning,
                    "scopes": one.scopes,
                    "per_minute": one.per_minute,
                    "created_at": one.created_at,
                    "expires_at": one.expires_at,
                    "revoked_at": one.revoked_at,
                    "last_used_at": one.last_used_at,
                    "in_force": one.is_in_force(now),
                }
            )
        return
    columns = ("number", "name", "account", "begins with", "for", "last used", "good until")
    print_table(
        columns,
        [
            (
                *(one.id, one.name, one.account_name, one.beginning, ", ".join(one.scopes), _day(one.last_used_at)),
                _day(one.expires_at) if one.is_in_force(now) else "revoked" if one.revoked_at else "expired",
            )
            for one in found
        ],
    )


@token.command()
@click.argument("number", type=int)
@reporting_errors
def revoke(number: int) -> None:
    """Make the token NUMBER good for nothing, at once."""
    with store() as (_, engine), transaction(engine) as session:
        try:
            gone = api_tokens.revoke_token(session, number, at=datetime.now(UTC))
        except NotKnown:
            fail(f"There is no token {number}. List them with: zhiwen token list")
        subject = f"{gone.account_name} / {gone.name} ({gone.beginning}…)"
        audit_log.record(session, actor=None, act="token.revoke", subject=subject)
    say(f"Token {number} ({gone.name}) opens nothing any more.")


def _day(at: datetime | None) -> str:
    return "never" if at is None else f"{at:%Y-%m-%d}"
