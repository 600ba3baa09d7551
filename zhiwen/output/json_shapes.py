"""The JSON and CSV of the command line that others rely on: keys and meanings are a contract. Pure."""

from datetime import datetime
from functools import reduce
from operator import getitem
from typing import TYPE_CHECKING, Any, Final

from admin.exports.formula_guard import defused
from matcher.explanation.json_shapes import hit_json, passage_json
from matcher.explanation.sentences import gate_name
from storage.records.matches import HitRecord

if TYPE_CHECKING:
    from collections.abc import Iterable

    from matcher.cases.hit_status import HitStanding
    from matcher.explanation.explain import Explanation, TextsCompared
    from matcher.explanation.text_steps import Step
    from matcher.judgement.gates import Gate
    from matcher.meaning.compare import MeaningComparison
    from matcher.meaning.sentence_pairs import SentencePair
    from matcher.measures.model import Result
    from matcher.measures.semantic.table import SemanticResults

_CSV_PATHS: Final = {
    **{f"{side}_{name}": f"{side}.{name}" for side in ("copy", "source") for name in ("url", "title", "site", "owner")},
    **{name: name for name in ("kind", "score")},
    **{"copy_share": "copy.share", "source_share": "source.share"},
    **{name: name for name in ("longest", "credit", "credit_evidence")},
    "direction_confidence": "direction.confidence",
    **{name: name for name in ("found_at", "licence", "licence_id", "broken_terms", "case_id")},
    **{name: name for name in ("relation", "third")},
}
"""Column → path of its value in the JSON of a hit."""
CSV_COLUMNS: Final = tuple(_CSV_PATHS)


def csv_row(hit: HitRecord, standing: "HitStanding") -> tuple[object, ...]:
    """The JSON of a hit as a row: times in ISO 8601, several codes with blanks between them."""
    return csv_cells(hit_json(hit, standing))


def csv_cells(shape: dict[str, Any]) -> tuple[object, ...]:
    """The same of the JSON of a hit, or of a retelling, which has its shape."""
    return tuple(_cell(reduce(getitem, path.split("."), shape)) for path in _CSV_PATHS.values())


def _cell(value: object) -> object:
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, (list, tuple)):
        return " ".join(value)
    return defused(value) if isinstance(value, str) else value


def compare_json(result: "TextsCompared") -> dict[str, Any]:
    judgement, keys = result.judgement, result.keys
    return {
        "match": judgement.is_match,
        "a_share": round(judgement.left_share, 4),
        "b_share": round(judgement.right_share, 4),
        "longest": judgement.longest,
        "score": judgement.score,
        "simhash_distance": keys.simhash_distance,
        "shared_bands": keys.bands,
        "shared_slices": keys.slices,
        "shared_seeds": keys.seeds,
        "matched_units": judgement.matched_units,
        "boilerplate_units": judgement.boilerplate_units,
        "proof": round(judgement.proof, 4),
        "steps": [step_json(step) for step in result.steps],
        "gates": [_gate_json(gate) for gate in judgement.gates],
        "passages": [passage_json(passage, "a", "b") for passage in judgement.passages],
    }


def measures_json(results: "Iterable[Result]") -> list[dict[str, Any]]:
    """The measures of a pair, each with its range; `value` is null where there is none, and `note` says why."""
    return [
        {
            "measure": result.measure.name,
            "value": None if result.measured.value is None else round(result.measured.value, 4),
            "lowest": result.measure.lowest,
            "highest": result.measure.highest,
            "meaning": result.measure.meaning,
            "source": result.measure.source,
            "note": result.measured.note,
            "figures": dict(result.measured.figures),
        }
        for result in results
    ]


def semantic_json(found: "SemanticResults | None") -> dict[str, Any] | None:
    if found is None:
        return None
    return {"texts": found.texts, "words": found.words, "measures": measures_json(found.results)}


def meaning_json(found: "MeaningComparison | None") -> dict[str, Any] | None:
    """`gain` of a pair: its similarity above that of unrelated sentences. Offsets are code points of the texts."""
    if found is None:
        return None
    from matcher.meaning.retelling import RETOLD_FROM  # noqa: PLC0415  # loads NumPy

    retelling = found.retelling
    shared, most = retelling.figures if retelling else (0, 0)
    pairs = retelling.stretch.pairs if retelling else ()
    return {
        "encoder": found.encoder,
        "texts": found.texts,
        "score": round(retelling.score, 4) if retelling else 0.0,
        "needed": retelling.needed if retelling else RETOLD_FROM,
        "retold": retelling is not None and retelling.is_retold,
        "a_share": round(retelling.left_share, 4) if retelling else 0.0,
        "b_share": round(retelling.right_share, 4) if retelling else 0.0,
        "in_order": retelling.stretch.in_order if retelling else 0,
        "figures": {"shared": shared, "of": most},
        "particulars": list(retelling.particulars) if retelling else [],
        "pairs": [_pair_json(pair, found) for pair in pairs],
    }


def _pair_json(pair: "SentencePair", found: "MeaningComparison") -> dict[str, Any]:
    left, right = found.left.sentences[pair.left], found.right.sentences[pair.right]
    return {
        "a_start": left.start,
        "a_end": left.end,
        "b_start": right.start,
        "b_end": right.end,
        "gain": round(pair.gain, 4),
    }


def step_json(step: "Step") -> dict[str, Any]:
    """`passed` is null where a step decides nothing."""
    return {"step": step.kind, "passed": step.passed, "said": step.said, "figures": dict(step.figures)}


def explanation_json(result: "Explanation") -> dict[str, Any]:
    return {
        "a": result.left.url,
        "b": result.right.url,
        "match": result.is_match,
        "because": result.because,
        "candidate_rank": result.rank,
        "candidates": result.candidates,
        **compare_json(result.texts),
    } | {"match": result.is_match, "steps": [step_json(step) for step in result.steps]}


def _gate_json(gate: "Gate") -> dict[str, Any]:
    return {
        "gate": gate_name(gate),
        "measured": round(gate.measured, 4),
        "needed": gate.needed,
        "passed": gate.passed,
    }
