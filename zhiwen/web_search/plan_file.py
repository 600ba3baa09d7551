"""Reads the file of search services: TOML with the services, their budgets, and the rules of sites of ours.

    asks_all = false

    [services.own]
    kind = "searxng"
    url = "http://10.0.0.5:8888/"
    queries_a_day = 500

    [sites."Our paper"]
    is_dear = true
    money_a_month = 20.0

The table `sites.default` is for sites without one of their own. The file holds keys: only its owner should read it.
"""

import tomllib
from collections.abc import Callable, Mapping
from datetime import timedelta
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

from crawler.web_search import brave, infini_gram
from crawler.web_search.brave import Brave
from crawler.web_search.budget import Budget
from crawler.web_search.feed import SearchFeed
from crawler.web_search.infini_gram import InfiniGram
from crawler.web_search.json_answers import ResultFields
from crawler.web_search.json_template import JsonTemplate
from crawler.web_search.searxng import SearXNG
from crawler.web_search.service import SearchService
from zhiwen.config.parsers import web_address
from zhiwen.config.settings import Settings, SettingsError
from zhiwen.web_search.plan import PlannedService, SearchPlan, SiteRule

FILE_NAME: Final = "search_services.toml"
LARGEST_FILE: Final = 1_000_000
LONGEST_NAME: Final = 40
MOST_DAYS: Final = 3_650
DEFAULT: Final = "default"


def plan_path(settings: Settings) -> Path:
    """Return the file of search services of an installation, whether it exists or not."""
    return settings.search_services or settings.home / FILE_NAME


def plan_of(settings: Settings) -> SearchPlan:
    """Return the present plan of an installation; without its file, one without services. Raises SettingsError."""
    path = plan_path(settings)
    return read_plan(path) if path.exists() else SearchPlan()


def read_plan(path: Path) -> SearchPlan:
    """Return the plan of a file. Raises SettingsError, which names the file, the place and the remedy, never a key."""
    try:
        if path.stat().st_size > LARGEST_FILE:
            raise ValueError(f"it has more than {LARGEST_FILE:,} bytes")
        found = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise SettingsError(f"The file of search services {path} cannot be read: {error}") from error
    return _plan(_Table(found, f"The file of search services {path}"))


class _Table:
    """A table of the file: each value is taken once, what is left over is a mistake."""

    def __init__(self, values: Mapping[str, Any], where: str) -> None:
        self._left = dict(values)
        self.where = where

    def take(self, name: str, kind: type | tuple[type, ...], default: Any = None) -> Any:
        value = self._left.pop(name, default)
        # A bool is an int to Python.
        is_wrong = not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool)
        if value is not default and is_wrong:
            raise self.wrong(name, "has the wrong type")
        return value

    def number(self, name: str, kind: type | tuple[type, ...]) -> Any:
        """A number of 0 or more; None if it is not set."""
        value = self.take(name, kind)
        if value is not None and not 0 <= value < float("inf"):
            raise self.wrong(name, "must be a number of 0 or more")
        return value

    def needed(self, name: str) -> str:
        value = self.take(name, str)
        if not value:
            raise self.wrong(name, "is missing")
        return str(value)

    def address(self, name: str, default: str | None = None) -> str:
        value = self.take(name, str, default) or self.needed(name)
        try:
            address = web_address(value)
            _ = urlsplit(address).port
        except ValueError as error:
            raise self.wrong(name, f"is no web address, like {brave.ADDRESS}") from error
        if "@" in urlsplit(address).netloc:
            raise self.wrong(name, "has a user or a password; give it in “key”")
        return address

    def tables(self, name: str) -> "list[tuple[str, _Table]]":
        found = self.take(name, dict, {})
        for key, value in found.items():
            if not isinstance(value, dict):
                raise self.wrong(f"{name}.{key}", "must be a table")
        return [(key, _Table(value, f"{self.where}: [{name}.{key}]")) for key, value in found.items()]

    def end(self) -> None:
        if self._left:
            raise self.wrong(min(self._left), "is unknown")

    def wrong(self, name: str, problem: str) -> SettingsError:
        return SettingsError(f"{self.where}: “{name}” {problem}. Correct it there")


def _plan(table: _Table) -> SearchPlan:
    asks_all = table.take("asks_all", bool, False)
    services = tuple(_service(name, one) for name, one in table.tables("services"))
    rules = {name: _rule(one) for name, one in table.tables("sites")}
    table.end()
    return SearchPlan(services, asks_all, rules.pop(DEFAULT, SiteRule()), rules)


def _service(name: str, table: _Table) -> PlannedService:
    if not 0 < len(name) <= LONGEST_NAME or not name.isprintable():
        raise table.wrong(name, f"must have 1 to {LONGEST_NAME} characters")
    kind = table.needed("kind")
    if kind not in _KINDS:
        raise table.wrong("kind", f"must be one of {', '.join(_KINDS)}")
    price = table.number("price", (int, float)) or 0.0
    budget = _budget(table)
    service = _KINDS[kind](name, table)
    table.end()
    return PlannedService(service, price, budget)


def _rule(table: _Table) -> SiteRule:
    days = table.take("days", list, [0, 1, 7, 30])
    if any(not isinstance(day, int) or isinstance(day, bool) or not 0 <= day <= MOST_DAYS for day in days):
        raise table.wrong("days", f"must be whole numbers from 0 to {MOST_DAYS}")
    visits = tuple(timedelta(days=day) for day in sorted(set(days)))
    rule = SiteRule(visits, _budget(table), table.take("is_dear", bool, False))
    table.end()
    return rule


def _budget(table: _Table) -> Budget:
    return Budget(
        table.number("queries_a_day", int),
        table.number("queries_a_month", int),
        table.number("money_a_month", (int, float)),
    )


def _key(table: _Table) -> str | None:
    key = table.take("key", str)
    if key is not None and not (key.isascii() and key.isprintable()):
        raise table.wrong("key", "must be visible ASCII characters")
    return key or None


def _searxng(name: str, table: _Table) -> SearchService:
    return SearXNG.at(name, table.address("url"), key=_key(table))


def _brave(name: str, table: _Table) -> SearchService:
    key = _key(table)
    if key is None:
        raise table.wrong("key", "is missing")
    return Brave.at(name, key, url=table.address("url", brave.ADDRESS))


def _json(name: str, table: _Table) -> SearchService:
    url, key = table.address("url"), _key(table)
    header = table.take("key_header", str, "Authorization")
    paths = {part: table.take(part, str, part.removesuffix("_at")) for part in ("url_at", "title_at", "snippet_at")}
    fields = ResultFields(table.take("results_at", str, "results"), *paths.values())
    try:
        return JsonTemplate.at(name, url, fields, key=key, key_header=header)
    except ValueError as error:
        raise table.wrong("url", str(error)) from error


def _feed(name: str, table: _Table) -> SearchService:
    try:
        return SearchFeed.at(name, table.address("url"), key=_key(table))
    except ValueError as error:
        raise table.wrong("url", str(error)) from error


def _infini_gram(name: str, table: _Table) -> SearchService:
    return InfiniGram.at(name, table.needed("index"), url=table.address("url", infini_gram.ADDRESS))


_KINDS: Final[Mapping[str, Callable[[str, _Table], SearchService]]] = {
    "searxng": _searxng,
    "brave": _brave,
    "json": _json,
    "feed": _feed,
    "infini-gram": _infini_gram,
}
