"""What the desk needs to set search services up and to try one; `zhiwen` hands it in."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence

    from crawler.web_search.budget import Limit
    from crawler.web_search.declared import Declared, DeclaredRule, DeclaredService
    from crawler.web_search.service import Fault, SearchResult


class NotSaved(Exception):
    """The file of search services was not written and is as before. The message says why."""


@dataclass(frozen=True, slots=True)
class TriedOut:
    """What a service answered to one phrase. `fault` with `problem`: it did not; `limit`: it was not asked."""

    results: "Sequence[SearchResult]" = ()
    unusable: int = 0
    beyond: int = 0
    fault: "Fault | None" = None
    problem: str = ""
    limit: "Limit | None" = None


class SearchDesk(Protocol):
    """The search services of this installation. Changes are written at once, and hold from the next query on."""

    def declared(self) -> "Declared": ...

    def save_service(self, service: "DeclaredService", *, key: str | None, replaces: str | None = None) -> None:
        """Add a service, or put it in the place of the one called `replaces`. `key` None: the one it had.

        Raises NotSaved.
        """

    def remove_service(self, name: str) -> None:
        """Raises NotSaved."""

    def put_first(self, name: str) -> None:
        """Have a service asked before all others. Raises NotSaved."""

    def set_asks_all(self, *, asks_all: bool) -> None:
        """Have every service asked for each phrase, or only the first that can answer. Raises NotSaved."""

    def save_rule(self, rule: "DeclaredRule") -> None:
        """Raises NotSaved."""

    def remove_rule(self, site: str) -> None:
        """Raises NotSaved."""

    def rename_rule(self, site: str, new_name: str) -> None:
        """Have the rule of a site, if it has one, follow its new name. Raises NotSaved."""

    def try_out(self, name: str, phrase: str) -> TriedOut | None:
        """Ask a service for a phrase, booked and counted like any other query. Takes seconds. None: no such service."""
