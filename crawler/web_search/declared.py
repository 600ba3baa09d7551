"""What a person declares about search services and sites of ours, as their file has it. Pure values."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Final

from crawler.web_search.budget import UNLIMITED, VISITS, Budget

DEFAULT_DAYS: Final = tuple(wait.days for wait in VISITS)


class ServiceKind(StrEnum):
    """The kinds of services, by the word for each in the file."""

    SEARXNG = "searxng"
    BRAVE = "brave"
    JSON = "json"
    FEED = "feed"
    INFINI_GRAM = "infini-gram"


@dataclass(frozen=True, slots=True)
class DeclaredService:
    """A service without its key. Empty texts: the defaults of its kind. `price`: of one query."""

    name: str
    kind: ServiceKind
    url: str = ""
    has_key: bool = False
    key_header: str = ""
    index: str = ""
    results_at: str = ""
    url_at: str = ""
    title_at: str = ""
    snippet_at: str = ""
    price: float = 0.0
    budget: Budget = UNLIMITED


@dataclass(frozen=True, slots=True)
class DeclaredRule:
    """The rule of one site of ours. `days`: how long after publication an article is asked about; none: not at all."""

    site: str
    days: tuple[int, ...] = DEFAULT_DAYS
    is_dear: bool = False
    budget: Budget = UNLIMITED


@dataclass(frozen=True, slots=True)
class Declared:
    """The content of the file. `problem`: why it cannot be read; there are no services then.

    `is_named`: by a setting, instead of being the one in the home. `has_more`: comments or an order that are lost when
    it is written again.
    """

    path: Path
    services: Sequence[DeclaredService] = ()
    asks_all: bool = False
    rules: Sequence[DeclaredRule] = ()
    problem: str = ""
    is_writable: bool = True
    is_named: bool = False
    has_more: bool = False
