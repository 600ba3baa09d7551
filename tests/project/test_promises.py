"""No sentence of docs, desk, letters, documents or help texts promises how a court will decide, or what it accepts."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

PROMISES = (
    r"(?:in)?admissible (?:in|before|evidence|as)",
    r"court[- ](?:proof|ready|grade|admissible|approved|tested)",
    r"(?:hold|holds|stand|stands|stood) up in court",
    r"(?:courts?|judges?) (?:will|must|have to|has to|always) (?:accept|believe|follow|rule|decide)",
    r"(?:win|wins|winning) (?:the|your|a|any)? ?(?:case|suit|lawsuit) (?:in|at|before)",
    r"legally (?:valid|binding|watertight|recogni[sz]ed|conclusive)",
    r"legal (?:force|validity)",
    r"(?:irrefutable|incontestable|undeniable|indisputable|conclusive) (?:proof|evidence)",
    r"(?:proof|evidence) (?:that )?(?:is )?(?:irrefutable|incontestable|undeniable|indisputable|conclusive)",
    r"tamper[- ]?proof",
    r"(?:guarantee|guarantees|guaranteed) (?:in|before) (?:a |any )?court",
    r"具有(?:同等)?(?:的)?法律效力|法律效力",
    r"(?:法院|法庭|法官)(?:一定|必然|必须|必将|应当|都|会|可以)?(?:认可|采信|采纳|支持|承认)",
    r"司法(?:认可|采信|效力)",
    r"(?:包|必|稳)?胜诉|必胜|打赢",
    r"铁证|确凿(?:的)?证据|无可辩驳|不可(?:否认|辩驳|抵赖)",
    r"(?:不可|无法|不能|防)篡改",
)
PROMISE = re.compile("|".join(f"(?:{pattern})" for pattern in PROMISES).replace(" ", r"\s+"), re.IGNORECASE)

TEXTS = sorted(
    path
    for pattern in (
        "*.md",
        "docs/**/*.md",
        "admin/templates/**/*.html",
        "admin/templates/**/*.txt",
        "admin/translations/**/*.po",
        "zhiwen/commands/**/*.py",
        "admin/**/*.py",
        "crawler/evidence/*.py",
        "crawler/package/*.py",
        "storage/letters/*.py",
        "storage/desk/*.py",
    )
    for path in ROOT.glob(pattern)
)


def promises(text: str) -> list[str]:
    """Each promise in a text, with its line."""
    return [f"{text.count(chr(10), 0, found.start()) + 1}: {found.group()}" for found in PROMISE.finditer(text)]


def test_no_text_promises_an_outcome_in_court() -> None:
    found = {path.relative_to(ROOT).as_posix(): promises(path.read_text("utf-8")) for path in TEXTS}

    assert len(TEXTS) > 200
    assert {name: lines for name, lines in found.items() if lines} == {}


@pytest.mark.parametrize(
    "sentence",
    [
        *("This is admissible in any court.", "court-proof evidence", "A stamp holds\nup in court.", "legally binding"),
        *("Courts will accept it.", "tamper-proof storage", "undeniable proof", "This has legal force."),
        *("本证据具有法律效力", "法院会采信", "数据不可篡改", "帮您胜诉", "侵权铁证", "司法认可的存证"),
    ],
)
def test_a_promise_is_found(sentence: str) -> None:
    assert len(promises(sentence)) == 1


@pytest.mark.parametrize(
    "sentence",
    [
        "The court weighs these factors.",
        "由法院综合判断",
        "not proof of fact",
        "没有被改动",
        "It proves the time of the stamp.",
    ],
)
def test_what_promises_nothing_passes(sentence: str) -> None:
    assert promises(sentence) == []
