"""Authentication of API requests: token, scope, role and rate limit."""

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

from flask import Flask, Response, g, request

from admin.api.problems import refuse
from admin.identity.permissions import has_role
from admin.web.services import current_services
from storage.accounts.api_tokens import TokenRecord, TokenScope, Use, use_token
from storage.engine import transaction
from storage.records.accounts import AccountRecord
from storage.types import AccountRole

REALM: Final = 'Bearer realm="zhiwen"'
_SCHEME: Final = "bearer"


@dataclass(frozen=True, slots=True)
class Caller:
    """The account and the token of a request."""

    account: AccountRecord
    token: TokenRecord


def admit(scope: TokenScope, role: AccountRole) -> Caller:
    """The caller, if the token has `scope` and its account `role`; ends the request otherwise.

    Cookies are ignored: a page elsewhere can make a browser send them, but no token.
    """
    use = _use()
    g.api_use = use
    if use.is_too_many:
        wait_s = max(1, round((use.ends_at - datetime.now(UTC)).total_seconds()))
        refuse(429, headers={"Retry-After": str(wait_s)})
    if scope not in use.token.scopes:
        refuse(403, f"The token lacks the scope “{scope}”.", word="scope-missing")
    if not has_role(use.account, role):
        refuse(403, f"The account of this token lacks the role “{role}”.", word="role-missing")
    return Caller(use.account, use.token)


def _use() -> Use:
    scheme, _space, secret = request.headers.get("Authorization", "").partition(" ")
    if scheme.lower() != _SCHEME or not secret.strip():
        refuse(401, headers={"WWW-Authenticate": REALM})
    # In a transaction of its own, so that the count stays even if the request fails.
    with transaction(current_services().engine) as session:
        use = use_token(session, secret.strip(), at=datetime.now(UTC))
    if use is None:
        detail = "The token is unknown, revoked or expired, or its account is closed."
        refuse(401, detail, headers={"WWW-Authenticate": f'{REALM}, error="invalid_token"'})
    return use


def init_app(app: Flask) -> None:
    app.after_request(_add_limit_headers)


def _add_limit_headers(response: Response) -> Response:
    use: Use | None = g.get("api_use")
    if use is not None:
        response.headers["RateLimit-Limit"] = str(use.token.per_minute)
        response.headers["RateLimit-Remaining"] = str(use.remaining)
    return response
