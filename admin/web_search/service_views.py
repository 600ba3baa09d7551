"""Search services: state and budget of each, adding, changing, removing, and a query to try one."""

from dataclasses import dataclass
from typing import Final

from flask import Blueprint, abort, render_template, request
from flask_babel import gettext as _
from werkzeug.wrappers import Response as AnyResponse

from admin.identity.audit import note
from admin.identity.permissions import needs
from admin.web import form_fields, reading_slots
from admin.web.answers import done, or_404
from admin.web.db_session import database, let_go
from admin.web.search_desk import NotSaved, TriedOut
from admin.web_search import service_form
from admin.web_search.common import declared_or_none, search_desk, spent
from admin.web_search.problem_text import search_problem
from admin.web_search.service_form import ServiceForm
from crawler.urls.canonical import host_of
from crawler.web_search.budget import Limit, Spent, reached_limit
from crawler.web_search.declared import DeclaredService, ServiceKind
from crawler.web_search.phrases import LONGEST_PHRASE
from storage.jobs.queue import database_time
from storage.records.web_search import RestRecord, SpentRecord
from storage.types import AccountRole
from storage.web_search import queries

_BAD, _CONFLICT = 400, 409
EXAMPLE_PHRASE: Final = "不识庐山真面目"
"""A line that every search engine knows, and that gives nothing away."""

SHOWN_RESULTS: Final = 20

blueprint = Blueprint("search_services", __name__, url_prefix="/discovery/services")
blueprint.add_app_template_filter(search_problem)
_manager = needs(AccountRole.MANAGER)
_administrator = needs(AccountRole.ADMINISTRATOR)


@dataclass(frozen=True, slots=True)
class ServiceState:
    """`rest`: until when it is left alone; None: it may be asked. `limit`: the one that is reached."""

    service: DeclaredService
    spent: SpentRecord
    rest: RestRecord | None
    limit: Limit | None


@blueprint.get("")
@_manager
def index() -> str:
    return _page()


@blueprint.get("/add")
@_administrator
def add_form() -> str:
    kind = _kind(request.args.get("kind", ""))
    return _form_page(kind, service_form.fields_of(DeclaredService(_free_name(kind), kind)))


@blueprint.post("/add")
@_administrator
def add() -> AnyResponse | tuple[str, int]:
    kind = form_fields.choice("kind", ServiceKind)
    sent = service_form.submitted(kind)
    if not form_fields.is_ticked("consent"):
        words = _("Read what leaves this machine and tick that you agree. Nothing is saved before.")
        return _form_page(kind, sent.fields, (*sent.problems, words)), _BAD
    return _saved(kind, sent, before=None)


@blueprint.get("/edit")
@_administrator
def edit_form() -> str:
    service = _named(request.args.get("name", ""))
    return _form_page(service.kind, service_form.fields_of(service), before=service)


@blueprint.post("/edit")
@_administrator
def edit() -> AnyResponse | tuple[str, int]:
    """An empty key keeps the present one, which is not on the form."""
    before = _named(form_fields.line("before"))
    return _saved(before.kind, service_form.submitted(before.kind, before), before=before)


@blueprint.post("/remove")
@_administrator
def remove() -> AnyResponse | tuple[str, int]:
    service = _named(form_fields.line("name"))
    try:
        search_desk().remove_service(service.name)
    except NotSaved as error:
        return _page(problem=str(error)), _CONFLICT
    queries.end_rest(database(), service.name)
    note("service.remove", service.name)
    return done(_("%(name)s and its key are removed.", name=service.name), "search_services.index")


@blueprint.post("/first")
@_administrator
def put_first() -> AnyResponse | tuple[str, int]:
    service = _named(form_fields.line("name"))
    try:
        search_desk().put_first(service.name)
    except NotSaved as error:
        return _page(problem=str(error)), _CONFLICT
    note("service.first", service.name)
    return done(_("%(name)s is queried first.", name=service.name), "search_services.index")


@blueprint.post("/all")
@_administrator
def set_asks_all() -> AnyResponse | tuple[str, int]:
    asks_all = form_fields.is_ticked("asks_all")
    try:
        search_desk().set_asks_all(asks_all=asks_all)
    except NotSaved as error:
        return _page(problem=str(error)), _CONFLICT
    note("service.all", "asks_all", {"enabled": "yes" if asks_all else "no"})
    return done(_("Saved."), "search_services.index")


@blueprint.post("/try")
@_administrator
def try_out() -> str | tuple[str, int]:
    """Ask a service for one phrase. It counts like any other query."""
    service, phrase = _named(form_fields.line("name")), form_fields.line("phrase")
    if not 0 < len(phrase) <= LONGEST_PHRASE:
        return _page(problem=_("A phrase must have 1 to %(most)s characters.", most=LONGEST_PHRASE)), _BAD
    reading_slots.take()
    note("service.try", service.name, {"query": phrase})
    # An answer may take many seconds: the connection goes back to the pool.
    let_go()
    return _page(tried=(service.name, phrase, or_404(search_desk().try_out(service.name, phrase))))


def _saved(kind: ServiceKind, sent: ServiceForm, *, before: DeclaredService | None) -> AnyResponse | tuple[str, int]:
    if sent.service is None:
        return _form_page(kind, sent.fields, sent.problems, before=before), _BAD
    try:
        search_desk().save_service(sent.service, key=sent.key, replaces=None if before is None else before.name)
    except NotSaved as error:
        return _form_page(kind, sent.fields, (search_problem(str(error)),), before=before), _CONFLICT
    # What kept it from answering may be mended: it is asked again at once.
    queries.end_rest(database(), sent.service.name)
    said = {"kind": kind.value, "address": sent.service.url or "—", "query": str(sent.service.budget)}
    note("service.edit" if before else "service.add", sent.service.name, said)
    words = _("%(name)s saved. Try it with one query.", name=sent.service.name)
    return done(words, "search_services.index")


def _named(name: str) -> DeclaredService:
    return or_404(next((one for one in search_desk().declared().services if one.name == name), None))


def _kind(text: str) -> ServiceKind:
    if text not in set(ServiceKind):
        abort(404)
    return ServiceKind(text)


def _free_name(kind: ServiceKind) -> str:
    """A name that no service has: the word for its kind, or that with a number."""
    taken = {one.name for one in search_desk().declared().services}
    names = (kind.value, *(f"{kind.value}-{number}" for number in range(2, len(taken) + 2)))
    return next(name for name in names if name not in taken)


def _page(*, problem: str = "", tried: tuple[str, str, TriedOut] | None = None) -> str:
    declared = declared_or_none()
    return render_template(
        "web_search/services.html",
        declared=declared,
        states=[] if declared is None else [_state(service) for service in declared.services],
        kinds=ServiceKind,
        problem=problem,
        tried=tried,
        results=[(one.title, host_of(one.url)) for one in tried[2].results[:SHOWN_RESULTS]] if tried else [],
        phrase=tried[1] if tried else EXAMPLE_PHRASE,
        longest=LONGEST_PHRASE,
    )


def _state(service: DeclaredService) -> ServiceState:
    booked = spent(service=service.name)
    rest = queries.rests(database()).get(service.name)
    is_over = rest is None or rest.until <= database_time(database())
    so_far = Spent(booked.queries_today, booked.queries_this_month, booked.money_this_month)
    limit = reached_limit(service.budget, so_far, service.price)
    return ServiceState(service, booked, None if is_over else rest, limit)


def _form_page(
    kind: ServiceKind, fields: object, problems: tuple[str, ...] = (), *, before: DeclaredService | None = None
) -> str:
    return render_template(
        "web_search/service.html",
        kind=kind,
        fields=fields,
        problems=problems,
        before=before,
        declared=search_desk().declared(),
        with_key=kind in service_form.WITH_KEY,
        usual_address=service_form.USUAL_ADDRESS.get(kind, ""),
        longest_url=service_form.LONGEST_URL,
        longest_key=service_form.LONGEST_KEY,
    )
