"""Retellings as people and programs get them: `check`, `matches`, `why-not`, the API and the page of the desk."""

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest
from click.testing import CliRunner, Result
from flask.testing import FlaskClient
from sqlalchemy import Engine

from admin.web.services import Services
from matcher.retellings.opening import MeaningOfStore
from storage.accounts.api_tokens import TokenScope
from storage.engine import make_engine
from storage.types import AccountRole
from tests.matcher.meaning.texts import RETOLD, TRANSLATED
from tests.matcher.retellings.texts import INNOCENT
from tests.support.api_tokens import token_of
from tests.support.desk_client import add_person, app_with, csrf_token, let_in
from tests.support.factories import an_article, commit, story
from tests.support.meaning.meaning_store import demo_articles
from tests.support.store.new_database import database
from zhiwen.cli import zhiwen
from zhiwen.config.loading import load_settings
from zhiwen.encoders.choice import encoder_for_texts

Zhiwen = Callable[..., Result]
SOURCE, RETELLING, TRANSLATION = (
    f"https://{name}.example/a" for name in ("balcony-garden", "retelling", "translation")
)
HOSTILE = '<script>alert(1)</script>"><img src=x>'


@pytest.fixture(scope="module")
def opened() -> MeaningOfStore:
    return MeaningOfStore(encoder_for_texts(load_settings({})))


@pytest.fixture(scope="module")
def store_url(server_url: str, template_url: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The demo's articles, a retelling and a translation of one of them, as `match` leaves them."""
    with database(server_url, template=template_url) as url:
        engine = make_engine(url)
        copies = [
            an_article(RETELLING, RETOLD, hours=48, title=HOSTILE, credit_lines=("来源：balcony-garden.example",)),
            an_article(TRANSLATION, TRANSLATED, hours=60),
        ]
        articles = [*demo_articles(), *copies]
        commit(engine, articles)
        engine.dispose()
        home = tmp_path_factory.mktemp("home")
        done = CliRunner(env={"DATABASE_URL": url, "ZHIWEN_HOME": str(home)}).invoke(zhiwen, ["match"])
        assert done.exit_code == 0, done.output
        assert f"compared {len(articles)} by it" in done.stderr
        yield url


@pytest.fixture
def program(store_url: str, tmp_path: Path) -> Zhiwen:
    """The program in this process, on that store."""
    runner = CliRunner(env={"DATABASE_URL": store_url, "ZHIWEN_HOME": str(tmp_path / "home")})

    def run(*arguments: str, **more: Any) -> Result:
        return runner.invoke(zhiwen, [str(argument) for argument in arguments], **more)

    return run


@pytest.fixture(scope="module")
def engine_of_store(store_url: str) -> Iterator[Engine]:
    engine = make_engine(store_url)
    yield engine
    engine.dispose()


@pytest.fixture(scope="module")
def token(engine_of_store: Engine) -> str:
    return token_of(engine_of_store, add_person(engine_of_store, name="程序"), frozenset({TokenScope.CHECK}))


@pytest.fixture
def client(engine_of_store: Engine, opened: MeaningOfStore) -> FlaskClient:
    return app_with(Services(engine=engine_of_store, secret_key="for tests", open_search=opened)).test_client()


def test_check_prints_what_is_similar_with_its_proof(program: Zhiwen, tmp_path: Path) -> None:
    draft = tmp_path / "draft.txt"
    draft.write_text(RETOLD.replace("阳台", "露台"), "utf-8")
    result = program("check", draft)

    assert result.exit_code == 0, result.output
    assert "similar" in result.stdout.splitlines()[0] or "borrowed" in result.stdout or "copy" in result.stdout
    assert "Similar, not the same wording" in result.stdout
    assert "retold" in result.stdout
    assert "in the same order" in result.stdout


def test_check_reads_the_encoder_once_for_a_file_of_records(program: Zhiwen, tmp_path: Path) -> None:
    records = tmp_path / "records.jsonl"
    texts = [INNOCENT, story(), "太短。"]
    lines = [json.dumps({"url": f"https://new.example/{n}", "text": text}) for n, text in enumerate(texts)]
    records.write_text("\n".join(lines), "utf-8")
    result = program("check", records, "--json")

    assert result.exit_code == 0, result.output
    shapes = [json.loads(line) for line in result.stdout.splitlines()]
    assert [shape["verdict"] for shape in shapes] == ["original", "copy", "cannot_judge"]
    first = shapes[1]["matches"][0]
    assert (first["kind"], first["particulars"]) == ("identical", [])
    kinds = {match["url"]: match["kind"] for match in shapes[1]["matches"]}
    assert kinds == {SOURCE: "identical", RETELLING: "retold", TRANSLATION: "translated"}


def test_check_without_meaning_compares_the_wording_only(program: Zhiwen) -> None:
    result = program("check", "-", "--json", "--no-meaning", input=TRANSLATED[:600].encode())
    assert result.exit_code == 0, result.output
    kinds = {match["kind"] for match in json.loads(result.stdout)["matches"]}
    assert kinds.isdisjoint({"retold", "translated"})


def test_check_says_once_why_meaning_is_left_out(server_url: str, template_url: str, tmp_path: Path) -> None:
    with database(server_url, template=template_url) as url:
        engine = make_engine(url)
        commit(engine, [an_article("one", story())])
        engine.dispose()
        runner = CliRunner(env={"DATABASE_URL": url, "ZHIWEN_HOME": str(tmp_path / "home")})
        records = tmp_path / "records.jsonl"
        records.write_text("\n".join([json.dumps({"url": "https://a.example/", "text": INNOCENT})] * 3), "utf-8")
        result = runner.invoke(zhiwen, ["check", str(records), "--json"])
    assert result.exit_code == 0, result.output
    assert [json.loads(line)["verdict"] for line in result.stdout.splitlines()] == ["original"] * 3
    assert result.stderr.count("were not looked for") == 1


@pytest.mark.parametrize(("kind", "url"), [("retold", RETELLING), ("translated", TRANSLATION)])
def test_matches_lists_them_by_kind_in_the_shape_of_hits(program: Zhiwen, kind: str, url: str) -> None:
    result = program("matches", "--kind", kind, "--json")

    assert result.exit_code == 0, result.output
    shapes = [json.loads(line) for line in result.stdout.splitlines()]
    (shape,) = [one for one in shapes if one["source"]["url"] == SOURCE]
    assert (shape["copy"]["url"], shape["kind"], shape["state"]) == (url, kind, "open")
    assert shape["credit"] == ("named" if kind == "retold" else "none")
    assert shape["direction"]["origin"] == SOURCE
    assert shape["figures"]["shared"] >= 4
    assert shape["passages"][0]["copy_start"] == 0
    assert program("matches", "--kind", kind).exit_code == 0
    assert program("matches", "--kind", kind, "--csv").stdout.count("\n") >= 2
    assert program("matches", "--kind", kind, "--json", "--credit", "linked").stdout == ""
    assert all(json.loads(line)["kind"] != kind for line in program("matches", "--json").stdout.splitlines())


def test_why_not_names_the_gates_of_meaning(program: Zhiwen) -> None:
    result = program("why-not", SOURCE, TRANSLATION, "--json")

    assert result.exit_code == 0, result.output
    shape = json.loads(result.stdout)
    assert shape["match"] is False
    steps = {step["step"]: step for step in shape["steps"]}
    assert steps["meaning-look-up"]["passed"] is True
    assert steps["meaning"]["passed"] is True
    assert re.search(r"one translates the other: score \S+, from 0\.\d+ on", steps["meaning"]["said"])
    assert steps["meaning"]["figures"]["figures_shared"] >= 4
    other = json.loads(program("why-not", SOURCE, "https://old-teahouse.example/a", "--json").stdout)
    assert {step["step"]: step["passed"] for step in other["steps"]}["meaning"] is False


def test_the_api_answers_as_the_command_does(client: FlaskClient, token: str) -> None:
    head = {"Authorization": f"Bearer {token}"}
    body = {"text": TRANSLATED.replace("balcony", "terrace"), "url": TRANSLATION}
    answer = client.post("/api/v1/check", json=body, headers=head)

    assert answer.status_code == 200, answer.text
    by_url = {match["url"]: match for match in json.loads(answer.text)["matches"]}
    assert by_url[SOURCE]["kind"] == "translated"
    assert by_url[SOURCE]["passages"][0]["differences"]["edited"] == 0
    assert by_url[SOURCE]["proof"]
    wording = client.post("/api/v1/check", json=body | {"meaning": False}, headers=head)
    assert SOURCE not in {match["url"] for match in json.loads(wording.text)["matches"]}


def _checked(client: FlaskClient, engine: Engine, language: str, **fields: str) -> str:
    name = f"审核员{language}{'-'.join(fields)}"
    add_person(engine, name=name, language=language)
    let_in(client, name=name)
    form = {"csrf_token": csrf_token(client, "/check"), **fields}
    answer = client.post(
        "/check", data=urlencode(form), content_type="application/x-www-form-urlencoded", follow_redirects=True
    )
    assert answer.status_code == 200
    return answer.text


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("zh", ["相似不等于抄袭", "改写", "翻译", "在对方文中有对应的句子：", "双方都提到："]),
        (
            "en",
            ["Similar does not mean copied", "Retold", "Translated", "sentences with a counterpart in the other text:"],
        ),
    ],
)
def test_the_desk_shows_sentence_beside_sentence(
    client: FlaskClient, engine_of_store: Engine, language: str, words: list[str]
) -> None:
    page = _checked(client, engine_of_store, language, text=story())
    for word in words:
        assert word in page
    assert HOSTILE not in page
    assert "&lt;script&gt;" in page
    assert page.count('class="pairs"') == 3
    assert "Retired accountant Ke Wenqian" in page


@pytest.mark.parametrize(
    ("language", "words"), [("zh", "一方是另一方的翻译：评分 "), ("en", "One translates the other: score ")]
)
def test_the_desk_explains_a_pair_by_meaning(
    client: FlaskClient, engine_of_store: Engine, language: str, words: str
) -> None:
    add_person(engine_of_store, name=f"讲解{language}", language=language)
    let_in(client, name=f"讲解{language}")
    assert words in client.get("/why", query_string={"left": SOURCE, "right": TRANSLATION}).text


def test_the_desk_leaves_meaning_out_if_asked(client: FlaskClient, engine_of_store: Engine) -> None:
    page = _checked(client, engine_of_store, "zh", text=story(), meaning="off")
    assert "相似不等于抄袭" not in page
    assert "仅比对文字，未按内容比对。" in page


def test_the_result_as_a_file_has_them_too(client: FlaskClient, engine_of_store: Engine) -> None:
    shape = json.loads(_checked(client, engine_of_store, "en", text=story(), **{"as": "json"}))
    assert {source["kind"] for source in shape["similar"]} == {"retold", "translated"}
    table = _checked(client, engine_of_store, "zh", text=story(), title="x", **{"as": "csv"})
    assert "translated" in table


def test_a_viewer_may_not_check(client: FlaskClient, engine_of_store: Engine) -> None:
    add_person(engine_of_store, name="读者", role=AccountRole.VIEWER)
    let_in(client, name="读者")
    assert client.get("/check").status_code == 403
