"""`compare` and `why-not`: two texts, or two stored pages, and every step of their comparison."""

from typing import TYPE_CHECKING, Any

import click

from storage.engine import transaction
from zhiwen.commands.articles.text_input import text_at
from zhiwen.output.control_characters import show
from zhiwen.output.json_shapes import compare_json, explanation_json, meaning_json, measures_json, semantic_json
from zhiwen.output.terminal import fail, json_option, print_json, print_table, store, store_session
from zhiwen.wiring import meaning_of, settings_of_this_process

if TYPE_CHECKING:
    from matcher.meaning.compare import MeaningComparison
    from matcher.measures.semantic.table import SemanticResults


@click.command()
@click.argument("a")
@click.argument("b")
@click.option("--semantic", is_flag=True, help="Also measure their topics, fitted on stored texts (slow).")
@click.option("--meaning", is_flag=True, help="Also align their sentences by meaning, across languages.")
@json_option
def compare(a: str, b: str, *, semantic: bool, meaning: bool, as_json: bool) -> None:
    """Compare two texts: files, URLs, or - for stdin. Show their shared passages and the classic measures."""
    from fingerprint.compute import analyse  # noqa: PLC0415  # loads the dictionaries
    from matcher.explanation.explain import compare_analysed  # noqa: PLC0415
    from matcher.measures.table import measure_all  # noqa: PLC0415

    texts = (text_at(a), text_at(b))
    topics = _measured_topics(*texts) if semantic else None
    retelling = _compared_by_meaning(*texts) if meaning else None
    left, right = map(analyse, texts)
    shape = compare_json(compare_analysed(left, right)) | {
        "measures": measures_json(measure_all(left, right)),
        "semantic": semantic_json(topics),
        "meaning": meaning_json(retelling),
    }
    if as_json:
        print_json(shape)
        return
    _show_comparison(shape)
    _show_measures(shape["measures"], title="Classic measures")
    if topics is not None:
        title = f"Measures of meaning, fitted on {topics.words} words of {topics.texts} stored texts"
        _show_measures(shape["semantic"]["measures"], title=title)
    if retelling is not None:
        _show_meaning(shape["meaning"], *texts)


def _compared_by_meaning(left: str, right: str) -> "MeaningComparison":
    from matcher.meaning.compare import MeaningComparer  # noqa: PLC0415
    from matcher.meaning.encoders.encoder import EncoderUnavailable  # noqa: PLC0415
    from matcher.measures.semantic.corpus import stored_texts  # noqa: PLC0415
    from zhiwen.encoders.choice import encoder_for_drafts  # noqa: PLC0415

    try:
        encoder = encoder_for_drafts(settings_of_this_process())
        with store_session() as session:
            texts = stored_texts(session)
        return MeaningComparer(texts, encoder).compare(left, right)
    except EncoderUnavailable as error:
        fail(str(error))


def _show_meaning(shape: dict[str, Any], left: str, right: str) -> None:
    if not shape["pairs"]:
        show("By meaning: no sentence of one text is like one of the other.")
        return
    said = "By meaning, one text retells the other" if shape["retold"] else "By meaning, no retelling is shown"
    figures, count = shape["figures"], len(shape["pairs"])
    show(
        f"{said}: score {shape['score']:.2f}, from {shape['needed']:.2f} on. Sentences with a counterpart: {count} "
        f"({shape['a_share']:.0%} of a, {shape['b_share']:.0%} of b), in the same order: {shape['in_order']}, figures "
        f"that agree: {figures['shared']} of {figures['of']}."
    )
    if shape["particulars"]:
        show(f"Names, terms and figures of both that other texts seldom have: {', '.join(shape['particulars'])}")
    rows = [
        (left[pair["a_start"] : pair["a_end"]], right[pair["b_start"] : pair["b_end"]], f"{pair['gain']:.2f}")
        for pair in shape["pairs"]
    ]
    print_table(("sentence of a", "sentence of b", "gain"), rows, title=f"Beside {shape['texts']} stored texts")


def _measured_topics(left: str, right: str) -> "SemanticResults":
    from matcher.measures.semantic.corpus import SemanticUnavailable, stored_texts  # noqa: PLC0415
    from matcher.measures.semantic.table import measure_semantically, require_extra  # noqa: PLC0415

    try:
        require_extra()
        with store_session() as session:
            texts = stored_texts(session)
        return measure_semantically(left, right, texts)
    except SemanticUnavailable as error:
        fail(str(error))


def _show_comparison(shape: dict[str, Any]) -> None:
    show("They match." if shape["match"] else "They do not match.")
    steps = [(step["step"], _answer(step["passed"]), step["said"]) for step in shape["steps"]]
    print_table(("step", "passed", "result"), steps)
    gates = [(gate["gate"], gate["measured"], gate["needed"], _answer(gate["passed"])) for gate in shape["gates"]]
    print_table(("gate", "measured", "needed", "passed"), gates)
    names = ("a_share", "b_share", "longest", "score", "simhash_distance", "shared_slices", "shared_seeds")
    print_table(("figure", "value"), [(name.replace("_", " "), shape[name]) for name in names])
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
    print_table(("measure", "value", "range", "meaning", "figures"), rows, title=title)


def _figures(figures: dict[str, float]) -> str:
    return ", ".join(f"{name.replace('_', ' ')} {value:g}" for name, value in figures.items())


@click.command("why-not")
@click.argument("url_a")
@click.argument("url_b")
@json_option
def why_not(url_a: str, url_b: str, *, as_json: bool) -> None:
    """Explain why two stored pages match, or do not: every gate with its figures."""
    from matcher.explanation.explain import explain  # noqa: PLC0415

    with store() as (settings, engine), transaction(engine) as session:
        result = explain(session, url_a, url_b, open_search=meaning_of(settings))
    shape = explanation_json(result)
    if as_json:
        print_json(shape)
        return
    for reason in result.because:
        show(reason)
    _show_comparison(shape)
