"""Parts of the JSON of what is retold: sentences beside each other, and what proves it. Pure."""

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from storage.records.differences import NO_DIFFERENCES
from storage.records.retellings import AlikeSentences

if TYPE_CHECKING:
    from matcher.retellings.retold_match import RetoldMatch


def sentences_json(pair: AlikeSentences, left: str, right: str) -> dict[str, Any]:
    """Return two sentences that say the same in the shape of a passage, with the particulars that both name. No
    character of theirs was compared, so no difference is counted.
    """
    return {
        f"{left}_start": pair.left_start,
        f"{left}_end": pair.left_end,
        f"{right}_start": pair.right_start,
        f"{right}_end": pair.right_end,
        "similarity": pair.similarity,
        "differences": asdict(NO_DIFFERENCES),
        "boilerplate": False,
        "particulars": pair.particulars,
    }


def beside_json(found: "RetoldMatch") -> dict[str, Any]:
    return {
        "kind": found.kind,
        "score": round(found.score, 4),
        **proof_json(found),
        "passages": [sentences_json(pair, "query", "stored") for pair in found.sentences],
    }


def proof_json(found: "RetoldMatch") -> dict[str, Any]:
    shared, most = found.retelling.figures
    return {
        "proof": [reason.said for reason in found.proof],
        "in_order": found.retelling.stretch.in_order,
        "figures": {"shared": shared, "of": most},
    }
