"""Results of checks as JSON and back: what a kept check holds. Pure."""

from dataclasses import asdict
from datetime import datetime
from typing import Any

from storage.intake.check_records import (
    CheckedPage,
    CheckedParty,
    CheckedResult,
    CheckedRetelling,
    CheckedSource,
    ComparedScope,
)
from storage.records.differences import Differences
from storage.records.matches import Passage
from storage.records.retellings import AlikeSentences
from storage.types import Credit, MatchKind, Relation, RetellingKind

Shape = dict[str, Any]


def result_to_json(result: CheckedResult) -> Shape:
    """The result as JSON types: times as ISO 8601, tuples as lists."""
    shape: Shape = _plain(asdict(result))
    return shape


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _plain(one) for key, one in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(one) for one in value]
    return value.isoformat() if isinstance(value, datetime) else value


def result_from_json(shape: Shape) -> CheckedResult:
    """The inverse of `result_to_json`."""
    scope = ComparedScope(**(shape["scope"] | {"newest": _moment(shape["scope"]["newest"])}))
    sources = tuple(map(_source, shape["sources"]))
    retold = tuple(map(_retelling, shape["retold"]))
    return CheckedResult(**(shape | {"scope": scope, "sources": sources, "retold": retold}))


def _source(shape: Shape) -> CheckedSource:
    passages = tuple(Passage(**(one | {"differences": Differences(**one["differences"])})) for one in shape["passages"])
    return CheckedSource(**(_common(shape) | {"kind": MatchKind(shape["kind"]), "passages": passages}))


def _retelling(shape: Shape) -> CheckedRetelling:
    told = {
        "kind": RetellingKind(shape["kind"]),
        "proof": tuple((kind, facts) for kind, facts in shape["proof"]),
        "said": tuple(shape["said"]),
        "figures": tuple(shape["figures"]),
        "particulars": tuple(shape["particulars"]),
        "sentences": tuple(
            AlikeSentences(**(one | {"particulars": tuple(one["particulars"])})) for one in shape["sentences"]
        ),
    }
    return CheckedRetelling(**(_common(shape) | told))


def _common(shape: Shape) -> Shape:
    return shape | {
        "pages": tuple(map(_page, shape["pages"])),
        "party": CheckedParty(**shape["party"]),
        "credit": Credit(shape["credit"]),
        "relation": Relation(shape["relation"]),
    }


def _page(shape: Shape) -> CheckedPage:
    times = {"published_at": _moment(shape["published_at"]), "first_seen_at": _moment(shape["first_seen_at"])}
    return CheckedPage(**(shape | times))


def _moment(value: str | None) -> datetime | None:
    return None if value is None else datetime.fromisoformat(value)
