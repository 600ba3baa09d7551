"""The JSON of checks and hits, for the command line and the API: keys and meanings are a contract. Pure."""

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from matcher.explanation.retelling_shapes import beside_json, proof_json, sentences_json
from matcher.retellings.proof_words import proof_of
from storage.records.matches import Evidence, HitRecord, HitSide, Passage
from storage.records.pages import PageRecord

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matcher.cases.hit_status import HitStanding
    from matcher.cases.retelling_standing import RetellingStanding
    from matcher.comparison.check import CheckResult, ComparedWith
    from matcher.comparison.compare_pair import Compared
    from matcher.provenance.direction import Direction
    from matcher.retellings.check_by_meaning import MeaningResult
    from matcher.retellings.retold_match import RetoldMatch
    from storage.records.retellings import RetellingRecord


def passage_json(passage: Passage, left: str, right: str) -> dict[str, Any]:
    """Return a passage with its offsets named after the two texts, as in `query_start` and `stored_start`."""
    return {
        f"{left}_start": passage.left_start,
        f"{left}_end": passage.left_end,
        f"{right}_start": passage.right_start,
        f"{right}_end": passage.right_end,
        "similarity": passage.similarity,
        "differences": asdict(passage.differences),
        "boilerplate": passage.is_boilerplate,
    }


def compared_with_json(against: "ComparedWith") -> dict[str, Any]:
    """`waiting` is present only if texts wait, `texts_estimated` only if they were not counted."""
    waiting = {"waiting": against.waiting} if against.waiting else {}
    estimated = {"texts_estimated": True} if against.is_estimate else {}
    return {"texts": against.texts, "sites": against.sites, "newest": against.newest, **waiting, **estimated}


def check_json(record_id: str, result: "CheckResult", meaning: "MeaningResult | None" = None) -> dict[str, Any]:
    """`meaning`: the result of the check by meaning. Matches of the wording come first."""
    beside = {} if meaning is None else meaning.beside
    return {
        "id": record_id,
        "chars": result.chars,
        "elapsed_ms": result.elapsed_ms if meaning is None else round(result.elapsed_ms + meaning.elapsed_ms, 2),
        "verdict": result.verdict if meaning is None else meaning.verdict(result.verdict),
        "compared_with": compared_with_json(result.compared_with),
        "cut": result.cut,
        "matches": [
            *(_compared_json(found, beside.get(found.stored.id)) for found in result.matches),
            *(() if meaning is None else map(_retold_json, meaning.retold)),
        ],
    }


def pages_json(found: "Compared | RetoldMatch") -> list[dict[str, Any]]:
    """Return every known page that holds the matched text, first seen first, up to
    `matcher.comparison.check.PAGES_NAMED`.
    """
    return [
        {**_page_json(page), "published_at": page.declared.at, "first_seen_at": page.first_seen_at}
        for page in found.pages
    ]


def _page_json(page: PageRecord) -> dict[str, Any]:
    return {"url": page.url, "page_id": page.id, "title": page.title, "site": page.site_name}


def _direction_json(direction: "Direction", more: "Sequence[str]") -> dict[str, Any]:
    """`more`: reasons for the relation."""
    return {
        "origin": "query" if direction.left_is_source else "stored",
        "confidence": round(direction.confidence, 4),
        "reasons": (*direction.reasons, *more),
    }


def _compared_json(found: "Compared", retold: "RetoldMatch | None") -> dict[str, Any]:
    """`retold`: what the two texts say alike beyond the wording."""
    judgement, relation = found.judgement, found.relation_with(found.pages[0])
    return {
        **_page_json(found.pages[0]),
        "pages": pages_json(found),
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
        "direction": _direction_json(found.direction, relation.reasons),
        "credit": found.credit.credit,
        "relation": relation.relation,
        "third": relation.third_url,
        "particulars": () if retold is None else retold.retelling.particulars,
        "retold": None if retold is None else beside_json(retold),
        "passages": [passage_json(passage, "query", "stored") for passage in judgement.passages],
    }


def _retold_json(found: "RetoldMatch") -> dict[str, Any]:
    """A match that rests on meaning, with the keys of all matches; keys of the fingerprint are null or zero."""
    return {
        **_page_json(found.pages[0]),
        "pages": pages_json(found),
        "other_pages": found.other_pages,
        "kind": found.kind,
        "score": round(found.score, 4),
        "query_share": round(found.retelling.left_share, 4),
        "stored_share": round(found.retelling.right_share, 4),
        "own_share": round(found.own_share, 4),
        "longest": found.longest,
        "simhash_distance": None,
        "shared_slices": 0,
        "shared_seeds": 0,
        "direction": _direction_json(found.direction, found.relation_reasons),
        "credit": found.credit.credit,
        "relation": found.relation,
        "third": None if found.third is None else found.third.url,
        "particulars": found.retelling.particulars,
        **proof_json(found),
        "retold": None,
        "passages": [sentences_json(pair, "query", "stored") for pair in found.sentences],
    }


def retelling_json(found: "RetellingRecord", standing: "RetellingStanding") -> dict[str, Any]:
    """A stored retelling in the shape of a hit, with what proves it. `passages`: sentence beside sentence."""
    shared, most = found.figures
    reasons = proof_of(found.sentences, in_order=found.in_order, figures=found.figures, particulars=found.particulars)
    evidence = Evidence(simhash_distance=None, shared_slices=0, shared_seeds=0, matched_units=0, boilerplate_units=0)
    return {
        "id": found.id,
        "copy": _side_json(found.copy),
        "source": _side_json(found.source),
        "kind": found.kind,
        "score": found.score,
        "longest": max((pair.left_end - pair.left_start for pair in found.sentences), default=0),
        **asdict(evidence),
        "direction": {"origin": found.source.url, "confidence": found.confidence, "reasons": found.reasons},
        "credit": standing.credit.credit,
        "credit_evidence": standing.credit.evidence,
        "relation": found.relation,
        "third": found.third_url,
        "particulars": found.particulars,
        "proof": [reason.said for reason in reasons],
        "in_order": found.in_order,
        "figures": {"shared": shared, "of": most},
        "passages": [sentences_json(pair, "copy", "source") for pair in found.sentences],
        "found_at": found.found_at,
        **_standing_json(standing.standing),
        "state": found.state,
    }


def hit_json(hit: HitRecord, standing: "HitStanding") -> dict[str, Any]:
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
        "relation": hit.relation,
        "third": hit.third_url,
        "passages": [passage_json(passage, "copy", "source") for passage in hit.passages],
        "found_at": hit.created_at,
        **_standing_json(standing),
    }


def _standing_json(standing: "HitStanding") -> dict[str, Any]:
    permission = standing.permission
    return {
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
        "found_by": side.found_by,
    }
