"""The query page paired with each page of a stored text: direction and credit, each computed once."""

from dataclasses import dataclass
from functools import cached_property

from matcher.provenance.copy_damage import CopyDamage
from matcher.provenance.credit import CreditFound, credit_given
from matcher.provenance.direction import Direction, Vote, direction_between
from matcher.provenance.page_facts import PageFacts, facts_of_page
from storage.records.pages import PageRecord


@dataclass(frozen=True)
class PagePair:
    """The query page (left) and another page whose text matches it (right). `clues` to the direction beside those of
    all pairs.
    """

    left: PageFacts
    right: PageFacts
    damage: CopyDamage
    clues: tuple[Vote, ...] = ()

    @cached_property
    def direction(self) -> Direction:
        return direction_between(self.left, self.right, self.damage, more=self.clues)

    @cached_property
    def credit(self) -> CreditFound:
        """The credit that the copy gives its source."""
        return credit_given(self.copy, self.source)

    @property
    def source(self) -> PageFacts:
        return self.left if self.direction.left_is_source else self.right

    @property
    def copy(self) -> PageFacts:
        return self.right if self.direction.left_is_source else self.left


class PagePairs:
    """The query page paired with pages of one stored text; each pair is made on first use."""

    def __init__(self, query: PageFacts, body: str, damage: CopyDamage) -> None:
        self._query, self._body, self._damage = query, body, damage
        self._made: dict[PageRecord, PagePair] = {}

    def of(self, page: PageRecord) -> PagePair:
        # By all that is known of the page: its owner may be another one by now.
        if page not in self._made:
            self._made[page] = PagePair(self._query, facts_of_page(page, self._body), self._damage)
        return self._made[page]
