"""Kinds of differences between a copy and its source: what is counted, and their words. Everything else lists these."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields, replace
from enum import StrEnum
from typing import Final

from storage.messages import N_


class DifferenceType(StrEnum):
    """Left is the query text: `inserted` is only in the left text, `deleted` only in the right one."""

    SAME = "same"
    HOMOPHONE = "homophone"
    VARIANT = "variant"
    LOOKALIKE = "lookalike"
    EDITED = "edited"
    INSERTED = "inserted"
    DELETED = "deleted"


@dataclass(frozen=True, slots=True)
class Differences:
    """Characters that differ inside a passage: one field for each kind. `moved`: characters of a passage that is out of
    order.
    """

    homophone: int = 0
    variant: int = 0
    lookalike: int = 0
    edited: int = 0
    inserted: int = 0
    deleted: int = 0
    moved: int = 0

    def swapped(self) -> "Differences":
        """The same with the two texts exchanged."""
        return replace(self, inserted=self.deleted, deleted=self.inserted)


NO_DIFFERENCES: Final = Differences()

DIFFERENCE_WORDS: Final[Mapping[str, tuple[str, str]]] = {
    "homophone": (N_("Homophone"), N_("another character that sounds the same")),
    "variant": (N_("Script variant"), N_("simplified for traditional, full width for half width, or the like")),
    "lookalike": (N_("Look-alike"), N_("another character that looks the same")),
    "edited": (N_("Reworded"), N_("other words")),
    "inserted": (N_("Added"), N_("only in the copy")),
    "deleted": (N_("Left out"), N_("only in the source")),
    "moved": (N_("Moved"), N_("a passage at another place in the order")),
}
"""Label and meaning of each kind, in English; the desk translates them."""


def sum_differences(found: Iterable[Differences]) -> dict[str, int]:
    """Return how many characters differ in all of them together, by kind, every kind named."""
    each = list(found)
    return {field.name: sum(getattr(one, field.name) for one in each) for field in fields(Differences)}
