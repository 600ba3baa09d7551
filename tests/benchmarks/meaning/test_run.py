"""A whole small run of `bench meaning` on a store of its own, with the real encoder."""

import json
from pathlib import Path

from click.testing import CliRunner

from benchmarks.meaning.probes import FITTED_ON, INNOCENT, Kind
from benchmarks.meaning.third_source import HOSTS
from tests.matcher.retellings.translations import FIRST, ORIGINAL, SECOND
from tests.support.benchmarks.meaning import write_data
from tests.support.factories import text_of
from zhiwen.commands.bench.meaning import meaning


def test_a_small_run_finds_the_copies_and_names_no_innocent(tmp_path: Path) -> None:
    data = write_data(tmp_path / "data")
    options = ["--data", str(data), "--ordinary", "3", "--work", str(tmp_path / "work"), "--processes", "1"]
    options += ["--fitted-on", "2"]

    done = CliRunner().invoke(meaning, [*options, "--json", "--out", str(tmp_path / "out")])

    assert done.exit_code == 0, done.output
    found = json.loads(done.stdout)
    goals = {goal["name"]: goal for goal in found["goals"]}
    assert (goals["retold"]["hits"], goals["retold"]["count"]) == (1, 1)
    assert (goals["translated by a language model"]["hits"], goals["short, rewritten"]["hits"]) == (1, 1)
    assert (goals["ordinary articles"]["hits"], goals["hard negatives"]["hits"]) == (0, 0)
    assert goals["retold"]["low"] < 1 == goals["retold"]["high"]
    assert {other["method"] for other in found["others"]} >= {"encoder alone", "TF-IDF cosine", "winnowing"}
    assert found["left_out"] >= 2
    asked = [answer["kind"] for answer in found["answers"]]
    assert asked.count(Kind.STORED) == 2, "asked for the fit, and no innocents of the report"
    assert found["curve"][0]["false"]["count"] == sum(kind in INNOCENT - FITTED_ON for kind in asked)
    assert 0 <= found["brier"] <= 1
    assert (tmp_path / "out" / "meaning.md").read_text(encoding="utf-8").count("|") > 100
    assert list((tmp_path / "work").glob("*.sqlite"))


def test_third_sources_are_named_and_a_copy_of_a_translation_is_accused(tmp_path: Path) -> None:
    data = write_data(
        tmp_path / "data",
        zh_articles=[
            {"url": f"https://{n}.example/", "title": "", "text": text_of(n, chars=500)} for n in range(HOSTS + 40)
        ],
        zh_second_translations=[
            {"id": "s", "en_a": ORIGINAL, "zh_a": FIRST, "zh_b": SECOND},
            {"id": "without its original", "zh_a": FIRST, "zh_b": SECOND},
        ],
    )
    options = ["--data", str(data), "--third-source", "--work", str(tmp_path / "work"), "--json"]

    done = CliRunner().invoke(meaning, options)

    assert done.exit_code == 0, done.output
    both, copied = json.loads(done.stdout)["goals"]
    assert (both["asked"], both["found"], both["right"]) == (1, 1, 1)
    assert (copied["asked"], copied["found"], copied["right"]) == (1, 1, 1)


def test_a_folder_without_the_data_is_refused_with_the_name_of_the_file(tmp_path: Path) -> None:
    done = CliRunner().invoke(meaning, ["--data", str(tmp_path)])

    assert done.exit_code == 1
    assert "zh_articles.jsonl.gz is missing" in done.output
