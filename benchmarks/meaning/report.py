"""The tables of `bench meaning`."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import Any, Final

from benchmarks.common.report import RanOn, Report, Table, this_machine
from benchmarks.meaning.probes import GOALS, INNOCENT, Goal
from benchmarks.meaning.result import Answer, GoalResult, MeaningResult, by_kind
from benchmarks.meaning.statistics import Point, Rate, brier, curve, reliability
from matcher.meaning.retelling import RETOLD_FROM, TRANSLATED_FROM

THRESHOLDS: Final = (0.2, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.98)
COLUMNS: Final = ("probes", "goal", "found", "share", "95 % interval", "met", "by meaning", "source a candidate")


def report_of(result: MeaningResult) -> Report:
    machine = this_machine()
    header = [
        RanOn(**machine).line,
        f"{result.stored:,} texts stored, {len(result.answers):,} asked, seed {result.seed}, {result.encoder}. "
        f"{result.left_out:,} articles were left out, which share more than a fifth of their 24-grams with a probe.",
        "Processor time: " + ", ".join(f"{step} {seconds:.0f} s" for step, seconds in result.cpu_s.items()) + ".",
    ]
    tables = (
        Table(COLUMNS, [_goal_row(found) for found in result.goals()], "Goals"),
        _curve_table(result),
        _reliability_table(result),
        *([_others_table(result)] if result.others else []),
        Table(("probe", "kind", "named", "score"), list(_false_rows(result.reported)), "Innocents named"),
        Table(("probe", "kind", "rank", "score"), list(_missed_rows(result.reported)), "Copies missed"),
    )
    return Report("meaning", "Retellings and translations", header, tables, {**machine, **_value(result)})


def _goal_row(result: GoalResult) -> tuple[str, ...]:
    met = {True: "yes", False: "no", None: ""}[result.is_met]
    found = result.found
    is_copy = result.goal.at_most is None
    return (
        result.goal.name,
        _goal(result.goal),
        f"{found.hits} of {found.count}",
        f"{found.share:.3f}",
        _interval(found),
        met,
        str(result.by_meaning.hits) if is_copy else "",
        str(result.candidates.hits) if is_copy else "",
    )


def _goal(goal: Goal) -> str:
    if goal.at_least is not None:
        return f"≥ {goal.at_least:.2f}"
    return "" if goal.at_most is None else f"≤ {goal.at_most:.3f}"


def _interval(rate: Rate) -> str:
    return f"{rate.low:.3f}–{rate.high:.3f}"


def points(result: MeaningResult) -> list[Point]:
    """Return recall and false ones of the score by meaning alone, at each threshold."""
    copies = [answer.of_source for answer in result.reported if not answer.probe.is_innocent]
    innocents = [answer.best for answer in result.reported if answer.probe.is_innocent]
    return list(curve(copies, innocents, THRESHOLDS))


def _curve_table(result: MeaningResult) -> Table:
    columns = ("score from", "copies named", "share", "innocents named", "share")
    rows = [
        (
            f"{point.threshold:.2f}{_bound_of(point.threshold)}",
            f"{point.found.hits} of {point.found.count}",
            f"{point.found.share:.3f}",
            f"{point.false.hits} of {point.false.count}",
            f"{point.false.share:.4f}",
        )
        for point in points(result)
    ]
    return Table(columns, rows, "Recall against false ones, by meaning alone")


def _bound_of(threshold: float) -> str:
    return {RETOLD_FROM: " (in one language)", TRANSLATED_FROM: " (in two languages)"}.get(threshold, "")


def _reliability_table(result: MeaningResult) -> Table:
    judged = result.judged()
    rows = [
        (f"{one.low:.2f}–{one.high:.2f}", str(one.rate.count), f"{one.mean:.3f}", f"{one.rate.share:.3f}")
        for one in reliability(judged)
    ]
    score = brier(judged)
    title = "Reliability of the score" + ("" if score is None else f" (Brier score {score:.4f})")
    return Table(("score", "pairs", "mean score", "true"), rows, title)


def _others_table(result: MeaningResult) -> Table:
    goals = [goal for goal in GOALS if goal.at_most is None]
    own = {found.goal.name: found.found for found in result.goals()}
    bounds = f"{RETOLD_FROM:.2f}, in two languages {TRANSLATED_FROM:.2f}"
    rows = [("Zhiwen", bounds, *(f"{own[goal.name].share:.3f}" for goal in goals))]
    rows += [
        (other.method, f"{other.threshold:.3f}", *(f"{other.found[goal.name].share:.3f}" for goal in goals))
        for other in result.others
    ]
    title = "Other methods, each where it names one innocent in a hundred"
    return Table(("method", "score from", *(goal.name for goal in goals)), rows, title)


def _false_rows(answers: Sequence[Answer]) -> Iterator[tuple[str, ...]]:
    for answer in by_kind(answers, tuple(INNOCENT)):
        for text_id in answer.named:
            yield answer.probe.id, answer.probe.kind, text_id, f"{answer.scores[text_id]:.2f}"


def _missed_rows(answers: Sequence[Answer]) -> Iterator[tuple[str, ...]]:
    for answer in answers:
        if not answer.probe.is_innocent and not answer.is_found:
            rank = "–" if answer.rank is None else str(answer.rank)
            yield answer.probe.id, answer.probe.kind, rank, f"{answer.of_source:.2f}"


def _value(result: MeaningResult) -> dict[str, Any]:
    judged = result.judged()
    return {
        "stored": result.stored,
        "left_out": result.left_out,
        "encoder": result.encoder,
        "seed": result.seed,
        "cpu_s": result.cpu_s,
        "goals": [
            {
                "name": found.goal.name,
                "at_least": found.goal.at_least,
                "at_most": found.goal.at_most,
                "met": found.is_met,
                **_rate_value(found.found),
                "by_meaning": found.by_meaning.hits,
                "candidates": found.candidates.hits,
            }
            for found in result.goals()
        ],
        "curve": [asdict(point) for point in points(result)],
        "reliability": [asdict(one) for one in reliability(judged)],
        "brier": brier(judged),
        "others": [
            {
                "method": other.method,
                "threshold": other.threshold,
                "found": {name: _rate_value(rate) for name, rate in other.found.items()},
            }
            for other in result.others
        ],
        "answers": [
            {
                "probe": answer.probe.id,
                "kind": answer.probe.kind,
                "source": answer.probe.source,
                "rank": answer.rank,
                "literal": list(answer.literal),
                "named": list(answer.named),
                "scores": {text_id: round(score, 4) for text_id, score in answer.scores.items()},
                "features": {
                    text_id: {"is_short": found.is_short, "values": [round(value, 5) for value in found.values]}
                    for text_id, found in answer.features.items()
                },
            }
            for answer in result.answers
        ],
    }


def _rate_value(rate: Rate) -> dict[str, float | int]:
    return {"hits": rate.hits, "count": rate.count, "low": round(rate.low, 4), "high": round(rate.high, 4)}
