"""The current user's own account: password, language, time zone and sessions."""

from datetime import UTC, datetime

import flask_login
from flask import Blueprint, abort, redirect, render_template, session, url_for
from flask_babel import gettext as _
from werkzeug.wrappers import Response as AnyResponse

from admin.accounts.users import submitted_language_and_zone
from admin.auth.authentication import log_in
from admin.auth.login_attempts import is_present_password
from admin.auth.passwords import REFUSED_WORDS, SHORTEST_PASSWORD, hash_password, refusal, verify
from admin.identity.audit import note
from admin.identity.current_user import SESSION_LIFETIME, current_session
from admin.identity.language import LANGUAGES, chosen_language, forget_language, remember_language
from admin.identity.permissions import actor, needs
from admin.identity.time_zone import zone_names
from admin.web import form_fields
from admin.web.answers import done
from admin.web.db_session import database
from admin.web.form_fields import LONGEST_PASSWORD
from storage.accounts import accounts, api_tokens, sessions, two_factor
from storage.types import AccountRole

blueprint = Blueprint("account", __name__, url_prefix="/account")


@blueprint.get("")
def index() -> str:
    return _page()


@blueprint.post("/password")
@needs(AccountRole.VIEWER)
def change_password() -> AnyResponse | tuple[str, int]:
    account, new = actor(), form_fields.secret("new")
    if not is_present_password(account, form_fields.secret("old")):
        return _page(_("The current password is wrong.")), 400
    why = refusal(new, name=account.name)
    if why is not None:
        return _page(_(REFUSED_WORDS[why])), 400
    if verify(account.password_hash, new):
        return _page(_("This is already your password.")), 400
    accounts.change_password(database(), account.id, hash_password(new, name=account.name))
    note("account.password", account.name)
    # A password change ends all sessions; this browser is logged in again at once.
    language = chosen_language()
    session.clear()
    remember_language(language)
    session.permanent = True
    log_in(accounts.get_account(database(), account.id))
    return done(_("Password changed. All other browsers are logged out."), "account.index")


@blueprint.post("/preferences")
@needs(AccountRole.VIEWER)
def set_preferences() -> AnyResponse:
    account = actor()
    language, zone = submitted_language_and_zone()
    accounts.set_preferences(database(), account.id, language=language, time_zone=zone)
    detail = {"language": language, "time_zone": zone}
    note("account.preferences", account.name, detail)
    # A language chosen for this session would hide the new preference.
    forget_language()
    return redirect(url_for("account.index"))


@blueprint.post("/sessions/<key:session_id>/end")
@needs(AccountRole.VIEWER)
def end_session(session_id: int) -> AnyResponse:
    account, here = actor(), current_session()
    if not sessions.end_session(database(), account.id, session_id):
        abort(404)
    note("session.revoke", account.name)
    if here is not None and here.id == session_id:
        flask_login.logout_user()
        session.clear()
        return redirect(url_for("login.form"))
    return done(_("That browser is logged out."), "account.index")


@blueprint.post("/sessions/end-others")
@needs(AccountRole.VIEWER)
def end_other_sessions() -> AnyResponse:
    account, here = actor(), current_session()
    ended = sessions.end_sessions(database(), account.id, but=here.id if here else None)
    note("session.revoke", account.name, {"count": str(ended)})
    return done(_("Other browsers logged out: %(count)s.", count=ended), "account.index")


def _page(problem: str = "") -> str:
    account = actor()
    since = datetime.now(UTC) - SESSION_LIFETIME
    return render_template(
        "accounts/account.html",
        account=account,
        problem=problem,
        sessions=sessions.list_sessions(database(), account.id, seen_since=since),
        here=current_session(),
        languages=LANGUAGES,
        zones=zone_names(),
        shortest=SHORTEST_PASSWORD,
        longest=LONGEST_PASSWORD,
        second_step=two_factor.second_step(database(), account.id),
        tokens_in_force=api_tokens.count_in_force(database(), account.id, at=datetime.now(UTC)),
    )
