"""`zhiwen alert` on the command line."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from storage.engine import make_engine, transaction
from tests.support.alert_receivers import Hook, web_server
from tests.support.case_actions import a_case
from zhiwen.cli import zhiwen


class Desk:
    """The program in this process, on a store of its own."""

    def __init__(self, url: str, home: Path) -> None:
        self.engine = make_engine(url)
        networks = {"ZHIWEN_ALLOWED_NETWORKS": "127.0.0.0/8", "ZHIWEN_DESK_URL": "https://desk.example/"}
        self._environment = {"DATABASE_URL": url, "ZHIWEN_HOME": str(home), **networks}

    def __call__(self, *arguments: str, given: str | None = None) -> Result:
        return CliRunner().invoke(zhiwen, ["alert", *arguments], prog_name="zhiwen", env=self._environment, input=given)

    def listed(self) -> list[dict[str, object]]:
        return [json.loads(line) for line in self("list", "--json").stdout.splitlines()]


@pytest.fixture
def desk(clean_database_url: str, tmp_path: Path) -> Iterator[Desk]:
    found = Desk(clean_database_url, tmp_path / "home")
    yield found
    found.engine.dispose()


@pytest.fixture
def hook() -> Iterator[Hook]:
    with web_server() as found:
        yield found


def test_a_channel_is_added_tried_listed_and_removed(desk: Desk, hook: Hook) -> None:
    added = desk("add", "-", "--name", "系统", "--language", "en", "--at-once", given=hook.address + "\n")
    assert added.exit_code == 0, added.output
    secret = added.stdout.strip()
    assert len(secret) >= 32

    assert desk("test", "系统").exit_code == 0
    with transaction(desk.engine) as session:
        case_id = a_case(session, 1)
    assert "1 messages sent" in desk("send").output
    said = [json.loads(posted.body) for posted in hook.posted]
    assert [one["kind"] for one in said] == ["test", "case-opened"]
    assert said[1]["link"] == f"https://desk.example/cases/{case_id}"

    (listed,) = desk.listed()
    assert (listed["name"], listed["kind"], listed["language"]) == ("系统", "webhook", "en")
    table = desk("list").output
    assert "Messages: 0 unsent" in table
    assert "at once" in table
    assert not [text for text in (json.dumps(listed), table) if "s3cr3t" in text or secret in text]

    assert desk("add", hook.address, "--name", "系统").exit_code == 1, "the name is taken"
    assert "Removed channel 系统" in desk("remove", "系统").output
    assert desk.listed() == []
    assert desk("test", "系统").exit_code == 1


def test_what_fails_is_said_and_kept(desk: Desk, hook: Hook) -> None:
    hook.answers = [500]
    desk("add", hook.address, "--name", "系统", "--at-once")
    tried = desk("test", "系统")
    assert (tried.exit_code, "It answered 500." in tried.output) == (1, True)
    with transaction(desk.engine) as session:
        a_case(session, 1)
    assert desk("send").exit_code == 1
    assert "Messages: 1 unsent" in desk("list").output


WRONG = [
    (["add", "nonsense", "--name", "a"], "does not belong to a known service"),
    (["add", "syslog://", "--name", "a"], "act on the server itself"),
    (["add", "https://user:pass@hooks.example/", "--name", "a"], "cannot contain a user name or password"),
    (["add", "https://hooks.example/", "--name", "a", "--at", "25:00"], "is not a time of day"),
]


def test_what_cannot_be_a_channel_is_refused_with_the_reason(desk: Desk) -> None:
    for arguments, said in WRONG:
        refused = desk(*arguments)
        assert (refused.exit_code, said in refused.output) == (2, True), refused.output
    assert desk.listed() == []
