"""The precision-recall picture: one curve a method, a dot where there is only one setting."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from benchmarks.quality.scoring.result import MethodResult

SIZE_INCHES: Final = (7.0, 5.0)
FORMATS: Final = ("png", "svg")


def draw(methods: Sequence[MethodResult], folder: Path) -> list[Path]:
    """Writes precision-recall.png and .svg into `folder`, which exists. Raises OSError."""
    figure = Figure(figsize=SIZE_INCHES, layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.add_subplot()
    for method in methods:
        recall = [point.recall for point in method.curve]
        precision = [point.precision for point in method.curve]
        axes.plot(recall, precision, marker="." if len(recall) < 2 else "", label=method.name)
    axes.set(xlabel="recall: copies of which a source is named", ylabel="precision of the pairs named")
    axes.set(xlim=(0, 1.02), ylim=(0, 1.02))
    axes.grid(visible=True, alpha=0.3)
    axes.legend(loc="lower left")
    paths = [folder / f"precision-recall.{ending}" for ending in FORMATS]
    for path in paths:
        figure.savefig(path, metadata={"Date": None} if path.suffix == ".svg" else None)
    return paths
