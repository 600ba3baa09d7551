"""Changes of the file of search services: whole or not at all, for its owner only, and read back before they hold."""

import stat
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from admin.web.search_desk import NotSaved
from crawler.web_search.budget import Budget
from crawler.web_search.declared import Declared, DeclaredRule, DeclaredService, ServiceKind
from zhiwen.web_search import plan_edits
from zhiwen.web_search.plan_file import read_plan
from zhiwen.web_search.plan_text import rule_table, service_table, tables_in, text_of

KEY = "geheim-0123456789"
OWN = DeclaredService("own", ServiceKind.SEARXNG, url="http://10.0.0.5:8888/", budget=Budget(queries_a_day=0))
BRAVE = DeclaredService("brave", ServiceKind.BRAVE, has_key=True, price=0.005, budget=Budget(None, 2_000, 10.0))
JSON = DeclaredService(
    "any",
    ServiceKind.JSON,
    url="https://search.example.org/?q={phrase}",
    results_at="data.items",
    url_at="link",
    key_header="X-Key",
)
WILD = '坏 "名"\\ \x7f [a.b] # '


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "home" / "search_services.toml"


def declared(path: Path) -> Declared:
    return plan_edits.declared_in(path, is_named=False)


def test_what_is_saved_is_what_is_read(path: Path) -> None:
    assert declared(path) == Declared(path)
    for service, key in ((OWN, None), (BRAVE, KEY), (JSON, None)):
        plan_edits.save_service(path, service, key=key)
    rule = DeclaredRule(WILD, (0, 3), True, Budget(5, None, 0.0))
    plan_edits.save_rule(path, rule)
    plan_edits.set_asks_all(path, asks_all=True)

    found = declared(path)

    assert (found.services, found.rules, found.asks_all) == ((OWN, BRAVE, JSON), (rule,), True)
    assert not found.has_more
    assert KEY not in repr(found)
    plan = read_plan(path)
    assert plan.services[1].budget == BRAVE.budget
    assert plan.rule_of(WILD).is_dear


def test_only_the_owner_may_read_it_whoever_made_it(path: Path) -> None:
    path.parent.mkdir()
    path.write_text("asks_all = false\n")
    path.chmod(0o644)
    plan_edits.save_service(path, OWN, key=None)

    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert {one.name for one in path.parent.iterdir()} == {path.name, f".{path.name}.lock"}


def test_a_service_keeps_its_key_and_its_place_when_it_is_changed(path: Path) -> None:
    plan_edits.save_service(path, BRAVE, key=KEY)
    plan_edits.save_service(path, OWN, key=None)
    renamed = DeclaredService("renamed", ServiceKind.BRAVE, has_key=True)
    plan_edits.save_service(path, renamed, key=None, replaces="brave")

    assert declared(path).services == (renamed, OWN)
    assert tables_in(path.read_text())["services"]["renamed"]["key"] == KEY
    plan_edits.put_first(path, "own")
    assert [one.name for one in declared(path).services] == ["own", "renamed"]
    plan_edits.remove_service(path, "renamed")
    plan_edits.remove_service(path, "renamed")
    assert KEY not in path.read_text()


def test_rules_are_removed_and_others_stay(path: Path) -> None:
    for site in ("a", "b"):
        plan_edits.save_rule(path, DeclaredRule(site, ()))
    plan_edits.remove_rule(path, "a")
    plan_edits.remove_rule(path, "a")
    assert declared(path).rules == (DeclaredRule("b", ()),)


def test_a_rule_follows_the_new_name_of_its_site(path: Path) -> None:
    plan_edits.rename_rule(path, "a", "b")
    assert not path.exists()
    never, dear = DeclaredRule("a", ()), DeclaredRule("c", is_dear=True)
    for rule in (never, DeclaredRule("b", (7,)), dear):
        plan_edits.save_rule(path, rule)

    plan_edits.rename_rule(path, "a", "b")

    assert declared(path).rules == (DeclaredRule("b", ()), dear)
    assert not read_plan(path).rule_of("b").visits
    before = path.read_bytes()
    plan_edits.rename_rule(path, "a", "d")
    assert path.read_bytes() == before


def test_a_rule_that_cannot_follow_is_named_and_stays(path: Path) -> None:
    plan_edits.save_rule(path, DeclaredRule("a", ()))
    with pytest.raises(NotSaved, match="rule for all other sites"):
        plan_edits.rename_rule(path, "a", "default")
    path.write_text("sites = 1\n")

    with pytest.raises(NotSaved, match=path.name):
        plan_edits.rename_rule(path, "a", "b")
    assert path.read_text() == "sites = 1\n"


@pytest.mark.parametrize(
    ("service", "replaces", "words"),
    [
        (OWN, None, "already"),
        (JSON, "gone", "no service “gone”"),
        (DeclaredService("x", ServiceKind.SEARXNG, url="ftp://x"), None, "no web address"),
        (DeclaredService("x" * 41, ServiceKind.SEARXNG, url="http://x/"), None, "1 to 40"),
        (DeclaredService("x", ServiceKind.BRAVE), None, "“key” is missing"),
        (DeclaredService("\ud800", ServiceKind.SEARXNG, url="http://x/"), None, "cannot be written"),
    ],
)
def test_what_would_not_be_read_is_not_written(
    path: Path, service: DeclaredService, replaces: str | None, words: str
) -> None:
    plan_edits.save_service(path, OWN, key=None)
    before = path.read_bytes()

    with pytest.raises(NotSaved, match=words) as caught:
        plan_edits.save_service(path, service, key=None, replaces=replaces)

    assert path.read_bytes() == before
    assert len(list(path.parent.iterdir())) == 2
    assert f".{path.name}." not in str(caught.value)


@pytest.mark.parametrize("content", [b"= broken", b"\xff\xfe", b"unknown = 3\n"])
def test_a_file_that_cannot_be_read_is_left_alone(path: Path, content: bytes) -> None:
    path.parent.mkdir()
    path.write_bytes(content)

    assert "search_services.toml" in declared(path).problem
    with pytest.raises(NotSaved, match=r"search_services\.toml"):
        plan_edits.save_service(path, OWN, key=None)
    assert path.read_bytes() == content


def test_comments_are_announced_as_lost(path: Path) -> None:
    path.parent.mkdir()
    path.write_text('# by hand\n[services.own]\nkind = "searxng"\nurl = "http://x/"\n')
    assert declared(path).has_more
    plan_edits.set_asks_all(path, asks_all=False)
    assert not declared(path).has_more


def test_a_link_stays_a_link(tmp_path: Path, path: Path) -> None:
    target = tmp_path / "elsewhere.toml"
    target.write_text("")
    path.parent.mkdir()
    path.symlink_to(target)
    plan_edits.save_service(path, OWN, key=None)
    assert path.is_symlink()
    assert declared(path).services == read_services(target) == (OWN,)


def read_services(path: Path) -> Any:
    return declared(path).services


def test_two_who_change_it_at_once_lose_nothing(path: Path) -> None:
    names = [f"s{number}" for number in range(12)]
    threads = [
        threading.Thread(
            target=plan_edits.save_service,
            args=(path, DeclaredService(name, ServiceKind.SEARXNG, url="http://x/")),
            kwargs={"key": None},
        )
        for name in names
    ]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    assert sorted(one.name for one in declared(path).services) == sorted(names)


CLOSED = """
import ctypes, os, sys
from pathlib import Path
if os.geteuid() == 0:
    # From here on permissions hold for root, too.
    header, none = (ctypes.c_uint32 * 2)(0x20080522, 0), (ctypes.c_uint32 * 6)()
    assert ctypes.CDLL(None, use_errno=True).capset(header, none) == 0
from admin.web.search_desk import NotSaved
from crawler.web_search.declared import DeclaredService, ServiceKind
from zhiwen.web_search import plan_edits
path = Path(sys.argv[1])
assert not plan_edits.declared_in(path, is_named=False).is_writable
try:
    plan_edits.save_service(path, DeclaredService("own", ServiceKind.SEARXNG, url="http://x/"), key=None)
except NotSaved as error:
    print(error)
"""


def test_a_file_in_a_closed_folder_is_not_writable(path: Path) -> None:
    path.parent.mkdir(mode=0o500)
    program = [sys.executable, "-P", "-c", CLOSED, str(path)]

    ended = subprocess.run(program, capture_output=True, text=True, timeout=120, check=True)  # of ours

    assert "cannot be written" in ended.stdout
    assert not list(path.parent.iterdir())


def test_values_that_the_forms_do_not_have_stay() -> None:
    before = {"kind": "searxng", "url": "http://old/", "queries_a_day": 3, "of_later": [1]}
    assert service_table(OWN, None, before) == {
        "of_later": [1], "kind": "searxng", "url": OWN.url, "queries_a_day": 0,
    }  # fmt: skip
    assert rule_table(DeclaredRule("a", (1,)), {"days": [2], "is_dear": True, "of_later": 1}) == {
        "of_later": 1, "days": [1],
    }  # fmt: skip


TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
VALUES = st.one_of(
    TEXTS, st.booleans(), st.integers(-(2**60), 2**60), st.floats(allow_nan=False, allow_infinity=False),
    st.lists(st.integers(0, 9_999), max_size=4),
)  # fmt: skip


@given(st.dictionaries(TEXTS, st.dictionaries(st.from_regex(r"[a-z_]{1,9}", fullmatch=True), VALUES, max_size=4)))
def test_any_table_is_written_so_that_it_reads_back(tables: dict[str, dict[str, Any]]) -> None:
    whole: dict[str, Any] = {"asks_all": True} | ({"sites": tables} if tables else {})
    assert tables_in(text_of(whole)) == whole
    assert text_of(tables_in(text_of(whole))) == text_of(whole)
