"""A passage with its place in both texts."""

from collections.abc import Hashable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Placed:
    """A passage, true or found: half-open stretches of the copy and of one source."""

    start: int
    end: int
    source: Hashable
    source_start: int
    source_end: int

    @property
    def size(self) -> int:
        return self.end - self.start + self.source_end - self.source_start
