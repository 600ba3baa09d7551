"""The study as a table, as JSON, and as a picture: recall of short passages and scrambled copies by cost."""

from collections.abc import Sequence
from dataclasses import asdict
from functools import partial
from typing import TYPE_CHECKING, Final

from benchmarks.common.report import Picture, Report, Table
from benchmarks.parameters.study import Line

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

SHOWN: Final = ("passage-60", "passage-120", "words-30", "scrambled-15")
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


def report_of(lines: Sequence[Line], header: str) -> Report:
    families = telling_families(lines)
    table = Table((*COLUMNS, *families), rows(lines, families))
    picture = Picture("parameters", (10.0, 8.0), partial(_draw, lines))
    return Report("parameters", "Keys", (header,), (table,), [asdict(line) for line in lines], picture=picture)


def _draw(lines: Sequence[Line], figure: "Figure") -> None:
    """One panel a family, one dot a setting: recall against bytes, the dot as large as the candidates are many."""
    for panel, family in zip(figure.subplots(2, 2).flat, SHOWN, strict=True):
        _panel(panel, [(line, _recall(line, family)) for line in lines], family)
    figure.suptitle("Recall of candidates against bytes of keys and rows, per UTF-8 byte of text")


def _recall(line: Line, family: str) -> float:
    return next((share for name, share in line.recall.items() if name.endswith(family)), 0.0)


def _panel(panel: "Axes", points: Sequence[tuple[Line, float]], family: str) -> None:
    for line, recall in points:
        chosen = line is points[0][0]
        size = 20 + 4 * line.candidates_median**0.5
        panel.scatter(line.bytes_share, recall, s=size, color="tab:red" if chosen else "tab:blue", alpha=0.7)
        panel.annotate(
            line.name[:28], (line.bytes_share, recall), fontsize=6, xytext=(3, 3), textcoords="offset points"
        )
    panel.set_title(family)
    panel.set_xlabel("bytes")
    panel.set_ylabel("found")
    panel.grid(visible=True, alpha=0.3)
