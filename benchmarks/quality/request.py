"""The parameters of the quality benchmark."""

from collections.abc import Collection
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Request:
    """Numbers of probes. `innocents`: ordinary articles. `only`: names of families; empty means all."""

    seed: int
    per_family: int
    innocents: int
    only: Collection[str] = ()
