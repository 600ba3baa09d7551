"""The result as tables and as JSON."""

from collections.abc import Sequence
from dataclasses import fields
from typing import Any, Final

from benchmarks.common.report import Report, Table
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


def report_of(lines: Sequence[Line], *, sites: str, part: str, seed: int) -> Report:
    tables = [Table(COLUMNS, rows(lines))]
    if lost := missed(lines):
        tables.append(Table(("pages", "copies missed", "found", "planted"), lost))
    value = {"sites": sites, "part": part, "seed": seed, "lines": [_as_json(line) for line in lines]}
    return Report("young", "Young stores", (f"Pages of {sites}, part {part}, seed {seed}",), tables, value)


def _as_json(line: Line) -> dict[str, Any]:
    value = {field.name: getattr(line, field.name) for field in fields(line)}
    return value | {"stores": value.pop("draws"), "left_alone": line.left_alone, "recall": line.recall}
