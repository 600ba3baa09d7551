"""The result as a table and as JSON, with what it ran on."""

from collections.abc import Sequence
from typing import Any, Final

from benchmarks.young.run import Line

COLUMNS: Final = (
    "pages",
    "stores",
    "left alone",
    "accused",
    "first pages",
    "false pairs",
    "recall",
    "copies",
    "own hits",
    "seconds",
)


def rows(lines: Sequence[Line]) -> list[tuple[str, ...]]:
    return [
        (
            f"{line.size:,}",
            f"{line.draws}",
            f"{line.left_alone:.4f}",
            f"{line.accused} of {line.pages:,}",
            f"{line.first_pages}",
            ", ".join(f"{kind} {count}" for kind, count in line.false_pairs.most_common()) or "0",
            f"{line.recall:.3f}",
            f"{line.found.total()} of {line.planted.total()}",
            f"{line.own_hits}",
            f"{line.seconds:.0f}",
        )
        for line in lines
    ]


def missed(lines: Sequence[Line]) -> list[tuple[str, ...]]:
    """Size, family, found and planted of the families of which a copy was missed."""
    return [
        (f"{line.size:,}", family, f"{line.found[family]}", f"{planted}")
        for line in lines
        for family, planted in sorted(line.planted.items())
        if line.found[family] < planted
    ]


def as_json(lines: Sequence[Line]) -> list[dict[str, Any]]:
    return [
        {
            "size": line.size,
            "stores": line.draws,
            "pages": line.pages,
            "accused": line.accused,
            "first_pages": line.first_pages,
            "left_alone": line.left_alone,
            "false_pairs": dict(line.false_pairs),
            "recall": line.recall,
            "planted": dict(line.planted),
            "found": dict(line.found),
            "own_hits": line.own_hits,
            "provisional": line.provisional,
            "seconds": line.seconds,
        }
        for line in lines
    ]
