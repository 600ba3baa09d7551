"""`check`, `compare`, `why-not` and `fingerprint`: questions that store nothing."""

import sys
from typing import TYPE_CHECKING, Any

import click

from fingerprint.dna import Normalisation
from fingerprint.errors import FingerprintError
from matcher.explanation.json_shapes import check_json
from storage.engine import transaction
from storage.records.matches import sum_differences
from zhiwen.commands.articles.text_input import articles_to_check, text_at
from zhiwen.output.control_characters import show
from zhiwen.output.json_shapes import compare_json, explanation_json, measures_json, semantic_json
from zhiwen.output.terminal import fail, json_option, print_json, print_table, reporting_errors, say, store

if TYPE_CHECKING:
    from matcher.comparison.check import CheckResult
    from matcher.comparison.compare_pair import Compared
    from matcher.measures.semantic.table import SemanticResults


@click.command()
@click.argument("source", metavar="PATH|URL|-")
@json_option
@click.option("--limit", type=click.IntRange(1), default=50, show_default=True, help="The most matches to list.")
@reporting_errors
def check(source: str, *, as_json: bool, limit: int) -> None:
    """Is this text original? Compares it with the store and stores nothing.

    A .jsonl file gives one result for each of its records.
    """
    from matcher.comparison import check as comparison_check  # noqa: PLC0415  # dictionaries are loaded only by those who compare

    problems = 0
    with store() as (settings, engine):
        with transaction(engine) as session:
            try:
                against = comparison_check.compared_with(session)
            except comparison_check.NothingToCompareWith as error:
                fail(str(error))
        for record_id, found in articles_to_check(source, settings):
            if isinstance(found, str):
                say(found)
                problems += 1
                continue
            with transaction(engine) as session:
                result = comparison_check.check(session, found, against=against, bound=limit)
            if as_json:
                print_json(check_json(record_id, result))
            else:
                _show_check(record_id, result)
    if problems:
        fail("It could not be checked." if problems == 1 else f"{problems} records could not be checked; see above.")


def _show_check(record_id: str, result: "CheckResult") -> None:
    verdicts = {
        "original": "original: nothing stored shares enough with it",
        "borrowed": "borrowed: parts of it stand elsewhere",
        "copy": "copy: most of it stands elsewhere",
        "cannot_judge": "cannot be judged: the text is too short to have a fingerprint",
    }
    against = result.compared_with
    if against.waiting:
        verdicts["cannot_judge"] = "cannot be judged yet: nothing was found, and not all stored texts were looked at"
    show(f"{record_id}: {verdicts[result.verdict]}")
    texts = f"about {against.texts}" if against.is_estimate else str(against.texts)
    show(f"  {result.chars} characters against {texts} texts of {against.sites} sites, {result.elapsed_ms} ms")
    if against.waiting:
        show(f"  {against.waiting} more wait for the fingerprint of this version (zhiwen recompute makes them).")
    if result.matches:
        columns = ("page", "kind", "taken", "of the stored", "longest", "differences", "credit", "score")
        print_table(columns, [_match_row(found) for found in result.matches])
    if result.cut:
        show(f"  {result.cut} more are not shown or were left out by a bound.")


def _match_row(found: "Compared") -> tuple[object, ...]:
    judgement = found.judgement
    totals = sum_differences(judgement.passages)
    differences = ", ".join(f"{name} {count}" for name, count in totals.items() if count)
    return (
        *(found.pages[0].url, found.kind, f"{judgement.left_share:.0%}", f"{judgement.right_share:.0%}"),
        *(judgement.longest, differences or "none", found.credit.credit, judgement.score),
    )


@click.command()
@click.argument("a")
@click.argument("b")
@click.option("--semantic", is_flag=True, help="Also measure what they are about, fitted on stored texts (slow).")
@json_option
@reporting_errors
def compare(a: str, b: str, *, semantic: bool, as_json: bool) -> None:
    """Two texts (files, URLs or - for standard input): what they share, and what the classic measures say of them."""
    from fingerprint.compute import analyse  # noqa: PLC0415  # dictionaries are loaded only by those who compare
    from matcher.explanation.explain import compare_analysed  # noqa: PLC0415
    from matcher.measures.table import measure_all  # noqa: PLC0415

    texts = (text_at(a), text_at(b))
    meaning = _measured_meaning(*texts) if semantic else None
    left, right = map(analyse, texts)
    shape = compare_json(compare_analysed(left, right)) | {
        "measures": measures_json(measure_all(left, right)),
        "semantic": semantic_json(meaning),
    }
    if as_json:
        print_json(shape)
        return
    _show_comparison(shape)
    _show_measures(shape["measures"], title="What the classic measures say")
    if meaning is not None:
        title = f"What they are about, by {meaning.words} words of {meaning.texts} stored texts"
        _show_measures(shape["semantic"]["measures"], title=title)


def _measured_meaning(left: str, right: str) -> "SemanticResults":
    from matcher.measures.semantic.corpus import SemanticUnavailable, stored_texts  # noqa: PLC0415
    from matcher.measures.semantic.table import measure_semantically, require_extra  # noqa: PLC0415

    try:
        require_extra()
        with store() as (_, engine), transaction(engine) as session:
            texts = stored_texts(session)
        return measure_semantically(left, right, texts)
    except SemanticUnavailable as error:
        fail(str(error))


def _show_comparison(shape: dict[str, Any]) -> None:
    show("They match." if shape["match"] else "They do not match.")
    steps = [(step["step"], _answer(step["passed"]), step["said"]) for step in shape["steps"]]
    print_table(("step", "passed", "what was found"), steps)
    gates = [(gate["gate"], gate["measured"], gate["needed"], _answer(gate["passed"])) for gate in shape["gates"]]
    print_table(("gate", "measured", "needed", "passed"), gates)
    names = ("a_share", "b_share", "longest", "score", "simhash_distance", "shared_slices", "shared_seeds")
    print_table(("what", "value"), [(name.replace("_", " "), shape[name]) for name in names])
    if shape["passages"]:
        columns = ("in a", "in b", "similarity", "differences", "boilerplate")
        print_table(columns, [_passage_row(passage) for passage in shape["passages"]])


def _answer(passed: bool | None) -> str:
    return "–" if passed is None else "yes" if passed else "no"


def _passage_row(passage: dict[str, Any]) -> tuple[object, ...]:
    differences = ", ".join(f"{name} {count}" for name, count in passage["differences"].items() if count)
    return (
        *(f"{passage['a_start']}–{passage['a_end']}", f"{passage['b_start']}–{passage['b_end']}"),
        *(passage["similarity"], differences, "yes" if passage["boilerplate"] else ""),
    )


def _show_measures(measures: list[dict[str, Any]], *, title: str) -> None:
    rows = [
        (
            *(item["measure"], "none" if item["value"] is None else f"{item['value']:.3f}"),
            *(f"{item['lowest']:g}…{item['highest']:g}", item["meaning"]),
            "; ".join(filter(None, (_figures(item["figures"]), item["note"]))),
        )
        for item in measures
    ]
    print_table(("measure", "value", "range", "what it is", "made of"), rows, title=title)


def _figures(figures: dict[str, float]) -> str:
    return ", ".join(f"{name.replace('_', ' ')} {value:g}" for name, value in figures.items())


@click.command("why-not")
@click.argument("url_a")
@click.argument("url_b")
@json_option
@reporting_errors
def why_not(url_a: str, url_b: str, *, as_json: bool) -> None:
    """Why two stored pages were matched, or were not: every gate with its numbers."""
    from matcher.explanation.explain import explain  # noqa: PLC0415

    with store() as (_, engine), transaction(engine) as session:
        result = explain(session, url_a, url_b)
    shape = explanation_json(result)
    if as_json:
        print_json(shape)
        return
    for reason in result.because:
        show(reason)
    _show_comparison(shape)


@click.command()
@click.argument("source", metavar="PATH|-")
@click.option("--n", type=int, default=50, show_default=True, help="Units in a slice.")
@click.option("--overlap", type=float, default=0.0, show_default=True, help="Share of a slice the next one repeats.")
@click.option("--range", "radix", type=int, default=4, show_default=True, help="Levels of a digit: 2, 4, 8 or 10.")
@click.option(
    "--normalisation", type=click.Choice([item.value for item in Normalisation]), default=Normalisation.ZSCORE.value
)
@json_option
@reporting_errors
def fingerprint(source: str, *, n: int, overlap: float, radix: int, normalisation: str, as_json: bool) -> None:
    """The fingerprint of a text: simhash, bands, DNA slices, seeds."""
    from zhiwen.output.fingerprint import fingerprint_shape  # noqa: PLC0415

    text = sys.stdin.read() if source == "-" else text_at(source)
    try:
        shape = fingerprint_shape(text, n=n, overlap=overlap, radix=radix, normalisation=Normalisation(normalisation))
    except FingerprintError as error:
        raise click.UsageError(str(error)) from error
    if as_json:
        print_json(shape)
        return
    for name, value in shape.items():
        shown = f"{len(value)}: {', '.join(map(str, value[:6]))}…" if isinstance(value, list) else value
        show(f"{name.replace('_', ' ')}: {shown}")
