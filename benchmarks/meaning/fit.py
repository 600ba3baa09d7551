"""`python -m benchmarks.meaning.fit OUT/meaning.json`: fits the weights of the score of retellings again.

Reads what `zhiwen bench meaning --out OUT` judged: every copy with its source, and every probe with the other texts
that the look-up proposed. Logistic regression with a penalty, cross-validated over sources: no text is in both parts.
Pairs of other texts that score above `TRIMMED` in one fit are left out of the next, until no more are: nearly all
that were read share their content, such as two translations of an article or two reports on one release. Prints what
`matcher/meaning/evidence.py` holds, the spread over the folds, and what carries over to kinds that were left out.
"""

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, TypeAlias

import click
import numpy as np
import numpy.typing as npt

from benchmarks.meaning.probes import INNOCENT, Kind
from matcher.meaning.retelling import RETOLD_FROM

FOLDS: Final = 8
PENALTY: Final = 0.5
TRIMMED: Final = 0.7
MOST_ROUNDS: Final = 6
MOST_OF_A_KIND: Final = 200
"""Pairs of a kind of copies that weigh one each; of a more frequent kind all weigh as much together, and of a rarer
one up to `RARE_WEIGHT` each, so that translations do not decide about texts that were condensed.
"""
RARE_WEIGHT: Final = 2.0
SETS: Final = {
    "language models": (
        *(Kind.RETOLD, Kind.RETOLD_AGAIN, Kind.CONDENSED, Kind.HALF, Kind.TRANSLATED_BY_MACHINE),
        *(Kind.PART_OF_RETOLD, Kind.DROPPED, Kind.SHORT_INSIDE, Kind.SHORT),
    ),
    "people": (Kind.SECOND, Kind.PART_OF_SECOND, Kind.TRANSLATED_TO_CHINESE, Kind.TRANSLATED_TO_ENGLISH),
    "paragraphs": (Kind.PARAGRAPHS_CHINESE, Kind.PARAGRAPHS_ENGLISH),
}

Numbers: TypeAlias = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Pairs:
    """One row a judged pair. `groups`: its source."""

    features: Numbers
    is_true: npt.NDArray[np.bool_]
    kinds: tuple[Kind, ...]
    groups: tuple[str, ...]

    def weights(self) -> Numbers:
        counts = Counter(kind for kind, is_true in zip(self.kinds, self.is_true, strict=True) if is_true)
        return np.array(
            [
                min(RARE_WEIGHT, MOST_OF_A_KIND / counts[kind]) if is_true else 1.0
                for kind, is_true in zip(self.kinds, self.is_true, strict=True)
            ]
        )


@dataclass(frozen=True, slots=True, eq=False)
class Fit:
    """`weights`: the base last."""

    weights: Numbers

    def scores(self, features: Numbers) -> Numbers:
        scores: Numbers = 1 / (1 + np.exp(-(features @ self.weights[:-1] + self.weights[-1])))
        return scores


def read_pairs(path: Path, *, short: bool) -> Pairs:
    """Return the judged pairs of a result. Raises OSError, ValueError, KeyError where it is none."""
    rows = [row for row in _rows(json.loads(path.read_text(encoding="utf-8"))["answers"]) if row[0] is short]
    return Pairs(
        np.array([row[1] for row in rows], dtype=float),
        np.array([row[2] for row in rows], dtype=bool),
        tuple(row[3] for row in rows),
        tuple(row[4] for row in rows),
    )


def _rows(answers: Sequence[dict[str, Any]]) -> Iterator[tuple[bool, list[float], bool, Kind, str]]:
    for answer in answers:
        kind = Kind(answer["kind"])
        for text_id, found in answer["features"].items():
            is_true = text_id == answer["source"] and kind not in INNOCENT
            yield found["is_short"], found["values"], is_true, kind, answer["source"] or answer["probe"]


def fit(pairs: Pairs, rows: npt.NDArray[np.intp]) -> Fit:
    from sklearn.linear_model import LogisticRegression  # noqa: PLC0415  # of the bench extra

    chosen = pairs.features[rows]
    mean, spread = chosen.mean(axis=0), chosen.std(axis=0) + 1e-9
    found = LogisticRegression(C=PENALTY, max_iter=5_000).fit(
        (chosen - mean) / spread, pairs.is_true[rows], sample_weight=pairs.weights()[rows]
    )
    weights = found.coef_[0] / spread
    return Fit(np.append(weights, found.intercept_[0] - weights @ mean))


def cross_validated(pairs: Pairs, kept: npt.NDArray[np.bool_]) -> tuple[Numbers, list[Fit]]:
    """Return the score of each pair by a fit without its source, and the fits. `kept`: pairs that are fitted on."""
    from sklearn.model_selection import GroupKFold  # noqa: PLC0415

    scores = np.zeros(len(pairs.kinds))
    fits = []
    for known, asked in GroupKFold(FOLDS).split(pairs.features, groups=pairs.groups):
        found = fit(pairs, known[kept[known]])
        scores[asked] = found.scores(pairs.features[asked])
        fits.append(found)
    return scores, fits


def trimmed(pairs: Pairs) -> npt.NDArray[np.bool_]:
    """Return the pairs that are fitted on."""
    kept = np.ones(len(pairs.kinds), dtype=bool)
    for _ in range(MOST_ROUNDS):
        scores, _ = cross_validated(pairs, kept)
        before, kept = kept, pairs.is_true | (scores <= TRIMMED)
        if (before == kept).all():
            break
    return kept


def _lines(name: str, pairs: Pairs) -> Iterator[str]:
    kept = trimmed(pairs)
    scores, fits = cross_validated(pairs, kept)
    whole = fit(pairs, np.flatnonzero(kept))
    spread = np.std([found.weights for found in fits], axis=0)
    true, others = int(pairs.is_true.sum()), int((~pairs.is_true).sum())
    yield f"{name}: {true} true pairs, {others} others, {int((~kept).sum())} of them left out."
    yield "  weights " + ", ".join(f"{weight:.3f}" for weight in whole.weights[:-1]) + f"; base {whole.weights[-1]:.3f}"
    yield "  standard deviations over folds " + ", ".join(f"{one:.2f}" for one in spread)
    yield from _found(pairs, scores, "by the fits without the source")
    for left_out, kinds in SETS.items():
        known = kept & ~np.isin(pairs.kinds, kinds)
        asked = np.isin(pairs.kinds, kinds) & pairs.is_true
        if asked.any() and (known & pairs.is_true).any():
            own = fit(pairs, np.flatnonzero(known)).scores(pairs.features)
            yield from _found(pairs, np.where(asked, own, 0.0), f"fitted without {left_out}", kinds)


def _found(pairs: Pairs, scores: Numbers, how: str, kinds: Sequence[Kind] = tuple(Kind)) -> Iterator[str]:
    told = []
    for kind in kinds:
        own = np.array([one is kind for one in pairs.kinds])
        for is_true in (True, False):
            rows = own & (pairs.is_true == is_true)
            passed = int((scores[rows] >= RETOLD_FROM).sum())
            if rows.any() and (is_true or passed):
                told.append(f"{kind}{'' if is_true else ' with others'} {passed} of {int(rows.sum())}")
    yield f"  {how}, from {RETOLD_FROM}: " + "; ".join(told)


@click.command()
@click.argument("result", type=click.Path(exists=True, dir_okay=False, path_type=Path))
def main(result: Path) -> None:
    """Fit the weights to the pairs in RESULT, the JSON that `zhiwen bench meaning --out` writes."""
    try:
        every = {name: read_pairs(result, short=short) for name, short in (("Long", False), ("Short", True))}
    except (OSError, ValueError, KeyError, TypeError) as error:
        message = f"{result} is no result of `zhiwen bench meaning`: {error}"
        raise click.ClickException(message) from error
    for name, pairs in every.items():
        if len(set(pairs.groups)) < FOLDS or pairs.is_true.all() or not pairs.is_true.any():
            click.echo(f"{name}: too few pairs for {FOLDS} folds.")
            continue
        for line in _lines(name, pairs):
            click.echo(line)


if __name__ == "__main__":
    main()
