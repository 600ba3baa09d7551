"""The query of a comparison with the store."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from fingerprint.compute import Analysis
from matcher.comparison.compare_pair import Beside
from matcher.provenance.page_facts import PageFacts, facts_of_page
from storage.fingerprints.candidates import NO_TEXT
from storage.records.pages import PageRecord


@dataclass(frozen=True, slots=True, eq=False)
class Query:
    """A query text, the facts of its page, and which stored texts it is compared with."""

    text: Analysis
    facts: PageFacts
    self_id: int = NO_TEXT
    """Id of the query text if it is stored."""
    not_owner: str | None = None
    """The owner of the query page, whose pages are skipped."""
    also: Collection[int] = ()
    """Ids of texts that are judged even if they share no key with the query text."""
    site_ids: Collection[int] = ()
    """Sites of the query page, whose own boilerplate verdicts count."""
    beside: Sequence[Beside] = ()
    """Texts outside the store, judged like stored ones."""
    keeps_verdicts: bool = False
    """Whether the reader keeps new verdicts on repeated runs, to be stored. Otherwise they are used once."""


def query_of_page(page: PageRecord, text: Analysis) -> Query:
    """Return a query for other owners' pages that publish the text of `page`."""
    return Query(
        text,
        facts_of_page(page, text.canonical.source),
        self_id=page.text_id,
        not_owner=page.owner_key,
        site_ids=() if page.site_id is None else (page.site_id,),
    )
