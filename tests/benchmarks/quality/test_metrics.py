"""Who was right, and what it adds up to: small cases whose answer can be seen."""

from random import Random

from benchmarks.corpus.model import Expected, Family, Language, Material, Probe, Scenario, Span, Stored
from benchmarks.quality.scenarios.checking import Answer, Named
from benchmarks.quality.scenarios.scratch_store import Shelf
from benchmarks.quality.scoring import metrics
from benchmarks.quality.scoring.metrics import CurvePoint, JudgedAnswer
from benchmarks.quality.scoring.passages import PassageScore
from benchmarks.quality.scoring.truth import Sides, Truth
from storage.records.matches import Passage


def _text(seed: str, length: int = 200) -> str:
    """Characters in no order: two of these share no run."""
    chance = Random(seed)  # noqa: S311  # texts, no secrets
    return "".join(chr(chance.randrange(0x4E00, 0x9000)) for _ in range(length))


ORIGIN, OTHER, CARRIER = _text("origin"), _text("other"), _text("carrier")
SHELF = Shelf(
    (
        Stored("origin", ORIGIN, "a"),
        Stored("again", ORIGIN, "b"),
        Stored("other", OTHER, "c"),
        Stored("repeats", _text("own") + ORIGIN[20:90], "d"),
        Stored("carrier", CARRIER, "e"),
    )
)
TRUTH = Truth(SHELF)
NO_ONE: frozenset[int] = frozenset()


def _build(material: Material, chance: Random, wanted: int) -> Scenario:
    return Scenario(())


def _family(expected: Expected = Expected.COPY, floor: float | None = 0.95, name: str = "zh-some") -> Family:
    return Family(name, "some", Language.CHINESE, expected, _build, floor)


def _probe(text: str, expected: Expected = Expected.COPY, *, sources: str = "", spans: tuple[Span, ...] = ()) -> Probe:
    return Probe(
        f"probe/{text[:9]}", "zh-some", Language.CHINESE, text, expected, "", frozenset(sources.split()), spans
    )


def test_a_source_is_right_and_so_is_the_same_text_on_another_page() -> None:
    sides = TRUTH.sides(_probe(ORIGIN[:150], sources="origin"), [0, 1], planted=NO_ONE)
    assert sides == Sides(frozenset({0, 1}), NO_ONE, NO_ONE)


def test_a_text_that_shares_nothing_is_wrong() -> None:
    sides = TRUTH.sides(_probe(ORIGIN[:150], sources="origin"), [0, 2], planted=NO_ONE)
    assert sides == Sides(frozenset({0}), frozenset({2}), NO_ONE)


def test_a_text_that_truly_shares_a_run_with_the_probe_is_left_out() -> None:
    sides = TRUTH.sides(_probe(ORIGIN[:150], sources="origin"), [3], planted=NO_ONE)
    assert sides == Sides(NO_ONE, NO_ONE, frozenset({3}))


def test_a_run_of_which_a_word_was_changed_is_shared_no_less() -> None:
    half = ORIGIN[20:55]
    changed = _probe(f"{_text('page')}{half}改写{ORIGIN[56:90]}", Expected.INNOCENT)
    torn = _probe(f"{_text('leaf')}{half}改写得很多{ORIGIN[56:90]}", Expected.INNOCENT)
    assert TRUTH.sides(changed, [0, 3], planted=NO_ONE) == Sides(NO_ONE, NO_ONE, frozenset({0, 3}))
    assert TRUTH.sides(changed, [0, 3], planted=frozenset({3})) == Sides(NO_ONE, frozenset({3}), frozenset({0}))
    assert TRUTH.sides(torn, [0, 3], planted=NO_ONE) == Sides(NO_ONE, frozenset({0, 3}), NO_ONE)


def test_a_disguise_does_not_make_a_repetition_of_the_source_wrong() -> None:
    disguised = "，".join(ORIGIN)
    assert TRUTH.sides(_probe(disguised, sources="origin"), [3], planted=NO_ONE).left_out == {3}


def test_only_what_was_copied_excuses_a_repetition_of_the_source() -> None:
    tail = "，".join(ORIGIN[100:])
    spans = (Span(0, len(tail), "origin", 100, 200),)
    assert TRUTH.sides(Probe("p", "f", Language.CHINESE, tail, Expected.COPY, "", frozenset({"origin"}), spans), [3],
                       planted=NO_ONE).wrong == {3}  # fmt: skip


def test_sharing_with_what_was_planted_excuses_nothing() -> None:
    innocent = _probe(_text("page") + CARRIER[:100], Expected.INNOCENT)
    assert TRUTH.sides(innocent, [4], planted=frozenset({4})).wrong == {4}
    assert TRUTH.sides(innocent, [4], planted=NO_ONE).left_out == {4}


def test_nor_does_sharing_what_an_innocent_holds_by_design() -> None:
    innocent = _probe(_text("list") + CARRIER[:100], Expected.INNOCENT, sources="carrier")
    assert TRUTH.sides(innocent, [4], planted=NO_ONE).wrong == {4}


def _asked(
    expected: Expected = Expected.COPY, *, right: str = "", wrong: str = "", left_out: str = "", claimed: bool = False
) -> JudgedAnswer:
    """Numbers as words: `2:0.5` is text 2 at score .5."""
    pairs = [item.split(":") for item in f"{right} {wrong} {left_out}".split()]
    named = tuple(Named(int(number), float(score), is_claimed=claimed) for number, score in pairs)
    sides = Sides(*(frozenset(int(item.split(":")[0]) for item in part.split()) for part in (right, wrong, left_out)))
    return JudgedAnswer(_family(expected), _probe(ORIGIN, expected), Answer("", named, 0, 0.0), sides)


def test_a_copy_is_found_by_one_right_text_whatever_else_is_named() -> None:
    assert _asked(right="0:1", wrong="2:1").is_as_expected
    assert not _asked(wrong="2:1").is_as_expected
    assert not _asked().is_as_expected


def test_an_innocent_is_left_alone_unless_something_wrong_is_named() -> None:
    assert _asked(Expected.INNOCENT).is_as_expected
    assert not _asked(Expected.INNOCENT, wrong="2:1").is_as_expected


def test_an_innocent_that_truly_shares_something_is_not_counted() -> None:
    counted = [_asked(Expected.INNOCENT), _asked(Expected.INNOCENT, wrong="2:1", left_out="3:1")]
    result = metrics.family_result(
        _family(Expected.INNOCENT, 0.99), [*counted, _asked(Expected.INNOCENT, left_out="3:1")], PassageScore()
    )
    assert (result.probes, result.counted, result.left_out, result.share, result.is_met) == (3, 2, 1, 0.5, False)


def test_a_wire_story_may_be_named_but_not_claimed() -> None:
    assert _asked(Expected.NO_CASE, wrong="2:1").is_as_expected
    assert not _asked(Expected.NO_CASE, wrong="2:1", claimed=True).is_as_expected


def test_without_a_floor_or_without_probes_nothing_is_met_or_missed() -> None:
    assert metrics.family_result(_family(floor=None), [_asked(right="0:1")], PassageScore()).is_met is None
    assert metrics.family_result(_family(), [], PassageScore()).is_met is None


def test_pair_precision_is_over_all_that_was_named_but_wire_stories() -> None:
    results = [
        _asked(right="0:1 1:1", wrong="2:1", left_out="3:1"),
        _asked(Expected.INNOCENT, wrong="4:1"),
        _asked(Expected.NO_CASE, wrong="2:1"),
    ]
    found = metrics.pair_precision(results)
    assert (found.right, found.wrong, found.left_out, found.share) == (2, 2, 1, 0.5)
    assert metrics.pair_precision([]).share is None


def test_the_curve_gives_up_recall_for_precision() -> None:
    results = [_asked(right="0:0.9"), _asked(right="0:0.5", wrong="2:0.4"), _asked(Expected.INNOCENT, wrong="2:0.7")]
    points = metrics.curve(results)
    assert points == (
        CurvePoint(0.4, 1.0, 0.5),
        CurvePoint(0.5, 1.0, 2 / 3),
        CurvePoint(0.7, 0.5, 0.5),
        CurvePoint(0.9, 0.5, 1.0),
    )
    assert metrics.best_f1(points) == points[1]


def test_a_curve_of_nothing_is_empty() -> None:
    assert metrics.curve([]) == ()
    assert metrics.curve([_asked()]) == ()
    assert metrics.best_f1(()) is None


def test_passages_are_measured_against_true_sources_only_and_boilerplate_is_none() -> None:
    probe = _probe(ORIGIN, sources="origin", spans=(Span(0, 100, "origin", 0, 100),))
    found = (Passage(0, 100, 0, 100, 1.0), Passage(150, 190, 150, 190, 1.0, is_boilerplate=True))
    named = (Named(1, 1.0, found), Named(2, 0.5, (Passage(0, 50, 0, 50, 1.0),)))
    sides = TRUTH.sides(probe, [1, 2], planted=NO_ONE)
    score = metrics.passages_of([JudgedAnswer(_family(), probe, Answer("copy", named, 2, 1.0), sides)], TRUTH)
    assert (score.true, score.found, score.precision, score.recall) == (1, 1, 1.0, 1.0)


def test_where_any_copy_of_a_story_is_a_source_passages_are_not_measured() -> None:
    probe = _probe(ORIGIN, sources="origin other", spans=(Span(0, 100, "origin", 0, 100),))
    results = JudgedAnswer(_family(), probe, Answer("copy", (), 0, 1.0), Sides(NO_ONE, NO_ONE, NO_ONE))
    assert metrics.passages_of([results], TRUTH).true == 0


def test_spread_names_the_middle_the_high_and_the_highest() -> None:
    assert metrics.spread([1, 2, 3, *[4] * 16, 80, 100]) == metrics.Spread(4, 80.0, 100)
