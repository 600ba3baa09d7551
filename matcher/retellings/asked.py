"""The query of a comparison by meaning."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from matcher.comparison.relations import Relations
from matcher.provenance.page_facts import PageFacts
from storage.fingerprints.candidates import NO_TEXT


@dataclass(frozen=True, slots=True, eq=False)
class Asked:
    """A query text for comparison by meaning. `self_id`: its id if it is stored. `not_owner`: the owner of the query
    page, whose pages are left out. `literal`: texts with its wording, and the share of one or the other text that is
    common wording.
    """

    text: str = field(repr=False)
    facts: PageFacts
    self_id: int = NO_TEXT
    not_owner: str | None = None
    literal: Mapping[int, float] = field(default_factory=dict)
    relations: Relations = field(default_factory=Relations, repr=False)
    """Of the query page with what was found literally: they learn what is found by meaning."""
