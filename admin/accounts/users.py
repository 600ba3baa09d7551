"""Accounts of the desk: roles, passwords, sessions, tokens and feeds."""

from datetime import UTC, datetime
from enum import StrEnum

from flask import Blueprint, abort, flash, redirect, render_template, url_for
from flask_babel import gettext as _
from werkzeug.wrappers import Response as AnyResponse

from admin.accounts.labels import ACCOUNT_TABLES
from admin.auth.password_link import OPENS_FOR
from admin.auth.passwords import hash_password, made_password
from admin.identity.audit import note
from admin.identity.current_user import SESSION_LIFETIME
from admin.identity.language import LANGUAGES
from admin.identity.permissions import actor, needs
from admin.identity.time_zone import is_zone, zone_names
from admin.web import form_fields, labels
from admin.web.answers import done
from admin.web.db_session import database
from admin.web.desk_address import outside_url
from storage.accounts import accounts, api_tokens, audit_log, sessions, two_factor
from storage.alerts import feeds
from storage.errors import LastAdministrator, NameTaken
from storage.records.accounts import AccountRecord
from storage.types import AccountRole

blueprint = Blueprint("people", __name__, url_prefix="/people")
labels.register(blueprint, ACCOUNT_TABLES)
_administrator = needs(AccountRole.ADMINISTRATOR)


class Entrance(StrEnum):
    """How a new password reaches its user."""

    LINK = "link"
    PASSWORD = "password"  # noqa: S105  (a word of a form)


@blueprint.get("")
@_administrator
def index() -> str:
    return _list()


@blueprint.post("")
@_administrator
def add() -> tuple[str, int] | str:
    name, role, entrance = (
        form_fields.line("name"),
        form_fields.choice("role", AccountRole),
        form_fields.choice("entrance", Entrance),
    )
    language, zone = submitted_language_and_zone()
    if not name or len(name) > accounts.LONGEST_NAME:
        return _list(_("A name must have 1 to %(most)s characters.", most=accounts.LONGEST_NAME)), 400
    password = made_password()
    try:
        account = accounts.add_account(
            database(),
            name=name,
            password_hash=hash_password(password),
            role=role,
            language=language,
            time_zone=zone,
            must_change_password=True,
        )
    except NameTaken:
        return _list(_("An account with this name already exists.")), 409
    note("account.add", name, {"role": role})
    return _secret_page(account, entrance, password)


@blueprint.get("/<key:account_id>")
@_administrator
def detail(account_id: int) -> str:
    return _person(accounts.get_account(database(), account_id))


@blueprint.post("/<key:account_id>")
@_administrator
def edit(account_id: int) -> AnyResponse | tuple[str, int]:
    account, role, enabled = (
        accounts.get_account(database(), account_id),
        form_fields.choice("role", AccountRole),
        form_fields.is_ticked("enabled"),
    )
    language, zone = submitted_language_and_zone()
    try:
        accounts.edit_account(database(), account_id, role=role, enabled=enabled, language=language, time_zone=zone)
    except LastAdministrator:
        return _person(account, _last_administrator()), 409
    detail = {"role": f"{account.role} → {role}", "enabled": "yes" if enabled else "no"}
    note("account.edit", account.name, detail)
    return done(_("Saved."), "people.detail", account_id=account_id)


@blueprint.post("/<key:account_id>/password")
@_administrator
def reset_password(account_id: int) -> str:
    """Set a new password; the old one, and every session, token and feed address, stops working."""
    account = accounts.get_account(database(), account_id)
    entrance, password = form_fields.choice("entrance", Entrance), made_password()
    accounts.change_password(database(), account_id, hash_password(password), must_change=True)
    api_tokens.close_access(database(), account_id, at=datetime.now(UTC))
    note("account.reset", account.name, {"by": entrance})
    return _secret_page(account, entrance, password)


@blueprint.post("/<key:account_id>/sessions/end")
@_administrator
def end_sessions(account_id: int) -> AnyResponse:
    account = accounts.get_account(database(), account_id)
    ended = sessions.end_sessions(database(), account_id)
    detail = {"count": str(ended)}
    note("session.revoke", account.name, detail)
    return done(_("Browsers logged out: %(count)s.", count=ended), "people.detail", account_id=account_id)


@blueprint.post("/<key:account_id>/sessions/<key:session_id>/end")
@_administrator
def end_session(account_id: int, session_id: int) -> AnyResponse:
    account = accounts.get_account(database(), account_id)
    if not sessions.end_session(database(), account_id, session_id):
        abort(404)
    note("session.revoke", account.name)
    return done(_("That browser is logged out."), "people.detail", account_id=account_id)


@blueprint.post("/<key:account_id>/tokens/<key:token_id>/revoke")
@_administrator
def revoke_token(account_id: int, token_id: int) -> AnyResponse:
    account = accounts.get_account(database(), account_id)
    gone = api_tokens.revoke_token(database(), token_id, at=datetime.now(UTC), account_id=account_id)
    note("token.revoke", f"{account.name} / {gone.name}")
    flash(_("Token “%(name)s” is revoked.", name=gone.name))
    return redirect(url_for("people.detail", account_id=account_id))


@blueprint.post("/<key:account_id>/feeds/<key:feed_id>/revoke")
@_administrator
def revoke_feed(account_id: int, feed_id: int) -> AnyResponse:
    account = accounts.get_account(database(), account_id)
    if not feeds.remove_feed(database(), account_id, feed_id):
        abort(404)
    note("feed.remove", f"{account.name} / {feed_id}")
    flash(_("Feed address revoked; it no longer returns anything."))
    return redirect(url_for("people.detail", account_id=account_id))


@blueprint.post("/<key:account_id>/remove")
@_administrator
def remove(account_id: int) -> AnyResponse | tuple[str, int]:
    account = accounts.get_account(database(), account_id)
    if form_fields.line("name") != account.name:
        return _person(account, _("Not removed: the name you typed does not match.")), 400
    try:
        accounts.remove_account(database(), account_id)
    except LastAdministrator:
        return _person(account, _last_administrator()), 409
    # Administrators may remove their own account; the log entry then has no actor.
    by = None if actor().id == account_id else actor()
    detail = {"by": actor().name}
    audit_log.record(database(), actor=by, act="account.remove", subject=account.name, detail=detail)
    flash(_("%(name)s is removed. Their decisions stay in the history.", name=account.name))
    return redirect(url_for("people.index"))


def submitted_language_and_zone() -> tuple[str, str]:
    """Language and time zone as the form names them; empty: those of the installation."""
    language, zone = form_fields.line("language"), form_fields.line("time_zone")
    if language not in {"", *LANGUAGES} or not (zone == "" or is_zone(zone)):
        abort(400)
    return language, zone


def _last_administrator() -> str:
    return str(_("This is the last administrator. Make someone else an administrator first."))


def _secret_page(account: AccountRecord, entrance: Entrance, password: str) -> str:
    """The page that shows a secret once: neither a redirect nor the log may carry it."""
    if entrance is Entrance.PASSWORD:
        return render_template("accounts/person_secret.html", account=account, password=password, link="")
    until = datetime.now(UTC) + OPENS_FOR
    secret = sessions.make_password_link(database(), account.id, expires_at=until)
    link = outside_url("password_link.form", secret=secret)
    return render_template("accounts/person_secret.html", account=account, password="", link=link, until=until)


def _list(problem: str = "") -> str:
    found = accounts.summaries(database(), seen_since=datetime.now(UTC) - SESSION_LIFETIME)
    return render_template("accounts/people.html", people=found, problem=problem, roles=AccountRole, **_choices())


def _person(account: AccountRecord, problem: str = "") -> str:
    now = datetime.now(UTC)
    since = now - SESSION_LIFETIME
    return render_template(
        "accounts/person.html",
        account=account,
        problem=problem,
        roles=AccountRole,
        sessions=sessions.list_sessions(database(), account.id, seen_since=since),
        tokens=[one for one in api_tokens.list_tokens(database(), account_id=account.id) if one.is_in_force(now)],
        feeds=feeds.list_feeds(database(), account.id),
        has_second_step=two_factor.is_enabled(database(), account.id),
        **_choices(),
    )


def _choices() -> dict[str, object]:
    return {"languages": LANGUAGES, "zones": zone_names()}
