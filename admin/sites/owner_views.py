"""Owners of sites: sites of one owner are never matched with each other."""

from typing import Final

from flask import Blueprint, render_template
from flask_babel import gettext as _
from werkzeug.wrappers import Response as AnyResponse

from admin.identity.audit import note
from admin.identity.permissions import needs
from admin.sites.form import LONGEST_NAME
from admin.web import form_fields
from admin.web.answers import done, or_404
from admin.web.db_session import database
from storage.cases import account_owners
from storage.errors import NameTaken, NotKnown
from storage.records.sites import OwnerRecord
from storage.sites import owners, sites
from storage.types import AccountRole

LONGEST_FIELD: Final = 400
LONGEST_NOTES: Final = 10_000

blueprint = Blueprint("owners", __name__, url_prefix="/owners")


@blueprint.get("")
def index() -> str:
    return _list()


@blueprint.post("")
@needs(AccountRole.MANAGER)
def add() -> AnyResponse | tuple[str, int]:
    name = form_fields.line("name")
    if not 0 < len(name) <= LONGEST_NAME:
        return _list(_("A name must have 1 to %(most)s characters.", most=LONGEST_NAME)), 400
    try:
        owner = owners.add_owner(database(), name, **_fields())
    except NameTaken:
        return _list(_("An owner with this name already exists.")), 409
    note("owner.add", name)
    return done(_("%(name)s added.", name=name), "owners.detail", owner_id=owner.id)


@blueprint.post("/accounts")
@needs(AccountRole.MANAGER)
def assign() -> AnyResponse | tuple[str, int]:
    """Assigns an account on a platform to an owner."""
    account, name = form_fields.line("account", LONGEST_FIELD), form_fields.line("owner")
    try:
        moved = account_owners.assign_account(database(), account, name)
    except NotKnown:
        return _list(_("Owner or account not found.")), 404
    note("owner.assign", name, {"account": account})
    return done(_("%(name)s assigned. Cases moved: %(count)s.", name=account, count=moved), "owners.index")


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
    note("owner.edit", owner.name, fields)
    return done(_("Saved."), "owners.detail", owner_id=owner_id)


def _owner(owner_id: int) -> OwnerRecord:
    return or_404(owners.owner_by_id(database(), owner_id))


def _fields() -> dict[str, str]:
    return {
        "registration": form_fields.line("registration", LONGEST_FIELD),
        "complaint_address": form_fields.line("complaint_address", LONGEST_FIELD),
        "notes": form_fields.text("notes", LONGEST_NOTES),
    }


def _list(problem: str = "") -> str:
    counts = sites.sites_of_owners(database())
    return render_template(
        "sites/owners.html",
        owners=owners.list_owners(database()),
        accounts=account_owners.list_accounts(database()),
        counts=counts,
        problem=problem,
    )
