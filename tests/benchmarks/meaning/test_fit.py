import json
from pathlib import Path
from random import Random

import pytest
from click.testing import CliRunner

from benchmarks.meaning.fit import fit, main, read_pairs, trimmed
from benchmarks.meaning.probes import Kind


@pytest.fixture
def result(tmp_path: Path) -> Path:
    """Copies whose first variable is large, innocents whose is small, and one innocent that is like a copy."""
    rng = Random(1)  # noqa: S311  # repeatable, nothing secret
    answers = []
    for number in range(60):
        is_copy = number % 2 == 0
        middle = 2.0 if is_copy or number == 1 else 0.0
        values = [rng.gauss(middle, 0.4), rng.gauss(0, 1)]
        answers.append(
            {
                "probe": f"p{number}",
                "kind": Kind.RETOLD if is_copy else Kind.ORDINARY,
                "source": f"s{number}" if is_copy else None,
                "features": {f"s{number}": {"is_short": number >= 50, "values": values}},
            }
        )
    path = tmp_path / "meaning.json"
    path.write_text(json.dumps({"answers": answers}), encoding="utf-8")
    return path


def test_the_variable_that_tells_gets_the_weight(result: Path) -> None:
    pairs = read_pairs(result, short=False)
    found = fit(pairs, trimmed(pairs).nonzero()[0])

    assert len(pairs.kinds) == 50
    assert found.weights[0] > 5 * abs(found.weights[1])
    assert all(0 <= score <= 1 for score in found.scores(pairs.features))


def test_an_innocent_that_is_like_a_copy_is_left_out(result: Path) -> None:
    pairs = read_pairs(result, short=False)
    left_out = [number for number, kept in enumerate(trimmed(pairs)) if not kept]
    assert [pairs.groups[number] for number in left_out] == ["p1"]


def test_the_command_prints_weights_and_what_they_find(result: Path) -> None:
    done = CliRunner().invoke(main, [str(result)])

    assert done.exit_code == 0, done.output
    assert "Long: 25 true pairs, 25 others, 1 of them left out." in done.output
    assert "weights" in done.output
    assert "retold 2" in done.output
    assert "of 25" in done.output


@pytest.mark.parametrize("content", ["", "[]", "{}", '{"answers": [{"kind": "no kind"}]}'])
def test_another_file_is_refused(content: str, tmp_path: Path) -> None:
    path = tmp_path / "other.json"
    path.write_text(content, encoding="utf-8")

    done = CliRunner().invoke(main, [str(path)])

    assert done.exit_code == 1
    assert "is no result of `zhiwen bench meaning`" in done.output
