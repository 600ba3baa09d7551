"""Candidates from Spark: the same as from this machine. They need the extra `spark` and Java, so they are asked for."""

import os
from pathlib import Path

import pytest
from sqlalchemy import Engine, delete

from matcher.batch.export import export
from matcher.batch.index import Index
from matcher.batch.model import LookedUp
from matcher.worker.backlog import work_off
from matcher.worker.rematch import OnThisMachine
from storage.engine import transaction
from storage.matches import hits as match_hits
from storage.models.matches import Match, PageMatch
from tests.support.disguises import swap_homophones
from tests.support.factories import STORIES, an_article, commit, story, text_of
from tests.support.processes.worker_process import PATIENCE_S, program

pytestmark = pytest.mark.skipif(
    "ZHIWEN_TEST_SPARK" not in os.environ,
    reason="Spark and Java are optional: install them (docs/scaling.md) and set ZHIWEN_TEST_SPARK=1",
)


@pytest.fixture
def store(engine: Engine) -> Engine:
    for slug in STORIES[:3]:
        edited = swap_homophones(story(slug), share=0.2, seed=1)
        commit(engine, [an_article(f"source-{slug}", story(slug)), an_article(f"copy-{slug}", edited, hours=5)])
    commit(engine, [an_article(f"alone{number}", text_of(number)) for number in range(3)])
    work_off(engine, should_stop=lambda: False)
    return engine


def values(found: LookedUp) -> tuple[object, ...]:
    shared = (found.seeds.hits(), found.slices.hits())
    return (found.near.pairs(), found.near.cut, *((some.hits, some.cut, some.frequencies) for some in shared))


def test_answers_come_out_of_arrow_as_they_went_in(store: Engine, tmp_path: Path) -> None:
    import pyarrow as pa  # noqa: PLC0415
    import pyarrow.parquet as pq  # noqa: PLC0415

    from matcher.batch.arrow import from_table, read_found, to_batch  # noqa: PLC0415  # only where it is installed

    export(store, tmp_path, should_stop=lambda: False, tell=lambda *_: None)
    index = Index.opened(tmp_path)
    found = OnThisMachine().found(store, tmp_path, index, range(len(index.ids)))

    table = pa.Table.from_batches([to_batch(list(found), list(found.values()))])
    pq.write_table(table, tmp_path / "found.parquet")
    middle = read_found(tmp_path / "found.parquet", int(index.ids[2]), int(index.ids[4]))

    assert {text_id: values(one) for text_id, one in from_table(table).items()} == {
        text_id: values(one) for text_id, one in found.items()
    }
    assert sorted(middle) == index.ids[2:5].tolist()
    assert any(one.seeds.hits().hits for one in found.values())


def hits(engine: Engine) -> set[tuple[str, str, str, float]]:
    with transaction(engine) as session:
        return {(hit.copy.url, hit.source.url, hit.kind, hit.score) for hit in match_hits.list_hits(session)}


def test_a_rematch_on_spark_finds_what_this_machine_finds(
    store: Engine, clean_database_url: str, tmp_path: Path
) -> None:
    before = hits(store)
    with transaction(store) as session:
        session.execute(delete(PageMatch))
        session.execute(delete(Match))

    with (
        (tmp_path / "log").open("wb") as log,
        program(clean_database_url, tmp_path, "rematch", "--engine", "spark", "--master", "local[1]", log=log) as child,
    ):
        code = child.wait(PATIENCE_S)

    said = (tmp_path / "log").read_text("utf-8", "replace")
    assert code == 0, said
    assert "looking up on Spark" in said
    assert hits(store) == before
    assert len(before) == 3
