"""Who stands behind the sites: sites of one owner never accuse each other."""

from typing import Final

from flask import Blueprint, abort, flash, redirect, render_template, url_for
from flask_babel import gettext as _
from werkzeug.wrappers import Response as AnyResponse

from admin.identity.permissions import actor, needs
from admin.sites.form import LONGEST_NAME
from admin.web import form_fields
from admin.web.db_session import database
from storage.accounts import audit_log
from storage.errors import NameTaken
from storage.records.sites import OwnerRecord
from storage.sites import owners, sites
from storage.types import AccountRole

LONGEST_FIELD: Final = 400
LONGEST_NOTES: Final = 10_000
_BAD_REQUEST, _CONFLICT = 400, 409

blueprint = Blueprint("owners", __name__, url_prefix="/owners")


@blueprint.get("")
def index() -> str:
    return _list()


@blueprint.post("")
@needs(AccountRole.MANAGER)
def add() -> AnyResponse | tuple[str, int]:
    name = form_fields.line("name")
    if not 0 < len(name) <= LONGEST_NAME:
        return _list(_("A name has 1 to %(most)s characters.", most=LONGEST_NAME)), _BAD_REQUEST
    try:
        owner = owners.add_owner(database(), name, **_fields())
    except NameTaken:
        return _list(_("There is an owner of this name already.")), _CONFLICT
    audit_log.record(database(), actor=actor(), act="owner.add", subject=name)
    flash(_("%(name)s is added.", name=name))
    return redirect(url_for("owners.detail", owner_id=owner.id))


@blueprint.get("/<key:owner_id>")
def detail(owner_id: int) -> str:
    owner = _owner(owner_id)
    theirs = [site for site in sites.list_sites(database()) if site.owner_id == owner_id]
    return render_template("sites/owner.html", owner=owner, sites=theirs)


@blueprint.post("/<key:owner_id>")
@needs(AccountRole.MANAGER)
def edit(owner_id: int) -> AnyResponse:
    owner = _owner(owner_id)
    fields = _fields()
    owners.edit_owner(database(), owner.name, **fields)
    audit_log.record(database(), actor=actor(), act="owner.edit", subject=owner.name, detail=fields)
    flash(_("Saved."))
    return redirect(url_for("owners.detail", owner_id=owner_id))


def _owner(owner_id: int) -> OwnerRecord:
    owner = owners.owner_by_id(database(), owner_id)
    if owner is None:
        abort(404)
    return owner


def _fields() -> dict[str, str]:
    return {
        "registration": form_fields.line("registration", LONGEST_FIELD),
        "complaint_address": form_fields.line("complaint_address", LONGEST_FIELD),
        "notes": form_fields.text("notes", LONGEST_NOTES),
    }


def _list(problem: str = "") -> str:
    counts = sites.sites_of_owners(database())
    return render_template("sites/owners.html", owners=owners.list_owners(database()), counts=counts, problem=problem)
