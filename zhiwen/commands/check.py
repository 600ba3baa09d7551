"""`check`, `compare`, `why-not` and `fingerprint`: questions that store nothing."""

import sys
from typing import TYPE_CHECKING, Any

import click

from fingerprint.dna import Normalisation
from fingerprint.errors import FingerprintError
from storage.engine import transaction
from zhiwen.commands.reading import articles_to_check, text_at
from zhiwen.commands.shell import fail, json_option, print_json, print_table, reporting_errors, say, store
from zhiwen.shapes import check_json, compare_json, explanation_json

if TYPE_CHECKING:
    from matcher.service import CheckResult, Compared


@click.command()
@click.argument("source", metavar="PATH|URL|-")
@json_option
@click.option("--limit", type=click.IntRange(1), default=50, show_default=True, help="The most matches to list.")
@reporting_errors
def check(source: str, *, as_json: bool, limit: int) -> None:
    """Is this text original? Compares it with the store and stores nothing.

    A .jsonl file gives one result for each of its records.
    """
    from matcher import service  # noqa: PLC0415  # dictionaries are loaded only by those who compare

    problems = 0
    with store() as (settings, engine):
        with transaction(engine) as session:
            try:
                against = service.compared_with(session)
            except service.NothingToCompareWith as error:
                fail(str(error))
        for record_id, found in articles_to_check(source, settings):
            if isinstance(found, str):
                say(found)
                problems += 1
                continue
            with transaction(engine) as session:
                result = service.check(session, found, against=against, bound=limit)
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
    click.echo(f"{record_id}: {verdicts[result.verdict]}")
    click.echo(
        f"  {result.chars} characters against {against.texts} texts of {against.sites} sites, {result.elapsed_ms} ms"
    )
    if result.matches:
        columns = ("page", "kind", "taken", "of the stored", "longest", "differences", "credit", "score")
        print_table(columns, [_match_row(found) for found in result.matches])
    if result.cut:
        click.echo(f"  {result.cut} more are not shown or were left out by a bound.")


def _match_row(found: "Compared") -> tuple[object, ...]:
    judgement = found.judgement
    totals: dict[str, int] = {}
    for passage in judgement.passages:
        for name in ("homophone", "variant", "lookalike", "edited", "inserted", "deleted", "moved"):
            totals[name] = totals.get(name, 0) + getattr(passage.differences, name)
    differences = ", ".join(f"{name} {count}" for name, count in totals.items() if count)
    return (
        *(found.pages[0].url, found.kind, f"{judgement.left_share:.0%}", f"{judgement.right_share:.0%}"),
        *(judgement.longest, differences or "none", found.credit.credit, judgement.score),
    )


@click.command()
@click.argument("a")
@click.argument("b")
@json_option
@reporting_errors
def compare(a: str, b: str, *, as_json: bool) -> None:
    """Two texts (files, URLs or - for standard input): what they share."""
    from matcher.explain import compare_texts  # noqa: PLC0415

    result = compare_texts(text_at(a), text_at(b))
    if as_json:
        print_json(compare_json(result))
        return
    _show_comparison(compare_json(result), "a", "b")


def _show_comparison(shape: dict[str, Any], left: str, right: str) -> None:
    click.echo("They match." if shape["match"] else "They do not match.")
    names = ("a_share", "b_share", "longest", "score", "simhash_distance", "shared_slices", "shared_seeds")
    print_table(("what", "value"), [(name.replace("_", " "), shape[name]) for name in names])
    gates = [
        (gate["gate"], gate["measured"], gate["needed"], "yes" if gate["passed"] else "no") for gate in shape["gates"]
    ]
    print_table(("gate", "measured", "needed", "passed"), gates)
    if shape["passages"]:
        rows = [
            (f"{item[f'{left}_start']}–{item[f'{left}_end']}", f"{item[f'{right}_start']}–{item[f'{right}_end']}",
             item["similarity"], ", ".join(f"{name} {count}" for name, count in item["differences"].items() if count))
            for item in shape["passages"]
        ]  # fmt: skip
        print_table(("in a", "in b", "similarity", "differences"), rows)


@click.command("why-not")
@click.argument("url_a")
@click.argument("url_b")
@json_option
@reporting_errors
def why_not(url_a: str, url_b: str, *, as_json: bool) -> None:
    """Why two stored pages were matched, or were not: every gate with its numbers."""
    from matcher.explain import explain  # noqa: PLC0415

    with store() as (_, engine), transaction(engine) as session:
        result = explain(session, url_a, url_b)
    shape = explanation_json(result)
    if as_json:
        print_json(shape)
        return
    for reason in result.because:
        click.echo(reason)
    place = f"number {result.rank}" if result.rank else "none"
    click.echo(f"candidate of the first page: {place} of {result.candidates}")
    _show_comparison(shape, "a", "b")


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
    from zhiwen.fingerprints import fingerprint_shape  # noqa: PLC0415

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
        click.echo(f"{name.replace('_', ' ')}: {shown}")
