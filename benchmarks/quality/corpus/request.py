"""What is asked of the quality benchmark."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Request:
    """How much is asked. `only`: names of families; empty means all."""

    seed: int
    per_family: int
    innocents: int
    only: frozenset[str] = frozenset()
