"""The examples of docs/api.md, run unchanged and in order against a real server."""

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Engine

from storage.accounts.api_tokens import TokenScope
from storage.engine import transaction
from storage.types import AccountRole, SiteRole
from tests.browser.desk_process import desk_process
from tests.support.api_tokens import token_of
from tests.support.case_actions import a_case
from tests.support.desk_client import add_person
from tests.support.factories import a_site

PAGE = Path(__file__).parents[3] / "docs/api.md"
BLOCK = re.compile(r"^```(sh|python)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
DEADLINE_S = 300

pytestmark = pytest.mark.skipif(
    shutil.which("curl") is None and not os.environ.get("CI"),
    reason="curl is not installed (Debian: apt-get install curl); continuous integration must have it",
)


def examples() -> list[tuple[str, str]]:
    """Examples that send requests; a block with several commands is split."""
    found = []
    for language, block in BLOCK.findall(PAGE.read_text(encoding="utf-8")):
        if language == "python":
            found.append((language, block))
        elif "curl" in block:
            found += [(language, f"curl{command}") for command in block.split("curl")[1:]]
    return found


@pytest.fixture
def environment(engine: Engine, clean_database_url: str) -> Iterator[dict[str, str]]:
    with transaction(engine) as session:
        a_site(session, "县报", owner="县报社", role=SiteRole.ORIGINAL, host="county.example")
        a_case(session, 1)
    token = token_of(engine, add_person(engine, role=AccountRole.MANAGER), frozenset(TokenScope))
    with desk_process(clean_database_url) as (address, _process):
        yield os.environ | {"DESK": address, "TOKEN": token}


def run(language: str, example: str, environment: dict[str, str]) -> str:
    command = ["sh", "-c", example] if language == "sh" else [sys.executable, "-c", example]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=DEADLINE_S, check=False)
    assert done.returncode == 0, (example, done.stderr)
    return done.stdout


def test_every_example_does_what_the_page_says(environment: dict[str, str]) -> None:
    told: list[Any] = []
    for language, example in examples():
        printed = run(language, example, environment)
        told.append(json.loads(printed) if language == "sh" else printed.splitlines())

    check, pushed, gone, backfill, matches, cases, retellings, pages, decided, letters, effect, listed = told
    assert check["verdict"] in {"original", "borrowed", "copy", "cannot_judge"}
    assert (pushed["status"], gone["id"], gone["gone_at"] is not None) == ("created", "2026-0301", True)
    assert backfill == []
    assert (matches["items"], [case["state"] for case in cases["items"]]) == ([], ["new"])
    assert retellings == {"items": [], "next": None}
    assert len(pages) == 250 + 1 + 2
    assert decided == []
    assert letters["items"] == []
    assert (effect["id"], effect["cases_gone"]) == (None, [])
    assert listed == {"items": [], "next": None}
