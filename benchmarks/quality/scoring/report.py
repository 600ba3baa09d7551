"""The result as tables, as JSON, and as the precision-recall picture. Pure."""

from collections.abc import Iterator
from dataclasses import asdict
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from benchmarks.common.report import Picture, Report, Table, json_lines
from benchmarks.corpus.model import Expected, is_ordinary
from benchmarks.quality.scoring.metrics import FamilyResult
from benchmarks.quality.scoring.result import MethodResult, QualityResult

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Row = tuple[str, ...]

EXPECTATIONS: Final = {Expected.COPY: "found", Expected.INNOCENT: "left alone", Expected.NO_CASE: "no case"}


def family_columns(result: QualityResult) -> Row:
    return ("family", "must be", "probes", "floor", "met", *(method.name for method in result.methods))


def family_rows(result: QualityResult) -> Iterator[Row]:
    """One row per family: expected result, number of probes, floor, and the result of each method."""
    others = [{item.name: item for item in method.families} for method in result.methods]
    for family in result.ours.families:
        shares = [_share(known[family.name].share) if family.name in known else "" for known in others]
        counted = f"{family.counted}" + (f" (+{family.left_out})" if family.left_out else "")
        floor = "" if family.floor is None else f"{family.floor:.2f}"
        yield (family.name, EXPECTATIONS[family.expected], counted, floor, _met(family), *shares)


def _met(family: FamilyResult) -> str:
    return "" if family.is_met is None else "yes" if family.is_met else "NO"


def total_rows(result: QualityResult) -> Iterator[Row]:
    """The figures over all families, one row a figure, with what each method reached."""
    yield ("copies found (with a floor)", *(_share(method.recall) for method in result.methods))
    yield ("false cases in 10,000 ordinary", *(_false_cases(method) for method in result.methods))
    yield ("innocents left alone", *(_share(method.left_alone) for method in result.methods))
    precisions = [method.precision for method in result.methods]
    yield ("pair precision", *(_share(found.share) for found in precisions))
    yield ("wrong pairs", *(f"{found.wrong} of {found.right + found.wrong}" for found in precisions))
    yield ("pairs left out", *(str(found.left_out) for found in precisions))


def _false_cases(method: MethodResult) -> str:
    ordinary = [family for family in method.families if is_ordinary(family.name)]
    counted = sum(family.counted for family in ordinary)
    accused = counted - sum(family.as_expected for family in ordinary)
    return f"{10_000 * accused / counted:.0f} ({accused} of {counted:,})" if counted else "–"


def figure_rows(result: QualityResult) -> Iterator[Row]:
    """Figures of Zhiwen alone."""
    score, sizes = result.passages, result.sizes
    pooled = (score.pooled_precision, score.pooled_recall, score.pooled_plagdet)
    yield ("characters of passages: precision, recall, plagdet", ", ".join(f"{share:.4f}" for share in pooled))
    means = (score.precision, score.recall, score.plagdet)
    yield ("the same as means over passages", ", ".join(f"{share:.4f}" for share in means))
    yield ("granularity", f"{score.granularity:.4f} ({score.true} passages, {score.detected} of them touched)")
    per_text = sizes.total / max(1, sizes.texts)
    share = sizes.total / max(1, sizes.text_bytes)
    yield ("fingerprint with all indexes", f"{per_text:,.0f} bytes a text, {share:.3f} of the text's UTF-8 bytes")
    for name, size in sizes.parts.items():
        yield (f"  {name}", f"{size / max(1, sizes.texts):,.0f} bytes a text")
    for title, spread in (
        ("texts aligned with a probe", result.candidates),
        ("time of a check, ms", result.elapsed_ms),
    ):
        yield (title, f"median {spread.median:g}, 95 % ≤ {spread.p95:g}, most {spread.largest:g}")


def pair_rows(result: QualityResult) -> Iterator[Row]:
    for pairs in result.pairs:
        met = "yes" if pairs.is_met else "NO"
        label = f"{pairs.label}: {EXPECTATIONS[pairs.expected]}"
        yield (pairs.file, label, str(pairs.pairs), f"{pairs.floor:.2f}", met, _share(pairs.share))


def passage_rows(result: QualityResult) -> Iterator[Row]:
    for found in result.real_passages:
        score = found.score
        shares = (score.precision, score.recall, score.granularity, score.plagdet, score.pooled_plagdet)
        yield (found.file, str(found.pairs), str(len(found.missed)), *(f"{share:.4f}" for share in shares))


PAIR_COLUMNS: Final[Row] = ("pairs", "label", "pairs", "floor", "met", "Zhiwen")
PASSAGE_COLUMNS: Final[Row] = (
    *("pairs with passages", "pairs", "missed"),
    *("precision", "recall", "granularity", "plagdet", "plagdet, pooled"),
)


def _header(result: QualityResult) -> Iterator[str]:
    ran = result.ran_on
    stored = ", ".join(f"{count:,} {language}" for language, count in ran.stored.items())
    held = ", ".join(f"{count:,} {language}" for language, count in ran.held.items())
    yield ran.line
    yield f"Corpus: {stored} articles stored, {held} held; {ran.added:,} more stored by families and pairs."
    yield f"{ran.repeated} repeated articles and {ran.refused} that an import refuses were left away."
    yield f"Seed {ran.seed}, {ran.per_family} probes a family."
    if result.skipped:
        yield f"Not asked for want of articles: {', '.join(result.skipped)}."
    for failed in result.failed:
        yield f"The method {failed.name} failed: {failed.reason}"


def floors_missed(result: QualityResult) -> list[str]:
    """The families and pairs that did not reach their floor, in words."""
    families = [
        f"{family.name}: {_share(family.share)} of {family.floor}"
        for family in result.ours.families
        if family.is_met is False
    ]
    pairs = [
        f"{pairs.file}, {pairs.label}: {_share(pairs.share)} of {pairs.floor}"
        for pairs in result.pairs
        if not pairs.is_met
    ]
    return families + pairs


PASSAGE_MEASURES: Final = (
    *("precision", "recall", "plagdet", "pooled_precision", "pooled_recall", "pooled_plagdet", "granularity"),
)


def report_of(result: QualityResult) -> Report:
    """The single misses and false hits are in files of their own."""
    names = tuple(method.name for method in result.methods)
    tables = [
        Table(family_columns(result), list(family_rows(result)), "Families"),
        Table(("", *names), list(total_rows(result)), "In all"),
        Table(("Zhiwen", ""), list(figure_rows(result))),
    ]
    tables += [Table(PAIR_COLUMNS, list(pair_rows(result)))] if result.pairs else []
    tables += [Table(PASSAGE_COLUMNS, list(passage_rows(result)))] if result.real_passages else []
    return Report(
        name="quality",
        title="Quality",
        header=list(_header(result)),
        tables=tables,
        value=_as_json(result),
        notes=[
            *(f"{method.name}: {method.setting}" for method in result.methods),
            *(f"{family.name}: {family.title}" for family in result.ours.families),
        ],
        picture=Picture("precision-recall", (7.0, 5.0), partial(_draw, result)),
        files={"misses.jsonl": json_lines(result.misses), "false.jsonl": json_lines(result.false_hits)},
    )


def _as_json(result: QualityResult) -> dict[str, Any]:
    value = asdict(result)
    value["methods"] = [_method_json(method) for method in result.methods]
    value["passages"] |= _passage_json(result)
    value["misses"], value["false_hits"] = len(result.misses), len(result.false_hits)
    value["sizes"]["total"] = result.sizes.total
    value["floors_missed"] = floors_missed(result)
    return value


def _passage_json(result: QualityResult) -> dict[str, float]:
    return {name: getattr(result.passages, name) for name in PASSAGE_MEASURES}


def _method_json(method: MethodResult) -> dict[str, Any]:
    value = asdict(method)
    value["precision"]["share"] = method.precision.share
    for shown, family in zip(value["families"], method.families, strict=True):
        shown |= {"share": family.share, "met": family.is_met}
        shown["passages"] = {name: getattr(family.passages, name) for name in PASSAGE_MEASURES}
    return value


def _draw(result: QualityResult, figure: "Figure") -> None:
    """One curve a method, a dot where there is only one setting."""
    axes = figure.add_subplot()
    for method in result.methods:
        recall = [point.recall for point in method.curve]
        precision = [point.precision for point in method.curve]
        axes.plot(recall, precision, marker="." if len(recall) < 2 else "", label=method.name)
    axes.set(xlabel="recall: copies of which a source is named", ylabel="precision of the pairs named")
    axes.set(xlim=(0, 1.02), ylim=(0, 1.02))
    axes.grid(visible=True, alpha=0.3)
    axes.legend(loc="lower left")


def _share(share: float | None) -> str:
    return "–" if share is None else f"{share:.4f}"
