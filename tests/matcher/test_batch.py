"""The sweeps beside the database: to the same question both give the same answer."""

import random
from collections.abc import Iterable
from pathlib import Path

import numpy as np
import pytest
from sqlalchemy import Engine, text

from fingerprint.compute import Analysis, analyse
from fingerprint.model import SIMHASH_BITS, Fingerprint
from fingerprint.simhash import probe_neighbours
from matcher.batch.export import export
from matcher.batch.index import Index
from matcher.batch.model import Asked, Bounds, LookedUp
from matcher.batch.sorted_keys import biased
from matcher.retrieval.candidates import SIMHASH_DISTANCE, Candidate, Found, find_candidates, rank
from storage.engine import transaction
from storage.fingerprints import boilerplate, candidates
from storage.pages import pages
from storage.records.candidates import BoilerplateRun, Hits
from tests.support.disguises import swap_homophones
from tests.support.factories import STORIES, a_fingerprint, an_article, commit, save_fingerprints, story, text_of

HOT = 60
"""Texts from which on a key of these tests is hot."""
FEW = 20


def exported(engine: Engine, folder: Path) -> Index:
    export(engine, folder, should_stop=lambda: False, tell=lambda *_: None)
    return Index.opened(folder)


def disguised(number: int) -> str:
    """Of every story: as it is, in other words, a part in another text, and in another order."""
    body = story(STORIES[number % len(STORIES)])
    sentences = body.split("。")
    random.Random(number).shuffle(sentences)  # noqa: S311  # repeatable, nothing secret
    return (
        f"{number}\n{body}",
        swap_homophones(body, share=0.2, seed=number),
        text_of(number) + body[200:380] + text_of(number + 100),
        "。".join(sentences),
    )[number // len(STORIES) % 4]


def answers(index: Index, bodies: dict[int, str]) -> dict[int, LookedUp]:
    asked = [found for text_id, body in bodies.items() if (found := index.asked_by(text_id, body))]
    return dict(zip(bodies, index.look_up(asked), strict=True))


def alike(ours: Hits, theirs: Hits) -> None:
    """The same; sums of fractions but for what is lost in another order."""
    assert [hit.text_id for hit in ours.hits] == [hit.text_id for hit in theirs.hits]
    assert [(hit.shared, hit.keys) for hit in ours.hits] == [(hit.shared, hit.keys) for hit in theirs.hits]
    assert [hit.rarity for hit in ours.hits] == pytest.approx([hit.rarity for hit in theirs.hits])
    assert (ours.cut, ours.frequencies) == (theirs.cut, theirs.frequencies)


def ranked(asked: Analysis, found: LookedUp) -> Found:
    return rank(asked, found.near.pairs(), found.seeds.hits(), found.slices.hits(), cut=found.near.cut)


def weights(found: Found) -> dict[int, float]:
    return {one.text_id: one.weight for one in found.candidates}


def evidence(found: Found) -> dict[int, Candidate]:
    return {one.text_id: one._replace(weight=0.0) for one in found.candidates}


def test_each_text_has_the_candidates_that_the_database_names(engine: Engine, tmp_path: Path) -> None:
    texts = [disguised(number) for number in range(4 * len(STORIES))] + [text_of(number) for number in range(FEW)]
    texts.append("不过是一句短话罢了。" * 8)
    commit(engine, [an_article(f"host{number}", body) for number, body in enumerate(texts)])
    index = exported(engine, tmp_path)

    with transaction(engine) as session:
        bodies = {page.text_id: pages.text_body(session, page.text_id) or "" for page in pages.list_pages(session)}
        found = answers(index, bodies)
        for text_id, body in bodies.items():
            asked = analyse(body)
            expected = find_candidates(session, asked, self_id=text_id)
            ours = ranked(asked, found[text_id])
            assert weights(ours) == pytest.approx(weights(expected))
            assert evidence(ours) == evidence(expected)
            assert (ours.cut, ours.frequencies) == (expected.cut, expected.frequencies)
    assert sum(len(one.seeds.texts) for one in found.values()) > 3 * len(STORIES)
    assert sum(len(one.near.texts) for one in found.values()) > len(STORIES)


def crowded(chosen: random.Random, texts: int) -> list[Fingerprint]:
    """Keys of all frequencies: some stand in most of the texts, many in one. Simhashes close together."""
    centre = chosen.getrandbits(SIMHASH_BITS)
    return [
        a_fingerprint(
            simhash=_moved(centre, chosen.sample(range(SIMHASH_BITS), chosen.randint(0, 6))),
            seeds=_keys(chosen),
            slices=_keys(chosen),
        )
        for _ in range(texts)
    ]


def _moved(code: int, bits: Iterable[int]) -> int:
    for bit in bits:
        code ^= 1 << bit
    return code


def _keys(chosen: random.Random) -> list[int]:
    return [int(chosen.paretovariate(0.4)) % (1 << 31) * chosen.choice((1, -1)) for _ in range(12)]


@pytest.mark.usefixtures("clean_database_url")
@pytest.mark.parametrize(("seed", "bound"), [(1, 4), (2, 30), (3, 1_000)])
def test_frequent_terms_and_bounds_are_as_the_database_has_them(
    engine: Engine, tmp_path: Path, seed: int, bound: int
) -> None:
    found = crowded(random.Random(seed), 240)  # noqa: S311  # repeatable, nothing secret
    with transaction(engine) as session:
        ids = save_fingerprints(session, found)
        session.execute(text("ANALYZE fingerprint"))
        boilerplate.save_verdicts(session, [a_run(1)])
    index = exported(engine, tmp_path)
    bounds = Bounds(named=bound, hot=HOT)
    asked = [_asked(index, text_id, one) for text_id, one in zip(ids, found, strict=True)]

    with transaction(engine) as session:
        for text_id, one, ours in zip(ids, found, index.look_up(asked, bounds), strict=True):
            own = {"bound": bound, "self_id": text_id}
            theirs = candidates.by_keys(
                session, seeds=one.seeds, slices=one.slices, bound=bound, self_id=text_id, hot=HOT
            )
            alike(ours.seeds.hits(), theirs.seeds)
            alike(ours.slices.hits(), theirs.slices)
            code = one.simhash or 0
            near = candidates.by_bands(session, code, probe_neighbours(code), distance=SIMHASH_DISTANCE, **own)
            assert (ours.near.pairs(), ours.near.cut) == near


def _asked(index: Index, text_id: int, found: Fingerprint) -> Asked:
    keys = (np.unique(biased(np.array(some, dtype=np.int32))) for some in (found.seeds, found.slices))
    return Asked(int(np.searchsorted(index.ids, text_id)), found.simhash, *keys)


def a_run(seed: int) -> BoilerplateRun:
    return BoilerplateRun(
        site_id=None, seed=seed, proves_nothing=True, units=b"\x01", sample="", texts=200, families=9, owners=9
    )
