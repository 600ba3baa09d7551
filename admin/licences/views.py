"""Licences: who may republish which of our articles, until when."""

from datetime import UTC, datetime, timedelta

from flask import Blueprint, flash, redirect, render_template, request, url_for
from flask_babel import gettext as _
from werkzeug.wrappers import Response as AnyResponse

from admin.identity.audit import note
from admin.identity.permissions import actor, needs
from admin.licences.form import as_sent, submitted_terms
from admin.licences.labels import LICENCE_TABLES
from admin.sites.jobs import MATCH
from admin.web import labels
from admin.web.db_session import database
from admin.web.form_fields import InvalidField
from admin.web.services import current_services
from matcher.cases.licensing import revoke
from storage.cases import licences
from storage.errors import LicenceKnown, NotKnown
from storage.records.cases import Actor, LicenceRecord
from storage.sites import owners
from storage.types import AccountRole, Credit

blueprint = Blueprint("licences", __name__, url_prefix="/licences")
labels.register(blueprint, LICENCE_TABLES)


@blueprint.get("")
def index() -> str:
    return _page({"owner": request.args.get("owner", ""), "copier": request.args.get("copier", "")})


@blueprint.post("")
@needs(AccountRole.MANAGER)
def add() -> AnyResponse | tuple[str, int]:
    try:
        terms = submitted_terms()
        licence = licences.add_licence(database(), terms)
    except InvalidField as wrong:
        return _page(as_sent(), str(wrong)), 400
    except LicenceKnown:
        return _page(as_sent(), _("An identical licence already exists.")), 409
    except NotKnown:
        return _page(as_sent(), _("Owner not found. Choose one from the list, or add it first.")), 400
    waiting = licences.requeue_licensed(database(), licence)
    note("licence.add", _subject(licence), _detail(licence))
    flash(_("Licence in effect."))
    _say_what_waits(waiting)
    return redirect(url_for("licences.index"))


@blueprint.post("/<key:licence_id>/remove")
@needs(AccountRole.MANAGER)
def remove(licence_id: int) -> AnyResponse:
    judged = revoke(database(), licence_id, actor=Actor(actor().id, actor().name))
    licence = judged.licence
    note("licence.remove", _subject(licence), _detail(licence))
    flash(_("Licence revoked. Cases reopened: %(count)s.", count=judged.settled))
    _say_what_waits(judged.waiting)
    return redirect(url_for("licences.index"))


@blueprint.app_template_filter("licence_standing")
def standing(licence: LicenceRecord) -> str:
    """State of a licence today: `waiting`, `expired`, `ending` or `valid`."""
    now, terms = datetime.now(UTC), licence.terms
    if terms.valid_until is not None and terms.valid_until <= now:
        return "expired"
    if terms.valid_from is not None and terms.valid_from > now:
        return "waiting"
    return "ending" if terms.valid_until is not None and terms.valid_until <= now + licences.ENDS_SOON else "valid"


@blueprint.app_template_filter("licence_last_day")
def last_day(licence: LicenceRecord) -> datetime | None:
    """A moment on the last date of a licence; stored is the first moment after it."""
    return None if licence.terms.valid_until is None else licence.terms.valid_until - timedelta(seconds=1)


def _say_what_waits(waiting: int) -> None:
    if not waiting:
        return
    enqueue = current_services().enqueue
    if enqueue is not None:
        enqueue(MATCH)
    flash(_("Articles concerned, to be judged again with the next comparison: %(count)s.", count=waiting))


def _subject(licence: LicenceRecord) -> str:
    terms = licence.terms
    return f"#{licence.id} {terms.owner or terms.author or terms.article_url} → {terms.copier or '*'}"


def _detail(licence: LicenceRecord) -> dict[str, str]:
    terms = licence.terms
    until = "" if terms.valid_until is None else terms.valid_until.isoformat()
    return {"requires": terms.requires, "until": until}


def _page(fields: dict[str, str], problem: str = "") -> str:
    now, is_ending = datetime.now(UTC), request.args.get("ending") == "1"
    return render_template(
        "licences/licences.html",
        licences=licences.list_ending(database(), now, now + licences.ENDS_SOON)
        if is_ending
        else licences.list_licences(database()),
        is_ending=is_ending,
        owners=[owner.name for owner in owners.list_owners(database())],
        requirements=Credit,
        fields=fields,
        problem=problem,
    )
