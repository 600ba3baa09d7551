"""The interface of a peer: an index of texts that can be asked which of them resemble another text."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Protocol


class Index(Protocol):
    def found(self, text: str) -> Collection[int]:
        """The numbers of the indexed texts that resemble `text`, in no order."""


@dataclass(frozen=True, slots=True)
class Peer:
    """`module`: what must be installed. `build`: imports it, and makes the index of texts."""

    name: str
    setting: str
    module: str
    build: Callable[[Sequence[str]], Index]

    @property
    def is_installed(self) -> bool:
        return find_spec(self.module) is not None


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A package that is not measured, and why."""

    name: str
    reason: str
