"""A case and its alignments as JSON: codes, offsets and times (pure)."""

import json
from dataclasses import asdict

from admin.evidence.dossier import Copy, Dossier
from admin.evidence.precedence import documented
from storage.cases.handout import StoredBody
from storage.records.matches import HitSide
from storage.records.pages import PageRecord


def case_shape(dossier: Dossier) -> dict[str, object]:
    """The case as JSON. Internal notes are left out."""
    case = dossier.case
    return {
        "case": case.id,
        "state": case.state.value,
        "list": case.queue.value,
        "opened_at": case.opened_at.isoformat(),
        "copier": case.other_name,
        "made_at": dossier.made_at.isoformat(),
        "made_by": dossier.made_by,
        "chain_head": None if dossier.head is None else str(dossier.head),
        "ours": _page_shape(dossier, dossier.our_page, dossier.our_page.text_id),
        "copies": [_copy_shape(dossier, copy) for copy in dossier.copies],
        "copies_left_out": dossier.copies_left_out,
        "evidence": [json.loads(entry.body) | {"hash": entry.hash.hex()} for entry in dossier.entries],
    }


def _copy_shape(dossier: Dossier, copy: Copy) -> dict[str, object]:
    found = copy.found
    return _page_shape(dossier, copy.page, found.their_text_id) | {
        "kind": found.kind.value,
        "characters": found.chars,
        "share_of_ours": found.our_share,
        "share_of_theirs": found.their_share,
        "credit": found.credit.value,
        "standing": found.standing.value,
        "broken_terms": [term.value for term in found.broken_terms],
        "capture": {
            "state": found.evidence.state.value,
            "entry": found.evidence.entry,
            "at": None if found.evidence.at is None else found.evidence.at.isoformat(),
            "refusal": found.evidence.refusal,
        },
        "found_at": found.found_at.isoformat(),
        "no_copy_any_more_since": None if found.gone_at is None else found.gone_at.isoformat(),
        "alignment": None if copy.hit is None else f"alignment/{copy.hit.id}.json",
        "retelling": None if copy.retelling is None else f"retelling/{copy.retelling.id}.json",
    }


def _page_shape(dossier: Dossier, page: PageRecord, text_id: int) -> dict[str, object]:
    body = dossier.texts.get(text_id)
    return {
        "url": page.url,
        "title": page.title,
        "author": page.author,
        "site": page.site_name,
        "owner": page.owner_name,
        "published_at": None if page.declared.at is None else page.declared.at.isoformat(),
        "published_precision": page.declared.precision.value,
        "published_as_found": page.declared.origin.value,
        "first_seen_at": page.first_seen_at.isoformat(),
        "gone_at": None if page.gone_at is None else page.gone_at.isoformat(),
        "text_sha256": None if body is None else body.sha256.hex(),
    }


def alignment(dossier: Dossier, copy: Copy) -> dict[str, object]:
    """The passages of a hit, in code points of the two texts; left is the copy.

    The confidence is that the source was first, without the vote of our own settings (`admin.evidence.precedence`).
    """
    hit = copy.hit
    if hit is None:
        return {}
    precedence = documented(hit)
    bodies = {side: dossier.texts.get(number.text_id) for side, number in (("copy", hit.copy), ("source", hit.source))}
    return {
        "copy": {"url": hit.copy.url, "text_sha256": _digest(bodies["copy"]), "share": hit.copy.share},
        "source": {"url": hit.source.url, "text_sha256": _digest(bodies["source"]), "share": hit.source.share},
        "direction": {"confidence": round(precedence.source_first, 4), "reasons": list(map(str, precedence.reasons))},
        "credit": {"given": hit.credit.value, "evidence": hit.credit_evidence},
        "numbers": asdict(hit.evidence),
        "passages": [asdict(passage) for passage in hit.passages],
    }


def retelling(dossier: Dossier, copy: Copy) -> dict[str, object]:
    """The sentences of a retelling, in code points of the two texts; left is the page that is probably the later one.

    It says what is similar, and proves no copy.
    """
    found = copy.retelling
    if found is None:
        return {}
    precedence = documented(found)
    return {
        "kind": found.kind.value,
        "score": round(found.score, 4),
        "later": _side(dossier, found.copy),
        "earlier": _side(dossier, found.source),
        "direction": {"confidence": round(precedence.source_first, 4), "reasons": list(map(str, precedence.reasons))},
        "relation": found.relation.value,
        "third": found.third_url,
        "in_order": found.in_order,
        "figures": {"shared": found.figures[0], "of": found.figures[1]},
        "particulars": list(found.particulars),
        "sentences": [asdict(one) for one in found.sentences],
    }


def _side(dossier: Dossier, side: HitSide) -> dict[str, object]:
    return {"url": side.url, "text_sha256": _digest(dossier.texts.get(side.text_id)), "share": side.share}


def _digest(body: StoredBody | None) -> str | None:
    return None if body is None else body.sha256.hex()
