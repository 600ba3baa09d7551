"""What a question costs against the size of the store: a line that stays level is what is wanted."""

from collections import defaultdict
from pathlib import Path
from typing import TYPE_CHECKING, Final

from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from benchmarks.speed.result import SpeedResult

if TYPE_CHECKING:
    from matplotlib.axes import Axes

SIZE_INCHES: Final = (11.0, 5.0)
FORMATS: Final = ("png", "svg")


def draw(result: SpeedResult, folder: Path) -> list[Path]:
    """Writes speed.png and .svg into `folder`, which exists. Raises OSError."""
    figure = Figure(figsize=SIZE_INCHES, layout="constrained")
    FigureCanvasAgg(figure)
    left, right = figure.subplots(1, 2)
    lines: defaultdict[str, list[tuple[int, float]]] = defaultdict(list)
    for one in result.searches:
        lines[one.name].append((one.codes, one.waits.median_ms))
    _panel(left, lines, title="Codes within three bits", across="codes")
    lines.clear()
    for store in result.stores:
        for name, waited in (*store.parts.items(), ("candidates", store.candidates), ("check", store.check)):
            lines[name].append((store.pages, waited.median_ms))
    _panel(right, lines, title="Questions to a store", across="pages")
    paths = [folder / f"speed.{ending}" for ending in FORMATS]
    for path in paths:
        figure.savefig(path, metadata={"Date": None} if path.suffix == ".svg" else None)
    return paths


def _panel(axes: "Axes", lines: dict[str, list[tuple[int, float]]], *, title: str, across: str) -> None:
    for name, points in lines.items():
        axes.plot([size for size, _ in points], [ms for _, ms in points], marker=".", label=name)
    axes.set(title=title, xlabel=across, ylabel="milliseconds, median")
    if lines:
        axes.set(xscale="log", yscale="log")
        axes.legend(fontsize="small")
    axes.grid(visible=True, alpha=0.3)
