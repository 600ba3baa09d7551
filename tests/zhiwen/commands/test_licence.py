"""`licence`, and what `matches` says of licences and cases."""

import csv
import io
import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from matcher.worker.backlog import work_off
from storage.engine import make_engine, transaction
from storage.sites import sites
from storage.types import Rights, SiteRole
from tests.support.factories import a_site, an_article, save, story
from zhiwen.cli import zhiwen


class Desk:
    """The program in this process, on a store of its own."""

    def __init__(self, url: str, home: Path) -> None:
        self.engine = make_engine(url)
        self._environment = {"DATABASE_URL": url, "ZHIWEN_HOME": str(home)}

    def __call__(self, *arguments: str) -> Result:
        return CliRunner().invoke(zhiwen, arguments, prog_name="zhiwen", env=self._environment)

    def rows(self, *arguments: str) -> list[dict[str, object]]:
        done = self(*arguments, "--json")
        assert done.exit_code == 0, done.output
        return [json.loads(line) for line in done.stdout.splitlines()]

    def match(self) -> None:
        assert work_off(self.engine, should_stop=lambda: False).failed == 0


@pytest.fixture
def desk(clean_database_url: str, tmp_path: Path) -> Iterator[Desk]:
    """An article of ours, and a copy on a partner's site that does not say where it is from."""
    found = Desk(clean_database_url, tmp_path / "home")
    with transaction(found.engine) as session:
        ours = a_site(session, "paper", owner="County Paper", role=SiteRole.ORIGINAL, rights=Rights.OWN)
        theirs = a_site(session, "partner", owner="Partner")
        save(
            session,
            an_article("https://paper.example/news/1", story(), site_id=ours.id, author="王记者"),
            an_article("https://partner.example/1", story() + "完", site_id=theirs.id, hours=30),
            an_article("stranger", story() + "。", hours=40),
        )
    found.match()
    yield found
    found.engine.dispose()


def said_of_partner(desk: Desk) -> tuple[object, object, bool]:
    (row,) = [row for row in desk.rows("matches", "--site", "partner") if row["source"]["site"] == "paper"]  # type: ignore[index]  # an object
    return row["licence"], row["broken_terms"], row["case_id"] is not None


def test_a_copy_without_licence_shows_its_case(desk: Desk) -> None:
    assert said_of_partner(desk) == ("unlicensed", [], True)
    assert len(desk.rows("matches", "--cases")) == 2
    assert len(desk.rows("matches")) == 3


def test_a_licence_is_added_listed_and_removed_and_cases_follow(desk: Desk) -> None:
    done = desk(
        *("licence", "add", "--owner", "County Paper", "--to", "Partner", "--column", "/news/", "--delay", "1"),
        *("--from", "2026-01-01", "--until", "2026-12-31", "--notes", "合同"),
    )
    assert (done.exit_code, done.stdout) == (0, "")
    assert "1 articles under it have matches" in done.stderr
    (listed,) = desk.rows("licence", "list")
    assert listed == {
        **{"id": listed["id"], "owner": "County Paper", "author": None, "article_url": None, "copier": "Partner"},
        **{"columns": ["/news/"], "requires": "nothing", "delay_days": 1, "notes": "合同"},
        **{"from": "2026-01-01", "until": "2026-12-31"},
    }
    assert said_of_partner(desk) == ("licensed", [], True)  # the case is judged again by the next match
    desk.match()
    assert said_of_partner(desk) == ("licensed", [], False)

    assert desk("licence", "remove", str(listed["id"])).exit_code == 0
    desk.match()
    assert said_of_partner(desk) == ("unlicensed", [], True)
    assert desk.rows("licence", "list") == []


def test_a_breach_is_named_in_every_form(desk: Desk) -> None:
    assert desk("licence", "add", "--author", "王记者", "--requires", "link", "--delay", "9").exit_code == 0

    assert said_of_partner(desk) == ("breach", ["no-link", "too-early"], True)
    table = list(csv.DictReader(io.StringIO(desk("matches", "--csv").stdout)))
    assert {row["broken_terms"] for row in table if row["source_site"] == "paper"} == {"no-link too-early"}
    assert "breach" in desk("matches").stdout


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ((), "exactly one of --owner, --author and --article"),
        (("--owner", "County Paper", "--author", "王"), "exactly one of"),
        (("--owner", "County Paper", "--to", "County Paper"), "needs no licence"),
        (("--author", "王", "--from", "2026-02-01", "--until", "2026-01-31"), "--until is before --from"),
        (("--article", "not an address"), "not a usable web address"),
        (("--author", "王", "--from", "tomorrow"), "does not match the format"),
        (("--author", "王", "--requires", "money"), "'money' is not one of"),
        (("--author", "王", "--delay", "-1"), "not in the range"),
    ],
)
def test_terms_that_make_no_sense_are_wrong_usage(desk: Desk, options: tuple[str, ...], message: str) -> None:
    done = desk("licence", "add", *options)

    assert done.exit_code == 2
    assert message in done.output


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("add", "--owner", "Nobody"), "There is no owner 'Nobody'"),
        (("add", "--author", "王", "--to", "Nobody"), "There is no owner 'Nobody'"),
        (("remove", "99"), "There is no licence '99'"),
    ],
)
def test_what_is_not_there_is_named(desk: Desk, arguments: tuple[str, ...], message: str) -> None:
    done = desk("licence", *arguments)

    assert done.exit_code == 1
    assert message in done.output


def test_the_very_same_licence_is_refused(desk: Desk) -> None:
    assert desk("licence", "add", "--author", "王记者").exit_code == 0

    assert "the very same licence already" in desk("licence", "add", "--author", "王记者").output


def test_a_site_with_a_case_stays_and_is_paused(desk: Desk) -> None:
    done = desk("site", "remove", "partner", "--yes")

    assert "Others are part of cases and stay; partner is not crawled any more." in done.stderr
    with transaction(desk.engine) as session:
        assert not sites.get_site(session, "partner").settings.enabled


def test_a_site_that_becomes_an_original_publishes_its_own_texts_unless_said_otherwise(desk: Desk) -> None:
    desk("site", "edit", "partner", "--role", "original")
    with transaction(desk.engine) as session:
        assert sites.get_site(session, "partner").settings.rights is Rights.OWN

    desk("site", "edit", "partner", "--role", "watched", "--rights", "unknown")
    desk("site", "edit", "partner", "--role", "original", "--rights", "agency")
    with transaction(desk.engine) as session:
        assert sites.get_site(session, "partner").settings.rights is Rights.AGENCY
