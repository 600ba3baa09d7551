"""The trade-off as a picture: what is found of short passages and scrambled copies, against bytes and candidates."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import matplotlib as mpl

mpl.use("Agg")

from matplotlib import pyplot as plt

from benchmarks.parameters.study import Line

SHOWN: Final = ("passage-60", "passage-120", "words-30", "scrambled-15")
SIZE: Final = (10.0, 8.0)


def draw(lines: Sequence[Line], path: Path) -> None:
    """One panel a family, one dot a setting: recall against bytes, the dot as large as the candidates are many."""
    figure, panels = plt.subplots(2, 2, figsize=SIZE, layout="constrained")
    for panel, family in zip(panels.flat, SHOWN, strict=True):
        _panel(panel, [(line, _recall(line, family)) for line in lines], family)
    figure.suptitle("Recall of candidates against bytes of keys and rows, per UTF-8 byte of text")
    figure.savefig(path, dpi=110)
    plt.close(figure)


def _recall(line: Line, family: str) -> float:
    return next((share for name, share in line.recall.items() if name.endswith(family)), 0.0)


def _panel(panel: Any, points: Sequence[tuple[Line, float]], family: str) -> None:
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
