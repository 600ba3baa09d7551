"""The query string of the list of hits, parsed into a filter (pure)."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, TypeVar

from admin.web.url_converters import as_key
from storage.records.matches import HitFilter
from storage.types import Credit, MatchKind, SiteRole

_LONGEST_TEXT: Final = 200

_Word = TypeVar("_Word", bound=StrEnum)


@dataclass(frozen=True, slots=True)
class HitQuery:
    where: HitFilter
    page: int
    fields: Mapping[str, str]
    """The fields that were understood, as the form and the links to other pages repeat them."""
    not_understood: tuple[str, ...]
    """Names of fields with invalid values: they are shown, not dropped silently."""


def parse_hit_query(arguments: Mapping[str, str]) -> HitQuery:
    asked = {name: value.replace("\0", "").strip()[:_LONGEST_TEXT] for name, value in arguments.items()}
    words = {
        "kind": _word(MatchKind, asked.get("kind", "")),
        "credit": _word(Credit, asked.get("credit", "")),
        "role": _word(SiteRole, asked.get("role", "")),
    }
    share = _percentage(asked.get("share", ""))
    where = HitFilter(
        site=asked.get("site") or None,
        owner=asked.get("owner") or None,
        kind=MatchKind(words["kind"]) if words["kind"] else None,
        credit=Credit(words["credit"]) if words["credit"] else None,
        role=SiteRole(words["role"]) if words["role"] else None,
        min_share=(share or 0) / 100,
        text=asked.get("text") or None,
    )
    understood = words | {"share": None if share is None else str(share)}
    wrong = tuple(name for name, value in understood.items() if asked.get(name) and value is None)
    names = ("site", "owner", "kind", "credit", "role", "share", "text")
    fields = {name: asked[name] for name in names if asked.get(name) and name not in wrong}
    return HitQuery(where, as_key(asked.get("page", "")) or 1, fields, wrong)


def _word(words: type[_Word], value: str) -> str | None:
    return value if value in set(words) else None


def _percentage(value: str) -> int | None:
    percent = as_key(value.removesuffix("%").strip())
    return percent if percent is not None and percent <= 100 else None  # noqa: PLR2004
