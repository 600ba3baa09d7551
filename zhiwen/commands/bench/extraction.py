"""`bench extraction`: Zhiwen's reader of pages beside others, on labelled pages of your own."""

import tarfile
from pathlib import Path
from typing import Final

import click

from zhiwen.commands.bench.common import FILE, Output, output_options, publish, require_extra
from zhiwen.output.progress import steps
from zhiwen.output.terminal import fail

PER_SITE: Final = 26
FOLDER: Final = click.Path(exists=True, file_okay=False, path_type=Path)


@click.command()
@click.option("--data", required=True, multiple=True, type=FOLDER, help="Folder of labelled pages. Repeatable.")
@click.option("--python", type=FILE, help="Another Python, with readers that are not installed here.")
@click.option("--per-site", type=click.IntRange(1), default=PER_SITE, show_default=True, help="Pages of each site.")
@click.option("--no-baselines", is_flag=True, help="On the Chinese corpus, skip the other readers.")
@click.option("--dates", type=FILE, help="Dates of the Chinese corpus labelled by hand, JSON lines.")
@click.option("--worst", type=click.IntRange(0), default=0, help="Name so many of the worst pages of each kind.")
@output_options("the tables and what was wrong on which page")
def extraction(
    *,
    data: tuple[Path, ...],
    python: Path | None,
    per_site: int,
    no_baselines: bool,
    dates: Path | None,
    worst: int,
    output: Output,
) -> None:
    """Compare the reader of pages with others: main text, title, author, date, language, time.

    A folder may hold pages of the web at large (gold.jsonl or ground-truth.json), also packed, and a Chinese corpus.
    Needs no store.
    """
    require_extra()
    from benchmarks.extraction.dates import hand_labels  # noqa: PLC0415  # the readers load slowly
    from benchmarks.extraction.measurement import NothingToMeasure, run_extraction  # noqa: PLC0415
    from benchmarks.extraction.other_python import OtherPythonFailed  # noqa: PLC0415
    from benchmarks.extraction.report import report_of  # noqa: PLC0415
    from benchmarks.extraction.run import Options  # noqa: PLC0415

    options = Options(per_site, not no_baselines, hand_labels(dates) if dates else {})
    try:
        with steps() as progress:
            done = run_extraction(data, python, options, progress=progress)
    except NothingToMeasure:
        fail(
            f"No labelled pages in {', '.join(map(str, data))}: expected gold.jsonl, ground-truth.json or extraction/."
        )
    except (OtherPythonFailed, OSError, tarfile.TarError) as error:
        fail(f"Cannot measure: {error}")
    publish(report_of(done, worst=worst), output)
