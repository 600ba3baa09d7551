"""API tokens of the current user's own account."""

from datetime import UTC, datetime, timedelta
from typing import Final

from flask import Blueprint, abort, render_template, request
from flask_babel import gettext as _
from flask_babel import lazy_gettext as _l
from werkzeug.wrappers import Response as AnyResponse

from admin.identity.audit import note
from admin.identity.permissions import actor, has_role, needs
from admin.web import form_fields
from admin.web.answers import done
from admin.web.db_session import database
from admin.web.url_converters import as_key
from storage.accounts import api_tokens
from storage.accounts.api_tokens import LONGEST_NAME, MOST_DAYS, MOST_TOKENS, TokenRecord, TokenScope
from storage.records.accounts import AccountRecord
from storage.types import AccountRole

SCOPES: Final = {
    TokenScope.READ: _l("Read pages, matches, cases, sites and crawls"),
    TokenScope.CHECK: _l("Check texts"),
    TokenScope.ORIGINALS: _l("Push our articles"),
    TokenScope.DECIDE: _l("Decide cases"),
    TokenScope.WITNESS: _l("Have another installation’s chain heads countersigned"),
}
ROLE_FOR: Final = {
    TokenScope.READ: AccountRole.VIEWER,
    TokenScope.CHECK: AccountRole.REVIEWER,
    TokenScope.ORIGINALS: AccountRole.MANAGER,
    TokenScope.DECIDE: AccountRole.REVIEWER,
    TokenScope.WITNESS: AccountRole.VIEWER,
}
DAYS: Final = (30, 90, 365, MOST_DAYS)

blueprint = Blueprint("tokens", __name__, url_prefix="/account/tokens")


@blueprint.get("")
def index() -> str:
    return _page()


@blueprint.post("")
@needs(AccountRole.VIEWER)
def add() -> str | tuple[str, int]:
    """Show the new token once, on the page that answers: neither a redirect nor the log may carry it."""
    account, name, days = actor(), form_fields.line("name"), as_key(form_fields.line("days", 5))
    scopes = [scope for scope in offered(account) if scope.value in request.form.getlist("scope")]
    if days not in DAYS:
        abort(400)
    if not name or len(name) > LONGEST_NAME:
        return _page(_("A name must have 1 to %(most)s characters.", most=LONGEST_NAME)), 400
    if not scopes:
        return _page(_("Tick at least one scope.")), 400
    now = datetime.now(UTC)
    if api_tokens.count_in_force(database(), account.id, at=now) >= MOST_TOKENS:
        return _page(_("The limit of %(most)s tokens is reached: revoke one first.", most=MOST_TOKENS)), 400
    expires_at = now + timedelta(days=days)
    secret, made = api_tokens.add_token(database(), account.id, name=name, scopes=scopes, expires_at=expires_at)
    note("token.add", _named(made), {"scopes": ", ".join(scopes)})
    return _page(secret=secret)


@blueprint.post("/<key:token_id>/revoke")
@needs(AccountRole.VIEWER)
def revoke(token_id: int) -> AnyResponse:
    account = actor()
    gone = api_tokens.revoke_token(database(), token_id, at=datetime.now(UTC), account_id=account.id)
    note("token.revoke", _named(gone))
    return done(_("Token “%(name)s” is revoked.", name=gone.name), "tokens.index")


def offered(account: AccountRecord) -> list[TokenScope]:
    """Scopes that a token of `account` can have: a token may never do more than its account."""
    return [scope for scope, role in ROLE_FOR.items() if has_role(account, role)]


def _page(problem: str = "", *, secret: str = "") -> str:
    account = actor()
    return render_template(
        "accounts/api_tokens.html",
        account=account,
        tokens=api_tokens.list_tokens(database(), account_id=account.id),
        now=datetime.now(UTC),
        scopes={scope: SCOPES[scope] for scope in offered(account)},
        words=SCOPES,
        days=DAYS,
        problem=problem,
        secret=secret,
    )


def _named(token: TokenRecord) -> str:
    return f"{token.account_name} / {token.name} ({token.beginning}…)"
