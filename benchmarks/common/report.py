"""Reports of benchmarks as values, and their one writer: tables, JSON and pictures."""

import json
import os
import platform
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeAlias

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Progress: TypeAlias = Callable[[str, int, int], None]
"""Called with the current step, the amount done and the total."""

Row: TypeAlias = Sequence[str]

PICTURE_FORMATS: Final = ("png", "svg")


@dataclass(frozen=True, slots=True)
class RanOn:
    """Program and machine: the first fields of every result. `load`: of the machine at the end."""

    version: str
    python: str
    machine: str
    cores: int
    load: float

    @property
    def line(self) -> str:
        return f"Zhiwen {self.version}, Python {self.python}, {self.machine}, {self.cores} cores, load {self.load:.1f}."


def this_machine() -> dict[str, Any]:
    """The current values of the fields of RanOn."""
    return asdict(
        RanOn(
            version=version("zhiwen"),
            python=platform.python_version(),
            machine=f"{platform.system()} {platform.machine()}",
            cores=os.cpu_count() or 1,
            load=os.getloadavg()[0],
        )
    )


@dataclass(frozen=True, slots=True)
class Table:
    columns: Row
    rows: Sequence[Row]
    title: str = ""


@dataclass(frozen=True, slots=True)
class Picture:
    """`draw` fills an empty figure of `inches`."""

    name: str
    inches: tuple[float, float]
    draw: "Callable[[Figure], object]"


@dataclass(frozen=True, slots=True)
class Report:
    """A result prepared for output. `name`: of its files; `value`: the result as JSON; `notes`: in Markdown only.

    `files`: the text of further files by name.
    """

    name: str
    title: str
    header: Sequence[str]
    tables: Sequence[Table]
    value: dict[str, Any] | list[dict[str, Any]]
    notes: Sequence[str] = ()
    picture: Picture | None = None
    files: Mapping[str, str] = field(default_factory=dict)


def as_markdown(report: Report) -> str:
    parts = [f"# {report.title}", "\n".join(report.header)]
    for table in report.tables:
        parts += [f"## {table.title}"] if table.title else []
        parts.append("\n".join(_markdown_lines(table)))
    parts += ["\n".join(f"* {note}" for note in report.notes)] if report.notes else []
    return "\n\n".join(parts) + "\n"


def _markdown_lines(table: Table) -> Iterator[str]:
    """Markdown lines with the first column aligned left and figures right."""
    marks = ("---", *["---:"] * (len(table.columns) - 1))
    for row in (table.columns, marks, *table.rows):
        yield "| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |"


def write(report: Report, folder: Path) -> list[Path]:
    """Writes NAME.json and NAME.md, the picture if matplotlib is installed, and further files. Raises OSError."""
    folder.mkdir(parents=True, exist_ok=True)
    contents = {
        f"{report.name}.json": json.dumps(report.value, ensure_ascii=False, indent=1, default=str) + "\n",
        f"{report.name}.md": as_markdown(report),
        **report.files,
    }
    for name, content in contents.items():
        (folder / name).write_text(content, encoding="utf-8", errors="backslashreplace")
    drawn = [] if report.picture is None or find_spec("matplotlib") is None else _drawn(report.picture, folder)
    return [*(folder / name for name in contents), *drawn]


def _drawn(picture: Picture, folder: Path) -> list[Path]:
    from matplotlib.backends.backend_agg import FigureCanvasAgg  # noqa: PLC0415  # of the bench extra
    from matplotlib.figure import Figure  # noqa: PLC0415

    figure = Figure(figsize=picture.inches, layout="constrained")
    FigureCanvasAgg(figure)
    picture.draw(figure)
    paths = [folder / f"{picture.name}.{ending}" for ending in PICTURE_FORMATS]
    for path in paths:
        figure.savefig(path, dpi=100, metadata={"Date": None} if path.suffix == ".svg" else None)
    return paths


def json_lines(items: Iterable[Any]) -> str:
    """Dataclasses as lines of JSON."""
    return "".join(json.dumps(asdict(item), ensure_ascii=False) + "\n" for item in items)
