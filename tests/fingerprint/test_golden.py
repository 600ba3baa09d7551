import json
from collections.abc import Iterable
from dataclasses import asdict
from hashlib import sha256
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

from fingerprint.compute import fingerprint_text
from fingerprint.model import ALGORITHM_VERSION, Fingerprint

FOLDER = Path(__file__).parents[1] / "golden" / "fingerprint"
GOLDEN = {path.stem: json.loads(path.read_text(encoding="utf-8")) for path in sorted(FOLDER.glob("*.json"))}
CHINESE = [name for name, golden in GOLDEN.items() if "traditional" in golden]
TABLES_OF_VERSION = {2: "f78e98578c517e1d67536df252a4d8a832961892389a68a61dd16101e4c381f6"}


def recorded(found: Fingerprint) -> dict[str, Any]:
    """What JSON gives back: lists for tuples, and the simhash as text since readers of JSON round big numbers."""
    simhash = None if found.simhash is None else f"{found.simhash:016x}"
    return {**asdict(found), "simhash": simhash, "slices": list(found.slices), "seeds": list(found.seeds)}


def kept_share(before: Iterable[int], after: Iterable[int]) -> float:
    wanted = set(before)
    return len(wanted & set(after)) / len(wanted)


@pytest.mark.parametrize("name", GOLDEN)
def test_a_golden_text_has_the_fingerprint_on_record(name: str) -> None:
    assert recorded(fingerprint_text(GOLDEN[name]["text"])) == GOLDEN[name]["fingerprint"]


def test_there_are_texts_of_both_languages() -> None:
    assert len(CHINESE) >= 4
    assert len(GOLDEN) - len(CHINESE) >= 2
    assert all(len(GOLDEN[name]["text"]) >= 600 for name in CHINESE)


@pytest.mark.parametrize("region", ["standard", "taiwan", "hongkong"])
@pytest.mark.parametrize("name", CHINESE)
def test_traditional_script_keeps_slices_seeds_and_nearly_the_simhash(name: str, region: str) -> None:
    simplified = fingerprint_text(GOLDEN[name]["text"])
    traditional = fingerprint_text(GOLDEN[name]["traditional"][region])

    assert kept_share(simplified.slices, traditional.slices) >= 0.99
    assert kept_share(simplified.seeds, traditional.seeds) >= 0.99
    assert simplified.simhash is not None
    assert traditional.simhash is not None
    assert (simplified.simhash ^ traditional.simhash).bit_count() <= 3


def test_golden_texts_have_nothing_in_common() -> None:
    found = [fingerprint_text(golden["text"]) for golden in GOLDEN.values()]
    seeds = [seed for each in found for seed in each.seeds]
    slices = [dna for each in found for dna in each.slices]

    assert len(set(seeds)) == len(seeds)
    assert len(set(slices)) == len(slices)


def test_the_tables_are_those_of_this_algorithm_version() -> None:
    stored = files("fingerprint").joinpath("data", "tables.npz").read_bytes()

    assert sha256(stored).hexdigest() == TABLES_OF_VERSION[ALGORITHM_VERSION]


def accept() -> None:
    for name, golden in GOLDEN.items():
        golden["fingerprint"] = recorded(fingerprint_text(golden["text"]))
        text = json.dumps(golden, ensure_ascii=False, indent=1) + "\n"
        (FOLDER / f"{name}.json").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    accept()
