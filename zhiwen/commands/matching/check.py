"""`check`: compares a text with the store and stores nothing."""

from functools import partial
from typing import TYPE_CHECKING

import click

from matcher.explanation.json_shapes import check_json
from storage.postgres.replica import run_reading
from storage.records.differences import sum_differences
from zhiwen.commands.articles.text_input import articles_to_check
from zhiwen.output.control_characters import show
from zhiwen.output.terminal import fail, json_option, print_json, print_table, say, store
from zhiwen.wiring import opened_replica

if TYPE_CHECKING:
    from matcher.comparison.check import CheckResult
    from matcher.comparison.compare_pair import Compared


@click.command()
@click.argument("source", metavar="PATH|URL|-")
@json_option
@click.option("--limit", type=click.IntRange(1), default=50, help="Most matches to list.")
def check(source: str, *, as_json: bool, limit: int) -> None:
    """Compare a text with the store: is it original? Nothing is stored.

    For a .jsonl file, print one result for each of its records.
    """
    from matcher.comparison import check as comparison_check  # noqa: PLC0415  # loads the dictionaries

    problems = 0
    with store() as (settings, engine), opened_replica(settings, engine) as replica:
        read = partial(run_reading, engine, replica)
        try:
            against = read(comparison_check.compared_with)
        except comparison_check.NothingToCompareWith as error:
            fail(str(error))
        for record_id, found in articles_to_check(source, settings):
            if isinstance(found, str):
                say(found)
                problems += 1
                continue
            result = read(partial(comparison_check.check, article=found, against=against, bound=limit))
            if as_json:
                print_json(check_json(record_id, result))
            else:
                _show_check(record_id, result)
    if problems:
        fail(
            "The text could not be checked; see above."
            if problems == 1
            else f"{problems} records could not be checked; see above."
        )


def _show_check(record_id: str, result: "CheckResult") -> None:
    verdicts = {
        "original": "original: no stored text matches it",
        "borrowed": "borrowed: parts of it match stored texts",
        "copy": "copy: most of it matches a stored text",
        "cannot_judge": "cannot be judged: the text is too short for a fingerprint",
    }
    against = result.compared_with
    if against.waiting:
        verdicts["cannot_judge"] = (
            "cannot be judged yet: no match was found, but not all stored texts have a current fingerprint"
        )
    show(f"{record_id}: {verdicts[result.verdict]}")
    texts = f"about {against.texts}" if against.is_estimate else str(against.texts)
    show(f"  {result.chars} characters against {texts} texts of {against.sites} sites, {result.elapsed_ms} ms")
    if against.waiting:
        show(f"  {against.waiting} more have no fingerprint of this version. Recompute them: zhiwen recompute")
    if result.matches:
        columns = ("page", "kind", "query share", "stored share", "longest", "differences", "credit", "score")
        print_table(columns, [_match_row(found) for found in result.matches])
    if result.cut:
        show(f"  {result.cut} more are not shown, or were left out by a limit.")


def _match_row(found: "Compared") -> tuple[object, ...]:
    judgement = found.judgement
    totals = sum_differences(passage.differences for passage in judgement.passages)
    differences = ", ".join(f"{name} {count}" for name, count in totals.items() if count)
    return (
        *(found.pages[0].url, found.kind, f"{judgement.left_share:.0%}", f"{judgement.right_share:.0%}"),
        *(judgement.longest, differences or "none", found.credit.credit, judgement.score),
    )
