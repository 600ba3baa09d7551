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
from zhiwen.wiring import meaning_of, opened_replica

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

    from matcher.comparison.check import CheckResult
    from matcher.comparison.compare_pair import Compared
    from matcher.retellings.check_by_meaning import MeaningResult
    from matcher.retellings.retold_match import RetoldMatch
    from storage.records.pages import NewArticle
    from zhiwen.config.settings import Settings


@click.command()
@click.argument("source", metavar="PATH|URL|-")
@json_option
@click.option("--limit", type=click.IntRange(1), default=50, help="Most matches to list.")
@click.option("--no-meaning", is_flag=True, help="Compare the wording only: no retellings and translations.")
def check(source: str, *, as_json: bool, limit: int, no_meaning: bool) -> None:
    """Compare a text with the store: is it original? Nothing is stored.

    For a .jsonl file, print one result for each of its records.
    """
    from matcher.comparison import check as comparison_check  # noqa: PLC0415  # loads the dictionaries

    problems = texts = 0
    with store() as (settings, engine), opened_replica(settings, engine) as replica:
        read = partial(run_reading, engine, replica)
        try:
            against = read(comparison_check.compared_with)
        except comparison_check.NothingToCompareWith as error:
            fail(str(error))
        by_meaning = _ByMeaning(settings, is_asked=not no_meaning)
        for record_id, found in articles_to_check(source, settings):
            texts += 1
            if isinstance(found, str):
                say(found)
                problems += 1
                continue
            result = read(partial(comparison_check.check, article=found, against=against, bound=limit))
            meaning = read(partial(by_meaning, article=found, literal=result))
            if as_json:
                print_json(check_json(record_id, result, meaning))
            else:
                _show_check(record_id, result, meaning)
    if not texts:
        fail(f"{source} holds no text to check. Give a file with text, or a folder of such files.")
    if problems:
        fail(
            "The text could not be checked; see above."
            if problems == 1
            else f"{problems} records could not be checked; see above."
        )


class _ByMeaning:
    """The check by meaning with one encoder for all records; what it leaves out is said once."""

    def __init__(self, settings: "Settings", *, is_asked: bool) -> None:
        self._open = meaning_of(settings) if is_asked else None
        self._said: set[str] = set()

    def __call__(self, session: "Session", *, article: "NewArticle", literal: "CheckResult") -> "MeaningResult":
        from matcher.retellings.check_by_meaning import NOT_ASKED, check_by_meaning  # noqa: PLC0415  # loads NumPy

        if self._open is None:
            return NOT_ASKED
        found = check_by_meaning(session, article, literal, self._open)
        if found.left_out:
            self._say(f"Retellings and translations were not looked for. {found.left_out}")
        elif found.is_partial:
            self._say("Some stored texts are not encoded yet: retellings of them are not found. Run: zhiwen match")
        return found

    def _say(self, message: str) -> None:
        if message not in self._said:
            self._said.add(message)
            say(message)


def _show_check(record_id: str, result: "CheckResult", meaning: "MeaningResult") -> None:
    verdicts = {
        "original": "original: no stored text matches it",
        "borrowed": "borrowed: parts of it match stored texts",
        "copy": "copy: most of it matches a stored text",
        "similar": "similar: a stored text says the same in other words or in another language",
        "cannot_judge": "cannot be judged: the text is too short for a fingerprint",
    }
    against = result.compared_with
    if against.waiting:
        verdicts["cannot_judge"] = (
            "cannot be judged yet: no match was found, but not all stored texts have a current fingerprint"
        )
    show(f"{record_id}: {verdicts[meaning.verdict(result.verdict)]}")
    texts = f"about {against.texts}" if against.is_estimate else str(against.texts)
    show(f"  {result.chars} characters against {texts} texts of {against.sites} sites, {result.elapsed_ms} ms")
    if against.waiting:
        show(f"  {against.waiting} more have no fingerprint of this version. Recompute them: zhiwen recompute")
    if result.matches:
        columns = ("page", "kind", "query share", "stored share", "longest", "differences", "credit", "score")
        print_table(columns, [_match_row(found) for found in result.matches])
    retold = (*meaning.retold, *meaning.beside.values())
    if retold:
        columns = ("page", "kind", "query share", "stored share", "in order", "figures", "credit", "score")
        print_table(columns, [_retold_row(found) for found in retold], title="Similar, not the same wording")
        for found in retold:
            show(f"  {found.pages[0].url}: {'; '.join(reason.said for reason in found.proof)}")
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


def _retold_row(found: "RetoldMatch") -> tuple[object, ...]:
    retelling = found.retelling
    shared, most = retelling.figures
    return (
        *(found.pages[0].url, found.kind, f"{retelling.left_share:.0%}", f"{retelling.right_share:.0%}"),
        *(retelling.stretch.in_order, f"{shared} of {most}", found.credit.credit, f"{found.score:.2f}"),
    )
