"""The search box: a page of its own, and the same results as a part of any page."""

from dataclasses import dataclass
from typing import Final

from flask import Blueprint, current_app, render_template, request, url_for
from flask_babel import gettext as _

from admin.identity.permissions import may
from admin.quick_search.commands import COMMANDS, Command, fitting
from admin.web.db_session import database
from admin.web.replica_reads import reads_replica
from admin.web.url_converters import as_key
from storage.cases import listing
from storage.cases.lists.filters import CaseFilter, CaseOrder
from storage.pages import search
from storage.pages.search import PageFilter
from storage.records.cases import CaseRecord
from storage.sites import owners, sites

LONGEST: Final = 200
SHOWN: Final = 6
"""Of each kind."""
_MOST_PAGES_READ: Final = 400
"""Pages with the words whose cases are looked at; of more frequent words the newest cases are read."""

blueprint = Blueprint("quick_search", __name__, url_prefix="/find")


@dataclass(frozen=True, slots=True)
class Found:
    """One result: its words as crawled or written, what it is beside, and where it leads."""

    words: str
    beside: str
    url: str


@dataclass(frozen=True, slots=True)
class Group:
    heading: str
    found: tuple[Found, ...]


@blueprint.get("")
@reads_replica
def index() -> str:
    """With `part`, only the results, as a script asks for them."""
    asked = request.args.get("q", "").replace("\0", "").strip()[:LONGEST]
    groups = [group for group in _groups(asked) if group.found]
    template = "quick_search/_results.html" if request.args.get("part") else "quick_search/find.html"
    return render_template(template, asked=asked, groups=groups)


def _groups(asked: str) -> list[Group]:
    commands = Group(_("Go to"), tuple(_commands(asked)))
    if not asked:
        return [commands]
    return [
        Group(_("Cases"), tuple(_cases(asked))),
        Group(_("Sites"), tuple(_sites(asked))),
        Group(_("Owners"), tuple(_owners(asked))),
        Group(_("Pages"), tuple(_pages(asked))),
        commands,
    ]


def _commands(asked: str) -> list[Found]:
    may_go = [(str(one.words), one) for one in COMMANDS if may(one.role) and one.endpoint in current_app.view_functions]
    return [Found(str(one.words), "", _url(one)) for one in fitting(may_go, asked)[:SHOWN]]


def _url(command: Command) -> str:
    values: dict[str, str] = dict(command.values)
    return url_for(command.endpoint, _external=False, **values)


def _cases(asked: str) -> list[Found]:
    """By number, else by words in titles, addresses and names."""
    number = as_key(asked.removeprefix("#"))
    if number is not None:
        known = listing.get_case(database(), number)
        if known is not None or asked.startswith("#"):
            return [] if known is None else [_case(known)]
    if not search.is_askable(asked):
        return []
    ids = listing.ids_of_cases(
        database(), CaseFilter(text=asked), order=CaseOrder.NEWEST, bound=SHOWN, most_named=_MOST_PAGES_READ
    )
    return [_case(one) for one in listing.cases_in_order(database(), ids, CaseOrder.NEWEST)]


def _case(case: CaseRecord) -> Found:
    title = case.our_title.strip() or case.our_url
    return Found(f"#{case.id} {title}", case.other_name, url_for("case.page", case_id=case.id))


def _sites(asked: str) -> list[Found]:
    known = sites.list_sites(database())
    fits = [one for one in known if asked.casefold() in one.name.casefold()][:SHOWN]
    return [Found(one.name, one.owner_name, url_for("sites.detail", site_id=one.id)) for one in fits]


def _owners(asked: str) -> list[Found]:
    fits = [one for one in owners.list_owners(database()) if asked.casefold() in one.name.casefold()][:SHOWN]
    return [Found(one.name, "", url_for("owners.detail", owner_id=one.id)) for one in fits]


def _pages(asked: str) -> list[Found]:
    if not search.is_askable(asked):
        return []
    found = search.search_pages(database(), PageFilter(piece=asked), limit=SHOWN)
    return [
        Found(one.title.strip() or one.url, one.site_name or one.host, url_for("pages.detail", page_id=one.id))
        for one in found.pages
    ]
