"""Who is found by bands, seeds and slices: all that should be, best first, by the index."""

import random
import time
from itertools import combinations

import pytest
from sqlalchemy import Engine, text
from sqlalchemy.orm import Session

from fingerprint.compute import fingerprint_text
from fingerprint.model import ALGORITHM_VERSION, SIMHASH_BITS
from fingerprint.simhash import bands, distance, probe_neighbours
from storage.engine import make_engine, transaction
from storage.fingerprints import boilerplate, candidates, frequent_terms
from storage.postgres import planner
from storage.postgres.prepared_statements import Prepared
from storage.records.candidates import BoilerplateRun, StoredText, TextHit
from tests.support.factories import a_fingerprint, an_article, commit, save, save_fingerprints, story, text_of

OLDER = ALGORITHM_VERSION + 1_000
ANY_DISTANCE = 1_000
VACUUMS = 120


def flipped(simhash: int, bits: tuple[int, ...]) -> int:
    for bit in bits:
        simhash ^= 1 << bit
    return simhash


def near_and_far(chosen: random.Random, centre: int) -> list[int]:
    """Numbers at every distance from 0 to 12, and some that are anywhere."""
    flips = [tuple(chosen.sample(range(SIMHASH_BITS), number)) for number in range(13) for _ in range(12)]
    anywhere = [chosen.getrandbits(SIMHASH_BITS) for _ in range(60)]
    return list(dict.fromkeys([*(flipped(centre, bits) for bits in flips), *anywhere]))


@pytest.mark.parametrize("centre", [0, (1 << 64) - 1, 0x8000_0000_0000_0000, 0x0123_4567_89AB_CDEF], ids=hex)
@pytest.mark.parametrize(("within", "with_neighbours"), [(3, False), (7, True)])
def test_bands_find_all_within_the_distance_that_they_promise(
    session: Session, centre: int, within: int, with_neighbours: bool
) -> None:
    stored = near_and_far(random.Random(centre), centre)  # noqa: S311  # repeatable, nothing secret
    ids = save_fingerprints(session, [a_fingerprint(simhash=simhash) for simhash in stored])
    probes = probe_neighbours(centre) if with_neighbours else [[band] for band in bands(centre)]

    found, cut = candidates.by_bands(session, centre, probes, distance=within, bound=1_000)

    by_hand = {text_id: distance(centre, simhash) for text_id, simhash in zip(ids, stored, strict=True)}
    assert dict(found) == {text_id: bits for text_id, bits in by_hand.items() if bits <= within}
    assert found == sorted(found, key=lambda item: (item[1], item[0]))
    assert cut == 0


def test_every_two_bits_that_differ_still_leave_a_band(session: Session) -> None:
    centre = 0xFEDC_BA98_7654_3210
    stored = [flipped(centre, pair) for pair in combinations(range(0, SIMHASH_BITS, 5), 2)]
    ids = save_fingerprints(session, [a_fingerprint(simhash=simhash) for simhash in stored])

    found, _ = candidates.by_bands(session, centre, [[band] for band in bands(centre)], distance=3, bound=1_000)

    assert {text_id for text_id, _ in found} == set(ids)


def test_what_the_bound_leaves_out_by_bands_is_counted_and_farthest(session: Session) -> None:
    ids = save_fingerprints(session, [a_fingerprint(simhash=(1 << bits) - 1) for bits in range(6)])

    found, cut = candidates.by_bands(session, 0, probe_neighbours(0), distance=7, bound=2)

    assert (found, cut) == ([(ids[0], 0), (ids[1], 1)], 4)


def test_a_crowd_that_waits_for_its_fingerprints_hides_no_text_that_has_its_own(session: Session) -> None:
    *_, far = save_fingerprints(
        session, [*(a_fingerprint(simhash=0, version=OLDER) for _ in range(30)), a_fingerprint(simhash=0b111)]
    )

    assert candidates.by_bands(session, 0, probe_neighbours(0), distance=7, bound=2) == ([(far, 3)], 30)


def test_a_text_with_fingerprints_of_two_versions_is_found_once(session: Session) -> None:
    (one,) = save_fingerprints(session, [a_fingerprint(simhash=0)])
    session.execute(
        text(
            "INSERT INTO fingerprint SELECT text_id, algorithm_version + 1000, simhash, band_0, band_1, band_2, band_3,"
            " feature_count, unit_count, slices, seeds FROM fingerprint"
        )
    )

    assert candidates.by_bands(session, 0, probe_neighbours(0), distance=7, bound=9)[0] == [(one, 0)]


def test_a_text_does_not_find_itself_and_texts_without_a_simhash_are_not_found(session: Session) -> None:
    me, _ = save_fingerprints(session, [a_fingerprint(simhash=0, seeds=[1], slices=[1]), a_fingerprint()])

    assert candidates.by_bands(session, 0, probe_neighbours(0), distance=7, bound=9, self_id=me) == ([], 0)
    assert candidates.by_keys(session, seeds=[1], bound=9, self_id=me).seeds.hits == ()
    assert candidates.by_keys(session, slices=[1], bound=9, self_id=me).slices.hits == ()


def test_fingerprints_of_another_algorithm_are_not_compared(session: Session) -> None:
    save_fingerprints(session, [a_fingerprint(simhash=0, seeds=[1], slices=[1], version=OLDER)])

    assert candidates.by_bands(session, 0, probe_neighbours(0), distance=7, bound=9) == ([], 0)
    assert candidates.by_keys(session, seeds=[1], bound=9).seeds.hits == ()
    assert candidates.by_keys(session, slices=[1], bound=9).slices.hits == ()


def test_texts_are_ranked_by_the_rarity_of_what_they_share(session: Session) -> None:
    common, rare = list(range(10)), 777
    crowd = [a_fingerprint(seeds=common) for _ in range(30)]
    *crowd_ids, only_source = save_fingerprints(session, [*crowd, a_fingerprint(seeds=[rare])])

    found = candidates.by_keys(session, seeds=[*common, rare], bound=5).seeds

    assert found.hits[0] == TextHit(only_source, shared=1, rarity=1.0, keys=(rare,))
    assert [hit.text_id for hit in found.hits[1:]] == sorted(crowd_ids)[:4]
    assert found.hits[1].shared == 10
    assert found.hits[1].rarity == pytest.approx(10 / 30)
    assert found.cut == 31 - 5
    assert found.frequencies == dict.fromkeys(common, 30) | {rare: 1}


def test_slices_reach_over_the_whole_range_of_an_integer(session: Session) -> None:
    ends = [-(1 << 31), -1, 0, (1 << 31) - 1]
    (one,) = save_fingerprints(session, [a_fingerprint(slices=ends)])

    assert candidates.by_keys(session, slices=ends, bound=9).slices.hits == (TextHit(one, 4, 4.0, tuple(ends)),)


def test_asking_for_a_key_twice_counts_it_once_and_for_none_finds_none(session: Session) -> None:
    (one,) = save_fingerprints(session, [a_fingerprint(seeds=[5, 6])])

    assert candidates.by_keys(session, seeds=[5, 5, 7], bound=9).seeds.hits == (TextHit(one, 1, 1.0, (5,)),)
    assert candidates.by_keys(session, seeds=[], bound=9).seeds.hits == ()


def test_what_is_shared_is_what_brute_force_finds(session: Session) -> None:
    chosen = random.Random(8)  # noqa: S311  # repeatable, nothing secret
    stored = [frozenset(chosen.choices(range(-40, 40), k=chosen.randint(0, 15))) for _ in range(80)]
    ids = save_fingerprints(session, [a_fingerprint(seeds=keys) for keys in stored])
    asked = set(chosen.sample(range(-40, 40), 12))

    found = candidates.by_keys(session, seeds=asked, bound=1_000).seeds

    shared = {text_id: len(keys & asked) for text_id, keys in zip(ids, stored, strict=True) if keys & asked}
    frequency = {key: sum(key in keys for keys in stored) for key in asked}
    assert {hit.text_id: hit.shared for hit in found.hits} == shared
    assert found.frequencies == {key: texts for key, texts in frequency.items() if texts}
    assert [hit.rarity for hit in found.hits] == sorted((hit.rarity for hit in found.hits), reverse=True)


def test_texts_come_with_all_that_judging_them_needs(session: Session) -> None:
    (saved,) = save(session, an_article("one", story()))

    found = candidates.texts_by_id(session, [saved.text_id, saved.text_id + 1_000])

    assert found == {saved.text_id: StoredText(saved.text_id, story(), family_id=None)}


def test_a_text_that_waits_for_the_fingerprint_of_this_version_is_not_judged(session: Session) -> None:
    (waits,) = save_fingerprints(session, [a_fingerprint(seeds=[1], version=OLDER)])

    assert candidates.texts_by_id(session, [waits]) == {}


def called(session: Session, statement: Prepared) -> str:
    statement.ready(session)
    return str(statement.call)


@pytest.mark.parametrize(
    ("statement", "index"),
    [
        (candidates._TEXTS_BY_KIND["seeds"], "ix_fingerprint_seeds"),
        (candidates._TEXTS_BY_KIND["slices"], "ix_fingerprint_slices"),
    ],
    ids=["seeds", "slices"],
)
def test_keys_are_looked_up_by_their_index(session: Session, statement: Prepared, index: str) -> None:
    save(session, *(an_article(f"host{number}", text_of(number)) for number in range(60)))
    session.execute(text("ANALYZE fingerprint"))
    asked = fingerprint_text(text_of(3))
    keys = list(asked.seeds if index.endswith("seeds") else asked.slices)
    rare, hot = keys[1:], keys[:1]
    lists = {
        "keys": keys,
        "rare": rare,
        "first_holders": [1, 2],
        "frequent_asked": hot,
        "frequent_keys": hot,
        "frequent_texts": [9],
    }
    bounds = {"scan": 5, "named": 2, "bound": 9, "self": candidates.NO_TEXT, "version": ALGORITHM_VERSION}
    parameters = {**lists, **bounds}

    with planner.indexes_forced(session, alone=True):
        plan = "\n".join(session.scalars(text(f"EXPLAIN {called(session, statement)}"), parameters))

    assert plan.count(f"Bitmap Index Scan on {index}") == 1
    assert plan.count("Index Scan using pk_fingerprint") == 1, "those known to have held a hot key first"
    assert "Seq Scan" not in plan


HOT = 60
"""Texts from which on a key of these tests is hot."""


def hot_store(session: Session, *, texts: int = 200) -> list[int]:
    """Each holds the seeds 1 and 2 and one of its own; the database has counted them."""
    ids = save_fingerprints(session, [a_fingerprint(seeds=(1, 2, 1_000 + number)) for number in range(texts)])
    session.execute(text("ANALYZE fingerprint"))
    return ids


def test_a_hot_key_does_not_hide_the_text_that_shares_a_rare_one(session: Session) -> None:
    ids = hot_store(session)

    found = candidates.by_keys(session, seeds=[1, 2, 1_150], bound=5, hot=HOT).seeds

    assert found.hits[0].text_id == ids[150]
    assert found.hits[0].keys == (1, 2, 1_150)
    assert found.hits[0].rarity == pytest.approx(1 + 2 / 200)
    assert len(found.hits) == 1 + frequent_terms.FREQUENT_NAMED
    assert found.cut == 199 - frequent_terms.FREQUENT_NAMED
    assert found.frequencies == {1: 200, 2: 200, 1_150: 1}


def test_what_is_found_by_frequent_terms_is_as_without_the_bound(session: Session) -> None:
    hot_store(session)

    bound = 1 + frequent_terms.FREQUENT_NAMED

    bounded = candidates.by_keys(session, seeds=[1, 2, 1_150, 5], bound=bound, hot=HOT).seeds

    unbounded = candidates.by_keys(session, seeds=[1, 2, 1_150, 5], bound=bound, hot=1_000).seeds
    assert (bounded.hits, bounded.cut, bounded.frequencies) == (unbounded.hits, unbounded.cut, unbounded.frequencies)


def test_what_everybody_copied_is_not_crowded_out_by_a_phrase_that_some_have(session: Session) -> None:
    kinds = [[1, 2] if number % 5 else [7] for number in range(150)]
    ids = save_fingerprints(session, [a_fingerprint(seeds=keys) for keys in kinds])
    session.execute(text("ANALYZE fingerprint"))
    phrase = {text_id for text_id, keys in zip(ids, kinds, strict=True) if keys == [7]}

    found = candidates.by_keys(session, seeds=[1, 2, 7], bound=9, hot=HOT).seeds

    assert {hit.text_id for hit in found.hits[:9]} < phrase, "a key that fewer hold says more"
    assert len(found.hits) == 9 + frequent_terms.FREQUENT_NAMED
    assert {hit.shared for hit in found.hits[9:]} == {2}
    assert found.cut == 150 - len(found.hits)


def test_a_hot_seed_that_proves_nothing_leads_to_nobody_and_is_counted(session: Session) -> None:
    hot_store(session)
    for seed in (1, 2):
        boilerplate.save_verdicts(session, [a_run(seed)])

    found = candidates.by_keys(session, seeds=[1, 2], bound=20, hot=HOT).seeds

    assert found.hits == ()
    assert found.cut == 200
    assert found.frequencies == {1: 200, 2: 200}
    rare = candidates.by_keys(session, seeds=[1, 2, 1_150], bound=20, hot=HOT).seeds
    assert [hit.shared for hit in rare.hits] == [3]


@pytest.mark.usefixtures("clean_database_url")
def test_the_commonest_keys_are_kept_until_the_database_counts_again(engine: Engine) -> None:
    def frequency() -> int:
        with transaction(engine) as session:
            return candidates.by_keys(session, seeds=[1], bound=5, hot=HOT).seeds.frequencies[1]

    with transaction(engine) as session:
        hot_store(session)
    with transaction(engine) as session:
        counted_at = session.scalar(text("SELECT pg_stat_get_last_analyze_time('fingerprint'::regclass)"))
        session.connection().info[frequent_terms._KEPT] = frequent_terms.KeyStatistics(counted_at, {"seeds": {1: 4.0}})

    assert frequency() == 4 * 200, "what is kept is taken"
    with transaction(engine) as session:
        session.execute(text("ANALYZE fingerprint"))
    assert frequency() == 200


def a_run(seed: int) -> BoilerplateRun:
    return BoilerplateRun(
        site_id=None, seed=seed, proves_nothing=True, units=b"\x01", sample="", texts=200, families=9, owners=9
    )


def vacuum_until_visible(engine: Engine, table: str) -> None:
    """Only pages known to be visible to all are answered by the index alone. An autovacuum worker that analyses another
    table keeps them from it while it runs.
    """
    visible = text("SELECT relallvisible >= relpages FROM pg_class WHERE oid = cast(:name AS regclass)")
    with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        for _ in range(VACUUMS):
            connection.execute(text(f"VACUUM ANALYZE {table}"))
            if connection.scalar(visible, {"name": table}):
                return
            time.sleep(0.5)
    pytest.fail(f"{table} did not become visible to all")


def test_bands_are_looked_up_by_four_index_only_scans(clean_database_url: str) -> None:
    engine = make_engine(clean_database_url)
    commit(engine, (an_article(f"host{number}", text_of(number, chars=80)) for number in range(200)))
    vacuum_until_visible(engine, "fingerprint")
    values = {f"band_{number}": list(probe) for number, probe in enumerate(probe_neighbours(12345))}
    asked = {"simhash": 12345, "distance": 7, "self": 0, "version": ALGORITHM_VERSION}
    parameters = values | asked | {"bound": 9, "reach": 18}

    with transaction(engine) as session, planner.indexes_forced(session, alone=True):
        plan = "\n".join(session.scalars(text(f"EXPLAIN {called(session, candidates._BY_BANDS)}"), parameters))
    engine.dispose()

    for number in range(4):
        assert f"Index Only Scan using ix_fingerprint_band_{number}" in plan
    assert "Seq Scan" not in plan


def test_forcing_the_index_ends_with_the_look_up(session: Session) -> None:
    helpers = session.scalar(text("SHOW max_parallel_workers_per_gather"))
    with planner.indexes_forced(session):
        assert session.scalar(text("SHOW enable_seqscan")) == "off"
        assert session.scalar(text("SHOW max_parallel_workers_per_gather")) == helpers
    with planner.indexes_forced(session, alone=True):
        with planner.indexes_forced(session):
            assert session.scalar(text("SHOW enable_seqscan")) == "off"
        assert session.scalar(text("SHOW enable_seqscan")) == "off", "who forces within does not end it"
        assert session.scalar(text("SHOW max_parallel_workers_per_gather")) == "0"
        assert session.scalar(text("SHOW plan_cache_mode")) == "force_generic_plan"
    assert session.scalar(text("SHOW enable_seqscan")) == "on"
    assert session.scalar(text("SHOW plan_cache_mode")) == "auto"
    assert session.scalar(text("SHOW max_parallel_workers_per_gather")) == helpers


def planner_of(session: Session) -> tuple[str, str, str]:
    names = ("enable_seqscan", "max_parallel_workers_per_gather", "plan_cache_mode")
    seqscan, helpers, cache = (str(session.scalar(text(f"SHOW {name}"))) for name in names)
    return seqscan, helpers, cache


@pytest.mark.parametrize("outer", [False, True])
@pytest.mark.parametrize("inner", [False, True])
def test_a_nested_look_up_leaves_the_outer_one_its_settings(session: Session, *, outer: bool, inner: bool) -> None:
    unforced = planner_of(session)
    with planner.indexes_forced(session, alone=outer):
        forced = planner_of(session)
        with planner.indexes_forced(session, alone=inner):
            within = planner_of(session)
            with planner.indexes_forced(session, alone=outer):
                assert planner_of(session) == within
        assert planner_of(session) == forced

    assert within[0] == "off"
    assert within[1:] == (("0", "force_generic_plan") if outer or inner else unforced[1:])
    assert planner_of(session) == unforced


def test_an_error_within_does_not_leave_the_session_thinking_it_is_forced(engine: Engine) -> None:
    with Session(engine) as session:
        with pytest.raises(ZeroDivisionError), planner.indexes_forced(session, alone=True):
            raise ZeroDivisionError
        session.rollback()
        with planner.indexes_forced(session, alone=True):
            assert session.scalar(text("SHOW enable_seqscan")) == "off"
