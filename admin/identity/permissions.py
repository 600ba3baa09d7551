"""Permissions: viewers read all but accounts, reviewers decide, managers edit sites, administrators edit accounts."""

from collections.abc import Callable
from typing import Final, TypeVar, cast

from flask import Flask, abort, current_app, request

from admin.identity.current_user import ASSET_ENDPOINTS, PUBLIC_ENDPOINTS, current_account
from admin.web.api_prefix import is_api
from storage.records.accounts import AccountRecord
from storage.types import AccountRole

READING_METHODS: Final = frozenset({"GET", "HEAD", "OPTIONS"})

_ORDER: Final = tuple(AccountRole)
_ATTRIBUTE: Final = "needed_role"

_View = TypeVar("_View", bound=Callable[..., object])


def needs(role: AccountRole) -> Callable[[_View], _View]:
    """Decorator that states the role a view needs; it goes below the route decorator.

    A view that changes something and states no role is refused for everyone, so that a forgotten decorator opens
    nothing.
    """

    def decorate(view: _View) -> _View:
        setattr(view, _ATTRIBUTE, role)
        return view

    return decorate


def stated_role(view: object) -> AccountRole | None:
    """The role that `needs` stated for `view`."""
    return cast("AccountRole | None", getattr(view, _ATTRIBUTE, None))


def role_needed(view: object, method: str) -> AccountRole | None:
    """The lowest role that may use `method` on `view`; None where nobody may."""
    stated = stated_role(view)
    if stated is None and method in READING_METHODS:
        return AccountRole.VIEWER
    return stated


def has_role(account: AccountRecord | None, role: AccountRole) -> bool:
    """Whether `account` has `role` or a higher one."""
    return account is not None and _ORDER.index(account.role) >= _ORDER.index(role)


def may(role: AccountRole | str) -> bool:
    """Whether the current user has `role`; templates ask before they show a button."""
    return has_role(current_account(), AccountRole(role))


def actor() -> AccountRecord:
    """The current user; ends the request where there is none."""
    account = current_account()
    if account is None:
        abort(403)
    return account


def init_app(app: Flask) -> None:
    app.before_request(_require_role)
    app.context_processor(lambda: {"may": may})


def _require_role() -> None:
    endpoint = request.endpoint
    if endpoint is None or endpoint in PUBLIC_ENDPOINTS | ASSET_ENDPOINTS or is_api(request.path):
        return
    needed = role_needed(current_app.view_functions[endpoint], request.method)
    if needed is None or not may(needed):
        abort(403)
