"""What the pages of letters and owners show about contacts: the proposals, and the searches of each host."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from admin.web.db_session import database
from crawler.urls.canonical import host_of
from storage.contacts import contacts, searches
from storage.records.correspondence.contacts import ContactRecord, ContactSearchRecord

MOST_HOSTS: Final = 5
"""Hosts of one copier that are searched; most have one."""


@dataclass(frozen=True, slots=True)
class HostSearch:
    """`last`: the newest search that is over. `is_waiting`: one waits or runs."""

    host: str
    last: ContactSearchRecord | None
    is_waiting: bool


@dataclass(frozen=True, slots=True)
class ContactPanel:
    """`case_id` or `owner_id`: the page to which an act returns."""

    hosts: tuple[HostSearch, ...]
    contacts: tuple[ContactRecord, ...]
    case_id: int | None = None
    owner_id: int | None = None


def panel_of_case(case_id: int, owner_id: int | None, urls: Iterable[str]) -> ContactPanel:
    """The panel at a letter about a case. `urls`: of the copier's pages that it names."""
    hosts = list(dict.fromkeys(host for url in urls if (host := host_of(url))))[:MOST_HOSTS]
    return _panel(hosts, owner_id, case_id=case_id)


def panel_of_owner(owner_id: int) -> ContactPanel:
    hosts = contacts.hosts_of_owner(database(), owner_id)[:MOST_HOSTS]
    return _panel(hosts, owner_id)


def _panel(hosts: list[str], owner_id: int | None, case_id: int | None = None) -> ContactPanel:
    found = contacts.contacts_of(database(), hosts, owner_id=owner_id)
    return ContactPanel(tuple(map(_search, hosts)), tuple(found), case_id, owner_id)


def _search(host: str) -> HostSearch:
    newest = searches.last_search(database(), host)
    is_waiting = newest is not None and newest.ended_at is None
    return HostSearch(host, searches.last_ended(database(), host) if is_waiting else newest, is_waiting)
