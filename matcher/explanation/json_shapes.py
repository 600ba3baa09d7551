"""The JSON of checks and hits, for the command line and the API: keys and meanings are a contract. Pure."""

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from storage.records.matches import HitRecord, HitSide, Passage
from storage.records.pages import PageRecord

if TYPE_CHECKING:
    from matcher.cases.hit_status import HitStanding
    from matcher.comparison.check import CheckResult, ComparedWith
    from matcher.comparison.compare_pair import Compared


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


def check_json(record_id: str, result: "CheckResult") -> dict[str, Any]:
    return {
        "id": record_id,
        "chars": result.chars,
        "elapsed_ms": result.elapsed_ms,
        "verdict": result.verdict,
        "compared_with": compared_with_json(result.compared_with),
        "cut": result.cut,
        "matches": [_compared_json(found) for found in result.matches],
    }


def pages_json(found: "Compared") -> list[dict[str, Any]]:
    """Return every known page that holds the matched text, first seen first, up to
    `matcher.comparison.check.PAGES_NAMED`.
    """
    return [
        {**_page_json(page), "published_at": page.declared.at, "first_seen_at": page.first_seen_at}
        for page in found.pages
    ]


def _page_json(page: PageRecord) -> dict[str, Any]:
    return {"url": page.url, "page_id": page.id, "title": page.title, "site": page.site_name}


def _compared_json(found: "Compared") -> dict[str, Any]:
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
        "direction": {
            "origin": "query" if found.direction.left_is_source else "stored",
            "confidence": round(found.direction.confidence, 4),
            "reasons": (*found.direction.reasons, *relation.reasons),
        },
        "credit": found.credit.credit,
        "relation": relation.relation,
        "third": relation.third_url,
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
        "relation": hit.relation,
        "third": hit.third_url,
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
