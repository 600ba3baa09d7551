"""`python -m benchmarks.spark_cluster`: the candidates of a generated store, from one process and from a cluster."""

import os
import tempfile
from contextlib import ExitStack
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Final

import click

from benchmarks.spark_cluster.cluster import HOST, spark_cluster
from benchmarks.speed.store.material import material_of
from benchmarks.speed.store.stores import Stores
from matcher.batch.export import export
from matcher.batch.index import Index
from matcher.worker.rematch import BLOCK, Finder, OnThisMachine
from matcher.worker.rematch_spark import OnSpark

if TYPE_CHECKING:
    from sqlalchemy import Engine

SEED: Final = 1


@click.command()
@click.option("--pages", type=click.IntRange(5_000), default=10_000, show_default=True, help="Pages of the store.")
@click.option("--workers", type=click.IntRange(1), default=2, show_default=True, help="Workers, with a core each.")
@click.option("--stores", type=click.Path(file_okay=False, path_type=Path), help="Folder to keep the stores in.")
def main(*, pages: int, workers: int, stores: Path | None) -> None:
    """Fills a store, looks all its texts up in one process and on a cluster, and compares every answer.

    The exit code is 1 where they differ.
    """
    with ExitStack() as stack:
        scratch = Path(stack.enter_context(tempfile.TemporaryDirectory(dir="/tmp")))
        kept = Stores(stores or scratch / "stores", lambda: material_of(None, seed=SEED), seed=SEED)
        engine = stack.enter_context(kept.opened(pages, progress=_quiet))
        began = perf_counter()
        export(engine, scratch / "files", should_stop=_never, tell=_quiet)
        _say("sorted files", perf_counter() - began, pages)
        here = _candidates(OnThisMachine(), engine, scratch / "files", "one process", pages)
        (scratch / "logs").mkdir()
        os.environ["SPARK_LOCAL_IP"] = HOST
        address = stack.enter_context(spark_cluster(scratch / "logs", workers=workers))
        there = _candidates(OnSpark(address), engine, scratch / "files", f"Spark, {workers} workers", pages)
    pairs = sum(len(named) for named in here.values())
    click.echo(f"{pairs} candidates, the same from both: {here == there}")
    raise SystemExit(here != there)


def _candidates(finder: Finder, engine: "Engine", folder: Path, name: str, pages: int) -> dict[int, tuple[object, ...]]:
    """All candidates of each text."""
    index = Index.opened(folder)
    began = perf_counter()
    finder.prepare(engine, folder, should_stop=_never, tell=_quiet)
    found: dict[int, tuple[object, ...]] = {}
    for start in range(0, len(index.ids), BLOCK):
        places = range(start, min(start + BLOCK, len(index.ids)))
        for text_id, one in finder.found(engine, folder, index, places).items():
            hits = (*one.seeds.hits().hits, *one.slices.hits().hits)
            found[text_id] = (*one.near.pairs(), *hits, one.near.cut, one.seeds.cut, one.slices.cut)
    _say(name, perf_counter() - began, pages)
    return found


def _say(name: str, seconds: float, pages: int) -> None:
    click.echo(f"{name:<20}{seconds:>8.1f} s{pages / seconds:>10,.0f} texts/s")


def _quiet(_what: str, _done: int, _whole: int) -> None:
    """Reports no progress."""


def _never() -> bool:
    return False


if __name__ == "__main__":
    main()
