"""The file of search services: what it sets, and what each mistake is called."""

from datetime import timedelta
from pathlib import Path

import pytest

from crawler.web_search.brave import Brave
from crawler.web_search.budget import VISITS, Budget
from crawler.web_search.json_template import JsonTemplate
from crawler.web_search.searxng import SearXNG
from zhiwen.config.settings import SettingsError
from zhiwen.web_search.plan import SearchPlan, SiteRule
from zhiwen.web_search.plan_file import read_plan

KEY = "geheim-0123456789"
WHOLE = f"""
asks_all = true
[services.own]
kind = "searxng"
url = "http://10.0.0.5:8888/"
queries_a_day = 500
[services.brave]
kind = "brave"
key = "{KEY}"
price = 0.005
queries_a_month = 2000
money_a_month = 10
[services.any]
kind = "json"
url = "https://search.example.org/?q={{phrase}}"
results_at = "data.items"
url_at = "link"
[services.feed]
kind = "feed"
url = "https://rss.example.org/search/{{phrase}}"
[services.past]
kind = "infini-gram"
index = "v4_rpj_llama_s4"
[sites.default]
queries_a_day = 50
[sites."我们的报纸"]
days = [7, 0]
is_dear = true
"""


def plan_of(folder: Path, content: str | bytes) -> SearchPlan:
    path = folder / "services.toml"
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return read_plan(path)


def test_a_file_sets_services_in_order_with_prices_budgets_and_rules(tmp_path: Path) -> None:
    plan = plan_of(tmp_path, WHOLE)

    assert [one.name for one in plan.services] == ["own", "brave", "any", "feed", "past"]
    assert [type(one.service) for one in plan.services[:3]] == [SearXNG, Brave, JsonTemplate]
    assert plan.services[0].budget == Budget(queries_a_day=500)
    assert (plan.services[1].price, plan.services[1].budget) == (0.005, Budget(None, 2000, 10))
    assert [one.gap_s > 1 for one in plan.services] == [False, True, False, False, False]
    assert plan.asks_all
    assert KEY not in repr(plan)
    assert plan.rule_of("another") == SiteRule(VISITS, Budget(queries_a_day=50))
    assert plan.rule_of("我们的报纸") == SiteRule((timedelta(0), timedelta(days=7)), is_dear=True)


def test_an_empty_file_asks_nobody(tmp_path: Path) -> None:
    assert plan_of(tmp_path, "") == SearchPlan()


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("[services.a]\n", "“kind” is missing"),
        ('[services.a]\nkind = "google"\n', "must be one of searxng, brave"),
        ('[services.a]\nkind = "searxng"\n', "“url” is missing"),
        ('[services.a]\nkind = "searxng"\nurl = "ftp://x"\n', "no web address"),
        ('[services.a]\nkind = "searxng"\nurl = "http://x:99999/"\n', "no web address"),
        (f'[services.a]\nkind = "searxng"\nurl = "http://me:{KEY}@x/"\n', "give it in “key”"),
        ('[services.a]\nkind = "brave"\n', "“key” is missing"),
        (f'[services.a]\nkind = "brave"\nkey = "{KEY}\\n"\n', "visible ASCII"),
        (f'[services.a]\nkind = "brave"\nkey = "{KEY}"\nkeyy = 1\n', "“keyy” is unknown"),
        (f'[services.a]\nkind = "brave"\nkey = "{KEY}"\nprice = -1\n', "0 or more"),
        (f'[services.a]\nkind = "brave"\nkey = "{KEY}"\nprice = nan\n', "0 or more"),
        (f'[services.a]\nkind = "brave"\nkey = "{KEY}"\nqueries_a_day = true\n', "wrong type"),
        ('[services.a]\nkind = "feed"\nurl = "https://x.example/"\n', r"\{phrase\}"),
        ('[sites.a]\ndays = ["x"]\n', "whole numbers"),
        ("[sites.a]\ndays = 7\n", "wrong type"),
        ("services = 3\n", "wrong type"),
        ("[services]\na = 3\n", "must be a table"),
        ("unknown = 3\n", "“unknown” is unknown"),
        ("= broken", "cannot be read"),
        (b"\xff\xfe\x00", "cannot be read"),
        ("a = " + "[" * 100_000, "cannot be read"),
        ("#" * 1_000_001, "more than 1,000,000 bytes"),
    ],
)
def test_a_mistake_names_the_file_and_the_place_and_no_key(tmp_path: Path, content: str | bytes, words: str) -> None:
    with pytest.raises(SettingsError, match=words) as caught:
        plan_of(tmp_path, content)

    assert "services.toml" in str(caught.value)
    assert KEY not in str(caught.value)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match=r"none\.toml"):
        read_plan(tmp_path / "none.toml")
