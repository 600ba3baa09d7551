"""What the embedded server is given of the machine's memory."""

from pathlib import Path

import pytest

from storage.embedded.memory import LEAST, buffers_for, memory_of, shared_buffers

MB = 1024 * 1024
GB = 1024 * MB


@pytest.mark.parametrize(
    ("data", "memory", "expected"),
    [
        pytest.param(0, 64 * GB, LEAST, id="a new store"),
        pytest.param(12 * GB, 64 * GB, 3 * GB, id="a quarter of the data"),
        pytest.param(900 * GB, 16 * GB, 2 * GB, id="an eighth of the machine"),
        pytest.param(900 * GB, GB, LEAST, id="a small machine"),
    ],
)
def test_it_grows_with_the_data_as_far_as_the_machine_has_it(data: int, memory: int, expected: int) -> None:
    assert buffers_for(data, memory) == expected


def test_the_limit_of_a_container_counts(tmp_path: Path) -> None:
    own = memory_of([])
    (tmp_path / "none").write_text("max\n", "ascii")
    (tmp_path / "some").write_text("3000000\n", "ascii")
    (tmp_path / "more").write_text(f"{own * 2}\n", "ascii")

    assert own > LEAST
    assert memory_of([tmp_path / "missing", tmp_path / "none", tmp_path / "more"]) == own
    assert memory_of([tmp_path / "some", tmp_path / "none"]) == 3_000_000


def test_the_data_are_measured_where_they_are(tmp_path: Path) -> None:
    assert shared_buffers(tmp_path) == LEAST
    table = tmp_path / "base" / "5" / "16384"
    table.parent.mkdir(parents=True)
    with table.open("wb") as file:
        file.truncate(8 * LEAST)  # holes take no room

    assert shared_buffers(tmp_path) in (2 * LEAST, max(LEAST, memory_of([]) // 8))
