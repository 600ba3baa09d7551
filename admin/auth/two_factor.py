"""Two-factor login of the current user's own account: enrolment, recovery codes, removal."""

from datetime import UTC, datetime

from flask import Blueprint, abort, flash, redirect, render_template, url_for
from flask_babel import gettext as _
from werkzeug.wrappers import Response as AnyResponse

from admin.auth.login_attempts import is_present_password
from admin.auth.totp import enrolment_uri, made_secret, matching_step, qr_path
from admin.identity.audit import note
from admin.identity.current_user import current_session
from admin.identity.permissions import actor, needs
from admin.web import form_fields
from admin.web.answers import done
from admin.web.db_session import database
from storage.accounts import accounts, sessions, two_factor
from storage.types import AccountRole

Answer = str | AnyResponse | tuple[str, int]

blueprint = Blueprint("two_factor", __name__)


@blueprint.post("/account/two-factor")
@needs(AccountRole.VIEWER)
def begin() -> Answer:
    """Begin enrolment: the secret takes effect once a code of it was entered.

    Asks for the password, since an unattended browser could be used to lock its owner out.
    """
    account = actor()
    if two_factor.is_enabled(database(), account.id):
        return redirect(url_for("account.index"))
    if not is_present_password(account, form_fields.secret("password")):
        return _refused()
    two_factor.begin(database(), account.id, made_secret())
    return redirect(url_for("two_factor.enrol"))


@blueprint.get("/account/two-factor")
def enrol() -> Answer:
    account = actor()
    found = two_factor.second_step(database(), account.id)
    if found is None or found.confirmed_at is not None:
        return redirect(url_for("account.index"))
    return _enrolment(found.secret)


@blueprint.post("/account/two-factor/confirm")
@needs(AccountRole.VIEWER)
def confirm() -> Answer:
    account, now = actor(), datetime.now(UTC)
    found = two_factor.second_step(database(), account.id)
    if found is None or found.confirmed_at is not None:
        return redirect(url_for("account.index"))
    step = matching_step(found.secret, form_fields.line("code"), now)
    if step is None or not two_factor.use_step(database(), account.id, step):
        wrong = _("Wrong code. Codes change every 30 seconds; check that your phone’s clock is right.")
        return _enrolment(found.secret, wrong), 400
    codes = two_factor.confirm(database(), account.id, at=now)
    # The other sessions were begun with the password alone.
    here = current_session()
    sessions.end_sessions(database(), account.id, but=here.id if here else None)
    note("two-factor.begin", account.name)
    return _codes(codes)


@blueprint.post("/account/two-factor/codes")
@needs(AccountRole.VIEWER)
def renew_codes() -> Answer:
    account = actor()
    if not two_factor.is_enabled(database(), account.id):
        abort(404)
    if not is_present_password(account, form_fields.secret("password")):
        return _refused()
    codes = two_factor.renew_recovery_codes(database(), account.id)
    note("two-factor.codes", account.name)
    return _codes(codes)


@blueprint.post("/account/two-factor/remove")
@needs(AccountRole.VIEWER)
def remove() -> Answer:
    """Ask for the password: an unattended browser must not be enough."""
    account = actor()
    if not is_present_password(account, form_fields.secret("password")):
        return _refused()
    if two_factor.remove(database(), account.id):
        note("two-factor.end", account.name)
        flash(_("Two-step verification is off. You log in with your password alone."))
    return redirect(url_for("account.index"))


@blueprint.post("/people/<key:account_id>/two-factor/remove")
@needs(AccountRole.ADMINISTRATOR)
def reset(account_id: int) -> Answer:
    """Remove the second factor of a user who has lost phone and recovery codes."""
    account = accounts.get_account(database(), account_id)
    if two_factor.remove(database(), account_id):
        sessions.end_sessions(database(), account_id)
        note("two-factor.reset", account.name)
        flash(
            _("Two-step verification is off for this account. It needs only its password until it is turned on again.")
        )
    return redirect(url_for("people.detail", account_id=account_id))


def _refused() -> Answer:
    return done(_("The current password is wrong."), "account.index", category="danger")


def _enrolment(secret: str, problem: str = "") -> str:
    path, width = qr_path(enrolment_uri(secret, actor().name))
    groups = [secret[start : start + 4] for start in range(0, len(secret), 4)]
    return render_template("auth/two_factor.html", path=path, width=width, groups=groups, problem=problem)


def _codes(codes: list[str]) -> str:
    """The page that shows recovery codes once: neither a redirect nor the log may carry them."""
    return render_template("auth/two_factor_codes.html", codes=codes)
