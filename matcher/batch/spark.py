"""The sweep on a Spark cluster: queries out and results back as Parquet files.

Every worker opens the sorted files, under the same path, and answers batches of texts with the same code as a single
machine.
"""

import os
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from threading import Event, Thread
from typing import TYPE_CHECKING, Final

from pyspark.sql import SparkSession
from pyspark.sql.pandas.types import from_arrow_schema

from matcher.batch.arrow import FOUND, answered
from matcher.batch.index import Index
from matcher.batch.progress import Interrupted

if TYPE_CHECKING:
    import pyarrow as pa

AT_ONCE: Final = 512
"""Texts in a batch: as many as one machine looks up at once."""
PARTITIONS: Final = 8
"""Tasks per core: so that the last ones to end wait little for each other."""
POLL_S: Final = 0.5


def look_up_all(
    master: str,
    asked: Path,
    index: Path,
    found: Path,
    *,
    texts: int,
    should_stop: Callable[[], bool],
    tell: Callable[[int, int], None],
) -> None:
    """Answer the queries in the file `asked` from the sorted files in the folder `index`; write the folder `found`.

    `texts`: number of queries. `master`: address of the cluster, such as `spark://host:7077` or `local[2]`. Raises
    Interrupted.
    """
    with _session(master) as spark:
        questions = spark.read.parquet(str(asked))
        most = PARTITIONS * spark.sparkContext.defaultParallelism
        questions = questions.repartition(max(1, min(most, texts // AT_ONCE)))
        answers = questions.mapInArrow(_answering(str(index)), from_arrow_schema(FOUND))
        with _watched(spark, should_stop, tell):
            try:
                answers.sortWithinPartitions("text").write.mode("overwrite").parquet(str(found))
            except Exception as error:
                if should_stop():
                    raise Interrupted from error
                raise


def _answering(index: str) -> "Callable[[Iterable[pa.RecordBatch]], Iterator[pa.RecordBatch]]":
    def answer(batches: "Iterable[pa.RecordBatch]") -> "Iterator[pa.RecordBatch]":
        return answered(_opened(index), batches)

    return answer


@lru_cache(maxsize=1)
def _opened(index: str) -> Index:
    return Index.opened(Path(index))


@contextmanager
def _session(master: str) -> Iterator[SparkSession]:
    # Workers must use this Python unless configured otherwise; a setting of the session is ignored.
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    builder = SparkSession.builder.master(master).appName("zhiwen rematch")
    settings: dict[str, str | int] = {
        "spark.sql.execution.arrow.maxRecordsPerBatch": AT_ONCE,
        "spark.ui.enabled": False,
        "spark.ui.showConsoleProgress": False,
    }
    if master.startswith("local"):
        settings |= {"spark.driver.host": "127.0.0.1", "spark.driver.bindAddress": "127.0.0.1"}
    for name, value in settings.items():
        builder = builder.config(name, value)
    spark = builder.getOrCreate()
    spark.sparkContext.setLogLevel("ERROR")
    try:
        yield spark
    finally:
        spark.stop()


@contextmanager
def _watched(spark: SparkSession, should_stop: Callable[[], bool], tell: Callable[[int, int], None]) -> Iterator[None]:
    """Report how many tasks are done, and cancel them on request."""
    is_over = Event()

    def watch() -> None:
        tracker = spark.sparkContext.statusTracker()
        while not is_over.wait(POLL_S):
            if should_stop():
                spark.sparkContext.cancelAllJobs()
            stages = filter(None, map(tracker.getStageInfo, tracker.getActiveStageIds()))
            for stage in stages:
                tell(stage.numCompletedTasks, stage.numTasks)

    watching = Thread(target=watch, daemon=True)
    watching.start()
    try:
        yield
    finally:
        is_over.set()
        watching.join()
