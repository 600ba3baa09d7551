"""Which candidates are looked at, and which pages merely list what others wrote."""

from collections.abc import Sequence
from itertools import accumulate
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import Engine

from fingerprint.compute import analyse
from fingerprint.winnowing import DEFAULT_SEEDS
from matcher.comparison import check
from matcher.discounts.index_pages import LEAST, entries_of_index
from matcher.explanation.explain import explain
from matcher.retrieval.pruning import FOLLOWED, FOLLOWED_ON, PLACE, KeyPlaces, Pruning, numbers_of
from storage.engine import transaction
from storage.records.candidates import Hits
from storage.records.matches import Passage
from tests.support.factories import an_article, commit, story, text_of
from zhiwen.demo.articles import disclaimer

KEYS = st.lists(st.integers(0, 5), max_size=4)


def places_at(*numbers: int) -> int:
    return sum(1 << number for number in set(numbers))


def hits_of(held: Sequence[Sequence[int]]) -> Hits:
    """Return hits of texts that share these keys, which cannot be written to: so they come out of a file of Spark."""
    keys = np.array([key for some in held for key in some], dtype=np.int32)
    keys.flags.writeable = False
    return Hits(range(len(held)), [1.0] * len(held), list(accumulate(map(len, held))), keys)


def test_a_place_without_a_match_is_followed_so_often_and_no_more() -> None:
    pruning = Pruning()
    for _ in range(FOLLOWED):
        assert pruning.keeps(places_at(1))
        pruning.note(places_at(1))

    assert not pruning.keeps(places_at(1))
    assert pruning.keeps(places_at(1, 2))


def test_a_place_that_has_matched_is_followed_on_and_no_other() -> None:
    pruning = Pruning()
    for _ in range(5 * FOLLOWED):
        pruning.note(places_at(1, 2), matched_at=places_at(1))

    assert pruning.keeps(places_at(1))
    assert not pruning.keeps(places_at(2))


def test_a_match_at_a_place_gives_it_more_tries_each_time() -> None:
    pruning = Pruning()
    for _ in range(FOLLOWED):
        pruning.note(places_at(1))
    for _ in range(2):
        pruning.note(places_at(2), matched_at=places_at(1, 2, 3))
        for _ in range(FOLLOWED_ON):
            assert pruning.keeps(places_at(1))
            pruning.note(places_at(1))

    assert not pruning.keeps(places_at(1))
    assert pruning.keeps(places_at(3))


@given(st.lists(st.tuples(KEYS, st.booleans()), max_size=60))
def test_every_place_gets_its_tries(candidates: list[tuple[list[int], bool]]) -> None:
    pruning = Pruning()
    left: dict[int, int] = {}
    for places, is_match in candidates:
        noted = places_at(*places)
        assert pruning.keeps(noted) == any(left.get(place, FOLLOWED) > 0 for place in places)
        pruning.note(noted, matched_at=noted if is_match else 0)
        for place in set(places):
            left[place] = FOLLOWED_ON if is_match else left.get(place, FOLLOWED) - 1


def test_keys_and_passages_are_placed_alike() -> None:
    asked = analyse(story())
    where = KeyPlaces(asked)
    seed = int(asked.asked_seeds.hashes[7])
    start, _ = asked.initials.source_span(int(asked.asked_seeds.positions[7]), int(asked.asked_seeds.positions[7]))

    (of_key,) = where.of_seeds(hits_of([[seed]]))

    assert of_key
    assert not of_key & ~where.of_passages([Passage(start, start + 10, 0, 10, 1.0)])
    assert where.of_passages([Passage(start, start + 10, 0, 10, 1.0, is_boilerplate=True)]) == 0
    whole = where.of_passages([Passage(0, len(story()), 0, 9, 1.0)])
    assert list(numbers_of(whole)) == list(range(-(-len(asked.initials) // PLACE)))


@given(st.text("的一是不了在人有我他", max_size=300), st.data())
def test_each_hit_has_the_places_of_its_keys(text: str, data: st.DataObject) -> None:
    """Few characters, so that keys repeat; a hit may have keys that the text does not."""
    asked = analyse(text)
    known = asked.asked_seeds.hashes.tolist()
    held = data.draw(st.lists(st.lists(st.sampled_from([*known, 1, -5]), max_size=12), max_size=6))

    units = (asked.asked_seeds.positions + DEFAULT_SEEDS.k // 2).tolist()
    by_hand = [{unit // PLACE for key, unit in zip(known, units, strict=True) if key in keys} for keys in held]

    assert [set(numbers_of(places)) for places in KeyPlaces(asked).of_seeds(hits_of(held))] == by_hand


def unlike(number: int, *, chars: int = 600) -> str:
    """Characters drawn one by one: no two such texts share more than chance gives them."""
    chance = Random(number)  # noqa: S311  # repeatable, nothing secret
    return "".join(chr(chance.randrange(0x4E00, 0x9000)) for _ in range(chars))


def test_a_notice_in_many_texts_costs_few_alignments_and_hides_no_copy(engine: Engine) -> None:
    commit(engine, [an_article(f"host{number}", f"{unlike(number)}\n{disclaimer()}") for number in range(50)])
    commit(engine, [an_article("source", story())])
    asked = an_article("asked", f"{story()[200:500]}\n{unlike(90)}\n{disclaimer()}")

    with transaction(engine) as session:
        found = check.check(session, asked, against=check.compared_with(session))

    assert [item.pages[0].host for item in found.matches] == ["source.example"]
    assert found.candidates < 30
    assert found.cut >= 20


def test_every_copy_of_a_story_is_listed_though_all_share_the_same_keys(engine: Engine) -> None:
    commit(engine, [an_article(f"host{number}", f"{text_of(number, chars=80)}\n{story()}") for number in range(40)])

    with transaction(engine) as session:
        found = check.check(session, an_article("asked", story()), against=check.compared_with(session))

    assert len(found.matches) == 40


def passage(left: int, right: int, length: int = 80, *, is_boilerplate: bool = False) -> Passage:
    return Passage(left, left + length, right, right + length, 1.0, is_boilerplate=is_boilerplate)


def test_first_lines_one_below_the_other_are_entries() -> None:
    entries = [[passage(100 * number, 10)] for number in range(LEAST)]

    assert entries_of_index(entries) == frozenset(range(LEAST))
    assert entries_of_index(entries[1:]) == frozenset()


@pytest.mark.parametrize(
    "other",
    [
        pytest.param([passage(900, 2_000)], id="from the middle of its source"),
        pytest.param([passage(900, 0, 390)], id="long"),
        pytest.param([passage(900, 0, is_boilerplate=True)], id="boilerplate"),
        pytest.param([], id="nothing"),
        pytest.param([passage(900, 0), passage(1_100, 1_500)], id="first line and more"),
    ],
)
def test_a_copy_on_a_page_that_lists_is_still_a_copy(other: list[Passage]) -> None:
    entries = [[passage(100 * number, 10)] for number in range(LEAST)]

    assert entries_of_index([*entries, other]) == frozenset(range(LEAST))


def test_texts_with_one_beginning_are_one_entry() -> None:
    assert entries_of_index([[passage(100, 10)] for _ in range(3 * LEAST)]) == frozenset()


def test_a_page_of_first_lines_copies_nothing_and_why_not_says_so(engine: Engine) -> None:
    texts = [text_of(number, chars=700) for number in range(8)]
    commit(engine, [an_article(f"host{number}", text) for number, text in enumerate(texts)])
    index = "\n\n".join(f"{number}月3日\n{text[:70]}" for number, text in enumerate(texts))
    commit(engine, [an_article("https://index.example/", index)])

    with transaction(engine) as session:
        checked = check.check(session, an_article("asked", index + "更多"), against=check.compared_with(session))
        found = explain(session, "https://index.example/", an_article("host1", texts[1]).url)

    assert [item for item in checked.matches if "host" in item.pages[0].host] == []
    assert not found.is_match
    assert any("index copies none" in reason for reason in found.because)
