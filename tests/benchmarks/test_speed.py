"""The measure of speed: what is made up is as skewed as it says, the references find what they must, and a run ends."""

import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from sqlalchemy import Engine, func, select
from sqlalchemy.orm import Session

from benchmarks.common.report import write
from benchmarks.speed.report import report_of
from benchmarks.speed.run import Part, SpeedRanOn, SpeedResult, measure_steps, sizes_up_to
from benchmarks.speed.steps.backlog import Emptied, measure_backlog
from benchmarks.speed.steps.candidates import ask_candidates
from benchmarks.speed.steps.lookups import StoreAsked, ask
from benchmarks.speed.steps.peers import NAIVE
from benchmarks.speed.steps.pipeline_stages import WHOLE
from benchmarks.speed.steps.rematch import Swept, WorkedOff, measure_sweep
from benchmarks.speed.steps.search_rounds import Searched
from benchmarks.speed.steps.simhash_searches import OURS, in_postgres, searches
from benchmarks.speed.steps.timing import Task, in_turns, ratio, spread, waits
from benchmarks.speed.store.fill import Filling, fill_codes
from benchmarks.speed.store.growth import Growing, habit_of
from benchmarks.speed.store.material import COPIES, Material, TooFewTexts, material_of
from benchmarks.speed.store.rows import PLANTED_EVERY, Rows, carries_notice, is_story
from benchmarks.speed.store.simhash_generator import CodeModel, near, sums_of
from benchmarks.speed.store.stores import NoRoom, Stores, delete_all
from benchmarks.speed.store.text_generator import articles
from fingerprint.compute import fingerprint_text
from fingerprint.simhash import distance, simhash_of
from storage.engine import make_engine
from storage.models.matches import Boilerplate
from storage.models.pages import Page, StoredFingerprint, Text
from zhiwen.commands.bench.speed import PARTS, speed

SEED = 7
PAGES = 4_200
"""As many as all planted texts need."""


def nobody_listens(_what: str, _done: int, _whole: int) -> None:
    """The progress of a test is of no interest."""


@pytest.fixture(scope="module")
def material() -> Material:
    return material_of(articles(SEED, 400, 600), seed=SEED, chars=600)


def test_made_up_articles_are_of_one_length_and_the_same_for_a_seed() -> None:
    first, again, other = (articles(seed, 3, 500) for seed in (1, 1, 2))

    assert first == again
    assert set(first).isdisjoint(other)
    assert {len(text) for text in first} == {500}


def test_keys_go_on_repeating_themselves_as_they_did() -> None:
    chance = np.random.default_rng(SEED)
    keys = chance.zipf(1.3, 20_000).clip(max=2**31 - 1).astype(np.int32)
    half = keys[:10_000]

    growing = Growing(half, room=10_000, chance=chance)
    grown = np.concatenate([half, growing.draw(10_000)])

    assert len(np.unique(grown)) == pytest.approx(len(np.unique(keys)), rel=0.15)
    most = np.bincount(half.clip(max=1_000)).argmax()
    assert (grown == most).sum() == pytest.approx(2 * (half == most).sum(), rel=0.1)
    assert growing.frequent(1_000)[int(most)] == (grown == most).sum()


def test_new_keys_come_as_often_as_keys_that_stand_there_once_say() -> None:
    keys = np.array([1, 1, 1, 2, 2, 3, 4, 5, 6, 7], dtype=np.int32)

    assert habit_of(keys).share_of_new(10, 7) == pytest.approx(0.5)


def test_codes_are_drawn_with_the_bias_of_each_bit(material: Material) -> None:
    sums = sums_of(material.texts)
    drawn = CodeModel(sums, np.random.default_rng(SEED)).draw(4_000)

    places = np.arange(64, dtype=np.uint64)
    shares = (drawn[:, np.newaxis] >> places & np.uint64(1)).mean(axis=0)
    assert shares == pytest.approx((sums > 0).mean(axis=0), abs=0.12)


def test_the_signs_of_the_sums_are_the_simhash() -> None:
    text = articles(SEED, 1, 600)[0]
    signs = sums_of([text])[0] > 0

    assert sum(1 << place for place in np.flatnonzero(signs).tolist()) == fingerprint_text(text).simhash
    assert simhash_of(np.array([5], dtype=np.uint64), np.ones(1)) == 5


def test_every_way_of_searching_finds_the_same_near_codes(clean_database_url: str) -> None:
    chance = np.random.default_rng(SEED)
    codes = chance.integers(0, 2**64, 600, dtype=np.uint64)
    codes[1] = near(int(codes[0]), 3, chance)
    codes[2] = near(int(codes[0]), 4, chance)
    engine = make_engine(clean_database_url)
    fill_codes(engine, codes, schema="codes", progress=nobody_listens)
    ways = searches(codes)
    ways[OURS] = in_postgres(engine, schema="codes")

    for source in (0, 1, 300):
        asked = near(int(codes[source]), 3, chance)
        expected = {place for place, code in enumerate(codes.tolist()) if distance(code, asked) <= 3}
        assert source in expected
        for name, search in ways.items():
            assert set(search(asked)) == expected, name
    assert len(ways) == 8
    with Session(engine) as session:
        assert session.scalar(select(func.count()).select_from(StoredFingerprint)) == 0
    engine.dispose()


@pytest.fixture(scope="module")
def rows(material: Material) -> Rows:
    return Rows(material, pages=PAGES, seed=SEED)


@pytest.fixture
def filled(clean_database_url: str, rows: Rows) -> Iterator[Engine]:
    engine = make_engine(clean_database_url)
    Filling(engine, rows).grow_to(PAGES, progress=nobody_listens)
    yield engine
    engine.dispose()


def test_planted_copies_are_found_and_what_a_bound_cuts_is_counted(
    filled: Engine, material: Material, tmp_path: Path
) -> None:
    with Session(filled) as session:
        assert session.scalar(select(func.count()).select_from(Page)) == PAGES
        assert session.scalar(select(func.count()).select_from(StoredFingerprint)) == PAGES
        assert session.scalar(select(Text.body).where(Text.id == PLANTED_EVERY)) == material.planted[0]
        assert session.scalars(select(Boilerplate.id).where(Boilerplate.proves_nothing)).all()
    few = Material(material.texts, material.planted, material.story, material.probes[:12], is_made_up=True)

    asked = ask(filled, few, pages=PAGES, progress=nobody_listens)

    by_family = {one.family: one for one in asked.families}
    for family in COPIES:
        assert (by_family[family].copies, by_family[family].candidates_found) == (2, 2)
        assert by_family[family].checks_found == 2
    assert by_family["the story again"].cut > 0
    assert asked.check.count == asked.candidates.count == 12
    assert asked.check_uncrowded.count == 8
    assert asked.bytes_a_page > asked.text_bytes_a_page > 600
    swept = measure_sweep(filled, [probe.text for probe in few.probes], pages=PAGES, seed=SEED)
    assert swept.named > len(COPIES)
    _is_shown(asked, swept, tmp_path)


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    yield tmp_path / "stores"
    delete_all(tmp_path / "stores")


def test_candidates_are_looked_up_in_a_store_of_fingerprints_alone(
    material: Material, folder: Path, tmp_path: Path
) -> None:
    few = Material(material.texts, material.planted, material.story, material.probes[:12], is_made_up=True)
    # The disk of the machine that runs this test may be almost full.
    stores = Stores(folder, lambda: few, seed=SEED, least_free=0)

    with stores.opened_fingerprints(PAGES, progress=nobody_listens) as engine:
        with Session(engine) as session:
            assert session.scalar(select(func.count()).select_from(Page)) == 0
            assert session.scalar(select(func.max(func.length(Text.body)))) < 40
        asked = ask_candidates(engine, few, texts=PAGES, progress=nobody_listens)

    assert (asked.found, asked.copies, asked.candidates.count, asked.uncrowded.count) == (6, 6, 12, 8)
    ran_on = SpeedRanOn("1", "3.11", "Linux", 2, 0.5, SEED, 600, is_made_up=True, missing=())
    write(report_of(SpeedResult(ran_on, (), fingerprints=(asked,))), tmp_path / "out")
    table = (tmp_path / "out" / "speed.md").read_text("utf-8")
    assert f"| {PAGES:,} | candidates, without notice and story |" in table
    assert "found 6 of 6" in table
    assert "Steps and peers" not in table


def test_a_store_of_fingerprints_leaves_room_on_the_disk(material: Material, folder: Path) -> None:
    stores = Stores(folder, lambda: material, seed=SEED, least_free=1 << 60)
    opened = stores.opened_fingerprints(PAGES, progress=nobody_listens)

    with pytest.raises(NoRoom, match="GB of disk are left after 4,200 of 4,200"), opened:
        pass

    assert not list((folder / f"fingerprints-{PAGES}").glob("postgres*"))


def test_each_part_can_be_measured_by_itself() -> None:
    assert tuple(Part) == PARTS


def _is_shown(asked: StoreAsked, swept: Swept, folder: Path) -> None:
    ran_on = SpeedRanOn("1", "3.11", "Linux", 2, 0.5, SEED, 600, is_made_up=True, missing=("jieba",))
    searched = Searched(OURS, 100, waits([0.001, 0.003]), 2, 2)
    result = SpeedResult(
        ran_on,
        (),
        processes=((10.0, 19.0),),
        searches=(searched,),
        stores=(asked,),
        sweeps=(swept,),
        workers=(WorkedOff(400, 2, 9.5, 61.25, 400, 0),),
        backlogs=(Emptied(2, 9_000, 250.04, 3.96, None, 9_000, 1_012),),
    )

    written = write(report_of(result), folder)

    assert all(path.stat().st_size for path in written)
    table = (folder / "speed.md").read_text("utf-8")
    assert "| Zhiwen (Postgres) | 100 | 2.00 | 3.00 | 3.00 | 2 of 2 |" in table
    assert "| 2 | 400 | 9.5 | 61.2 | 400 | 0 |" in table
    assert "| 2 | 9,000 | 250.0 | 4.0 |  | 9,000 | 1,012 |" in table
    assert f"| {PAGES:,} | {swept.files_s:.1f} |" in table
    assert "| two processes : one | 1.90 | 1.90–1.90 |" in table
    assert "Left out, not installed: jieba." in table
    value = json.loads((folder / "speed.json").read_text("utf-8"))
    assert value["stores"][0]["pages"] == PAGES
    assert value["ratios"]["two processes : one"]["median"] == pytest.approx(1.9)


def test_a_backlog_is_compared_to_its_end_by_one_process_and_by_two() -> None:
    texts = articles(SEED, 32, 700)

    one, two = measure_backlog(texts, seed=SEED, progress=nobody_listens)

    assert (one.processes, two.processes) == (1, 2)
    assert one.pages == one.compared == two.compared == 32 + 4
    assert one.hits == two.hits >= 3
    assert min(one.rate, two.rate, one.program_ms) > 0


def test_a_page_is_the_story_or_carries_the_notice_at_its_turn() -> None:
    numbers = range(1, 1_001)

    assert sum(map(is_story, numbers)) == 50
    assert sum(map(carries_notice, numbers)) == 200
    assert not any(is_story(number) and carries_notice(number) for number in numbers)


def test_every_step_and_peer_is_measured_on_the_same_texts(material: Material) -> None:
    few = Material(material.texts[:40], material.planted, material.story, material.probes, is_made_up=True)

    result = measure_steps(few, rounds=1, share=2, progress=nobody_listens)

    names = {timing.name for timing in result.timings}
    assert {WHOLE, NAIVE, "slices", "seeds", "alignment with copies", "MinHash 128 (rensa)"} <= names
    assert all(timing.rate > 0 for timing in result.timings)
    assert not result.ran_on.missing
    assert set(result.ratios) == {f"fingerprint : {NAIVE}", "fingerprint : MinHash 128 (datasketch)"}


def test_each_task_is_done_once_a_round_and_once_before() -> None:
    done: list[str] = []

    def task(name: str) -> Task:
        def work() -> int:
            done.append(name)
            return 1

        return Task(name, work)

    timed = in_turns([task("a"), task("b"), task("c")], rounds=3, progress=lambda *_: None)

    assert "".join(done) == "abcbcacababc"
    assert [len(one.cpu_s) for one in timed] == [3, 3, 3]


def test_ratios_are_of_one_round_and_waits_are_of_the_slowest() -> None:
    measured = waits([0.001] * 98 + [0.009, 0.5])

    assert (measured.median_ms, measured.p99_ms, measured.most_ms) == pytest.approx((1.0, 9.0, 500.0))
    assert spread([1.0, 2.0, 3.0]).median == 2.0
    fast, slow = in_turns([Task("fast", lambda: 1_000), Task("slow", lambda: 1)], rounds=5, progress=lambda *_: None)
    assert ratio(fast, slow).low <= ratio(fast, slow).median <= ratio(fast, slow).high


@pytest.mark.parametrize(("scale", "sizes"), [(5_000, [5_000]), (10_000, [10_000]), (30_000, [10_000, 30_000])])
def test_stores_grow_tenfold_up_to_the_scale(scale: int, sizes: list[int]) -> None:
    assert sizes_up_to(scale) == sizes


def test_a_corpus_of_few_long_articles_is_refused() -> None:
    with pytest.raises(TooFewTexts, match="400 are the least"):
        material_of(["短文"] * 900, seed=1)


def test_a_store_that_is_too_small_is_wrong_usage() -> None:
    answer = CliRunner().invoke(speed, ["--scale", "4999"])

    assert answer.exit_code == 2
    assert "4999" in answer.output
