"""`site try`: one page, read as a crawl would read it, from a real server."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from storage.engine import make_engine, transaction
from storage.records.sites import SiteSettings
from storage.sites import sites
from tests.fake_web import served
from tests.support.factories import a_site
from zhiwen.cli import zhiwen

PAPER = "江城日报"


class Desk:
    """The program in this process, on a store with one site."""

    def __init__(self, url: str, home: Path) -> None:
        self._engine = make_engine(url)
        self._environment = {"DATABASE_URL": url, "ZHIWEN_HOME": str(home), "ZHIWEN_ALLOWED_NETWORKS": "127.0.0.0/8"}
        with transaction(self._engine) as session:
            a_site(session, PAPER)

    def __call__(self, *arguments: str) -> Result:
        return CliRunner().invoke(zhiwen, ["site", "try", PAPER, *arguments], prog_name="zhiwen", env=self._environment)

    @property
    def settings(self) -> SiteSettings:
        with transaction(self._engine) as session:
            return sites.get_site(session, PAPER).settings


@pytest.fixture(scope="module")
def web() -> Iterator[str]:
    with served() as base:
        yield base


@pytest.fixture
def desk(clean_database_url: str, tmp_path: Path) -> Desk:
    return Desk(clean_database_url, tmp_path / "home")


def rule(folder: Path, text: str) -> str:
    path = folder / "rule.json"
    path.write_text(text, "utf-8")
    return str(path)


def test_it_shows_what_was_made_of_a_page(desk: Desk, web: str) -> None:
    done = desk(f"{web}/news/1", "--json")

    assert done.exit_code == 0, done.output
    found = json.loads(done.stdout)
    assert (found["title"], found["author"], found["language"]) == ("渡口札记之1", "林岸", "zh")
    assert (found["published_at"], found["precision"], found["origin"]) == (
        "2026-03-02T00:30:00+00:00",
        "minute",
        "visible",
    )
    assert (found["refusal"], found["parts"], found["chars"]) == (None, 1, len(found["text"]))

    shown = desk(f"{web}/news/1").stdout
    assert "渡口札记之1" in shown
    assert "江城日报" in shown
    assert desk(f"{web}/news/1", "--text").stdout.strip() == found["text"]


def test_a_rule_is_tried_and_kept_when_it_works(desk: Desk, web: str, tmp_path: Path) -> None:
    file = rule(tmp_path, '{"content": "article", "remove": ["h1", "p.meta"], "title": "title"}')

    tried = desk(f"{web}/news/1", "--rule", file, "--json")
    assert json.loads(tried.stdout)["title"] == "渡口札记之1 - 江城日报"
    assert desk.settings.extraction_rule is None

    assert desk(f"{web}/news/1", "--rule", file, "--save").exit_code == 0
    assert desk.settings.extraction_rule == json.loads(Path(file).read_text("utf-8"))
    assert json.loads(desk(f"{web}/news/1", "--json").stdout)["title"] == "渡口札记之1 - 江城日报"


def test_a_rule_that_finds_nothing_is_not_kept(desk: Desk, web: str, tmp_path: Path) -> None:
    done = desk(f"{web}/news/1", "--rule", rule(tmp_path, '{"content": "#gone"}'), "--save")

    assert done.exit_code == 1
    assert "rule-found-nothing" in done.stderr
    assert desk.settings.extraction_rule is None


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{", "not JSON"),
        ("[1]", "not a JSON object"),
        ('{"content": "//p["}', "'content'"),
        ('{"texts": "p"}', "'texts'"),
        ("[" * 50_000, "is not JSON"),
    ],
)
def test_a_broken_rule_is_reported_before_anything_is_fetched(desk: Desk, tmp_path: Path, text: str, said: str) -> None:
    done = desk("http://127.0.0.1:9/never-asked", "--rule", rule(tmp_path, text))

    assert done.exit_code == 1
    assert said in done.stderr


def test_a_page_that_cannot_be_had_is_named(desk: Desk, web: str) -> None:
    done = desk(f"{web}/nothing", "--json")

    assert done.exit_code == 1
    assert json.loads(done.stdout)["refusal"] == "gone"


def test_saving_without_a_rule_and_unknown_sites_are_reported(desk: Desk) -> None:
    assert desk("http://a.example/", "--save").exit_code == 2
    done = CliRunner().invoke(zhiwen, ["site", "try", "other", "http://a.example/"], env=desk._environment)
    assert done.exit_code == 1
    assert "other" in done.stderr
