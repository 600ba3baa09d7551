"""Contacts of a copier: look for them, confirm or refuse a proposal, enter one."""

import shlex
from datetime import UTC, datetime
from typing import Final

from flask import Blueprint, abort, flash, redirect, request, url_for
from flask_babel import gettext as _
from werkzeug.wrappers import Response as AnyResponse

from admin.cases.common import case_or_404
from admin.contacts.labels import CONTACT_TABLES
from admin.contacts.panel import MOST_HOSTS, panel_of_case, panel_of_owner
from admin.identity.audit import note
from admin.identity.permissions import actor, may, needs
from admin.web import form_fields, labels
from admin.web.answers import or_404
from admin.web.db_session import database
from admin.web.services import current_services
from crawler.contacts.mail_addresses import mail_address
from crawler.outcomes.errors import UnusableUrl
from crawler.urls.canonical import host_of, web_url
from storage.cases import handout
from storage.contacts import contacts, searches
from storage.errors import NotKnown
from storage.jobs import queue
from storage.records.correspondence.contacts import ContactDecision, ContactKind, ContactRecord
from storage.sites import owners
from storage.types import AccountRole

LONGEST_HOST: Final = 300
LONGEST_CONTACT: Final = 400
MOST_LINES: Final = 2_000

blueprint = Blueprint("contacts", __name__, url_prefix="/contacts")
labels.register(blueprint, CONTACT_TABLES)


@blueprint.app_context_processor
def _panels() -> dict[str, object]:
    return {"contacts_of_case": panel_of_case, "contacts_of_owner": panel_of_owner}


@blueprint.post("/look")
@needs(AccountRole.REVIEWER)
def look() -> AnyResponse:
    """Queue a search for the contacts of a host of this copier."""
    host = form_fields.line("host", LONGEST_HOST)
    if host not in _hosts():
        abort(404)
    if current_services().enqueue is None:
        words = _(
            "No worker is connected to this desk. Run on the server: %(command)s",
            command=f"zhiwen contact {shlex.quote(host)}",
        )
        return _back(words, "warning")
    searches.ask_for_contacts(database(), host, asked_by=actor().name)
    queue.defer_once(database(), queue.CONTACTS)
    note("contact.look", host)
    if not queue.has_workers(database()):
        return _back(_("Queued; it starts as soon as a worker is running."), "warning")
    return _back(_("The search takes one to three minutes. Then reload the page."), "success")


@blueprint.post("/<key:contact_id>/confirm")
@needs(AccountRole.REVIEWER)
def confirm(contact_id: int) -> AnyResponse:
    """Note that a person has looked at a contact and found it right; it is remembered with the owner."""
    return _decided(contact_id, ContactDecision.CONFIRMED)


@blueprint.post("/<key:contact_id>/refuse")
@needs(AccountRole.REVIEWER)
def refuse(contact_id: int) -> AnyResponse:
    """Note that a contact is wrong: it is proposed no more."""
    return _decided(contact_id, ContactDecision.REFUSED)


@blueprint.post("/add")
@needs(AccountRole.REVIEWER)
def add() -> AnyResponse:
    """Enter a contact that a person knows of; it counts as confirmed."""
    host = form_fields.line("host", LONGEST_HOST)
    if host not in _hosts():
        abort(404)
    given = form_fields.line("contact", LONGEST_CONTACT)
    kind, value = _read(given)
    if kind is None:
        return _back(_("“%(given)s” is neither a mail address nor a web address.", given=given[:100]), "danger")
    now = datetime.now(UTC)
    number = contacts.add_by_hand(database(), host, kind, value, by=actor().name, at=now)
    _decide(number, ContactDecision.CONFIRMED, now)
    note("contact.add", value, {"site": host})
    return _back(_("Contact saved."), "success")


def _read(given: str) -> tuple[ContactKind | None, str]:
    address = mail_address(given)
    if address is not None:
        return ContactKind.MAIL, address
    try:
        return ContactKind.PAGE, web_url(given)
    except UnusableUrl:
        return None, ""


def _decided(contact_id: int, decision: ContactDecision) -> AnyResponse:
    try:
        found = contacts.get_contact(database(), contact_id)
    except NotKnown:
        abort(404)
    if found.host not in _hosts() and (found.owner_id is None or found.owner_id != _owner_id()):
        abort(404)
    _decide(contact_id, decision, datetime.now(UTC))
    act = "contact.confirm" if decision is ContactDecision.CONFIRMED else "contact.refuse"
    note(act, found.value, {"site": found.host, "from": f"{found.source.value} {found.place}"[:300]})
    words = _("Contact saved.") if decision is ContactDecision.CONFIRMED else _("It will not be proposed again.")
    return _back(words, "success")


def _decide(contact_id: int, decision: ContactDecision, at: datetime) -> ContactRecord:
    return contacts.decide(
        database(),
        contact_id,
        decision,
        by=actor().name,
        at=at,
        owner_id=_owner_id(),
        enters_at_owner=may(AccountRole.MANAGER),
    )


def _case_id() -> int | None:
    return request.form.get("case_id", type=int)


def _owner_id() -> int | None:
    """The owner of the page that was left: named by it, or that of its case."""
    case_id = _case_id()
    if case_id is not None:
        return case_or_404(case_id).other_owner_id
    return or_404(owners.owner_by_id(database(), request.form.get("owner_id", 0, int))).id


def _hosts() -> list[str]:
    """The hosts that may be searched from the page that was left."""
    case_id = _case_id()
    if case_id is None:
        return contacts.hosts_of_owner(database(), _owner_id() or 0)[:MOST_HOSTS]
    case = case_or_404(case_id)
    cases = handout.case_ids_of_copier(database(), case.other_key, states=list(type(case.state)), limit=300)
    lines = handout.lines_of_cases(database(), {case_id, *cases}, limit=MOST_LINES)
    return list(dict.fromkeys(host_of(line.url) for found in lines.values() for line in found))


def _back(words: str, category: str) -> AnyResponse:
    flash(words, category)
    case_id = _case_id()
    if case_id is not None:
        return redirect(url_for("evidence.letter", case_id=case_id))
    return redirect(url_for("owners.detail", owner_id=_owner_id()))
