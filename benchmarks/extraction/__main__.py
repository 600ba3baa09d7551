"""`python -m benchmarks.extraction --data DIR`: measures extraction on labelled pages."""

from pathlib import Path

import click

from benchmarks.extraction.dates import hand_labels
from benchmarks.extraction.report import printed
from benchmarks.extraction.run import measure
from benchmarks.extraction.web_pages import web_pages
from benchmarks.extraction.web_readers import readers
from benchmarks.extraction.web_report import measured, printed_web

PER_SITE = 26


@click.command()
@click.option("--data", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--per-site", type=click.IntRange(1), default=PER_SITE, show_default=True, help="Pages of each site.")
@click.option("--baselines", is_flag=True, help="Also trafilatura and readability alone.")
@click.option(
    "--dates", type=click.Path(exists=True, dir_okay=False, path_type=Path), help="Dates labelled by hand, JSON lines."
)
@click.option(
    "--web",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="Folder of pages of the web at large (see benchmarks.extraction.web_pages); these alone without --data.",
)
@click.option("--worst", type=click.IntRange(0), default=0, help="Name so many of the worst pages of each kind.")
def main(
    *, data: Path | None, per_site: int, baselines: bool, dates: Path | None, web: Path | None, worst: int
) -> None:
    """Measure extraction on the labelled pages in DATA (see benchmarks.extraction.corpus), or of --web."""
    if data is None and web is None:
        raise click.UsageError("Nothing to measure: give --data, --web or both.")
    if web is not None:
        pages = web_pages(web)
        for line in printed_web(measured(pages, readers()), pages=len(pages)):
            click.echo(line)
    if data is None:
        return
    labels = {} if dates is None else hand_labels(dates)
    found = measure(data, per_site=per_site, baselines=baselines, hand_dates=labels)
    for line in printed(found, worst=worst):
        click.echo(line)


if __name__ == "__main__":
    main()
