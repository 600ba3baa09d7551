"""The pages of the site itself: its front page, and those that its links say are for contact and complaints."""

from datetime import UTC, datetime
from typing import Final

from crawler.contacts.contact_links import ContactLink
from crawler.contacts.page_contacts import PageContacts, contacts_on_page
from crawler.contacts.sources import Budget, Reading, Sources
from crawler.outcomes.refusals import Refusal
from storage.records.correspondence.contacts import (
    Confidence,
    ContactKind,
    ContactProposal,
    ContactRole,
    ContactSource,
    SearchOutcome,
)

_OTHER_SCHEME: Final = frozenset({Refusal.UNREACHABLE, Refusal.BROKEN_RESPONSE, Refusal.TIMEOUT})
"""Failures after which the front page is asked for by the other scheme."""


def read_site(host: str, sources: Sources, budget: Budget) -> Reading:
    """Read the front page of a host and the contact pages that it links."""
    reading = Reading(ContactSource.SITE)
    schemes = ("http", "https") if ":" in host else ("https", "http")
    front: PageContacts | Refusal = Refusal.UNREACHABLE
    for scheme in schemes:
        front = _read(f"{scheme}://{host}/", sources, budget, reading)
        if not isinstance(front, Refusal) or front not in _OTHER_SCHEME:
            break
    if isinstance(front, Refusal):
        reading.outcome = SearchOutcome.FAILED
        return reading
    reading.proposals += front.proposals
    for link in front.links:
        page = _read(link.url, sources, budget, reading, role=link.role)
        if not isinstance(page, Refusal):
            reading.proposals += page.proposals
        if link.role is ContactRole.COPYRIGHT:
            reading.proposals.append(_page_itself(link))
    return reading


def _read(
    url: str, sources: Sources, budget: Budget, reading: Reading, *, role: ContactRole | None = None
) -> PageContacts | Refusal:
    if not budget.take():
        reading.words.append("not all pages were read: the bound was reached")
        return Refusal.BUDGET
    answer = sources.page(url)
    refusal = answer if isinstance(answer, Refusal) else answer.refusal
    if isinstance(answer, Refusal) or refusal is not None:
        reading.words.append(f"{url}: {refusal}")
        return refusal or Refusal.BROKEN_RESPONSE
    found = contacts_on_page(
        answer.body, content_type=answer.content_type, url=answer.url, seen_at=datetime.now(UTC), role=role
    )
    if isinstance(found, Refusal):
        reading.words.append(f"{url}: {found}")
    return found


def _page_itself(link: ContactLink) -> ContactProposal:
    """A page for complaints is an address by itself: it has a form, or says what a notice has to hold."""
    return ContactProposal(
        ContactKind.PAGE,
        link.role,
        link.url,
        ContactSource.SITE,
        link.url,
        Confidence.LIKELY,
        datetime.now(UTC),
        link.words,
    )
