"""`boilerplate`: previewed, set aside, listed, withdrawn."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from sqlalchemy import Engine

from matcher.worker.backlog import work_off
from storage.cases import listing
from storage.engine import make_engine, transaction
from storage.types import CaseState, Rights, SiteRole
from tests.support.factories import a_site, an_article, save, story, text_of
from zhiwen.cli import zhiwen

PARAGRAPH = story()[:360]


class Desk:
    """The program in this process, on a store of its own."""

    def __init__(self, url: str, home: Path) -> None:
        self.engine = make_engine(url)
        self._environment = {"DATABASE_URL": url, "ZHIWEN_HOME": str(home)}

    def __call__(self, *arguments: str, text: str = "") -> Result:
        return CliRunner().invoke(zhiwen, arguments, prog_name="zhiwen", env=self._environment, input=text)


@pytest.fixture
def desk(clean_database_url: str, tmp_path: Path) -> Iterator[Desk]:
    made = Desk(clean_database_url, tmp_path)
    with transaction(made.engine) as session:
        ours = a_site(session, "河畔", owner="河畔社", role=SiteRole.ORIGINAL, host="ours.example", rights=Rights.OWN)
        other = a_site(session, "抄写网", owner="抄写公司", host="other.example")
        around = [f"{text_of(number)[:300]}\n{PARAGRAPH}\n{text_of(number)[300:]}" for number in (1, 2)]
        save(
            session,
            an_article("https://ours.example/1", around[0], site_id=ours.id),
            an_article("https://other.example/1", around[1], hours=2, site_id=other.id),
        )
    assert work_off(made.engine, should_stop=lambda: False).failed == 0
    yield made
    made.engine.dispose()


def states(engine: Engine) -> list[CaseState]:
    with transaction(engine) as session:
        return [case.state for case in listing.list_cases(session)]


def test_a_text_is_previewed_set_aside_listed_and_withdrawn(desk: Desk) -> None:
    seen = json.loads(desk("boilerplate", "preview", "-", "--json", text=PARAGRAPH).stdout)
    assert (seen["hits_gone"], len(seen["cases_gone"]), states(desk.engine)) == (1, 1, [CaseState.NEW])
    assert seen["large_parts"][0]["url"] == "https://ours.example/1"

    refused = desk("boilerplate", "add", "-", text=PARAGRAPH)
    assert refused.exit_code == 1
    assert "--confirm" in refused.output
    done = desk("boilerplate", "add", "-", "--confirm", "--owner", "抄写公司", "--note", "样稿", text=PARAGRAPH)
    assert done.exit_code == 0, done.output
    assert states(desk.engine) == [CaseState.WITHDRAWN]

    (listed,) = [json.loads(line) for line in desk("boilerplate", "list", "--json").stdout.splitlines()]
    assert (listed["text"], listed["owner"], listed["note"], listed["taken_back"]) == (PARAGRAPH, "抄写公司", "样稿", 1)
    assert PARAGRAPH[:20] in desk("boilerplate", "list").stdout
    assert desk("boilerplate", "withdraw", str(listed["id"])).exit_code == 0
    assert states(desk.engine) == [CaseState.NEW]
    assert desk("boilerplate", "withdraw", str(listed["id"])).exit_code == 1
    assert desk("boilerplate", "list", "--withdrawn", "--json").stdout


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("preview", "-"), 1),
        (("withdraw", "99"), 1),
        (("add", "-", "--site", "nowhere"), 1),
        (("add", "-", "--owner", "nobody"), 1),
        (("add", "-", "--site", "抄写网", "--owner", "抄写公司"), 2),
    ],
)
def test_what_cannot_be_done_is_said_in_one_line(desk: Desk, arguments: tuple[str, ...], code: int) -> None:
    done = desk("boilerplate", *arguments, text="短")

    assert done.exit_code == code
    assert "Traceback" not in done.output
    assert "Error" in done.output
