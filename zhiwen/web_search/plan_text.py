"""The text of the file of search services: tables to TOML and back, and to what a person declared. Pure."""

import json
import tomllib
from collections.abc import Collection, Mapping
from typing import Any, Final

from crawler.web_search.budget import Budget
from crawler.web_search.declared import DEFAULT_DAYS, DeclaredRule, DeclaredService, ServiceKind

_TEXTS: Final = ("url", "key_header", "index", "results_at", "url_at", "title_at", "snippet_at")
_LIMITS: Final = ("queries_a_day", "queries_a_month", "money_a_month")


def tables_in(content: str) -> dict[str, Any]:
    """Return the tables of a file that `read_plan` accepts."""
    return tomllib.loads(content)


def text_of(tables: Mapping[str, Any]) -> str:
    """Return the tables as TOML. Of the kinds of values, it knows those that the file may have."""
    lines = [f"{name} = {_value(value)}" for name, value in tables.items() if not isinstance(value, dict)]
    for group, parts in tables.items():
        if isinstance(parts, dict):
            for name, values in parts.items():
                lines += ["", f"[{group}.{_text(name)}]"]
                lines += [f"{key} = {_value(value)}" for key, value in values.items()]
    return "\n".join(lines).lstrip("\n") + "\n"


def service_in(name: str, table: Mapping[str, Any]) -> DeclaredService:
    texts = {place: str(table.get(place, "")) for place in _TEXTS}
    price, has_key = float(table.get("price", 0.0)), bool(table.get("key"))
    return DeclaredService(
        name, ServiceKind(table["kind"]), has_key=has_key, price=price, budget=_budget(table), **texts
    )


def service_table(service: DeclaredService, key: str | None, before: Mapping[str, Any] = {}) -> dict[str, Any]:
    """Return the table of a service with its key; what has its default is left out. `before`: its present table, whose
    other values stay.
    """
    texts = {place: getattr(service, place) for place in _TEXTS}
    table: dict[str, Any] = {"kind": service.kind.value, "key": key or "", **texts, "price": service.price}
    return (
        _others(before, (*table, *_LIMITS)) | {name: it for name, it in table.items() if it} | _limits(service.budget)
    )


def rule_in(site: str, table: Mapping[str, Any]) -> DeclaredRule:
    days = tuple(sorted(set(table.get("days", DEFAULT_DAYS))))
    return DeclaredRule(site, days, bool(table.get("is_dear", False)), _budget(table))


def rule_table(rule: DeclaredRule, before: Mapping[str, Any] = {}) -> dict[str, Any]:
    """Return the table of a rule. `before`: its present table, whose other values stay."""
    table: dict[str, Any] = {"days": list(rule.days)} | ({"is_dear": True} if rule.is_dear else {})
    return _others(before, ("days", "is_dear", *_LIMITS)) | table | _limits(rule.budget)


def _others(before: Mapping[str, Any], names: Collection[str]) -> dict[str, Any]:
    """What a table has beside values of these names."""
    return {name: value for name, value in before.items() if name not in names}


def _budget(table: Mapping[str, Any]) -> Budget:
    return Budget(*(table.get(name) for name in _LIMITS))


def _limits(budget: Budget) -> dict[str, Any]:
    """The limits that are set; 0 is one."""
    return {name: value for name in _LIMITS if (value := getattr(budget, name)) is not None}


def _value(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return repr(value)
    if isinstance(value, list):
        return f"[{', '.join(_value(one) for one in value)}]"
    return _text(str(value))


def _text(text: str) -> str:
    """A basic string. JSON escapes all that TOML wants escaped, but for DEL."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
