"""The JSON and CSV that others rely on: keys and meanings are a contract. Pure."""

from dataclasses import asdict
from typing import TYPE_CHECKING, Any, Final

from storage.records import HitRecord, HitSide, Passage

if TYPE_CHECKING:
    from collections.abc import Iterable

    from matcher.compared import Compared
    from matcher.explain import Explanation, TextsCompared
    from matcher.measures.semantic.table import SemanticResult, SemanticResults
    from matcher.measures.table import Result
    from matcher.service import CheckResult
    from matcher.steps import Step
    from zhiwen.hit_standings import HitStanding

CSV_COLUMNS: Final = (
    *("copy_url", "copy_title", "copy_site", "copy_owner", "source_url", "source_title", "source_site"),
    *("source_owner", "kind", "score", "copy_share", "source_share", "longest", "credit", "credit_evidence"),
    *("direction_confidence", "found_at", "licence", "licence_id", "broken_terms", "case_id"),
)
# What a spreadsheet would take for a formula when it opens the file.
_FORMULA_STARTS: Final = ("=", "+", "-", "@", "\t", "\r")


def passage_json(passage: Passage, left: str, right: str) -> dict[str, Any]:
    """A passage with its offsets named after the two texts, as in `query_start` and `stored_start`."""
    return {
        f"{left}_start": passage.left_start,
        f"{left}_end": passage.left_end,
        f"{right}_start": passage.right_start,
        f"{right}_end": passage.right_end,
        "similarity": passage.similarity,
        "differences": asdict(passage.differences),
        "boilerplate": passage.is_boilerplate,
    }


def check_json(record_id: str, result: "CheckResult") -> dict[str, Any]:
    against = result.compared_with
    return {
        "id": record_id,
        "chars": result.chars,
        "elapsed_ms": result.elapsed_ms,
        "verdict": result.verdict,
        "compared_with": {"texts": against.texts, "sites": against.sites, "newest": against.newest},
        "cut": result.cut,
        "matches": [_compared_json(found) for found in result.matches],
    }


def _compared_json(found: "Compared") -> dict[str, Any]:
    judgement, page = found.judgement, found.pages[0]
    return {
        "url": page.url,
        "page_id": page.id,
        "title": page.title,
        "site": page.site_name,
        "other_pages": found.other_pages,
        "kind": found.kind,
        "score": judgement.score,
        "query_share": round(judgement.left_share, 4),
        "stored_share": round(judgement.right_share, 4),
        "own_share": round(found.own_share, 4),
        "longest": judgement.longest,
        "simhash_distance": found.candidate.simhash_distance,
        "shared_slices": found.candidate.shared_slices,
        "shared_seeds": found.candidate.shared_seeds,
        "direction": {
            "origin": "query" if found.direction.left_is_source else "stored",
            "confidence": round(found.direction.confidence, 4),
            "reasons": found.direction.reasons,
        },
        "credit": found.credit.credit,
        "passages": [passage_json(passage, "query", "stored") for passage in judgement.passages],
    }


def hit_json(hit: HitRecord, standing: "HitStanding") -> dict[str, Any]:
    permission = standing.permission
    return {
        "id": hit.id,
        "copy": _side_json(hit.copy),
        "source": _side_json(hit.source),
        "kind": hit.kind,
        "score": hit.score,
        "longest": hit.longest,
        **asdict(hit.evidence),
        "direction": {"origin": hit.source.url, "confidence": hit.confidence, "reasons": hit.reasons},
        "credit": hit.credit,
        "credit_evidence": hit.credit_evidence,
        "passages": [passage_json(passage, "copy", "source") for passage in hit.passages],
        "found_at": hit.created_at,
        "licence": None if permission is None else permission.standing,
        "licence_id": None if permission is None else permission.licence_id,
        "broken_terms": [] if permission is None else permission.broken,
        "case_id": standing.case_id,
    }


def _side_json(side: HitSide) -> dict[str, Any]:
    return {
        "url": side.url,
        "page_id": side.page_id,
        "title": side.title,
        "site": side.site_name,
        "owner": side.owner_name,
        "chars": side.chars,
        "share": round(side.share, 4),
        "published_at": side.published_at,
        "first_seen_at": side.first_seen_at,
    }


def csv_row(hit: HitRecord, standing: "HitStanding") -> tuple[object, ...]:
    shape = hit_json(hit, standing)
    row = (
        *(hit.copy.url, hit.copy.title, hit.copy.site_name, hit.copy.owner_name),
        *(hit.source.url, hit.source.title, hit.source.site_name, hit.source.owner_name),
        *(hit.kind.value, hit.score, round(hit.copy.share, 4), round(hit.source.share, 4), hit.longest),
        *(hit.credit.value, hit.credit_evidence, hit.confidence, hit.created_at.isoformat()),
        *(shape["licence"], shape["licence_id"], " ".join(shape["broken_terms"]), shape["case_id"]),
    )
    return tuple(_harmless(value) for value in row)


def _harmless(value: object) -> object:
    return f"'{value}" if isinstance(value, str) and value.startswith(_FORMULA_STARTS) else value


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
        "gates": [_gate_json(gate.name, gate.measured, gate.needed, passed=gate.passed) for gate in judgement.gates],
        "passages": [passage_json(passage, "a", "b") for passage in judgement.passages],
    }


def measures_json(results: "Iterable[Result | SemanticResult]") -> list[dict[str, Any]]:
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


def step_json(step: "Step") -> dict[str, Any]:
    """`passed` is null where a step decides nothing."""
    return {"step": step.name, "passed": step.passed, "said": step.said, "figures": dict(step.figures)}


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


def _gate_json(name: str, measured: float, needed: float, *, passed: bool) -> dict[str, Any]:
    return {"gate": name, "measured": round(measured, 4), "needed": needed, "passed": passed}
