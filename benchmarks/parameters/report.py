"""The study as rows of a table."""

from collections.abc import Sequence
from typing import Final

from benchmarks.parameters.study import Line

COLUMNS: Final = ("setting", "keys", "bytes", "asked", "candidates", "95 %")
SHORT_OF_ALL: Final = 0.995
"""Families that every setting finds this share of say nothing about the choice."""


def telling_families(lines: Sequence[Line]) -> list[str]:
    """The families in which settings differ."""
    names = lines[0].recall if lines else {}
    return [name for name in names if min(line.recall[name] for line in lines) < SHORT_OF_ALL]


def rows(lines: Sequence[Line], families: Sequence[str]) -> list[tuple[str, ...]]:
    """A cell of a family: the share found in the store as it is, and in one of a million texts."""
    return [
        (
            line.name,
            f"{line.keys_per_text:.0f}",
            f"{line.bytes_share:.2f}",
            f"{line.asked_keys:.0f}",
            f"{line.candidates_median:.0f}",
            f"{line.candidates_p95:.0f}",
            *(f"{line.recall[name]:.2f} {line.recall_at_a_million[name]:.2f}" for name in families),
        )
        for line in lines
    ]


def markdown(lines: Sequence[Line], families: Sequence[str]) -> str:
    header = (*COLUMNS, *families)
    body = "\n".join("| " + " | ".join(row) + " |" for row in rows(lines, families))
    return "\n".join(["| " + " | ".join(header) + " |", "|" + "---|" * len(header), body, ""])
